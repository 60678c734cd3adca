/*
 * ini.h - the pipeline file as text: sections, keys and values, each with its
 * line number.  The meaning of the keys is not known here.
 *
 * Wraps inih behind a reader that counts lines and refuses lines of 200 bytes
 * and more, which inih would split.
 *
 * The syntax is "[section]" and "key = value".  ";" and "#" begin a comment,
 * also behind a value; a backslash in front of the sign keeps it from that, and
 * is not part of the value.  A section must not appear twice, nor a key twice
 * in its section.  All texts belong to the struct.  The time and memory for
 * reading grow linearly with the size of the file.
 */
#ifndef LIB_SYNTAX_INI_H
#define LIB_SYNTAX_INI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/names.h"

struct error;
struct option;

struct ini_entry {
	char *key;
	char *value;
	unsigned line; /* 0: given by --set */
	/* Owned: base folder of its paths; NULL: see ini_entry_folder. */
	char *folder;
};

/* A setting outside of its file. */
struct ini_setting {
	const char *section, *key, *value;
};

struct ini_section {
	char *name;
	unsigned line;
	struct ini_entry *entries;
	size_t count;
	size_t capacity;
	struct names keys; /* finds an entry by its key */
};

struct ini {
	char *path;   /* as the user wrote it */
	char *text;   /* the whole file, to be stored in the database */
	char *folder; /* base of relative paths; NULL: that of `path` */
	/* Where ini_set has its settings from, for messages; constant. */
	const char *setter; /* NULL: "command line" */
	struct ini_section *sections;
	size_t count;
	size_t capacity;
	struct names names; /* finds a section by its name */
};

enum {
	INI_FILE_BYTES = 1 << 20, /* largest file that ini_read accepts */
	INI_LINE_BYTES = 199,     /* without surrounding blanks and comment */
};

#define INI_INIT             \
	{                    \
		.path = NULL \
	}

/*
 * Reads a file.  Errors are "PATH:LINE: ..." (ERROR_USAGE) or about reading
 * PATH.  A missing or too large file is ERROR_USAGE as well.
 */
int ini_read(struct ini *ini, const char *path, struct error *err);
/* The same from memory; `path` is used in messages only. */
int ini_parse_text(struct ini *ini, const char *path, const char *text,
    size_t len, struct error *err);
void ini_release(struct ini *ini);

struct ini_section *ini_section(const struct ini *ini, const char *name);
struct ini_entry *ini_entry(const struct ini_section *section, const char *key);

/*
 * Hashes the keys and values of a section in their order.  Keys in `without`, a
 * list that ends with NULL, are left out (NULL: none).  Returns `seed` when
 * there is no section.
 */
uint64_t ini_hash(const struct ini_section *section, const char *const *without,
    uint64_t seed);

/* Appends the file, changed by ini_set and ini_put, without comments. */
struct buf;
int ini_print(const struct ini *ini, struct buf *out, struct error *err);
/*
 * Appends a value as it is written in a file: with a backslash before what
 * would begin a comment.
 */
int ini_print_value(const char *value, struct buf *out, struct error *err);

/* Changes or adds an entry from "SECTION.KEY=VALUE", the argument of --set. */
int ini_set(struct ini *ini, const char *assignment, struct error *err);
/* The same with section, key and value separate. */
int ini_put(struct ini *ini, const char *section, const char *key,
    const char *value, struct error *err);

/*
 * Repeats a setting of an earlier command that ran in `folder`: a relative path
 * in it is relative to that folder.
 */
int ini_recall(struct ini *ini, const struct ini_setting *setting,
    const char *folder, struct error *err);

/*
 * Removes the entries of a section that stand in the file, and keeps those of
 * ini_set and ini_put.
 */
int ini_forget(struct ini *ini, const char *section, struct error *err);

#endif
