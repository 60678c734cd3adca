/*
 * private.h - removes the paths and names of a machine from texts, so that they
 * can be sent to others.
 *
 * Warnings and errors may quote any file, sample or folder.  So more is removed
 * than necessary: every word that looks like a path or a file name, everything
 * between quotation marks, and all known names wherever they stand.  Names of
 * strategies ("raw/tar/none"), units ("samples/s") and keys of a pipeline file
 * ("measure.seed") stay.
 */
#ifndef LIB_DB_PRIVATE_H
#define LIB_DB_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>

struct buf;
struct error;
struct grid;

/* Replaces removed text. */
#define PRIVATE_INSTEAD "(left out)"

/* Known names: of the dataset, folders, the user and the host. */
struct private
{
	char **known; /* owned */
	size_t count, capacity;
};

#define PRIVATE_INIT           \
	{                      \
		.known = NULL, \
	}

/* Adds the names of this machine and its user, and the user's home. */
int private_know_host(struct private *names, struct error *err);
/* Adds a path or a name, except meaningless ones such as "", "." and "/". */
int private_know(struct private *names, const char *name, struct error *err);
void private_release(struct private *names); /* empty and usable again */

/*
 * Appends the text without private parts, terminated.  A sentence about skipped
 * samples keeps only their number; an error at a step keeps only the text from
 * the step on.
 */
int private_text(const struct private *names, const char *text, struct buf *out,
    struct error *err);
/* Does the same for an error; without a step, all of it is replaced. */
int private_error(const struct private *names, const char *text,
    struct buf *out, struct error *err);
/* Does the same for a step with its options: "resize size=8". */
int private_step(const struct private *names, const char *text, struct buf *out,
    struct error *err);
/* Does the same for a pipeline file: values that are paths are removed. */
int private_pipeline(const struct private *names, const char *text,
    struct buf *out, struct error *err);
/*
 * Does the same for a table: columns "message" and "why" (of failed or
 * skipped trials) and "text" (of warnings).
 */
int private_rows(
    const struct private *names, struct grid *grid, struct error *err);
/* Shortens "ext4 on /dev/vda" to "ext4". */
void private_filesystem(char *text);

#endif
