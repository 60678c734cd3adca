/* words.h - tells what presto materialize has written, or would write. */
#ifndef CMD_MATERIALIZE_WORDS_H
#define CMD_MATERIALIZE_WORDS_H

struct buf;
struct error;
struct joined;
struct materialize_args;
struct materialize_work;
struct materialized;
struct part;
struct part_result;

/* Prints the line of a folder that is complete. */
void materialize_tell(const struct materialize_args *args,
    const struct materialize_work *work, const struct materialized *done,
    unsigned shards);
/* Prints the line of a part, and of the folder if it is complete now. */
void materialize_tell_part(const struct materialize_args *args,
    const struct materialize_work *work, const struct part *part,
    const struct part_result *done, unsigned shards);
/* Prints the line of a folder whose parts were joined. */
void materialize_tell_joined(const struct materialize_args *args,
    const struct materialize_work *work, const struct joined *joined,
    unsigned shards);
/* Warns of shards that were read back damaged, if there are any. */
void materialize_tell_mended(unsigned shards);
/*
 * Appends the command that makes a part, without --part. The strategy and its
 * order are known in the folder, and are left out.
 */
int materialize_part_command(struct buf *out,
    const struct materialize_args *args, const char *pipeline,
    struct error *err);
/* Prints the forecast of --dry-run; `part` may be all of it. */
void materialize_foresee(const struct materialize_args *args,
    struct materialize_work *work, const struct part *part);

#endif
