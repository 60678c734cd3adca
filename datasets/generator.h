/*
 * generator.h - makes small datasets from a seed, so that everything can be
 * tried without a download. Each kind is a file in datasets/generators/, listed
 * in datasets/generators.def.
 */
#ifndef DATASETS_GENERATOR_H
#define DATASETS_GENERATOR_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

struct error;
struct option;

struct generate_plan {
	const char *dir; /* an existing, empty folder */
	uint64_t count;
	uint64_t seed;
	unsigned threads;
	const void *options;     /* options of the kind; NULL: it has none */
	const atomic_bool *stop; /* set: ERROR_INTERRUPTED; may be NULL */
	/* Called by one thread now and then; may be NULL. */
	void (*progress)(void *arg, uint64_t done, uint64_t count);
	void *arg;
};

struct generator_ops {
	const char *name;
	const char *summary;
	const char *makes; /* the unit of `count`: "recordings" */
	uint64_t default_count;
	/* The default count if it depends on the options; else NULL. */
	uint64_t (*count_of)(const void *options);
	const char *needs; /* a library that this build lacks; else NULL */
	const struct option *options; /* own options, for --set; NULL: none */
	size_t options_size;
	const void *defaults; /* options_size bytes; NULL: zeros */
	/* Writes the files, and a pipeline file that reads them. */
	int (*run)(const struct generate_plan *plan, struct error *err);
};

#define GENERATOR(name) extern const struct generator_ops generator_##name;
#include "datasets/generators.def"
#undef GENERATOR

const struct generator_ops *generator_find(const char *name);
const struct generator_ops *generator_at(size_t i); /* NULL behind the last */

#endif
