/*
 * tensor.h - one field of a sample: elements of a dtype in a shape, row-major,
 * or the bytes of a file as it came (an encoded image, a text).
 *
 * A tensor owns its memory (tensor_reshape made it grow), borrows it to read
 * (tensor_view), or borrows it to write (tensor_place: a slot of a batch).
 * Owned memory is aligned to 64 bytes and recycled: nothing is allocated once
 * it has grown.  Placed memory is aligned to its elements only, and ends with
 * its last byte: what lies behind belongs to the next slot.
 *
 * Where `piece` is set, memory that it owns is that piece of a pool (pool.h),
 * to be handed back when nobody reads it any more; while there is none, it is
 * the pool's empty piece.
 */
#ifndef LIB_SAMPLE_TENSOR_H
#define LIB_SAMPLE_TENSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/sample/dtype.h"

struct error;
struct piece;

enum {
	SHAPE_MAX = 8,
	SHAPE_TEXT = 192,
	TENSOR_ALIGN = 64,
	TENSOR_SLACK = 64, /* bytes behind owned memory, see tensor.c */
};

struct shape {
	unsigned count;          /* dimensions; 0 is a scalar */
	int64_t dims[SHAPE_MAX]; /* slowest first; -1 in a type: not known */
};

enum layout {
	LAYOUT_PLAIN,   /* any tensor */
	LAYOUT_HWC,     /* an image: height, width, channels */
	LAYOUT_CHW,     /* an image: channels, height, width */
	LAYOUT_ENCODED, /* uint8, one dimension: a file's bytes as they came */
};

enum { SUFFIX_MAX = 16 };

/* What a representation promises of a field, before there is a sample. */
struct type {
	enum dtype dtype;
	enum layout layout;
	struct shape shape;
	/*
	 * Encoded: "jpg", "png", "" not known.  A tensor that is stored behind
	 * a filter: the filter's name, which stands in names in place of
	 * "npy", so that only presto takes it for what it is; else "".
	 */
	char suffix[SUFFIX_MAX];
};

/* Is it what a filter (transform.h) made of a tensor? */
static inline bool type_is_filtered(const struct type *type)
{
	return type->layout != LAYOUT_ENCODED && type->suffix[0] != '\0';
}

struct tensor {
	enum dtype dtype;
	struct shape shape;
	void *data;
	size_t bytes;        /* used: elements times dtype_bytes */
	size_t capacity;     /* of owned or placed memory; 0: a view */
	struct piece *piece; /* of a pool, see pool.h; NULL: none */
	bool owned;
	bool away; /* it is written past the caches, see copy.h; then placed */
	char suffix[SUFFIX_MAX]; /* encoded: the file name's, else "" */
};

#define TENSOR_INIT          \
	{                    \
		.data = NULL \
	}

/* Elements; 1 for a scalar.  Unknown dims are the caller's to exclude. */
size_t shape_elements(const struct shape *shape);
bool shape_equal(const struct shape *a, const struct shape *b);
bool shape_known(const struct shape *shape); /* no -1 in it */
/* "375x500x3", unknown dims as "?", a scalar as "scalar"; returns `text`. */
const char *shape_text(const struct shape *shape, char text[SHAPE_TEXT]);
/* Reads "224x224x3" or "224,224,3"; -1 when it is none, or overflows. */
int shape_parse(const char *text, struct shape *shape);

/* "uint8 375x500x3", "jpg bytes"; returns `text`. */
const char *type_text(const struct type *type, char text[SHAPE_TEXT]);
/* Bytes of one sample of this type; -1 when not every dim is known. */
int64_t type_bytes(const struct type *type);
bool type_equal(const struct type *a, const struct type *b);

/*
 * Makes room for dtype and shape (all dims known, 0 allowed): grows owned
 * memory; fails with ERROR_DATA when it does not fit where it was placed, and
 * ERROR_MEMORY or ERROR_LIMIT (over 2^40 bytes) otherwise.  The suffix is
 * cleared.  Old contents are lost.
 */
int tensor_reshape(struct tensor *tensor, enum dtype dtype,
    const struct shape *shape, struct error *err);
/* The same, but old contents stay, as far as they fit. */
int tensor_resize(struct tensor *tensor, enum dtype dtype,
    const struct shape *shape, struct error *err);

/* Borrows bytes to read; the tensor must not own memory. */
void tensor_view(struct tensor *tensor, enum dtype dtype,
    const struct shape *shape, const void *data);
/* A view of a file's bytes, with its suffix ("jpg"; "" when unknown). */
void tensor_view_encoded(
    struct tensor *tensor, const void *data, size_t bytes, const char *suffix);

/* Becomes a view of all that `from` holds; it must not own memory. */
void tensor_borrow(struct tensor *tensor, const struct tensor *from);

/* From now on the tensor writes into `data`; what it owned is freed. */
void tensor_place(struct tensor *tensor, void *data, size_t capacity);

/* dtype, shape, suffix and bytes of `from` into `to`, which has room made. */
int tensor_copy(
    struct tensor *to, const struct tensor *from, struct error *err);
void tensor_release(struct tensor *tensor); /* empty and usable again */
/* To its pool: it is empty then; small memory, or its very own, it keeps. */
void tensor_hand_back(struct tensor *tensor);

/* Does the tensor fulfil the type?  If not, an error says what differs. */
int tensor_check(
    const struct tensor *tensor, const struct type *type, struct error *err);

#endif
