/*
 * json.h - writes and reads JSON documents (wraps jansson).
 *
 * A document is built from the outside in.  A failure while building (out of
 * memory) is remembered, and reported by json_doc_write.
 */
#ifndef LIB_SYNTAX_JSON_H
#define LIB_SYNTAX_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "lib/base/bytes.h"

struct error;
struct json_t; /* an object or an array in a document, which owns it */

struct json_doc {
	struct json_t *root;
	bool failed;
};

/* Begins a document whose root is an empty object, or array. */
struct json_doc json_doc_object(void);
struct json_doc json_doc_array(void);
void json_doc_release(struct json_doc *doc);

/* Adds to the object `at` under `key`; key NULL: to the end of the array. */
struct json_t *json_add_object(
    struct json_doc *doc, struct json_t *at, const char *key);
struct json_t *json_add_array(
    struct json_doc *doc, struct json_t *at, const char *key);
/*
 * Adds a text; NULL becomes null.  Invalid bytes become "\\xe9", and characters
 * that lib/base/printable calls invisible are written as \u escapes.
 */
void json_add_text(
    struct json_doc *doc, struct json_t *at, const char *key, const char *text);
/* Writes integers without a fraction; NaN becomes null. */
void json_add_number(
    struct json_doc *doc, struct json_t *at, const char *key, double number);
void json_add_uint(
    struct json_doc *doc, struct json_t *at, const char *key, uint64_t number);
void json_add_integer(
    struct json_doc *doc, struct json_t *at, const char *key, int64_t number);
void json_add_flag(
    struct json_doc *doc, struct json_t *at, const char *key, bool flag);

/* Writes the document, indented, in order of addition, with a final newline. */
int json_doc_write(const struct json_doc *doc, FILE *out, struct error *err);
/* The same, appended to `out`. */
int json_doc_print(
    const struct json_doc *doc, struct buf *out, struct error *err);

/* ---- reading: ERROR_DATA for unexpected content ---- */

/* Parses a document.  Errors: "PATH:LINE:COLUMN: why".  Keys must be unique. */
int json_doc_parse(struct json_doc *doc, const char *path, struct span text,
    struct error *err);

/*
 * Get a required member of an object: "'seed' is missing", "'seed' must be a
 * whole number".  Texts and parts live as long as the document.
 */
int json_get_text(const struct json_t *at, const char *key, const char **text,
    struct error *err);
int json_get_uint(const struct json_t *at, const char *key, uint64_t *number,
    struct error *err);
int json_get_flag(
    const struct json_t *at, const char *key, bool *flag, struct error *err);
int json_get_object(const struct json_t *at, const char *key,
    struct json_t **object, struct error *err);
int json_get_array(const struct json_t *at, const char *key,
    struct json_t **array, struct error *err);
bool json_has(const struct json_t *at, const char *key); /* also not null */

size_t json_count(const struct json_t *array);
/* Return an item; NULL when it is not an object, a text, a number. */
struct json_t *json_item(const struct json_t *array, size_t i);
const char *json_item_text(const struct json_t *array, size_t i);
/* Reads 0 to INT64_MAX; null is -1.  Returns -1 for any other value, else 0. */
int json_item_size(const struct json_t *array, size_t i, int64_t *size);

/* Visits each member of an object in order; `text` NULL: it is not a text. */
typedef int json_visit(
    void *arg, const char *key, const char *text, struct error *err);
int json_each(
    struct json_t *object, json_visit *visit, void *arg, struct error *err);

#endif
