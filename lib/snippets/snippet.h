/*
 * snippet.h - Python programs that read a materialised folder with a training
 * framework and run the remaining steps. They run as they are printed.
 *
 * A framework is a `const struct framework` in a file of its own, listed in
 * lib/snippets/frameworks.def: the stores that it reads, its code for each
 * step, and its program. A step without code becomes a comment, and so do all
 * steps behind it, whose input would be wrong.
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
/* Finds a framework, or sets an error with the nearest name. */
const struct framework *framework_parse(const char *name, struct error *err);
/* Can it read the folder? */
bool framework_takes(
    const struct framework *framework, const struct description *description);
/* Returns the best framework for the store; NULL: only presto reads it. */
const struct framework *framework_best(const struct description *description);

/*
 * Appends the program, which names the folder `folder`. ERROR_USAGE names
 * store, codec and the frameworks that can read them.
 */
int snippet_print(const struct framework *framework,
    const struct description *description, const char *folder, struct buf *out,
    struct error *err);

#endif
