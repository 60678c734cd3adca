/*
 * early_marks.h - how many bytes an epoch had read early on.  If its first part
 * was read faster than the rest, a cache gave it (noise.h).
 *
 * A mark is set after the first 1, 2, 4, 8, ... batches: few enough to be kept,
 * however long the epoch is.
 */
#ifndef STRATEGIES_MONITOR_EARLY_MARKS_H
#define STRATEGIES_MONITOR_EARLY_MARKS_H

#include <stdbool.h>
#include <stdint.h>

struct run_row;

enum { EARLY_MARKS = 40 }; /* more batches are not read in a lifetime */

struct early_marks { /* all 0 when an epoch begins */
	uint64_t bytes[EARLY_MARKS], ns[EARLY_MARKS];
	unsigned count;
	uint64_t batches;
};

/* Counts a batch. Is a mark to be set behind it? */
bool early_marks_due(struct early_marks *marks);
/* Sets it: bytes read and time taken since the epoch began. */
void early_marks_set(struct early_marks *marks, uint64_t bytes, uint64_t ns);
/*
 * Sets early_bytes and early_ns of the row, whose bytes_fetched is known: the
 * last mark between a quarter and a half of them. They stay 0 without one.
 */
void early_marks_keep(const struct early_marks *marks, struct run_row *row);

#endif
