/*
 * choice.h - which samples of a source the pilot takes.
 *
 * Where each sample's files are known by size, the samples are sorted by size
 * and divided into as many parts of equal number as samples are taken, and one
 * of each part is drawn.  So rare large samples are seen in proportion, and the
 * mean size of all is known.  A source without sizes is divided by number.  One
 * that cannot be read by number is read at places spread over its streams.
 *
 * The draw depends on the seed only: two pilots take the same samples.
 */
#ifndef STRATEGIES_FORECAST_CHOICE_H
#define STRATEGIES_FORECAST_CHOICE_H

#include <stddef.h>
#include <stdint.h>

struct error;
struct reader;

struct choice {            /* arrays are owned */
	uint64_t *numbers; /* sample numbers, in random order; NULL: none */
	double *bytes;     /* bytes of their files; 0: not known */
	size_t count;      /* 0: the source cannot be read by number */
	double mean_bytes; /* mean of all samples; 0: not known */
};

#define CHOICE_INIT             \
	{                       \
		.numbers = NULL \
	}

int choice_make(struct choice *choice, const struct reader *source, size_t most,
    uint64_t seed, struct error *err);
void choice_release(struct choice *choice);

#endif
