/* plan_modes.c - see plan.h: how each strategy is loaded. */
#include <stdio.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/syntax/ini.h"
#include "lib/syntax/ini_options.h"
#include "strategies/plan/plan.h"
#include "strategies/plan/shard_count.h"

/* ---- the keys that are swept ---- */

static const struct key {
	const char *section;
	struct sweep_range range;
	size_t offset; /* of the sweep in struct plan */
} keys[] = {
	{ "load", { "batch", 1, 65536, true },
	    offsetof(struct plan, load.batch) },
	{ "load", { "fetchers", 0, 1024, true },
	    offsetof(struct plan, load.fetchers) },
	{ "load", { "read_ahead", 0, 65536, true },
	    offsetof(struct plan, load.read_ahead) },
	{ "load", { "shuffle", 0, 1000000000, false },
	    offsetof(struct plan, load.shuffle) },
	{ "measure", { "samples", 1, 1000000000000000, false },
	    offsetof(struct plan, measure.samples) },
	{ "strategies", { "shards", 0, SHARDS_MOST, true },
	    offsetof(struct plan, strategies.shards) },
};

int plan_read_sweeps(
    struct plan *plan, const struct ini *ini, struct error *err)
{
	for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
		const struct ini_section *section =
		    ini_section(ini, keys[i].section);
		const struct ini_entry *entry =
		    section ? ini_entry(section, keys[i].range.name) : NULL;
		struct sweep *sweep = (void *)((char *)plan + keys[i].offset);

		if (entry &&
		    sweep_parse(sweep, entry->value, &keys[i].range, err))
			return ini_error_at(ini, entry, err);
	}
	return 0;
}

int plan_check_modes(
    const struct plan *plan, const struct ini *ini, struct error *err)
{
	const struct ini_section *section = ini_section(ini, "load");
	const unsigned count = plan_mode_count(plan);

	if (count <= PLAN_MODES)
		return 0;
	error_set(err, ERROR_USAGE,
	    "each strategy would be loaded in %u ways, and may be in %d: give "
	    "shorter lists",
	    count, PLAN_MODES);
	return section && section->count
	           ? ini_error_at(ini, &section->entries[0], err)
	           : -1;
}

/* ---- modes ---- */

/* The numbers beside threads, in the order of struct trial_mode. */
enum { NUMBERS = 4 };

static void numbers_of(
    const struct plan *plan, const struct sweep *sweeps[NUMBERS])
{
	sweeps[0] = &plan->load.fetchers;
	sweeps[1] = &plan->load.read_ahead;
	sweeps[2] = &plan->load.shuffle;
	sweeps[3] = &plan->load.batch;
}

unsigned plan_mode_count(const struct plan *plan)
{
	const struct sweep *sweeps[NUMBERS];
	/* Each list has 32 values at most: it stays below 2^31. */
	unsigned count = plan->load.thread_count * plan->load.cache_count;

	numbers_of(plan, sweeps);
	for (unsigned i = 0; i < NUMBERS; i++)
		count *= sweeps[i]->count;
	return count;
}

static unsigned chosen_of(const struct plan *plan)
{
	const struct plan_load *load = &plan->load;

	return (load->auto_threads ? LOAD_THREADS : 0) |
	       (load->fetchers.is_auto ? LOAD_FETCHERS : 0) |
	       (load->read_ahead.is_auto ? LOAD_READ_AHEAD : 0) |
	       (load->batch.is_auto ? LOAD_BATCH : 0);
}

/* Threads change most slowly, and cache modes fastest. */
struct trial_mode plan_mode(const struct plan *plan, unsigned i)
{
	const struct plan_load *load = &plan->load;
	struct trial_mode mode = { .number = i, .chosen = chosen_of(plan) };
	unsigned *const numbers[NUMBERS] = { &mode.fetchers, &mode.read_ahead,
		&mode.shuffle, &mode.batch };
	const struct sweep *sweeps[NUMBERS];

	numbers_of(plan, sweeps);
	mode.cache = load->caches[i % load->cache_count];
	mode.place = load->places[i % load->cache_count];
	i /= load->cache_count;
	for (unsigned k = NUMBERS; k-- > 0;) {
		*numbers[k] = (unsigned)sweeps[k]->values[i % sweeps[k]->count];
		i /= sweeps[k]->count;
	}
	mode.threads = load->threads[i];
	return mode;
}

struct trial_mode plan_complete_mode(
    const struct plan *plan, struct trial_mode mode)
{
	const struct plan_load *load = &plan->load;

	if (mode.batch)
		return mode;
	mode.fetchers = (unsigned)load->fetchers.values[0];
	mode.read_ahead = (unsigned)load->read_ahead.values[0];
	mode.shuffle = (unsigned)load->shuffle.values[0];
	mode.batch = (unsigned)load->batch.values[0];
	return mode;
}

unsigned trial_mode_fetchers(struct trial_mode mode)
{
	return mode.fetchers ? mode.fetchers : mode.threads;
}

/* Returns the name that the list gave to the place of the cache. */
static const char *place_name(const struct plan *plan, struct trial_mode mode)
{
	const struct plan_load *load = &plan->load;

	for (unsigned i = 0; mode.place && i < load->cache_count; i++)
		if (load->places[i] == mode.place)
			return load->place_names[i];
	return "";
}

const char *plan_mode_words(const struct plan *plan, struct trial_mode mode,
    char words[PLAN_MODE_WORDS])
{
	static const char *const names[NUMBERS] = { "fetchers", "read-ahead",
		"shuffle", "batch" };
	const unsigned numbers[NUMBERS] = { mode.fetchers, mode.read_ahead,
		mode.shuffle, mode.batch };
	const struct sweep *sweeps[NUMBERS];
	const char *place = place_name(plan, mode);
	size_t used;

	numbers_of(plan, sweeps);
	used = (size_t)snprintf(words, PLAN_MODE_WORDS,
	    "%u thread%s, cache %s%s%s", mode.threads,
	    mode.threads == 1 ? "" : "s", cache_name(mode.cache),
	    *place ? ":" : "", place);
	for (unsigned i = 0; i < NUMBERS; i++)
		if (sweeps[i]->count > 1 || sweeps[i]->is_auto)
			used += (size_t)snprintf(words + used,
			    PLAN_MODE_WORDS - used, ", %s %u", names[i],
			    numbers[i]);
	return words;
}

unsigned plan_fetchers(const struct plan *plan, unsigned threads)
{
	const uint64_t most = sweep_most(&plan->load.fetchers);

	return most ? (unsigned)most : threads;
}

unsigned plan_most_threads(const struct plan *plan)
{
	unsigned most = 1;

	for (unsigned i = 0; i < plan->load.thread_count; i++)
		if (plan->load.threads[i] > most)
			most = plan->load.threads[i];
	return most;
}
