/*
 * ini.h - the pipeline file as text: sections, keys, values, each with its
 * line.  Wraps inih behind a reader that counts lines and refuses those that
 * the library would split (200 bytes and more).  What the keys mean is not
 * known here.
 *
 * "[section]", "key = value", ";" and "#" comments, also behind a value;
 * sections may not be repeated, nor keys within one.  The texts belong to the
 * struct.  The time to read a file grows with its bytes, however many sections
 * and keys it has, and so does what is refused.
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
	char *folder;  /* of ini_recall: that of an earlier command; or NULL */
};

/* An entry on its own. */
struct ini_setting {
	const char *section, *key, *value;
};

struct ini_section {
	char *name;
	unsigned line;
	struct ini_entry *entries;
	size_t count;
	size_t capacity;
	struct names keys; /* numbers of the entries */
};

struct ini {
	char *path;   /* as the user wrote it */
	char *text;   /* the whole file, for the database */
	char *folder; /* where the file is; NULL: as `path` says */
	struct ini_section *sections;
	size_t count;
	size_t capacity;
	struct names names; /* numbers of the sections */
};

enum {
	INI_FILE_BYTES = 1 << 20, /* of a file that ini_read takes */
	INI_LINE_BYTES = 199,     /* without blanks around it and comment */
};

#define INI_INIT             \
	{                    \
		.path = NULL \
	}

/*
 * Errors are "PATH:LINE: ..." (ERROR_USAGE) or about reading PATH, which is
 * ERROR_USAGE as well when there is no such file or it is too large.
 */
int ini_read(struct ini *ini, const char *path, struct error *err);
/* The same from memory; `path` is only for messages. */
int ini_parse_text(struct ini *ini, const char *path, const char *text,
    size_t len, struct error *err);
void ini_release(struct ini *ini);

struct ini_section *ini_section(const struct ini *ini, const char *name);
struct ini_entry *ini_entry(const struct ini_section *section, const char *key);

/*
 * A hash of the section's keys and values, in their order, but for the keys
 * `without`, which end with NULL (NULL: all); `seed` when there is no section.
 */
uint64_t ini_hash(const struct ini_section *section, const char *const *without,
    uint64_t seed);

/*
 * The file as it would be written with every change by ini_set and ini_put in
 * it, without its comments; appended to `out`.
 */
struct buf;
int ini_print(const struct ini *ini, struct buf *out, struct error *err);

/* Changes or adds "SECTION.KEY=VALUE", as --set gives it. */
int ini_set(struct ini *ini, const char *assignment, struct error *err);
/* The same with the three parts apart. */
int ini_put(struct ini *ini, const char *section, const char *key,
    const char *value, struct error *err);

/*
 * What a command that ran in `folder` set: a path in it is relative to that
 * folder.
 */
int ini_recall(struct ini *ini, const struct ini_setting *setting,
    const char *folder, struct error *err);

/*
 * Where a path that stands in the entry is: relative to the folder of the file,
 * or to the current one when --set gave it.  Owned by the caller.
 */
char *ini_resolve(const struct ini *ini, const struct ini_entry *entry,
    const char *path, struct error *err);

/*
 * Are all sections among these?  Errors name the line, or --set, and the
 * nearest.
 */
int ini_check_sections(const struct ini *ini, const char *const *names,
    size_t count, struct error *err);

/* "PATH:LINE: " in front of the message ("command line: SECTION.KEY: " for line
 * 0). */
int ini_error_at(
    const struct ini *ini, const struct ini_entry *entry, struct error *err);

/*
 * Sets `values` from all entries of the section by the option table; NULL
 * section is fine.  Unknown keys and bad values are errors with file and line.
 */
int ini_options(const struct ini *ini, const struct ini_section *section,
    const struct option *table, void *values, struct error *err);

#endif
