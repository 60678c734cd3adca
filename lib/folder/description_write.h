/* description_write.h - writes dataset.json. */
#ifndef LIB_FOLDER_DESCRIPTION_WRITE_H
#define LIB_FOLDER_DESCRIPTION_WRITE_H

struct buf;
struct description;
struct error;
struct manifest;
struct sink;

/* Print dataset.json, or write it and list it in the manifest. */
int description_print(
    const struct description *description, struct buf *text, struct error *err);
int description_write(const struct description *description, struct sink *sink,
    const char *dir, struct manifest *manifest, struct error *err);

#endif
