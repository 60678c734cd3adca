/*
 * json.h - JSON documents, written and read (wraps jansson).
 *
 * A document is built from the outside in; what goes wrong while building (no
 * memory) is remembered and told by json_doc_write.
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

/* An empty object, or array, to add to. */
struct json_doc json_doc_object(void);
struct json_doc json_doc_array(void);
void json_doc_release(struct json_doc *doc);

/* Into object `at` under `key`; key NULL: behind the last of array `at`. */
struct json_t *json_add_object(
    struct json_doc *doc, struct json_t *at, const char *key);
struct json_t *json_add_array(
    struct json_doc *doc, struct json_t *at, const char *key);
/*
 * NULL is null.  Wrong bytes of a text that is not UTF-8 become "\\xe9", and
 * what lib/base/printable calls unseen is written as \u escapes.
 */
void json_add_text(
    struct json_doc *doc, struct json_t *at, const char *key, const char *text);
/* Whole numbers as such; not a number is null. */
void json_add_number(
    struct json_doc *doc, struct json_t *at, const char *key, double number);
void json_add_uint(
    struct json_doc *doc, struct json_t *at, const char *key, uint64_t number);
void json_add_integer(
    struct json_doc *doc, struct json_t *at, const char *key, int64_t number);
void json_add_flag(
    struct json_doc *doc, struct json_t *at, const char *key, bool flag);

/* Indented, in the order things were added, with a line end. */
int json_doc_write(const struct json_doc *doc, FILE *out, struct error *err);
/* The same behind what is in `out`. */
int json_doc_print(
    const struct json_doc *doc, struct buf *out, struct error *err);

/* ---- reading: ERROR_DATA for what is not as it should be ---- */

/* "PATH:LINE:COLUMN: why"; keys may not be repeated. */
int json_doc_parse(struct json_doc *doc, const char *path, struct span text,
    struct error *err);

/*
 * Members of an object, which must be there: "'seed' is missing", "'seed' must
 * be a whole number".  Texts and parts live as long as the document.
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
bool json_has(const struct json_t *at, const char *key); /* and is not null */

size_t json_count(const struct json_t *array);
/* An item: NULL when it is not an object, not a text, not a number. */
struct json_t *json_item(const struct json_t *array, size_t i);
const char *json_item_text(const struct json_t *array, size_t i);
/* null is -1; 0, or -1 when it is neither that nor 0 to INT64_MAX. */
int json_item_size(const struct json_t *array, size_t i, int64_t *size);

/* Calls for each member of an object, in order; `text` NULL: it is no text. */
typedef int json_visit(
    void *arg, const char *key, const char *text, struct error *err);
int json_each(
    struct json_t *object, json_visit *visit, void *arg, struct error *err);

#endif
