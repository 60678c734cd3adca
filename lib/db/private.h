/*
 * private.h - texts without the paths and names of a machine, so that they can
 * be sent to others.
 *
 * What a text may hold is not known: warnings and errors quote files, samples
 * and folders.  So more is taken out than must be: each word that looks like a
 * path or a file's name, everything between quotation marks, and the names
 * that are known wherever they stand.  Names of strategies ("raw/tar/none"),
 * units ("samples/s") and keys of a pipeline file ("measure.seed") stay.
 */
#ifndef LIB_DB_PRIVATE_H
#define LIB_DB_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>

struct buf;
struct error;
struct grid;

/* In place of what is left out. */
#define PRIVATE_INSTEAD "(left out)"

/* Names of the dataset, folders, the user and the host. */
struct private
{
	char **known; /* owned */
	size_t count, capacity;
};

#define PRIVATE_INIT           \
	{                      \
		.known = NULL, \
	}

/* This machine's name, its user's name and home. */
int private_know_host(struct private *names, struct error *err);
/* A path or a name: not what says nothing, such as "", "." and "/". */
int private_know(struct private *names, const char *name, struct error *err);
void private_release(struct private *names); /* empty and usable again */

/*
 * Appends the text without what is private, terminated.  Of a sentence about
 * samples that were skipped only how many; of an error at a step only what
 * stands from the step on.
 */
int private_text(const struct private *names, const char *text, struct buf *out,
    struct error *err);
/* An error that has no step to begin at says nothing: `is_error`. */
int private_error(const struct private *names, const char *text,
    struct buf *out, struct error *err);
/* The same of a step with its options: "resize size=8". */
int private_step(const struct private *names, const char *text, struct buf *out,
    struct error *err);
/* The same of a pipeline file: values that are paths are left out. */
int private_pipeline(const struct private *names, const char *text,
    struct buf *out, struct error *err);
/*
 * The same of a table: in columns "message" (of trials that failed or were
 * skipped) and "text" (of warnings).
 */
int private_rows(
    const struct private *names, struct grid *grid, struct error *err);
/* "ext4" of "ext4 on /dev/vda". */
void private_filesystem(char *text);

#endif
