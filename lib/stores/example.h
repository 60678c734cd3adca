/*
 * example.h - tf.train.Example, written and parsed in place: a map from names
 * to lists of bytes or of integers, as protocol buffers.
 *
 *	Example  { Features features = 1; }
 *	Features { map<string, Feature> feature = 1; }
 *	Feature  { BytesList = 1 | FloatList = 2 | Int64List = 3 }
 * each list { repeated value = 1; }.
 */
#ifndef LIB_STORES_EXAMPLE_H
#define LIB_STORES_EXAMPLE_H

#include <stdint.h>

#include "lib/base/bytes.h"
#include "lib/sample/sample.h"

struct error;

enum {
	/* "FIELD.FILTER/suffix" */
	EXAMPLE_NAME = FIELD_NAME + SUFFIX_MAX + 8,
	EXAMPLE_INTS = SHAPE_MAX,
	EXAMPLE_FEATURES = 3 * FIELDS_MAX + 2,
};

enum example_kind { /* their numbers in Feature */
	EXAMPLE_KIND_BYTES = 1,
	EXAMPLE_KIND_FLOATS = 2,
	EXAMPLE_KIND_INTS = 3,
};

/* ---- writing: add in any order; the features come out sorted by name ---- */

struct example_item {
	char name[EXAMPLE_NAME];
	enum example_kind kind;
	struct span content; /* one value, borrowed; or `packed` */
	unsigned char packed[10 * EXAMPLE_INTS];
	size_t content_at; /* in the message, set by example_size */
};

struct example {
	unsigned count;
	struct example_item items[EXAMPLE_FEATURES];
	struct example_item *sorted[EXAMPLE_FEATURES];
};

/* At most EXAMPLE_FEATURES; up to EXAMPLE_INTS values. */
void example_add_bytes(
    struct example *example, const char *name, struct span value);
void example_add_ints(struct example *example, const char *name,
    const int64_t *values, unsigned count);

/* Sorts, and returns the length of the message. */
size_t example_size(struct example *example);
/* Where the content of a feature will begin; after example_size. */
size_t example_content_at(const struct example *example, const char *name);
/* Writes example_size bytes. */
void example_write(const struct example *example, unsigned char *out);

/*
 * A field that no parser knows and all skip, to be put in front of a message:
 * `len` bytes, 2 to 129.  It moves what follows to where it is aligned.
 */
void example_write_padding(unsigned char *out, size_t len);

/* ---- reading ---- */

struct example_cursor {
	struct span message;  /* what is left of the Example */
	struct span features; /* what is left of the Features in it */
};

struct example_feature {
	struct span name;
	enum example_kind kind; /* 0: an empty feature */
	struct span list;       /* of the kind's values */
};

/* The next feature: 1, 0 at the end, or -1 (ERROR_DATA). */
int example_next(struct example_cursor *cursor, struct example_feature *feature,
    struct error *err);
/* The one value of a list of bytes. */
int example_bytes(const struct example_feature *feature, struct span *value,
    struct error *err);
/* The values of a list of integers, at most `most`. */
int example_ints(const struct example_feature *feature, int64_t *values,
    unsigned most, unsigned *count, struct error *err);
/*
 * All values of a list of integers, as int64 behind what is in `out`; at most
 * 8 bytes for each byte of the list.
 */
int example_all_ints(
    const struct example_feature *feature, struct buf *out, struct error *err);
/*
 * All values of a list of floats, little endian: where they lie in one piece,
 * as writers pack them, else behind what is in `out`; no more bytes than the
 * list.
 */
int example_all_floats(const struct example_feature *feature, struct buf *out,
    struct span *values, struct error *err);

#endif
