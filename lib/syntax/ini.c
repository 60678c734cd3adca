/*
 * ini.c - see ini.h.
 *
 * inih reports neither line numbers nor sections without keys to its handler.
 * It takes an indented line as a continuation of the line before, and it knows
 * only one comment sign behind a value.
 *
 * Therefore the reader, which sees each line first, counts lines, notes
 * sections and passes on lines without leading blanks and comments.  The
 * library separates keys from values.
 */
#include <ini.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/syntax/ini.h"

struct parser {
	struct ini *ini;
	struct span rest; /* unread part of the text */
	unsigned line;    /* number of the line read last */
	bool failed;
	struct error *err;
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

/* Copies the bytes without surrounding blanks. */
static char *copy_trimmed(const char *text, size_t len, struct error *err)
{
	char *copy;

	while (len && is_blank(text[0])) {
		text++;
		len--;
	}
	while (len && is_blank(text[len - 1]))
		len--;
	copy = strndup(text, len);
	if (!copy)
		error_memory(err, len + 1);
	return copy;
}

struct ini_section *ini_section(const struct ini *ini, const char *name)
{
	const int32_t number = names_find(&ini->names, span_text(name));

	return number < 0 ? NULL : &ini->sections[number];
}

struct ini_entry *ini_entry(const struct ini_section *section, const char *key)
{
	const int32_t number =
	    section ? names_find(&section->keys, span_text(key)) : -1;

	return number < 0 ? NULL : &section->entries[number];
}

/* Takes ownership of `name`, also on failure.  The name must be new. */
static struct ini_section *add_section(
    struct ini *ini, char *name, unsigned line, struct error *err)
{
	struct ini_section *grown = array_grow(
	    ini->sections, &ini->capacity, ini->count + 1, sizeof(*grown), err);

	if (grown)
		ini->sections = grown;
	if (!grown || names_number(&ini->names, span_text(name), err) < 0) {
		free(name);
		return NULL;
	}
	grown += ini->count++;
	*grown = (struct ini_section){ .name = name, .line = line };
	return grown;
}

/* Adds an entry whose key is new. */
static int add_entry(struct ini_section *section, const char *key,
    const char *value, unsigned line, struct error *err)
{
	struct ini_entry entry = { .line = line };
	struct ini_entry *grown = array_grow(section->entries,
	    &section->capacity, section->count + 1, sizeof(*grown), err);

	if (!grown)
		return -1;
	section->entries = grown;
	entry.key = copy_trimmed(key, strlen(key), err);
	entry.value = copy_trimmed(value, strlen(value), err);
	if (!entry.key || !entry.value ||
	    names_number(&section->keys, span_text(entry.key), err) < 0) {
		free(entry.key);
		free(entry.value);
		return -1;
	}
	section->entries[section->count++] = entry;
	return 0;
}

/* Adds "PATH:LINE: " to the error and stops the reader. */
static int fail(struct parser *parser)
{
	parser->failed = true;
	return error_prefix(
	    parser->err, "%s:%u", parser->ini->path, parser->line);
}

static struct span skip_bytes(struct span text, size_t count)
{
	text.data += count;
	text.len -= count;
	return text;
}

/* Cuts the comment: from a ';' or '#' at the start or behind a blank. */
static struct span without_comment(struct span line)
{
	for (size_t i = 0; i < line.len; i++) {
		const unsigned char c = line.data[i];

		if (c != ';' && c != '#')
			continue;
		if (i == 0 || is_blank((char)line.data[i - 1]))
			line.len = i;
	}
	return line;
}

/* Reads the next line, without surrounding blanks and comment. */
static struct span next_line(struct parser *parser)
{
	struct span line = parser->rest;
	const unsigned char *newline = memchr(line.data, '\n', line.len);

	if (newline)
		line.len = (size_t)(newline - line.data);
	parser->rest = skip_bytes(parser->rest, line.len + (newline ? 1 : 0));
	parser->line++;
	/* A byte order mark, which some editors write. */
	if (parser->line == 1 && line.len >= 3 &&
	    memcmp(line.data, "\xef\xbb\xbf", 3) == 0)
		line = skip_bytes(line, 3);
	while (line.len && is_blank((char)line.data[0]))
		line = skip_bytes(line, 1);
	line = without_comment(line);
	while (line.len && is_blank((char)line.data[line.len - 1]))
		line.len--;
	return line;
}

/* Adds the section here, so that sections without keys exist, too. */
static int read_section(struct parser *parser, const char *line)
{
	const char *end = strchr(line, ']');
	const struct ini_section *earlier;
	char *name;

	if (!end)
		return error_set(parser->err, ERROR_USAGE,
		    "'%s' has no closing bracket", line);
	if (end[1])
		return error_set(parser->err, ERROR_USAGE,
		    "'%s' is not expected behind a section", end + 1);
	name = copy_trimmed(line + 1, (size_t)(end - line - 1), parser->err);
	if (!name)
		return -1;
	earlier = ini_section(parser->ini, name);
	if (*name && !earlier)
		return add_section(parser->ini, name, parser->line, parser->err)
		           ? 0
		           : -1;
	if (*name)
		error_set(parser->err, ERROR_USAGE,
		    "section [%s] is already in line %u", name, earlier->line);
	else
		error_set(parser->err, ERROR_USAGE, "a section needs a name");
	free(name);
	return -1;
}

/* The library's fgets: puts one line into `out`; returns NULL at the end. */
static char *read_line(char *out, int size, void *arg)
{
	struct parser *parser = arg;
	struct span line;
	int rc = 0;

	if (parser->failed || !parser->rest.len)
		return NULL;
	line = next_line(parser);
	if (line.len > INI_LINE_BYTES || line.len >= (size_t)size) {
		rc = error_set(parser->err, ERROR_USAGE,
		    "the line has %zu bytes, more than %d: shorten it",
		    line.len, INI_LINE_BYTES);
	} else {
		memcpy(out, line.data, line.len);
		out[line.len] = '\0';
		if (out[0] == '[')
			rc = read_section(parser, out);
	}
	if (rc) {
		fail(parser);
		return NULL;
	}
	return out;
}

static int check_entry(struct parser *parser, const struct ini_section *section,
    const char *key, const char *value)
{
	const struct ini_entry *earlier = ini_entry(section, key);

	if (!*key)
		return error_set(parser->err, ERROR_USAGE,
		    "a key is missing before '%s'", value);
	if (!section)
		return error_set(parser->err, ERROR_USAGE,
		    "key '%s' stands before the first [section]", key);
	if (earlier)
		return error_set(parser->err, ERROR_USAGE,
		    "key '%s' is already set in line %u", key, earlier->line);
	if (!*value)
		return error_set(
		    parser->err, ERROR_USAGE, "key '%s' has no value", key);
	return 0;
}

/*
 * Takes a backslash from each sign of a comment behind a blank, where it keeps
 * the sign from beginning one.
 */
static void take_backslashes(char plain[INI_LINE_BYTES + 1], const char *value)
{
	bool is_behind_blank = true; /* backslashes do not change that */

	for (const char *at = value; *at; at++) {
		if (*at == '\\' && is_behind_blank) {
			const size_t count = strspn(at, "\\");
			const char end = at[count];

			memcpy(plain, at, count);
			plain += count - (end == '#' || end == ';');
			at += count - 1;
			is_behind_blank = false;
			continue;
		}
		is_behind_blank = is_blank(*at);
		*plain++ = *at;
	}
	*plain = '\0';
}

/* The library calls this for each entry: returns 1 for success, else 0. */
static int take_entry(
    void *arg, const char *section_name, const char *key, const char *value)
{
	struct parser *parser = arg;
	struct ini *ini = parser->ini;
	struct ini_section *section =
	    ini->count ? &ini->sections[ini->count - 1] : NULL;

	char plain[INI_LINE_BYTES + 1];

	UNUSED(section_name); /* may be cut: the reader has it whole */
	if (parser->failed)
		return 0;
	take_backslashes(plain, value);
	if (check_entry(parser, section, key, value) ||
	    add_entry(section, key, plain, parser->line, parser->err)) {
		fail(parser);
		return 0;
	}
	return 1;
}

/* The text is kept as a string, so it may not have zero bytes in comments. */
static int check_text(const struct ini *ini, size_t len, struct error *err)
{
	const char *zero = memchr(ini->text, '\0', len);
	unsigned line = 1;

	for (const char *at = ini->text; zero && at < zero; at++)
		line += *at == '\n';
	if (!zero)
		return 0;
	return error_set(err, ERROR_USAGE,
	    "%s:%u: the line has a zero byte: not a text", ini->path, line);
}

static int parse(struct ini *ini, size_t len, struct error *err)
{
	struct parser parser = {
		.ini = ini,
		.rest = { .data = (const unsigned char *)ini->text,
		    .len = len },
		.err = err,
	};
	const int line =
	    ini_parse_stream(read_line, &parser, take_entry, &parser);

	/* The library goes on after a bad line: only the first is reported. */
	if (line > 0 && (!parser.failed || (unsigned)line < parser.line))
		return error_set(err, ERROR_USAGE,
		    "%s:%d: expected 'key = value' or '[section]'", ini->path,
		    line);
	if (parser.failed)
		return -1;
	if (line < 0)
		return error_set(
		    err, ERROR_MEMORY, "%s: out of memory", ini->path);
	return 0;
}

int ini_parse_text(struct ini *ini, const char *path, const char *text,
    size_t len, struct error *err)
{
	*ini = (struct ini)INI_INIT;
	ini->path = strdup(path);
	ini->text = malloc(len + 1);
	if (!ini->path || !ini->text) {
		error_memory(err, len + 1);
		goto fail;
	}
	if (len)
		memcpy(ini->text, text, len);
	ini->text[len] = '\0';
	if (check_text(ini, len, err) || parse(ini, len, err))
		goto fail;
	return 0;
fail:
	ini_release(ini);
	return -1;
}

/* Is the path that of something open, as of standard input? */
static bool is_descriptor(const char *path)
{
	return strcmp(path, "/dev/stdin") == 0 ||
	       strncmp(path, "/dev/fd/", 8) == 0 ||
	       strncmp(path, "/proc/self/fd/", 14) == 0;
}

int ini_read(struct ini *ini, const char *path, struct error *err)
{
	struct buf text = BUF_INIT;
	bool is_pipe;
	int rc;

	*ini = (struct ini)INI_INIT;
	rc = path_read_text(path, INI_FILE_BYTES, &text, &is_pipe, err);
	if (rc && err->code == ERROR_LIMIT)
		error_set(err, ERROR_USAGE,
		    "%s: larger than %d bytes, the most that a file of "
		    "sections and keys may have: is it the right one?",
		    path, INI_FILE_BYTES);
	/* A missing file or a folder is a mistake in the path given. */
	else if (rc && (!path_exists(path) || err->code == ERROR_DATA))
		err->code = ERROR_USAGE;
	if (rc == 0)
		rc = ini_parse_text(
		    ini, path, (const char *)text.data, text.len, err);
	/* A pipe has no folder: its paths are relative to the current one. */
	if (rc == 0 && (is_pipe || is_descriptor(path)) &&
	    !(ini->folder = strdup(".")))
		rc = error_memory(err, 2);
	buf_release(&text);
	return rc;
}

static void free_entry(struct ini_entry *entry)
{
	free(entry->key);
	free(entry->value);
	free(entry->folder);
}

void ini_release(struct ini *ini)
{
	for (size_t i = 0; i < ini->count; i++) {
		struct ini_section *section = &ini->sections[i];

		for (size_t k = 0; k < section->count; k++)
			free_entry(&section->entries[k]);
		free(section->entries);
		free(section->name);
		names_release(&section->keys);
	}
	free(ini->sections);
	names_release(&ini->names);
	free(ini->folder);
	free(ini->text);
	free(ini->path);
	*ini = (struct ini)INI_INIT;
}

int ini_put(struct ini *ini, const char *section_name, const char *key,
    const char *value, struct error *err)
{
	struct ini_section *section = ini_section(ini, section_name);
	struct ini_entry *entry = ini_entry(section, key);
	char *copy;

	if (!section) {
		copy = copy_trimmed(section_name, strlen(section_name), err);
		section = copy ? add_section(ini, copy, 0, err) : NULL;
	}
	if (!section)
		return -1;
	if (!entry)
		return add_entry(section, key, value, 0, err);
	copy = copy_trimmed(value, strlen(value), err);
	if (!copy)
		return -1;
	free(entry->value);
	entry->value = copy;
	entry->line = 0;
	free(entry->folder);
	entry->folder = NULL;
	return 0;
}

int ini_recall(struct ini *ini, const struct ini_setting *setting,
    const char *folder, struct error *err)
{
	struct ini_entry *entry;

	if (ini_put(ini, setting->section, setting->key, setting->value, err))
		return -1;
	entry = ini_entry(ini_section(ini, setting->section), setting->key);
	entry->folder = strdup(folder);
	return entry->folder ? 0 : error_memory(err, strlen(folder) + 1);
}

int ini_forget(struct ini *ini, const char *name, struct error *err)
{
	struct ini_section *section = ini_section(ini, name);
	size_t kept = 0;

	if (!section)
		return 0;
	names_clear(&section->keys);
	for (size_t i = 0; i < section->count; i++)
		if (section->entries[i].line)
			free_entry(&section->entries[i]);
		else
			section->entries[kept++] = section->entries[i];
	section->count = kept;
	for (size_t i = 0; i < kept; i++)
		if (names_number(&section->keys,
		        span_text(section->entries[i].key), err) < 0)
			return -1;
	return 0;
}

/* Takes the section, key and value apart; blanks may surround each. */
static int put_parts(struct ini *ini, const char *assignment, const char *dot,
    const char *equals, struct error *err)
{
	char *section =
	    copy_trimmed(assignment, (size_t)(dot - assignment), err);
	char *key = copy_trimmed(dot + 1, (size_t)(equals - dot - 1), err);
	char *value = copy_trimmed(equals + 1, strlen(equals + 1), err);
	int rc = -1;

	if (!section || !key || !value)
		goto done;
	if (*section && *key && *value)
		rc = ini_put(ini, section, key, value, err);
	else
		error_set(err, ERROR_USAGE,
		    "%s must be SECTION.KEY=VALUE, got '%s'",
		    ini->setter ? "a setting" : "--set", assignment);
done:
	free(value);
	free(key);
	free(section);
	return rc;
}

int ini_set(struct ini *ini, const char *assignment, struct error *err)
{
	const char *equals = strchr(assignment, '=');
	const char *dot = strchr(assignment, '.');

	if (!equals || !dot || dot > equals)
		return error_set(err, ERROR_USAGE,
		    "%s must be SECTION.KEY=VALUE, got '%s'",
		    ini->setter ? "a setting" : "--set", assignment);
	return put_parts(ini, assignment, dot, equals, err);
}
