/*
 * table.h - datasets that are tables in files. A row is a sample; its columns
 * are fields, the key and the label.
 *
 * A format (struct table_format) knows the columns of a file and its groups of
 * rows, and reads rows of a group. Everything else is here: which columns are
 * read, streams, picks, keys, labels, and views of values.
 *
 * A stream is a group: a row group of Parquet, a record batch of Arrow, a shard
 * of MDS. A chunk is some of its rows. The parts of a chunk are one for each of
 * its slices, neighbouring rows of a group, and then those of the format. A
 * picked chunk has a slice for each pick; another chunk has one. The part of a
 * slice has the number of its first row in the file as item, and the group as
 * file.
 *
 * unpack() makes a cell of each value: a span of its bytes. The cells are at
 * chunk->bytes, row by row.
 */
#ifndef DATASETS_TABLES_TABLE_H
#define DATASETS_TABLES_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "datasets/files/field_names.h"
#include "datasets/files/listing.h"
#include "datasets/files/runs.h"
#include "lib/base/bytes.h"
#include "lib/sample/classes.h"
#include "lib/sample/reader.h"
#include "lib/syntax/option.h"

struct error;
struct medium;
struct medium_file;
struct packed;
struct source_plan;
struct table;

enum {
	TABLE_NAME = FIELD_NAMES_MAX,
	TABLE_COLUMNS = 4096, /* most columns of a file */
	/* The columns that are read: fields, their paths, key and label. */
	TABLE_CHOSEN = 2 * FIELDS_MAX + 2,
	TABLE_ROWS = 1 << 23,       /* most rows of a group */
	TABLE_CHUNK = 2 << 20,      /* approximate bytes of a chunk of slices */
	TABLE_CHUNK_ROWS = 1 << 12, /* most rows of such a chunk */
};

enum table_kind {
	TABLE_BYTES,
	TABLE_TEXT,
	TABLE_NUMBER, /* one number of type.dtype */
	TABLE_LIST,   /* any number of them, in one row */
	TABLE_ARRAY,  /* elements as the format views them */
	TABLE_OTHER,  /* not read here */
};

struct table_column {
	char name[TABLE_NAME]; /* that of a struct's member is "image.bytes" */
	enum table_kind kind;
	struct type type;
	char suffix[SUFFIX_MAX]; /* extension of bytes and text; "": unknown */
	const char *what;        /* its type in words, for messages */
	unsigned id;             /* the format's own */
};

/* Neighbouring rows of a group. */
struct table_slice {
	const struct run *run;
	uint64_t row; /* the first, in the group */
	uint64_t rows;
};

/* The open file of a stream or a picker. */
struct table_file {
	struct medium_file *opened; /* NULL: none */
	size_t file;                /* its number in the listing */
	struct buf scratch;         /* for the format */
};

/* The rows of a slice that are being unpacked. */
struct table_unpack {
	struct packed *packed;
	struct chunk *chunk;
	size_t part; /* the next part; advanced behind the slice's parts */
	size_t rows;
	const struct run *run;
	uint64_t row;        /* the first one, in its group */
	unsigned char *room; /* memory that `measure` asked for */
	struct span *cells;  /* [rows][chosen]; data NULL: null */
};

struct table_format {
	/*
	 * Lists the files; NULL: those that match (listing.h). It may find
	 * columns and groups as well; then there is no `scan`.
	 */
	int (*find)(struct reader *reader, const struct source_plan *plan,
	    struct error *err);
	/*
	 * Reads about a file: calls table_choose with its columns, then
	 * table_add_group for each group. Errors need no path.
	 */
	int (*scan)(struct reader *reader, struct medium_file *opened,
	    size_t file, struct error *err);
	/*
	 * Fetches a slice into the chunk, as some parts; may shorten it to at
	 * least one row, unless the chunk is picked.
	 */
	int (*fetch)(const struct table *table, struct table_file *file,
	    struct table_slice *slice, struct chunk *chunk, struct error *err);
	/*
	 * Adds the bytes that it needs to unpack the chunk; they are aligned
	 * to 64 bytes, and so is every addition. NULL: none.
	 */
	int (*measure)(const struct table *table, struct packed *packed,
	    const struct chunk *chunk, size_t *bytes, struct error *err);
	/* Unpacks a slice. */
	int (*unpack)(const struct table *table, struct table_unpack *at,
	    struct error *err);
	/* Views a cell of a TABLE_ARRAY; NULL: there are none. */
	int (*view)(const struct table *table, unsigned id, struct span value,
	    struct tensor *tensor, struct error *err);
	/* As in reader_ops, but errors need no path. */
	int (*judge)(const struct table *table, struct error *err);
	void (*release)(struct table *table); /* frees table->own */
	/* Can it fetch a single row? `find` may set reader->in_order_only. */
	bool can_pick;
	/* A row costs its neighbours' unpacking, if `can_pick`. */
	bool costly_picks;
};

struct table_options {
	const char *fields, *key, *label, *match;
};

/* reader->priv of the sources that are tables. */
struct table {
	const struct table_format *format;
	const struct table_options *options;
	struct medium *medium;
	struct listing listing;
	struct runs runs;
	struct table_column chosen[TABLE_CHOSEN];
	unsigned count;
	/* Indexes in `chosen`; -1: none. */
	int key, label, fields[FIELDS_MAX], paths[FIELDS_MAX];
	struct classes classes;
	size_t stem_max;
	void *own;        /* the format's */
	size_t own_count; /* its items */
	size_t own_capacity;
};

/* Options, in the order of the alphabet. */
extern const struct option table_options[];
/* The same where an index lists the files: no `match`. */
extern const struct option table_options_indexed[];
extern const struct reader_ops table_reader;

/* Opens the dataset of a source whose `format` is a struct table_format. */
int table_fill(
    struct reader *reader, const struct source_plan *plan, struct error *err);

/* Members that the struct source_ops of all such sources have. */
#define TABLE_SOURCE                                                 \
	.reader = &table_reader, .state_size = sizeof(struct table), \
	.fill = table_fill, .needs_path = true

/* ---- for formats ---- */

/*
 * Gets the columns of a file. Those of the first file decide which are read;
 * later files must have these. Sets ids[] of all chosen ones.
 */
int table_choose(struct reader *reader, const struct table_column *columns,
    size_t count, unsigned ids[TABLE_CHOSEN], struct error *err);
/*
 * Adds a group of `rows` rows to the dataset; run.start is the format's own.
 * Groups of a file come in the order of their rows; empty ones are left out.
 */
int table_add_group(struct reader *reader, size_t file, uint64_t start,
    uint64_t rows, struct error *err);
/*
 * Takes the names of classes from the description that the library `datasets`
 * keeps in files: {"info": {"features": {"label": {"names": [...]}}}}.
 * Anything else is ignored.
 */
void table_learn_classes(struct reader *reader, struct span json);
/* A `view` of columns whose values all have the shape of their type. */
int table_view_array(const struct table *table, unsigned id, struct span value,
    struct tensor *tensor, struct error *err);
/* Opens the file of a slice, unless it is open. */
int table_open(const struct table *table, struct table_file *file,
    const struct run *run, struct error *err);
/* Reads bytes of the open file to the end of chunk->stored, as a part. */
int table_read(const struct table_file *file, uint64_t offset, uint64_t bytes,
    struct chunk *chunk, struct error *err);

/* ---- parts of it ---- */

/* reader_ops.next (table_rows.c) */
int table_next(const struct reader *reader, struct chunk *chunk,
    struct sample *sample, struct error *err);
/* Sets the types of all fields from the first rows that have values. */
int table_learn(struct reader *reader, struct error *err);
/* Returns the name of a file without its ending, and that of a compression. */
struct span table_stem(const struct table *table, size_t file);
/* Returns the first cell of a row. */
const struct span *table_cells(
    const struct table *table, const struct chunk *chunk, size_t row);
/* Returns the part of the slice that has a row of the chunk. */
const struct chunk_part *table_slice_of(const struct chunk *chunk, size_t row);
/* Puts "PATH: row 17: " before a message. */
int table_blame(const struct table *table, const struct chunk *chunk,
    size_t row, struct error *err);

#endif
