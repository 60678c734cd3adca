/*
 * example.h - writes and parses tf.train.Example in place. It is a protocol
 * buffer that maps names to lists of bytes, floats or integers:
 *
 *   Example  { Features features = 1; }
 *   Features { map<string, Feature> feature = 1; }
 *   Feature  { BytesList = 1 | FloatList = 2 | Int64List = 3 }
 *
 * Each list is { repeated value = 1; }.
 */
#ifndef LIB_FORMATS_EXAMPLE_H
#define LIB_FORMATS_EXAMPLE_H

#include <stdint.h>

#include "lib/base/bytes.h"
#include "lib/sample/sample.h"

struct error;

enum {
	/* a name has the form "FIELD.FILTER/suffix" */
	EXAMPLE_NAME = FIELD_NAME + SUFFIX_MAX + 8,
	EXAMPLE_INTS = SHAPE_MAX,
	EXAMPLE_FEATURES = 3 * FIELDS_MAX + 2,
};

enum example_kind { /* field numbers in Feature */
	EXAMPLE_KIND_BYTES = 1,
	EXAMPLE_KIND_FLOATS = 2,
	EXAMPLE_KIND_INTS = 3,
};

/* ---- writing: features are sorted by name ---- */

struct example_item {
	char name[EXAMPLE_NAME];
	enum example_kind kind;
	struct span content; /* the only value, borrowed, or `packed` */
	unsigned char packed[10 * EXAMPLE_INTS];
	size_t content_at; /* offset in the message, set by example_size */
};

struct example {
	unsigned count;
	struct example_item items[EXAMPLE_FEATURES];
	struct example_item *sorted[EXAMPLE_FEATURES];
};

/*
 * Adds a feature with one value, or with up to EXAMPLE_INTS values. At most
 * EXAMPLE_FEATURES features.
 */
void example_add_bytes(
    struct example *example, const char *name, struct span value);
void example_add_ints(struct example *example, const char *name,
    const int64_t *values, unsigned count);

/* Sorts the features; returns the length of the message. */
size_t example_size(struct example *example);
/* Returns the offset of a feature's content; after example_size. */
size_t example_content_at(const struct example *example, const char *name);
/* Writes the message, example_size() bytes. */
void example_write(const struct example *example, unsigned char *out);

/*
 * Writes an unknown field of `len` bytes, 2 to 129, to be put in front of a
 * message. Parsers skip it; it aligns the bytes behind it.
 */
void example_write_padding(unsigned char *out, size_t len);

/* ---- reading ---- */

struct example_cursor {
	struct span message;  /* rest of the Example */
	struct span features; /* rest of the Features in it */
};

struct example_feature {
	struct span name;
	enum example_kind kind; /* 0: an empty feature */
	struct span list;       /* the encoded list of values */
};

/* Takes the next feature: 1, 0 at the end, or -1 (ERROR_DATA). */
int example_next(struct example_cursor *cursor, struct example_feature *feature,
    struct error *err);
/* Takes the only value of a list of bytes. */
int example_bytes(const struct example_feature *feature, struct span *value,
    struct error *err);
/* Takes the values of a list of integers, at most `most`. */
int example_ints(const struct example_feature *feature, int64_t *values,
    unsigned most, unsigned *count, struct error *err);
/*
 * Appends all values of a list of integers to `out` as int64: at most 8 bytes
 * for each byte of the list.
 */
int example_all_ints(
    const struct example_feature *feature, struct buf *out, struct error *err);
/*
 * Returns all values of a list of floats, little endian. Where they lie in one
 * piece, as writers pack them, *values points there; else they are appended to
 * `out`. They have no more bytes than the list.
 */
int example_all_floats(const struct example_feature *feature, struct buf *out,
    struct span *values, struct error *err);

#endif
