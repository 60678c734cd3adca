/*
 * thrift.h - reads and writes messages of Thrift's compact protocol, in which
 * the metadata of Parquet is.
 *
 * A struct is a row of fields, each with a number and a type, and ends with a
 * stop. A reader takes one field after the other and skips those that it does
 * not know.
 */
#ifndef LIB_FORMATS_PARQUET_THRIFT_H
#define LIB_FORMATS_PARQUET_THRIFT_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/bytes.h"

struct error;

enum thrift_type {
	THRIFT_STOP = 0,
	THRIFT_TRUE = 1,
	THRIFT_FALSE = 2,
	THRIFT_BYTE = 3,
	THRIFT_I16 = 4,
	THRIFT_I32 = 5,
	THRIFT_I64 = 6,
	THRIFT_DOUBLE = 7,
	THRIFT_BINARY = 8,
	THRIFT_LIST = 9,
	THRIFT_SET = 10,
	THRIFT_MAP = 11,
	THRIFT_STRUCT = 12,
};

/* ---- reading ---- */

/* The rest of a message, which is empty after a failure. */
struct thrift_reader {
	struct span left;
	bool failed; /* it ended too early, or is nested too deeply */
};

struct thrift_field {
	int id; /* 0 before the first one */
	enum thrift_type type;
};

/* Takes the next field of a struct; false at its end, or after a failure. */
bool thrift_next(struct thrift_reader *reader, struct thrift_field *field);
/* Skips the value of a field. */
void thrift_skip(struct thrift_reader *reader, enum thrift_type type);

/*
 * Take the value of a field; of another type, it is skipped, and the result is
 * 0, empty or false.
 */
int64_t thrift_integer(
    struct thrift_reader *reader, const struct thrift_field *field);
struct span thrift_binary(
    struct thrift_reader *reader, const struct thrift_field *field);
bool thrift_flag(const struct thrift_field *field);
/* Begins a struct: its fields follow. False: it was skipped. */
bool thrift_begin(
    struct thrift_reader *reader, const struct thrift_field *field);
/*
 * Begins a list of `type`: returns the number of items that follow. Items are
 * taken like fields of that type.
 */
uint32_t thrift_list(struct thrift_reader *reader,
    const struct thrift_field *field, enum thrift_type type);

/* ---- writing: fields of a struct in ascending order of their numbers ---- */

struct thrift_writer {
	struct buf *out;
	int last; /* number of the last field of this struct */
	bool failed;
	struct error *err;
};

void thrift_put_integer(
    struct thrift_writer *writer, int id, enum thrift_type type, int64_t value);
void thrift_put_binary(struct thrift_writer *writer, int id, struct span value);
void thrift_put_text(struct thrift_writer *writer, int id, const char *value);
void thrift_put_list(struct thrift_writer *writer, int id,
    enum thrift_type type, uint32_t count);
/*
 * Begins a struct in a field, or with id 0 as item of a list. Returns what
 * thrift_put_end needs.
 */
int thrift_put_begin(struct thrift_writer *writer, int id);
void thrift_put_end(struct thrift_writer *writer, int before);
/* An item of a list of i32 or of texts. */
void thrift_put_item(struct thrift_writer *writer, int64_t value);
void thrift_put_item_text(struct thrift_writer *writer, const char *value);

#endif
