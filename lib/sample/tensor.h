/*
 * tensor.h - one field of a sample: elements of a dtype in a shape, row-major;
 * or the bytes of a file (an encoded image, a text).
 *
 * A tensor owns its memory (after tensor_reshape), borrows it for reading
 * (tensor_view), or borrows it for writing (tensor_place: a slot of a batch).
 * Owned memory is aligned to 64 bytes and recycled: once it has grown, nothing
 * is allocated.  Placed memory is only aligned to its elements, and must not be
 * overrun: the next slot follows.
 *
 * If `block` is set, owned memory is a block of a pool (pool.h), to be given
 * back when nobody reads it any more.  Without memory, `block` is the pool's
 * empty one.
 */
#ifndef LIB_SAMPLE_TENSOR_H
#define LIB_SAMPLE_TENSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/sample/dtype.h"

struct error;
struct pool_block;

enum {
	SHAPE_MAX = 8,
	SHAPE_TEXT = 192,
	TENSOR_ALIGN = 64,
	TENSOR_SLACK = 64, /* extra bytes after owned memory, see tensor.c */
};

struct shape {
	unsigned count;          /* number of dimensions; 0: a scalar */
	int64_t dims[SHAPE_MAX]; /* slowest first; in a type, -1: unknown */
};

enum layout {
	LAYOUT_PLAIN,   /* any tensor */
	LAYOUT_HWC,     /* an image: height, width, channels */
	LAYOUT_CHW,     /* an image: channels, height, width */
	LAYOUT_ENCODED, /* uint8, one dimension: the bytes of a file */
};

enum { SUFFIX_MAX = 16 };

/* A field's type: known before there is a sample. */
struct type {
	enum dtype dtype;
	enum layout layout;
	struct shape shape;
	/*
	 * Encoded: "jpg", "png"; "" if unknown.  A filtered tensor: the
	 * filter's name, which replaces "npy" in file names, so that only
	 * presto reads the file.  Else "".
	 */
	char suffix[SUFFIX_MAX];
};

/* Was the tensor made by a filter (transform.h)? */
static inline bool type_is_filtered(const struct type *type)
{
	return type->layout != LAYOUT_ENCODED && type->suffix[0] != '\0';
}

struct tensor {
	enum dtype dtype;
	struct shape shape;
	void *data;
	size_t bytes;    /* elements times dtype_bytes */
	size_t capacity; /* bytes of owned or placed memory; 0: a view */
	struct pool_block *block; /* memory of a pool, see pool.h; NULL: none */
	bool owned;
	bool is_large; /* placed in memory larger than the caches: copy.h */
	const char *absent;      /* "is null": the source has no value here */
	char suffix[SUFFIX_MAX]; /* encoded: that of the file name; else "" */
};

#define TENSOR_INIT          \
	{                    \
		.data = NULL \
	}

/* Number of elements; 1 for a scalar.  All dims must be known. */
size_t shape_elements(const struct shape *shape);
bool shape_equal(const struct shape *a, const struct shape *b);
bool shape_known(const struct shape *shape); /* are all dims 0 or more? */
/* Does it look like height, width and 1, 3 or 4 channels? */
bool shape_is_image(const struct shape *shape);
/* Writes "375x500x3", unknown dims as "?", or "scalar"; returns `text`. */
const char *shape_text(const struct shape *shape, char text[SHAPE_TEXT]);
/* Parses "224x224x3" or "224,224,3"; -1 if invalid, or on overflow. */
int shape_parse(const char *text, struct shape *shape);

/* Writes "uint8 375x500x3" or "jpg bytes"; returns `text`. */
const char *type_text(const struct type *type, char text[SHAPE_TEXT]);
/* "takes WANTED, not uint8 375x500x3" (ERROR_USAGE); returns -1. */
int type_refuse(const struct type *type, const char *wanted, struct error *err);
/* Returns the bytes of one sample of this type; -1 if a dim is unknown. */
int64_t type_bytes(const struct type *type);
bool type_equal(const struct type *a, const struct type *b);

/*
 * Makes room for dtype and shape (all dims known, 0 allowed).  Owned memory
 * grows.  ERROR_DATA if placed memory is too small, ERROR_MEMORY, or
 * ERROR_LIMIT (over 2^40 bytes).  Clears the suffix; old contents are lost.
 */
int tensor_reshape(struct tensor *tensor, enum dtype dtype,
    const struct shape *shape, struct error *err);
/* The same, but keeps old contents as far as they fit. */
int tensor_resize(struct tensor *tensor, enum dtype dtype,
    const struct shape *shape, struct error *err);

/* Borrows bytes for reading; the tensor must not own memory. */
void tensor_view(struct tensor *tensor, enum dtype dtype,
    const struct shape *shape, const void *data);
/* Makes a view of a file's bytes, with its suffix ("jpg"; "" if unknown). */
void tensor_view_encoded(
    struct tensor *tensor, const void *data, size_t bytes, const char *suffix);
/*
 * Stands for a value that is missing: tensor_check refuses it with these words,
 * "is null", which live as long as the program.
 */
void tensor_view_absent(struct tensor *tensor, const char *words);

/* Becomes a view of `from`; it must not own memory. */
void tensor_borrow(struct tensor *tensor, const struct tensor *from);

/* Lets the tensor write into `data`; frees memory that it owned. */
void tensor_place(struct tensor *tensor, void *data, size_t capacity);

/* Copies all but the memory of `from`, and its bytes; makes room in `to`. */
int tensor_copy(
    struct tensor *to, const struct tensor *from, struct error *err);
void tensor_release(struct tensor *tensor); /* empty and usable again */
/* Gives memory back to its pool, but keeps a small block. */
void tensor_hand_back(struct tensor *tensor);

/*
 * Does the tensor have a value, and match the type?  If not, the error says
 * what is wrong.
 */
int tensor_check(
    const struct tensor *tensor, const struct type *type, struct error *err);

#endif
