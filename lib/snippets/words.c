/* words.c - see words.h. */
#include "lib/snippets/words.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/folder/description.h"
#include "lib/sample/type_words.h"
#include "lib/steps/step.h"
#include "lib/syntax/option.h"

enum { NAME_BYTES = 32, VALUE_BYTES = 256 };

struct typed_step {
	const struct described_step *step;
	const struct type *type; /* type of the input field */
};

static bool is_name(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Returns the default value of an option in the step's table. */
static const char *default_value(
    const struct described_step *step, const char *name, char *text)
{
	const struct step_ops *ops = step_find(step->step);
	const struct option *option =
	    ops && ops->options ? option_find(ops->options, name) : NULL;
	static const char nothing[VALUE_BYTES]; /* fits all options */

	if (!option || (!ops->defaults && ops->options_size > VALUE_BYTES))
		return NULL;
	return option_value(
	    option, ops->defaults ? ops->defaults : nothing, text);
}

static const char *channels(const struct type *type, char *text)
{
	const int64_t count = type->layout == LAYOUT_HWC   ? type->shape.dims[2]
	                      : type->layout == LAYOUT_CHW ? type->shape.dims[0]
	                                                   : -1;

	if (count < 0)
		return NULL;
	snprintf(text, OPTION_VALUE, "%" PRId64, count);
	return text;
}

/* Returns one number of "HxW" or "N": before the x, or behind it. */
static const char *side(const char *size, bool width, char *text)
{
	const char *x = size ? strchr(size, 'x') : NULL;

	if (!size)
		return NULL;
	snprintf(text, OPTION_VALUE, "%.*s",
	    x && !width ? (int)(x - size) : OPTION_VALUE - 1,
	    x && width ? x + 1 : size);
	return text;
}

/* Returns the value of a name, or NULL; `text` is room for it. */
static const char *value_of(
    const struct typed_step *typed, const char *name, char text[OPTION_VALUE])
{
	const struct described_step *step = typed->step;
	const char *given = described_option(step, name);

	if (given)
		return given;
	if (strcmp(name, "height") == 0 || strcmp(name, "width") == 0)
		return side(
		    described_option(step, "size"), name[0] == 'w', text);
	if (strcmp(name, "layout") == 0)
		return layout_word(typed->type->layout);
	if (strcmp(name, "channels") == 0)
		return channels(typed->type, text);
	given = default_value(step, name, text);
	if (!given && strcmp(name, "dtype") == 0)
		return dtype_name(typed->type->dtype);
	return given;
}

/* Does a condition "name=value", or "name", hold? */
static bool holds(
    const struct typed_step *typed, const char *condition, size_t len)
{
	char name[NAME_BYTES], text[OPTION_VALUE];
	const size_t name_len = strcspn(condition, "=,");
	const char *value;

	if (name_len >= len)
		return true;
	if (name_len >= sizeof(name))
		return false;
	memcpy(name, condition, name_len);
	name[name_len] = '\0';
	value = value_of(typed, name, text);
	return value && strlen(value) == len - name_len - 1 &&
	       memcmp(value, condition + name_len + 1, strlen(value)) == 0;
}

static bool all_hold(const struct typed_step *typed, const char *when)
{
	while (when && *when) {
		const size_t len = strcspn(when, ",");

		if (!holds(typed, when, len))
			return false;
		when += len + (when[len] == ',');
	}
	return true;
}

/* Is the name in the text, preceded by `mark` unless that is 0? */
static bool mentions(const char *text, char mark, const char *name)
{
	const size_t len = strlen(name);

	for (const char *at = text; at && (at = strstr(at, name)); at += len) {
		const char before = at == text ? ',' : at[-1];

		if (!is_name(at[len]) &&
		    (mark ? before == mark : before == ','))
			return true;
	}
	return false;
}

static bool knows(const struct step_words *words, const char *option)
{
	char capitals[NAME_BYTES];
	size_t i = 0;

	for (; option[i] && i + 1 < sizeof(capitals); i++)
		capitals[i] = (char)toupper((unsigned char)option[i]);
	capitals[i] = '\0';
	if (mentions(words->when, 0, option) ||
	    mentions(words->code, '$', option) ||
	    mentions(words->draw, '$', option) ||
	    mentions(words->code, '$', capitals))
		return true;
	return strcmp(option, "size") == 0 &&
	       (mentions(words->code, '$', "height") ||
	           mentions(words->draw, '$', "height"));
}

static bool knows_all(
    const struct step_words *words, const struct described_step *step)
{
	for (size_t i = 0; i < step->option_count; i++)
		if (!knows(words, step->options[i].name))
			return false;
	return true;
}

/* Can every name in the code be filled in? */
static bool can_fill(const struct typed_step *typed, const char *code)
{
	struct buf out = BUF_INIT;
	struct error ignored;
	const bool can = !code || words_fill(code, typed->step, typed->type,
	                              "x", &out, &ignored) == 0;

	buf_release(&out);
	return can;
}

const struct step_words *words_find(const struct step_words *table,
    const struct described_step *step, const struct type *type)
{
	const struct typed_step typed = { step, type };

	for (; table->step; table++)
		if (strcmp(table->step, step->step) == 0 &&
		    all_hold(&typed, table->when) && knows_all(table, step) &&
		    can_fill(&typed, table->draw) &&
		    can_fill(&typed, table->code))
			return table;
	return NULL;
}

/* Values become code: only words, numbers and lists of them are accepted. */
static bool is_plain(const char *value)
{
	return value[strspn(value, "abcdefghijklmnopqrstuvwxyz"
	                           "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	                           "0123456789_.,+-")] == '\0';
}

/* Fills in the name at `at`; returns the length of the name, 0: no name. */
static size_t fill_name(const struct typed_step *typed, const char *at,
    struct buf *out, struct error *err)
{
	char name[NAME_BYTES], text[OPTION_VALUE];
	const bool capitals = isupper((unsigned char)at[0]);
	const char *value;
	size_t len = 0;

	for (; is_name(at[len]) && len + 1 < sizeof(name); len++)
		name[len] = (char)tolower((unsigned char)at[len]);
	name[len] = '\0';
	value = value_of(typed, name, text);
	if (!value || !*value || !is_plain(value)) {
		error_set(err, ERROR_DATA, "%s has no value", name);
		return 0;
	}
	for (; *value; value++) {
		const char c =
		    capitals ? (char)toupper((unsigned char)*value) : *value;

		if (buf_append(out, &c, 1, err))
			return 0;
	}
	return len;
}

int words_fill(const char *code, const struct described_step *step,
    const struct type *type, const char *x, struct buf *out, struct error *err)
{
	const struct typed_step typed = { step, type };

	while (*code) {
		const size_t plain = strcspn(code, "$");
		size_t len;

		if (buf_append(out, code, plain, err))
			return -1;
		code += plain;
		if (!*code)
			break;
		code++;
		if (code[0] == 'x' && !is_name(code[1])) {
			if (buf_append(out, x, strlen(x), err))
				return -1;
			code++;
			continue;
		}
		len = fill_name(&typed, code, out, err);
		if (len == 0)
			return -1;
		code += len;
	}
	return 0;
}
