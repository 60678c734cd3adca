/* generator.c - see generator.h. */
#include <string.h>

#include "datasets/generator.h"
#include "lib/base/array.h"

static const struct generator_ops *const generators[] = {
#define GENERATOR(name) &generator_##name,
#include "datasets/generators.def"
#undef GENERATOR
};

const struct generator_ops *generator_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(generators); i++)
		if (strcmp(generators[i]->name, name) == 0)
			return generators[i];
	return NULL;
}

const struct generator_ops *generator_at(size_t i)
{
	return i < ARRAY_LEN(generators) ? generators[i] : NULL;
}
