/*
 * inventory.h - the files that a dataset is read from: name, size and time of
 * each, and a hash of its bytes where that was asked for.
 *
 * What is made of a dataset is kept together with its inventory: the folder of
 * a materialize, a session of the database.  Who goes on compares it with the
 * files that are there now, so that two versions of a dataset are not mixed,
 * and a message names the first file that differs.
 *
 * Names are relative to the dataset's folder: it may be moved, or be copied to
 * another machine.  Entries are kept as they are written, with the part of a
 * name that the name before has too left out: about 20 bytes a file.
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

/* What tells two versions of a file apart, besides name and size. */
enum inventory_mode {
	INVENTORY_TIMES,    /* the time of its last change */
	INVENTORY_SIZES,    /* nothing */
	INVENTORY_CONTENTS, /* all of its bytes */
};

struct inventory_file {
	const char *name; /* lives until the next one is read */
	uint64_t bytes;
	int64_t mtime_ns; /* Unix time */
	bool has_hash;
	uint64_t hash; /* XXH3 of its bytes */
};

struct inventory {
	struct buf entries;
	uint64_t count;
	char *root; /* owned: what names are relative to; NULL: as read */
	enum inventory_mode mode; /* it was taken in */
	/* Of how samples are divided into what is made of them; or 0. */
	uint64_t division;

	struct buf last; /* the name of the last entry, terminated */
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
	const char *path; /* of the dataset; NULL: it has none */
	enum inventory_mode mode;
	struct medium *medium;   /* to read contents through */
	const atomic_bool *stop; /* set: ERROR_INTERRUPTED; may be NULL */
};

/* Looks at all files of the reader. */
int inventory_take(struct inventory *inventory,
    const struct inventory_plan *plan, struct error *err);
/*
 * Looks at a file, or the files of a folder, that is read besides.  Their names
 * are relative to what the path is in.
 */
int inventory_take_besides(struct inventory *inventory,
    const struct inventory_plan *plan, const char *path, struct error *err);

/* As a file, with a checksum at its end; and back: ERROR_DATA. */
int inventory_print(
    const struct inventory *inventory, struct buf *out, struct error *err);
int inventory_parse(
    struct inventory *inventory, struct span bytes, struct error *err);

struct inventory_comparison {
	const struct inventory *then, *now; /* by the mode of `now` */
	struct medium *medium; /* to hash what has another time; may be NULL */
	bool is_part;          /* `now` may have files more */
	/* [count], where names agree: the files that matter; NULL: all. */
	const bool *matters;
};

struct inventory_change {
	uint64_t file;   /* number of it in `then`, or `now` if it was added */
	bool only_time;  /* it may be a copy of the same bytes */
	bool is_listing; /* files were added, or removed */
	char text[512];  /* "a/b.jpg has 12 bytes, it had 10" */
};

/* What to do where only the time of a file has changed. */
#define INVENTORY_ONLY_TIME                                             \
	"if its bytes are the same, as in a copy, give --set "          \
	"dataset.fingerprint=sizes (work that is begun with =contents " \
	"compares bytes)"

/* 1 and *change: they differ; 0: they do not; -1: they cannot be compared. */
int inventory_compare(const struct inventory_comparison *comparison,
    struct inventory_change *change, struct error *err);

#endif
