/*
 * json.h - JSON documents, written and read (wraps jansson).
 *
 * A document is built from the outside in; what goes wrong while building (no
 * memory) is remembered and told by json_doc_write.
 */
#ifndef CMD_WRITERS_JSON_H
#define CMD_WRITERS_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct error;
struct grid;
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
/* NULL is null. */
void json_add_text(
    struct json_doc *doc, struct json_t *at, const char *key, const char *text);
/* Whole numbers as such; not a number is null. */
void json_add_number(
    struct json_doc *doc, struct json_t *at, const char *key, double number);
void json_add_uint(
    struct json_doc *doc, struct json_t *at, const char *key, uint64_t number);
void json_add_flag(
    struct json_doc *doc, struct json_t *at, const char *key, bool flag);
/* Row `row` as an object: its columns from `first` on. */
void json_add_row(struct json_doc *doc, struct json_t *object,
    const struct grid *grid, size_t row, size_t first);

/* Indented, in the order things were added, with a line end. */
int json_doc_write(const struct json_doc *doc, FILE *out, struct error *err);

/* A row of a grid as an array of objects. */
int json_write_grid(const struct grid *grid, FILE *out, struct error *err);

/* A report that was read; each is empty before. */
struct json_report {
	struct grid *trials; /* a row an object of "trials" */
	/* One: what is plain, and what is in "session" and "machine". */
	struct grid *session;
	struct grid *warnings; /* "text": those of "warnings", if there */
	int64_t wanted;        /* the session; 0: the newest */
};

/* Of a report about several sessions without the one wanted, the newest. */
int json_read_report(const struct json_report *report, const char *path,
    const char *text, struct error *err);

#endif
