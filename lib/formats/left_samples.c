/* left_samples.c - see left_samples.h. */
#include "lib/formats/left_samples.h"

#include <inttypes.h>
#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/syntax/words.h"

void left_samples_release(struct left_samples *left)
{
	free(left->shards);
	free(left->runs);
	*left = (struct left_samples)LEFT_SAMPLES_INIT;
}

/* Returns the entry of the shard, which is the last one or a new one. */
static struct left_shard *enter_shard(
    struct left_samples *left, uint64_t shard, struct error *err)
{
	struct left_shard *shards;

	if (left->count && left->shards[left->count - 1].shard == shard)
		return &left->shards[left->count - 1];
	if (left->count && left->shards[left->count - 1].shard > shard) {
		error_set(err, ERROR_DATA,
		    "shard %06" PRIu64 " is behind a later one", shard);
		return NULL;
	}
	shards = array_grow(left->shards, &left->capacity, left->count + 1,
	    sizeof(*shards), err);
	if (!shards)
		return NULL;
	left->shards = shards;
	shards[left->count] = (struct left_shard){
		.shard = shard,
		.first_run = left->run_count,
	};
	return &shards[left->count++];
}

int left_samples_add(struct left_samples *left, uint64_t shard,
    const struct left_run *run, struct error *err)
{
	struct left_shard *entry = enter_shard(left, shard, err);
	struct left_run *last, *runs;
	uint64_t samples;

	if (!entry)
		return -1;
	last = entry->runs ? &left->runs[left->run_count - 1] : NULL;
	if (run->last < run->first || (last && run->first <= last->last))
		return error_set(err, ERROR_DATA,
		    "the places of shard %06" PRIu64 " do not ascend", shard);
	samples = run->last - run->first + 1;
	if (samples == 0 ||
	    __builtin_add_overflow(left->samples, samples, &left->samples))
		return error_set(err, ERROR_DATA, "too many samples");
	entry->samples += samples;
	if (last && run->first == last->last + 1) {
		last->last = run->last;
		return 0;
	}
	runs = array_grow(left->runs, &left->run_capacity, left->run_count + 1,
	    sizeof(*runs), err);
	if (!runs)
		return -1;
	left->runs = runs;
	runs[left->run_count++] = *run;
	entry->runs++;
	return 0;
}

int left_samples_copy(
    struct left_samples *to, const struct left_samples *from, struct error *err)
{
	for (size_t i = 0; i < from->count; i++) {
		const struct left_shard *entry = &from->shards[i];

		for (size_t r = 0; r < entry->runs; r++)
			if (left_samples_add(to, entry->shard,
			        &from->runs[entry->first_run + r], err))
				return -1;
	}
	return 0;
}

const struct left_shard *left_samples_find(
    const struct left_samples *left, uint64_t shard)
{
	size_t low = 0, high = left->count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (left->shards[middle].shard < shard)
			low = middle + 1;
		else
			high = middle;
	}
	return low < left->count && left->shards[low].shard == shard
	           ? &left->shards[low]
	           : NULL;
}

/* Returns the number of the shard's first run that ends at `place` or later. */
static size_t run_at(const struct left_samples *left,
    const struct left_shard *of, uint64_t place)
{
	size_t low = of->first_run, high = of->first_run + of->runs;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (left->runs[middle].last < place)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

bool left_samples_has(const struct left_samples *left,
    const struct left_shard *of, uint64_t place)
{
	size_t run;

	if (!of)
		return false;
	run = run_at(left, of, place);
	return run < of->first_run + of->runs && left->runs[run].first <= place;
}

uint64_t left_samples_between(const struct left_samples *left,
    const struct left_shard *of, uint64_t first, uint64_t count)
{
	uint64_t samples = 0;

	if (!of || count == 0)
		return 0;
	for (size_t i = run_at(left, of, first); i < of->first_run + of->runs;
	     i++) {
		const struct left_run *run = &left->runs[i];
		const uint64_t from = run->first > first ? run->first : first;
		const uint64_t last = run->last < first + (count - 1)
		                          ? run->last
		                          : first + (count - 1);

		if (from > last)
			break;
		samples += last - from + 1;
	}
	return samples;
}

/* ---- text ---- */

int left_samples_print(const struct left_samples *left,
    const struct left_shard *of, struct buf *text, struct error *err)
{
	for (size_t i = 0; i < of->runs; i++) {
		const struct left_run *run = &left->runs[of->first_run + i];

		if (buf_printf(
		        text, err, "%s%" PRIu64, i ? " " : "", run->first) ||
		    (run->last > run->first &&
		        buf_printf(text, err, "-%" PRIu64, run->last)))
			return -1;
	}
	return 0;
}

/* Takes the number at the beginning of a word. */
static int take_number(struct span *word, uint64_t *number)
{
	size_t used = 0;

	*number = 0;
	for (; used < word->len; used++) {
		const unsigned digit = word->data[used] - (unsigned)'0';

		if (digit > 9)
			break;
		if (__builtin_mul_overflow(*number, 10, number) ||
		    __builtin_add_overflow(*number, digit, number))
			return -1;
	}
	word->data += used;
	word->len -= used;
	return used ? 0 : -1;
}

/* Takes "9-11" or "17". */
static int take_run(struct span word, struct left_run *run)
{
	if (take_number(&word, &run->first))
		return -1;
	run->last = run->first;
	if (word.len && word.data[0] == '-') {
		word.data++;
		word.len--;
		if (take_number(&word, &run->last))
			return -1;
	}
	return word.len ? -1 : 0;
}

int left_samples_parse(struct left_samples *left, uint64_t shard,
    uint64_t samples, struct span words, struct error *err)
{
	struct span word;

	while (words.len) {
		struct left_run run;

		if (words_next(&words, &word) || take_run(word, &run))
			return error_set(err, ERROR_DATA,
			    "the places of shard %06" PRIu64 " are no numbers",
			    shard);
		if (run.last >= samples)
			return error_set(err, ERROR_DATA,
			    "shard %06" PRIu64 " has no sample %" PRIu64, shard,
			    run.last);
		if (left_samples_add(left, shard, &run, err))
			return -1;
	}
	return 0;
}
