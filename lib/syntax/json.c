/* json.c - see json.h. */
#include "lib/syntax/json.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/base/printable.h"
#include "lib/base/units.h"

enum { DIGITS = 10 }; /* significant digits; more than any measurement has */

/* ---- building ---- */

static struct json_doc new_doc(json_t *root)
{
	return (struct json_doc){ .root = root, .failed = !root };
}

struct json_doc json_doc_object(void)
{
	return new_doc(json_object());
}

struct json_doc json_doc_array(void)
{
	return new_doc(json_array());
}

void json_doc_release(struct json_doc *doc)
{
	json_decref(doc->root);
	*doc = (struct json_doc){ .root = NULL };
}

/*
 * A path need not be UTF-8, but JSON must be.  Then invalid bytes, and
 * invisible characters, are escaped as for people ("\xe9").
 */
static json_t *any_text(const char *text)
{
	json_t *value = json_string(text);
	struct buf utf8 = BUF_INIT;
	struct error ignored;

	if (value)
		return value;
	if (printable_append(&utf8, span_text(text), &ignored) == 0)
		value = json_stringn((const char *)utf8.data, utf8.len);
	buf_release(&utf8);
	return value;
}

/* Takes ownership of `value`, like json_object_set_new. */
static int set(json_t *at, const char *key, json_t *value)
{
	json_t *name = any_text(key);
	const int rc =
	    name ? json_object_set(at, json_string_value(name), value) : -1;

	json_decref(name);
	json_decref(value);
	return rc;
}

/* Adds `value` and gives it to the document; NULL means out of memory. */
static json_t *add(
    struct json_doc *doc, json_t *at, const char *key, json_t *value)
{
	const int rc =
	    key ? set(at, key, value) : json_array_append_new(at, value);

	if (rc == 0)
		return value;
	doc->failed = true;
	return NULL;
}

struct json_t *json_add_object(
    struct json_doc *doc, struct json_t *at, const char *key)
{
	return add(doc, at, key, json_object());
}

struct json_t *json_add_array(
    struct json_doc *doc, struct json_t *at, const char *key)
{
	return add(doc, at, key, json_array());
}

void json_add_text(
    struct json_doc *doc, struct json_t *at, const char *key, const char *text)
{
	add(doc, at, key, text ? any_text(text) : json_null());
}

void json_add_number(
    struct json_doc *doc, struct json_t *at, const char *key, double number)
{
	const bool whole = floor(number) >= number && fabs(number) <= 0x1p53;

	if (!isfinite(number))
		add(doc, at, key, json_null());
	else if (whole)
		add(doc, at, key, json_integer((json_int_t)number));
	else
		add(doc, at, key, json_real(number));
}

void json_add_uint(
    struct json_doc *doc, struct json_t *at, const char *key, uint64_t number)
{
	char digits[24];

	if (number <= INT64_MAX) {
		add(doc, at, key, json_integer((json_int_t)number));
		return;
	}
	/* Text, since JSON readers would round the number. */
	snprintf(digits, sizeof(digits), "%" PRIu64, number);
	json_add_text(doc, at, key, digits);
}

void json_add_integer(
    struct json_doc *doc, struct json_t *at, const char *key, int64_t number)
{
	add(doc, at, key, json_integer(number));
}

void json_add_flag(
    struct json_doc *doc, struct json_t *at, const char *key, bool flag)
{
	add(doc, at, key, json_boolean(flag));
}

/*
 * The output of a document.  Jansson does not check whether the name of a
 * member could be written (dump.c, do_dump), so a failure is remembered here.
 */
struct output {
	json_dump_callback_t put;
	void *to;
	bool failed;
};

/* A json_dump_callback_t that writes to a file. */
static int put_file(const char *text, size_t len, void *out)
{
	return fwrite(text, 1, len, out) == len ? 0 : -1;
}

static int put_buf(const char *text, size_t len, void *out)
{
	struct error ignored;

	return buf_append(out, text, len, &ignored);
}

static void put(struct output *out, const char *text, size_t len)
{
	if (!out->failed && out->put(text, len, out->to))
		out->failed = true;
}

/* Writes "\u202E", or a surrogate pair for a character above U+FFFF. */
static void put_code(struct output *out, unsigned code)
{
	char text[16];

	if (code > 0xffff)
		snprintf(text, sizeof(text), "\\u%04X\\u%04X",
		    0xd7c0 + (code >> 10), 0xdc00 + (code & 0x3ff));
	else
		snprintf(text, sizeof(text), "\\u%04X", code);
	put(out, text, strlen(text));
}

/*
 * A json_dump_callback_t; it is called with whole characters.  Jansson escapes
 * C0 controls in strings, so that newlines here only separate lines.  Other
 * characters that a terminal would obey can only stand in strings, and are
 * escaped here.
 */
static int put_visible(const char *text, size_t len, void *arg)
{
	struct output *out = arg;
	const char *at = text, *end = text + len;
	struct printable is;

	for (; printable_next(at, end, &is); at += is.took) {
		if (is.text == at || is.code < ' ')
			continue;
		put(out, text, (size_t)(at - text));
		put_code(out, (unsigned)is.code);
		text = at + is.took;
	}
	put(out, text, (size_t)(end - text));
	return out->failed ? -1 : 0;
}

static int dump(
    const struct json_doc *doc, struct output out, struct error *err)
{
	if (doc->failed)
		return error_set(err, ERROR_MEMORY, "out of memory for JSON");
	if (json_dump_callback(doc->root, put_visible, &out,
	        JSON_INDENT(2) | JSON_REAL_PRECISION(DIGITS)) ||
	    put_visible("\n", 1, &out))
		return error_set(err, ERROR_SYSTEM, "cannot write JSON");
	return 0;
}

int json_doc_write(const struct json_doc *doc, FILE *out, struct error *err)
{
	return dump(doc, (struct output){ .put = put_file, .to = out }, err);
}

int json_doc_print(
    const struct json_doc *doc, struct buf *out, struct error *err)
{
	return dump(doc, (struct output){ .put = put_buf, .to = out }, err);
}

/* ---- reading ---- */

int json_doc_parse(
    struct json_doc *doc, const char *path, struct span text, struct error *err)
{
	json_error_t why;

	*doc = (struct json_doc){
		.root = json_loadb((const char *)text.data, text.len,
		    JSON_REJECT_DUPLICATES, &why),
	};
	if (doc->root)
		return 0;
	return error_set(err, ERROR_DATA, "%s:%d:%d: %s", path, why.line,
	    why.column, why.text);
}

/* Returns a member; NULL with err when it is missing or of another type. */
static json_t *get(const json_t *at, const char *key, bool (*is)(json_t *),
    const char *type, struct error *err)
{
	json_t *value = json_object_get(at, key);

	if (!value)
		error_set(err, ERROR_DATA, "'%s' is missing", key);
	else if (is(value))
		return value;
	else
		error_set(err, ERROR_DATA, "'%s' must be %s", key, type);
	return NULL;
}

static bool is_text(json_t *value)
{
	return json_is_string(value);
}

/* Large numbers are texts, as json_add_uint writes them. */
static bool is_uint(json_t *value)
{
	uint64_t number;

	return json_is_string(value)
	           ? units_parse_uint(json_string_value(value), &number) == 0
	           : json_is_integer(value) && json_integer_value(value) >= 0;
}

static bool is_flag(json_t *value)
{
	return json_is_boolean(value);
}

static bool is_object(json_t *value)
{
	return json_is_object(value);
}

static bool is_array(json_t *value)
{
	return json_is_array(value);
}

int json_get_text(const struct json_t *at, const char *key, const char **text,
    struct error *err)
{
	const json_t *value = get(at, key, is_text, "a text", err);

	*text = json_string_value(value);
	return value ? 0 : -1;
}

int json_get_uint(const struct json_t *at, const char *key, uint64_t *number,
    struct error *err)
{
	const json_t *value =
	    get(at, key, is_uint, "a whole number, 0 or more", err);

	*number = (uint64_t)json_integer_value(value);
	if (json_is_string(value))
		units_parse_uint(json_string_value(value), number);
	return value ? 0 : -1;
}

int json_get_flag(
    const struct json_t *at, const char *key, bool *flag, struct error *err)
{
	const json_t *value = get(at, key, is_flag, "true or false", err);

	*flag = json_is_true(value);
	return value ? 0 : -1;
}

int json_get_object(const struct json_t *at, const char *key,
    struct json_t **object, struct error *err)
{
	*object = get(at, key, is_object, "an object", err);
	return *object ? 0 : -1;
}

int json_get_array(const struct json_t *at, const char *key,
    struct json_t **array, struct error *err)
{
	*array = get(at, key, is_array, "an array", err);
	return *array ? 0 : -1;
}

bool json_has(const struct json_t *at, const char *key)
{
	const json_t *value = json_object_get(at, key);

	return value && !json_is_null(value);
}

size_t json_count(const struct json_t *array)
{
	return json_array_size(array);
}

struct json_t *json_item(const struct json_t *array, size_t i)
{
	json_t *item = json_array_get(array, i);

	return json_is_object(item) ? item : NULL;
}

const char *json_item_text(const struct json_t *array, size_t i)
{
	return json_string_value(json_array_get(array, i));
}

int json_item_size(const struct json_t *array, size_t i, int64_t *size)
{
	const json_t *item = json_array_get(array, i);

	*size = json_is_null(item) ? -1 : json_integer_value(item);
	if (json_is_null(item) || (json_is_integer(item) && *size >= 0))
		return 0;
	return -1;
}

int json_each(
    struct json_t *object, json_visit *visit, void *arg, struct error *err)
{
	const char *key;
	json_t *value;

	json_object_foreach(object, key, value)
	{
		if (visit(arg, key, json_string_value(value), err))
			return -1;
	}
	return 0;
}
