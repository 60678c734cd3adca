/*
 * readme.h - README.md of a materialised folder: what it holds, and a few lines
 * of Python that read it.
 */
#ifndef LIB_SNIPPETS_README_H
#define LIB_SNIPPETS_README_H

struct buf;
struct description;
struct error;
struct manifest;
struct sink;

#define README_NAME "README.md"

int readme_print(
    const struct description *description, struct buf *text, struct error *err);
/*
 * Writes it, but not over one that is there: people may have added to it.  The
 * manifest that is being written lists what presto would have written.
 */
int readme_write(const struct description *description, struct sink *sink,
    const char *dir, struct manifest *manifest, struct error *err);

#endif
