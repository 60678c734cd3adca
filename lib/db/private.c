/* private.c - see private.h. */
#include "lib/db/private.h"

#include <ctype.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/base/host.h"
#include "lib/db/grid.h"
#include "lib/pipeline/pipeline.h"
#include "lib/steps/step.h"
#include "lib/stores/store.h"
#include "lib/syntax/option.h"

enum { SUFFIX_MOST = 5, WORD_MOST = 256 };

/* ---- known names ---- */

static bool is_known(const struct private *names, const char *name)
{
	for (size_t i = 0; i < names->count; i++)
		if (strcmp(names->known[i], name) == 0)
			return true;
	return false;
}

int private_know(struct private *names, const char *name, struct error *err)
{
	char **known;

	if (!name[strspn(name, "./ ")] || is_known(names, name))
		return 0;
	known = array_grow(names->known, &names->capacity, names->count + 1,
	    sizeof(*known), err);
	if (!known)
		return -1;
	names->known = known;
	known[names->count] = strdup(name);
	if (!known[names->count])
		return error_memory(err, strlen(name) + 1);
	names->count++;
	return 0;
}

int private_know_host(struct private *names, struct error *err)
{
	const struct passwd *user = getpwuid(getuid());
	const char *home = getenv("HOME"), *name = getenv("USER");
	char host[HOST_NAME];

	host_name(host);
	return private_know(names, host, err) ||
	               (home && private_know(names, home, err)) ||
	               (name && private_know(names, name, err)) ||
	               (user && (private_know(names, user->pw_name, err) ||
	                            private_know(names, user->pw_dir, err)))
	           ? -1
	           : 0;
}

void private_release(struct private *names)
{
	for (size_t i = 0; i < names->count; i++)
		free(names->known[i]);
	free(names->known);
	*names = (struct private)PRIVATE_INIT;
}

/* ---- words ---- */

static bool is_part(char c)
{
	return isalnum((unsigned char)c) || c == '_' ||
	       (unsigned char)c >= 0x80;
}

/* Returns the length of the longest known name that is a word at `at`. */
static size_t known_at(
    const struct private *names, const char *begin, const char *at)
{
	size_t most = 0;

	if (at > begin && is_part(at[-1]) && is_part(*at))
		return 0;
	for (size_t i = 0; i < names->count; i++) {
		const size_t len = strlen(names->known[i]);

		if (len > most && strncmp(at, names->known[i], len) == 0 &&
		    !(is_part(at[len]) && is_part(at[len - 1])))
			most = len;
	}
	return most;
}

/* Is it like "resized/tar/zstd:1" or "o3:greyed/npy/none"? */
static bool is_strategy(const char *word, size_t len)
{
	const char *first = memchr(word, '/', len), *end = word + len;
	const char *last =
	    first ? memchr(first + 1, '/', (size_t)(end - first - 1)) : NULL;
	char store[WORD_MOST];

	if (!last || last - first > (ptrdiff_t)sizeof(store) ||
	    memchr(last + 1, '/', (size_t)(end - last - 1)))
		return false;
	for (const char *c = word; c < end; c++)
		if (!is_part(*c) && !strchr("/:+", *c))
			return false;
	memcpy(store, first + 1, (size_t)(last - first - 1));
	store[last - first - 1] = '\0';
	return store_find(store);
}

/* Is it like "samples/s" or "1.2GB/s"? */
static bool is_unit(const char *word, size_t len)
{
	const char *slash = memchr(word, '/', len);

	return slash && slash + 2 == word + len && slash[1] == 's';
}

/* Is it like "measure.seed"? */
static bool is_key(const char *word, size_t len)
{
	for (size_t i = 0; i < PIPELINE_SECTIONS; i++) {
		const size_t section = strlen(pipeline_sections[i]);

		if (len > section + 1 && word[section] == '.' &&
		    strncmp(word, pipeline_sections[i], section) == 0)
			return true;
	}
	return false;
}

/* Is it like "IMG_1.jpeg": letters behind the last dot? */
static bool is_file(const char *word, size_t len)
{
	size_t suffix = 0;

	while (suffix < len && isalnum((unsigned char)word[len - 1 - suffix]))
		suffix++;
	return suffix > 0 && suffix <= SUFFIX_MOST && suffix + 1 < len &&
	       word[len - 1 - suffix] == '.' &&
	       is_part(word[len - 2 - suffix]) &&
	       isalpha((unsigned char)word[len - suffix]);
}

static bool is_private(const char *word, size_t len)
{
	if (memchr(word, '/', len))
		return !is_strategy(word, len) && !is_unit(word, len);
	return is_file(word, len) && !is_key(word, len);
}

/* ---- texts ---- */

static int leave_out(struct buf *out, struct error *err)
{
	const size_t len = strlen(PRIVATE_INSTEAD);

	/* Replaces adjacent private parts once. */
	if (out->len >= len &&
	    memcmp(out->data + out->len - len, PRIVATE_INSTEAD, len) == 0)
		return 0;
	return buf_append(out, PRIVATE_INSTEAD, len, err);
}

/* Returns the length of the quotation that begins at `at`; 0: none does. */
static size_t quoted_at(const char *begin, const char *at)
{
	const char *end;

	if ((*at != '\'' && *at != '"') || (at > begin && is_part(at[-1])))
		return 0;
	/* a name may contain a quotation mark, too */
	end = strrchr(at + 1, *at);
	return end ? (size_t)(end - at) + 1 : 0;
}

/* Returns the length of a word, up to a blank or the punctuation before it. */
static size_t word_at(const char *at)
{
	size_t len = strcspn(at, " \t\n=");

	while (len > 1 && strchr(",.;:)", at[len - 1]))
		len--;
	return len;
}

/* Appends the next part of `at` or its replacement; returns its length. */
static int take(const struct private *names, const char *begin, const char *at,
    struct buf *out, struct error *err)
{
	const size_t known = known_at(names, begin, at);
	const size_t quoted = quoted_at(begin, at);
	const bool begins = at == begin || strchr(" \t\n=(", at[-1]);
	const size_t word = begins ? word_at(at) : 0;
	size_t len;

	if (known > 0) { /* and everything below the folder */
		len = known;
		if (at[len] == '/')
			len += word_at(at + len);
	} else if (quoted > 0) {
		len = quoted;
	} else if (word > 0 && is_private(at, word)) {
		len = word;
	} else {
		return buf_append(out, at, 1, err) ? -1 : 1;
	}
	return leave_out(out, err) ? -1 : (int)len;
}

static int append(const struct private *names, const char *text, size_t len,
    struct buf *out, struct error *err)
{
	char *copy = strndup(text, len);
	int took = copy ? 0 : error_memory(err, len);

	for (const char *at = copy; took >= 0 && *at; at += took) {
		took = take(names, copy, at, out, err);
		if (took < 0)
			break;
	}
	free(copy);
	return took < 0 ? -1 : buf_printf(out, err, "%s", "");
}

static const char *step_of(const char *text)
{
	const char *step = strstr(text, ": step ");

	return step ? step + 2 : NULL;
}

/* Returns the length of the text before names of samples. */
static size_t before_names(const char *text)
{
	static const char *const marks[] = { ", the first of them ",
		" was skipped: " };

	for (size_t i = 0; i < ARRAY_LEN(marks); i++) {
		const char *mark = strstr(text, marks[i]);

		if (mark)
			return (size_t)(mark - text) + strcspn(mark, ",:");
	}
	return strlen(text);
}

int private_text(const struct private *names, const char *text, struct buf *out,
    struct error *err)
{
	const size_t len = before_names(text);
	const char *step = text[len] ? NULL : step_of(text);

	return step ? append(names, step, strlen(step), out, err)
	            : append(names, text, len, out, err);
}

int private_error(const struct private *names, const char *text,
    struct buf *out, struct error *err)
{
	if (!*text || step_of(text) || strncmp(text, "step ", 5) == 0)
		return private_text(names, text, out, err);
	return buf_printf(out, err, PRIVATE_INSTEAD);
}

/* Is it an option of a step that takes a path? */
static bool is_path_option(const char *key)
{
	const struct step_ops *step;

	for (size_t i = 0; (step = step_at(i)); i++) {
		const struct option *option =
		    step->options ? option_find(step->options, key) : NULL;

		if (option && option->type == OPTION_PATH)
			return true;
	}
	return false;
}

/* Keys whose values are paths: of all sources, and options of steps. */
static bool is_path_key(const char *line, size_t len)
{
	char key[WORD_MOST];

	if (len >= sizeof(key))
		return false;
	memcpy(key, line, len);
	key[len] = '\0';
	return strcmp(key, "path") == 0 || strcmp(key, "labels") == 0 ||
	       is_path_option(key);
}

/* Appends "resize size=8", without values such as " labels=FILE". */
static int append_value(const struct private *names, const char *text,
    size_t len, struct buf *out, struct error *err)
{
	while (len > 0) {
		const size_t blanks = strspn(text, " \t");
		const size_t word = strcspn(text + blanks, " \t\n");
		const size_t key = strcspn(text + blanks, "= \t\n");
		const size_t took = blanks + word > len ? len : blanks + word;

		if (key < word && is_path_key(text + blanks, key)) {
			if (buf_append(out, text, blanks + key + 1, err) ||
			    leave_out(out, err))
				return -1;
		} else if (append(names, text, took, out, err)) {
			return -1;
		}
		text += took;
		len -= took;
	}
	return 0;
}

int private_step(const struct private *names, const char *text, struct buf *out,
    struct error *err)
{
	return append_value(names, text, strlen(text), out, err);
}

int private_pipeline(const struct private *names, const char *text,
    struct buf *out, struct error *err)
{
	while (*text) {
		const size_t len = strcspn(text, "\n");
		const size_t key = strcspn(text, " =\n");
		const size_t equals = strcspn(text, "=\n");

		if (*text == '[' || text[equals] != '=') {
			if (append(names, text, len, out, err))
				return -1;
		} else if (buf_append(out, text, equals + 1, err)) {
			return -1;
		} else if (is_path_key(text, key)) {
			if (buf_append(out, " ", 1, err) || leave_out(out, err))
				return -1;
		} else if (append_value(names, text + equals + 1,
		               len - equals - 1, out, err)) {
			return -1;
		}
		text += len;
		if (*text && buf_append(out, text++, 1, err))
			return -1;
	}
	return buf_printf(out, err, "%s", "");
}

static int hide_value(const struct private *names, struct value *value,
    bool is_error, struct error *err)
{
	struct buf text = BUF_INIT;
	char *copy = NULL;
	int rc = (is_error ? private_error : private_text)(
	    names, value->text, &text, err);

	if (rc == 0) {
		copy = strdup((const char *)text.data);
		rc = copy ? 0 : error_memory(err, text.len);
	}
	if (rc == 0) {
		free(value->text);
		value->text = copy;
	}
	buf_release(&text);
	return rc;
}

int private_rows(
    const struct private *names, struct grid *grid, struct error *err)
{
	static const char *const columns[] = { "message", "why", "text" };

	for (size_t i = 0; i < ARRAY_LEN(columns); i++) {
		const int at = grid_column(grid, columns[i]);

		for (size_t row = 0; at >= 0 && row < grid->row_count; row++) {
			const bool failed =
			    strcmp(grid_text(grid, row, "status"), "failed") ==
			    0;
			struct value *value =
			    &grid->values[row * grid->column_count +
			                  (size_t)at];

			if (value->kind == VALUE_TEXT && *value->text &&
			    hide_value(names, value, failed, err))
				return -1;
		}
	}
	return 0;
}

void private_filesystem(char *text)
{
	char *end = strstr(text, " on ");

	if (end)
		*end = '\0';
}
