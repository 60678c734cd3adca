/*
 * simulate.h - how often presto is wrong: generated sessions, whose truth is
 * known, are given to its own functions, and the wrong answers are counted.
 *
 * A section asks one question of every noise model (noise_models.h).  To add
 * one, write test/simulate/NAME.c with `const struct simulate_section
 * simulate_NAME`, and add SECTION(NAME) to sections.def.
 *
 * Sections run in several threads at once: their state is on the stack or
 * allocated, and random numbers come from `seed` alone.
 */
#ifndef TEST_SIMULATE_SIMULATE_H
#define TEST_SIMULATE_SIMULATE_H

#include <stdbool.h>
#include <stdint.h>

struct noise_model;

enum { SIMULATE_COLUMNS = 16 };

/* A column of the table.  Behind the last one, `title` is NULL. */
struct simulate_column {
	const char *title;
	const char *meaning; /* a line below the table; NULL: none */
	const char *unit;    /* behind each number: " %"; NULL: none */
	int decimals;
	/* Is this value beyond the goal?  It is marked then.  NULL: no goal. */
	bool (*fails)(const struct noise_model *model, double value);
};

struct simulate_section {
	const char *name;
	/* Generated sessions, or pairs of them, of a model, by default. */
	unsigned sessions;
	struct simulate_column columns[SIMULATE_COLUMNS];
	/* Sets a cell for each column; NAN: nothing to say. */
	void (*run)(const struct noise_model *model, unsigned sessions,
	    uint64_t seed, double *cells);
};

/* Prints why the simulation cannot go on, and ends it. */
_Noreturn void simulate_fail(const char *why);

#define SECTION(name) extern const struct simulate_section simulate_##name;
#include "test/simulate/sections.def"
#undef SECTION

#endif
