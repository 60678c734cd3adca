/* words.h - tells what presto materialize has written, or would write. */
#ifndef CMD_MATERIALIZE_WORDS_H
#define CMD_MATERIALIZE_WORDS_H

struct materialize_args;
struct materialize_work;
struct materialized;

/* Prints the line of a folder that is complete. */
void materialize_tell(const struct materialize_args *args,
    const struct materialize_work *work, const struct materialized *done,
    unsigned shards);
/* Prints the forecast of --dry-run. */
void materialize_foresee(
    const struct materialize_args *args, struct materialize_work *work);

#endif
