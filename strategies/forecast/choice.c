/* choice.c - see choice.h. */
#include "strategies/forecast/choice.h"

#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/random.h"
#include "lib/sample/reader.h"

struct sized {
	uint64_t number, bytes;
};

struct sizes {
	struct sized *list; /* NULL: no sizes, and samples are as they are */
	uint64_t samples;
	unsigned files_each;
	uint64_t files; /* seen */
};

static int add_file(
    void *arg, const char *path, uint64_t bytes, struct error *err)
{
	struct sizes *sizes = arg;
	const uint64_t sample = sizes->files++ / sizes->files_each;

	UNUSED(path);
	UNUSED(err);
	if (sample < sizes->samples)
		sizes->list[sample].bytes += bytes;
	return 0;
}

static int by_bytes(const void *a, const void *b)
{
	const struct sized *x = a, *y = b;

	if (x->bytes != y->bytes)
		return x->bytes < y->bytes ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

/* Lists the samples by size; 1: sizes are known, 0: all are 0, or no list. */
static int list_sizes(
    struct sizes *sizes, const struct reader *source, struct error *err)
{
	/* A file may have very many samples. */
	if (sizes->files_each == 0)
		return 0;
	sizes->list = calloc((size_t)sizes->samples, sizeof(*sizes->list));
	if (!sizes->list)
		return error_memory(err, sizes->samples * sizeof(*sizes->list));
	for (uint64_t i = 0; i < sizes->samples; i++)
		sizes->list[i] = (struct sized){ .number = i };
	if (source->ops->each_file(source, add_file, sizes, err))
		return -1;
	if (sizes->files != sizes->samples * sizes->files_each) {
		for (uint64_t i = 0; i < sizes->samples; i++)
			sizes->list[i].bytes = 0;
		return 0;
	}
	qsort(sizes->list, sizes->samples, sizeof(*sizes->list), by_bytes);
	return 1;
}

/* Draws one sample of each part of the list. */
static void draw(
    struct choice *choice, const struct sizes *sizes, struct random *random)
{
	const uint64_t n = sizes->samples;

	for (size_t i = 0; i < choice->count; i++) {
		const uint64_t first = i * n / choice->count;
		const uint64_t end = (i + 1) * n / choice->count;
		const uint64_t at =
		    first + random_below(random, (uint32_t)(end - first));

		choice->numbers[i] = sizes->list ? sizes->list[at].number : at;
		choice->bytes[i] =
		    sizes->list ? (double)sizes->list[at].bytes : 0;
	}
}

/* In random order, any number of the first ones stands for all. */
static void mix(struct choice *choice, struct random *random)
{
	for (size_t i = choice->count; i > 1; i--) {
		const size_t k = random_below(random, (uint32_t)i);
		const uint64_t number = choice->numbers[k];
		const double bytes = choice->bytes[k];

		choice->numbers[k] = choice->numbers[i - 1];
		choice->bytes[k] = choice->bytes[i - 1];
		choice->numbers[i - 1] = number;
		choice->bytes[i - 1] = bytes;
	}
}

static double mean_of(const struct sizes *sizes)
{
	double sum = 0;

	for (uint64_t i = 0; i < sizes->samples; i++)
		sum += (double)sizes->list[i].bytes;
	return sum / (double)sizes->samples;
}

int choice_make(struct choice *choice, const struct reader *source, size_t most,
    uint64_t seed, struct error *err)
{
	struct random random = random_stream(seed, 0, source->samples, 0);
	struct sizes sizes = {
		.samples = source->samples,
		.files_each = source->files_each,
	};
	int known;

	*choice = (struct choice)CHOICE_INIT;
	if (!reader_can_pick(source) || source->samples == 0 ||
	    source->samples > UINT32_MAX)
		return 0;
	choice->count = source->samples < most ? (size_t)source->samples : most;
	choice->numbers = calloc(choice->count, sizeof(uint64_t));
	choice->bytes = calloc(choice->count, sizeof(double));
	if (!choice->numbers || !choice->bytes)
		return error_memory(err, choice->count * sizeof(double));
	known = list_sizes(&sizes, source, err);
	if (known >= 0) {
		draw(choice, &sizes, &random);
		mix(choice, &random);
	}
	if (known > 0)
		choice->mean_bytes = mean_of(&sizes);
	free(sizes.list);
	return known < 0 ? -1 : 0;
}

void choice_release(struct choice *choice)
{
	free(choice->numbers);
	free(choice->bytes);
	*choice = (struct choice)CHOICE_INIT;
}
