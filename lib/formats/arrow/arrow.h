/*
 * arrow.h - messages of Arrow's IPC formats: the schema, and where the values
 * of a record batch are.
 *
 * libarrow is the usual reader. It is not in Debian 12, is in C++ and takes
 * tens of megabytes; nanoarrow has no package. What tables of samples need is
 * read here: columns of bytes, texts and numbers, also in structs, and lists of
 * numbers. Other columns are known by name and type, and are not read.
 *
 * A stream is a row of messages. Each is u32 0xffffffff, u32 the bytes of its
 * metadata (flat.h), the metadata, and its body: the buffers of all columns. A
 * file is "ARROW1", two zeros, a stream, and an index that is not needed.
 */
#ifndef LIB_FORMATS_ARROW_ARROW_H
#define LIB_FORMATS_ARROW_ARROW_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/bytes.h"
#include "lib/codecs/packed.h"
#include "lib/sample/tensor.h"

struct error;

enum {
	ARROW_NAME = 128,
	ARROW_COLUMNS = 4096,
	ARROW_PARENTS = 4, /* most structs that a column is in */
	ARROW_FILE_HEAD = 8,
	ARROW_HEAD = 8, /* bytes of a message before its metadata */
};

#define ARROW_MAGIC "ARROW1"

enum arrow_kind {
	ARROW_BYTES,
	ARROW_TEXT,
	ARROW_NUMBER,
	ARROW_LIST,  /* any number of numbers */
	ARROW_ARRAY, /* a fixed number of numbers */
	ARROW_OTHER,
};

struct arrow_column {
	char name[ARROW_NAME]; /* that of a struct's member is "image.bytes" */
	enum arrow_kind kind;
	enum dtype dtype;   /* element type of numbers */
	struct shape shape; /* shape of an array */
	bool is_flag;       /* numbers are bits */
	/* Bytes of an offset, 4 or 8; 0: all values have `width` bytes. */
	unsigned offset_bytes;
	uint64_t width; /* bytes of a value, or of an element of a list */
	/* Numbers of the nodes and buffers of a batch. */
	unsigned node, buffer;
	unsigned parents; /* structs around it */
	struct {
		unsigned node, buffer;
	} parent[ARROW_PARENTS];
	unsigned elements_node; /* node of the numbers of a list or an array */
	char what[40];          /* its type in words */
};

struct arrow_schema {
	struct arrow_column *columns; /* leaves */
	size_t count, capacity;
	unsigned nodes, buffers; /* numbers of them in each batch */
	bool has_views;          /* buffers cannot be counted */
	struct buf huggingface;  /* JSON of the library `datasets`; or empty */
};

#define ARROW_SCHEMA_INIT       \
	{                       \
		.columns = NULL \
	}

enum arrow_message { ARROW_IS_SCHEMA = 1, ARROW_IS_DICTIONARY, ARROW_IS_BATCH };

/* The head of a message. */
struct arrow_head {
	enum arrow_message kind; /* or another number: to be skipped */
	uint64_t body;           /* bytes of the body */
};

/*
 * Reads the head of a message, at least ARROW_HEAD bytes if the stream has so
 * many. Returns 1, 0 at the end of the stream. Sets the bytes of the head
 * itself, 4 or 8, and of the metadata behind it.
 */
int arrow_take_head(struct span bytes, size_t *head, uint64_t *metadata);
int arrow_read_head(
    struct span metadata, struct arrow_head *head, struct error *err);

/* Adds the columns; release the schema in any case. */
int arrow_read_schema(
    struct span metadata, struct arrow_schema *schema, struct error *err);
void arrow_schema_release(struct arrow_schema *schema);

/* A buffer, in the body of its message. */
struct arrow_buffer {
	uint64_t offset, bytes;
};

/* The buffers of a column in a batch. */
struct arrow_place {
	/* Bits of values that are not null: of structs, then its own. */
	struct arrow_buffer valid[ARROW_PARENTS + 1];
	unsigned valids; /* number of `valid` that have nulls */
	struct arrow_buffer offsets, data;
};

struct arrow_batch {
	uint64_t rows;
	enum packed_kind
	    packed; /* compression of each buffer; or PACKED_NONE */
};

/*
 * Reads about a batch with a body of so many bytes: sets the places of `count`
 * columns. They are within the body, and large enough for the rows unless they
 * are compressed.
 */
int arrow_read_batch(struct span metadata, const struct arrow_schema *schema,
    uint64_t body, struct arrow_batch *batch, struct error *err);
int arrow_find(struct span metadata, const struct arrow_column *column,
    uint64_t body, const struct arrow_batch *batch, struct arrow_place *place,
    struct error *err);

#endif
