/*
 * braces.h - expands lists of paths like a shell: "train-{000..146}.tar",
 * "{train,val}.txt".
 *
 * A range counts from its first number to its last, up or down, by 1 or by the
 * step in "{0..8..2}".  If either number has leading zeros, all numbers are
 * padded to its width.  Lists may contain ranges and lists.  Braces without a
 * comma or a range are ordinary characters.
 */
#ifndef LIB_FILES_BRACES_H
#define LIB_FILES_BRACES_H

#include <stdbool.h>
#include <stddef.h>

struct error;

enum { BRACES_MOST = 1 << 20 }; /* largest number of paths in one text */

/* Has the text braces with a comma or a range? */
bool braces_any(const char *text);

/* Returns 0; 1 when there is no such path; -1 with err set. */
typedef int braces_visit(void *arg, const char *path, struct error *err);

/*
 * Calls `visit` for each path in order.  A text without braces, or one that is
 * itself the name of a file or folder, is passed as it is.
 *
 * If paths are missing, the error names the first one and counts the others.
 * If the text itself is the missing path, returns 1 and leaves the message to
 * the caller.
 */
int braces_each(
    const char *text, braces_visit *visit, void *arg, struct error *err);

#endif
