/*
 * snippet.h - Python programs that read a materialised folder by a training
 * framework and run the steps that remain, to be run as they are printed.
 *
 * A framework is a `const struct framework` in a file of its own, listed in
 * lib/snippets/frameworks.def: which stores it takes, how it says each step,
 * and its program.  A step that it has no words for becomes a comment, and so
 * do those behind it, which would get other data than they are for.
 */
#ifndef LIB_SNIPPETS_SNIPPET_H
#define LIB_SNIPPETS_SNIPPET_H

#include <stdbool.h>
#include <stddef.h>

struct buf;
struct description;
struct error;
struct framework;

const struct framework *framework_at(size_t i); /* NULL behind the last */
const char *framework_name(const struct framework *framework);
/* "unknown framework 'webdatset'; did you mean 'webdataset'?" */
const struct framework *framework_parse(const char *name, struct error *err);
/* Does it take what the folder keeps? */
bool framework_takes(
    const struct framework *framework, const struct description *description);
/* The one that the store is made for; NULL: only presto reads it. */
const struct framework *framework_best(const struct description *description);

/*
 * Appends the program; `folder` is how it names the folder.  ERROR_USAGE names
 * store, codec and the frameworks that take them.
 */
int snippet_print(const struct framework *framework,
    const struct description *description, const char *folder, struct buf *out,
    struct error *err);

#endif
