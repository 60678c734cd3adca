/*
 * readme.h - README.md of a materialised folder: its content, and a few lines
 * of Python that read it.
 */
#ifndef LIB_SNIPPETS_README_H
#define LIB_SNIPPETS_README_H

#include <stdbool.h>

#include "lib/base/bytes.h"

struct description;
struct error;
struct manifest;
struct medium;
struct sink;

#define README_NAME "README.md"

int readme_print(
    const struct description *description, struct buf *text, struct error *err);
/*
 * Writes README.md, but keeps an existing one: people may have added to it. The
 * manifest lists the text that presto would have written.
 */
int readme_write(const struct description *description, struct sink *sink,
    const char *dir, struct manifest *manifest, struct error *err);
/* Prints it, and lists it in the manifest; readme_put writes it later. */
int readme_list(const struct description *description,
    struct manifest *manifest, struct buf *text, struct error *err);
/* `replaces`: an existing one is presto's, and is replaced. */
int readme_put(struct sink *sink, const char *dir, struct span text,
    bool replaces, struct error *err);
/* Is the README.md of the folder the one that its manifest lists? */
bool readme_is_listed(
    struct medium *medium, const char *dir, const struct manifest *manifest);

#endif
