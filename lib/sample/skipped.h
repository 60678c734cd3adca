/*
 * skipped.h - samples left out because a step refused them.  Each is listed
 * once, however many epochs and strategies meet it.
 */
#ifndef LIB_SAMPLE_SKIPPED_H
#define LIB_SAMPLE_SKIPPED_H

#include <stdbool.h>
#include <stdint.h>

struct buf;
struct error;
struct skipped;

/* With `keep` lists all samples; else counts them and keeps the first. */
struct skipped *skipped_new(bool keep, struct error *err);
void skipped_free(struct skipped *skipped); /* NULL is fine */

/* Adds a sample (see reader_where) and the reason.  Any thread may call. */
void skipped_add(struct skipped *skipped, const char *where, const char *why);

/* Call the functions below from one thread, while no other adds. */
uint64_t skipped_count(const struct skipped *skipped);
/*
 * Appends one line without newline: the number, and the first sample by name
 * with its reason.  Appends nothing if there are none.
 */
int skipped_summary(
    const struct skipped *skipped, struct buf *out, struct error *err);
/* Appends one line per sample, sorted: the name, a tab, the reason. */
int skipped_list(struct skipped *skipped, struct buf *out, struct error *err);

#endif
