/*
 * copy_run.h - copies neighbouring samples at once.
 *
 * Where no step changes a sample, its bytes only have to be moved to its slot.
 * Stored samples of one size lie at equal distances, and so do their slots.  A
 * run of them is copied like one large row: small samples then take little more
 * time than their bytes.
 *
 * Until copy_run_flush, the input's bytes must stay where they are, and the
 * slots' bytes are undefined.  Used by one thread.
 */
#ifndef LIB_SAMPLE_COPY_RUN_H
#define LIB_SAMPLE_COPY_RUN_H

#include "lib/sample/sample.h"

struct error;

/* The rows of one field. */
struct copy_rows {
	const unsigned char *from;
	unsigned char *to;    /* rows are contiguous there */
	size_t bytes, stride; /* of a row; between the first bytes of two */
	bool is_large;
};

struct copy_run {
	unsigned count;  /* samples that are not copied yet */
	unsigned fields; /* of each */
	struct copy_rows rows[FIELDS_MAX];
};

/* Gives the slot's fields the shapes of `in`; copies the bytes sooner or later.
 */
int copy_run_add(struct copy_run *run, const struct sample *in,
    struct sample *slot, struct error *err);
void copy_run_flush(struct copy_run *run); /* copies all */

#endif
