/*
 * braces.h - lists of paths in one text, as shells have them:
 * "train-{000..146}.tar", "{train,val}.txt".
 *
 * A range counts from its first number to its last, up or down, by 1 or by the
 * step of "{0..8..2}".  Zeros in front of either number pad all of them to
 * its width.  Lists may hold ranges and lists.  Braces with neither a comma nor
 * a range in them stand for themselves.
 */
#ifndef LIB_FILES_BRACES_H
#define LIB_FILES_BRACES_H

#include <stddef.h>

struct error;

enum { BRACES_MOST = 1 << 20 }; /* paths of one text */

/* 0, or 1 when there is no such path, or -1 with err. */
typedef int braces_visit(void *arg, const char *path, struct error *err);

/*
 * Calls `visit` for each path, in their order; for the text alone where it has
 * no braces, or where a file or folder has this very name.
 *
 * Paths that are not there are an error that names the first and counts the
 * others.  The text alone returns 1 then: the caller has the words for it.
 */
int braces_each(
    const char *text, braces_visit *visit, void *arg, struct error *err);

#endif
