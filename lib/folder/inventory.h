/*
 * inventory.h - lists the files that a dataset is read from: name, size and
 * time of each, and a hash of its bytes where that is wanted.
 *
 * Whatever is made from a dataset keeps its inventory: a materialised folder,
 * or a session in the database. Before work goes on, the inventory is compared
 * with the current files, so that two versions of a dataset are not mixed. A
 * message names the first file that differs.
 *
 * Names are relative to the dataset's folder, which may be moved or copied.
 * Entries are kept in their written form, without the prefix that a name shares
 * with the one before: about 20 bytes a file.
 *
 * A far file has no time here.  It has the hash of its version, which the
 * server changes with the bytes (an ETag).
 */
#ifndef LIB_FOLDER_INVENTORY_H
#define LIB_FOLDER_INVENTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/bytes.h"

struct error;

/* How versions of a file are told apart, besides name and size. */
enum inventory_mode {
	INVENTORY_TIMES,    /* by the time of the last change, or the version */
	INVENTORY_SIZES,    /* not at all */
	INVENTORY_CONTENTS, /* by all bytes */
};

struct inventory_file {
	const char *name; /* valid until the next one is read */
	uint64_t bytes;
	int64_t mtime_ns; /* Unix time */
	bool has_hash, has_version;
	uint64_t hash;    /* XXH3 of its bytes */
	uint64_t version; /* XXH3 of the text of its version */
};

struct inventory {
	struct buf entries;
	uint64_t count;
	char *root;               /* owned; folder of relative names, or NULL */
	enum inventory_mode mode; /* the mode that it was taken in */
	uint64_t division;        /* hash of how samples form streams; or 0 */

	struct buf last; /* name of the last entry, terminated */
	int64_t last_mtime_ns;
};

#define INVENTORY_INIT              \
	{                           \
		.entries = BUF_INIT \
	}

void inventory_release(struct inventory *inventory);
int inventory_add(struct inventory *inventory,
    const struct inventory_file *file, struct error *err);

/*
 * An inventory that another process has taken of the same dataset just now. It
 * is trusted, except for the files that are looked at.
 */
struct inventory_known {
	const struct inventory *inventory; /* NULL: there is none */
	uint64_t samples;                  /* whose files come first */
	const bool *looked_at;             /* [count]; NULL: all are */
};

/* A position in an inventory, to walk through its entries. */
struct inventory_cursor {
	struct span rest;
	struct buf name; /* name of the current entry, terminated */
	int64_t mtime_ns;
};

#define INVENTORY_CURSOR_INIT    \
	{                        \
		.name = BUF_INIT \
	}

void inventory_cursor_begin(
    struct inventory_cursor *cursor, const struct inventory *inventory);
/* 1 and *file, 0 at the end, -1: damaged. */
int inventory_cursor_next(struct inventory_cursor *cursor,
    struct inventory_file *file, struct error *err);
int inventory_cursor_copy(struct inventory_cursor *to,
    const struct inventory_cursor *from, struct error *err);
void inventory_cursor_release(struct inventory_cursor *cursor);

/* Print as a file with a checksum at its end, and parse it: ERROR_DATA. */
int inventory_print(
    const struct inventory *inventory, struct buf *out, struct error *err);
int inventory_parse(
    struct inventory *inventory, struct span bytes, struct error *err);

#endif
