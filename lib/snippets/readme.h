/*
 * readme.h - README.md of a materialised folder: its content, and a few lines
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
 * Writes README.md, but keeps an existing one: people may have added to it. The
 * manifest lists the text that presto would have written.
 */
int readme_write(const struct description *description, struct sink *sink,
    const char *dir, struct manifest *manifest, struct error *err);

#endif
