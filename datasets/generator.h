/*
 * generator.h - small datasets made from a seed, so that everything can be
 * tried with no download.  One file a kind in datasets/generators/, listed in
 * datasets/generators.def.
 */
#ifndef DATASETS_GENERATOR_H
#define DATASETS_GENERATOR_H

#include <stddef.h>
#include <stdint.h>

struct error;

struct generate_plan {
	const char *dir; /* exists, is empty */
	uint64_t count;
	uint64_t seed;
	unsigned threads;
	/* Called now and then by one thread; may be NULL. */
	void (*progress)(void *arg, uint64_t done, uint64_t count);
	void *arg;
};

struct generator_ops {
	const char *name;
	const char *summary;
	uint64_t default_count;
	/* Writes the files and, beside them, a pipeline file that reads them.
	 */
	int (*run)(const struct generate_plan *plan, struct error *err);
};

#define GENERATOR(name) extern const struct generator_ops generator_##name;
#include "datasets/generators.def"
#undef GENERATOR

const struct generator_ops *generator_find(const char *name);
const struct generator_ops *generator_at(size_t i); /* NULL behind the last */

#endif
