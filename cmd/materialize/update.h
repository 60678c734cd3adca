/* update.h - presto materialize --update: the next version of a folder. */
#ifndef CMD_MATERIALIZE_UPDATE_H
#define CMD_MATERIALIZE_UPDATE_H

struct error;
struct materialize_args;
struct materialize_work;
struct skipped;

/*
 * Brings the folder args->out up to the dataset of the pipeline file `path`.
 * Strategy, seed and order are those of the folder.
 */
int materialize_update(const struct materialize_args *args, const char *path,
    struct materialize_work *work, struct skipped *skipped, struct error *err);

#endif
