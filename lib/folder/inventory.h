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
 */
#ifndef LIB_FOLDER_INVENTORY_H
#define LIB_FOLDER_INVENTORY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/bytes.h"

struct error;
struct medium;
struct reader;

/* How versions of a file are told apart, besides name and size. */
enum inventory_mode {
	INVENTORY_TIMES,    /* by the time of the last change */
	INVENTORY_SIZES,    /* not at all */
	INVENTORY_CONTENTS, /* by all bytes */
};

struct inventory_file {
	const char *name; /* valid until the next one is read */
	uint64_t bytes;
	int64_t mtime_ns; /* Unix time */
	bool has_hash;
	uint64_t hash; /* XXH3 of its bytes */
};

struct inventory {
	struct buf entries;
	uint64_t count;
	/* owned: folder of relative names; NULL: names are complete */
	char *root;
	enum inventory_mode mode; /* the mode that it was taken in */
	/* Hash of how samples are divided among streams; or 0. */
	uint64_t division;

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

struct inventory_plan {
	const struct reader *reader;
	const char *path; /* path of the dataset; NULL: it has none */
	enum inventory_mode mode;
	struct medium *medium;   /* to read contents */
	const atomic_bool *stop; /* set: ERROR_INTERRUPTED; may be NULL */
};

/* Lists all files of the reader. */
int inventory_take(struct inventory *inventory,
    const struct inventory_plan *plan, struct error *err);
/*
 * Adds an extra file that is read, or the files of such a folder. Their names
 * are relative to the folder that the path is in.
 */
int inventory_take_besides(struct inventory *inventory,
    const struct inventory_plan *plan, const char *path, struct error *err);

/* Print as a file with a checksum at its end, and parse it: ERROR_DATA. */
int inventory_print(
    const struct inventory *inventory, struct buf *out, struct error *err);
int inventory_parse(
    struct inventory *inventory, struct span bytes, struct error *err);

struct inventory_comparison {
	const struct inventory *then, *now; /* compared in the mode of `now` */
	/* to hash files whose time changed; may be NULL */
	struct medium *medium;
	bool is_part; /* `now` may have more files */
	/* [count]: the files that matter, if names agree; NULL: all. */
	const bool *matters;
};

struct inventory_change {
	uint64_t file;   /* its number in `then`, or in `now` if it was added */
	bool only_time;  /* the bytes may be the same, as in a copy */
	bool is_listing; /* files were added or removed */
	char text[512];  /* "a/b.jpg has 12 bytes, it had 10" */
};

/* Advice where only the time of a file changed. */
#define INVENTORY_ONLY_TIME                                             \
	"if its bytes are the same, as in a copy, give --set "          \
	"dataset.fingerprint=sizes (work that is begun with =contents " \
	"compares bytes)"

/* Compares: 1 and *change when they differ; 0: equal; -1: cannot compare. */
int inventory_compare(const struct inventory_comparison *comparison,
    struct inventory_change *change, struct error *err);

#endif
