/*
 * skipped.h - the samples that were left out because a step refused them: each
 * once, however many epochs and strategies come upon it.
 */
#ifndef LIB_SAMPLE_SKIPPED_H
#define LIB_SAMPLE_SKIPPED_H

#include <stdbool.h>
#include <stdint.h>

struct buf;
struct error;
struct skipped;

/* `keep`: all of them, to be printed; else their number, and the first. */
struct skipped *skipped_new(bool keep, struct error *err);
void skipped_free(struct skipped *skipped); /* NULL is fine */

/* A sample, as reader_where names it, and why; by any thread.  NULL: not. */
void skipped_add(struct skipped *skipped, const char *where, const char *why);

/* The rest is for one thread, when no other adds. */
uint64_t skipped_count(const struct skipped *skipped);
/*
 * Appends one line without its end: how many, and the first by name with its
 * reason.  Nothing when there is none.
 */
int skipped_summary(
    const struct skipped *skipped, struct buf *out, struct error *err);
/* Appends a line a sample, by name: the name, a tab, the reason. */
int skipped_list(struct skipped *skipped, struct buf *out, struct error *err);

#endif
