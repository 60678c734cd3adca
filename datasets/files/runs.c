/* runs.c - see runs.h. */
#include "datasets/files/runs.h"

#include <stdlib.h>

#include "datasets/files/spread.h"
#include "lib/base/array.h"
#include "lib/base/error.h"

int runs_add(struct runs *runs, const struct run *run, struct error *err)
{
	struct run *at = array_grow(
	    runs->at, &runs->capacity, runs->count + 1, sizeof(*at), err);

	if (!at)
		return -1;
	runs->at = at;
	at[runs->count] = *run;
	at[runs->count++].before = runs->samples;
	runs->samples += run->samples;
	return 0;
}

static uint64_t samples_of(const void *runs, size_t run)
{
	return ((const struct run *)runs)[run].samples;
}

static void keep_some(struct runs *runs, uint64_t wanted)
{
	const struct spread_runs all = { runs->at, runs->count, samples_of };
	const size_t count = spread_enough(&all, wanted);

	runs->samples = 0;
	for (size_t i = 0; i < count; i++) {
		struct run run = runs->at[spread(i, count, runs->count)];

		if (run.samples > wanted - runs->samples)
			run.samples = wanted - runs->samples;
		run.before = runs->samples;
		runs->samples += run.samples;
		runs->at[i] = run;
	}
	runs->count = count;
}

void runs_select(struct runs *runs, const struct listing *listing,
    uint64_t limit, struct reader *reader)
{
	reader->total_samples = runs->samples;
	reader->total_bytes = listing_bytes(listing);
	if (limit && limit < runs->samples)
		keep_some(runs, limit);
	reader->samples = runs->samples;
	reader->bytes = spread_share(
	    reader->total_bytes, reader->samples, reader->total_samples);
}

static uint64_t samples_before(const void *runs, size_t run)
{
	return ((const struct run *)runs)[run].before;
}

size_t runs_find(const struct runs *runs, uint64_t number)
{
	return spread_find(runs->at, runs->count, number, samples_before);
}

uint64_t runs_in_stream(const struct runs *runs, size_t stream)
{
	uint64_t samples = 0;

	for (size_t i = runs->streams.at[stream];
	     i < runs->streams.at[stream + 1]; i++)
		samples += runs->at[i].samples;
	return samples;
}

int runs_each_file(const struct runs *runs, const struct listing *listing,
    bool all, reader_visit *visit, void *arg, struct error *err)
{
	size_t run = 0;

	for (size_t i = 0; i < listing->count; i++) {
		const size_t first = run;
		char *path;
		int rc;

		while (run < runs->count && runs->at[run].file == i)
			run++;
		if (run == first && !all)
			continue;
		path = listing_path(listing, i, err);
		rc = path ? visit(arg, path, listing->files[i].bytes, err) : -1;
		free(path);
		if (rc)
			return -1;
	}
	return 0;
}

void runs_release(struct runs *runs)
{
	free(runs->at);
	cuts_release(&runs->streams);
	*runs = (struct runs){ .at = NULL };
}

struct run_stream *run_stream_new(const struct reader *reader,
    const struct runs *runs, size_t number, struct error *err)
{
	struct run_stream *stream = malloc(sizeof(*stream));

	if (!stream) {
		error_memory(err, sizeof(*stream));
		return NULL;
	}
	*stream = (struct run_stream){
		.reader = reader,
		.number = number,
		.at = runs->streams.at[number],
		.end = runs->streams.at[number + 1],
	};
	return stream;
}
