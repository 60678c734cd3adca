/*
 * write.h - writes the dataset, or a part of it, or joins the parts; shows the
 * progress, and tells what came of it.
 */
#ifndef CMD_MATERIALIZE_WRITE_H
#define CMD_MATERIALIZE_WRITE_H

struct error;
struct job;
struct materialize_args;
struct materialize_work;
struct part;
struct skipped;

int write_dataset(const struct materialize_args *args,
    struct materialize_work *work, struct skipped *skipped, struct error *err);
/* `job` is the one that is there, and is taken over, or is empty. */
int write_part(const struct materialize_args *args,
    struct materialize_work *work, const struct part *part, struct job *job,
    struct skipped *skipped, struct error *err);
/*
 * Joins the parts of `job`, which is taken over. `pipeline` is the file as the
 * user gave it, or NULL: an error about a missing part ends with the command
 * that makes it.
 */
int write_joined(const struct materialize_args *args,
    const struct materialize_work *work, struct job *job, const char *pipeline,
    struct error *err);

#endif
