/* figures.c - see figures.h. */
#include "strategies/figures/figures.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/db/grid.h"

enum { THREADS_MOST = 1000000 };

/* ---- words ---- */

static const char *const states[] = { [TRIAL_DONE] = "done",
	[TRIAL_FAILED] = "failed",
	[TRIAL_SKIPPED] = "skipped" };
static const char *const equivalences[] = { [EQUIVALENT_YES] = "yes",
	[EQUIVALENT_NO] = "no",
	[EQUIVALENT_LOSSY] = "lossy",
	[EQUIVALENT_UNKNOWN] = "" };
static const char *const answers[] = {
	[ANSWER_UNKNOWN] = "", [ANSWER_YES] = "yes", [ANSWER_NO] = "no"
};

const char *trial_state_word(enum trial_state state)
{
	return states[state];
}

const char *cache_word(enum cache_mode cache)
{
	return cache == CACHE_UNKNOWN ? "" : cache_name(cache);
}

const char *equivalence_word(enum equivalence equivalent)
{
	return equivalences[equivalent];
}

const char *answer_word(enum answer answer)
{
	return answers[answer];
}

/* The place of a word in a list of words; `instead` if it is not there. */
static size_t place_of(
    const char *word, const char *const *words, size_t count, size_t instead)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(words[i], word) == 0)
			return i;
	return instead;
}

static enum answer read_answer(
    const struct grid *rows, size_t row, const char *column)
{
	return (enum answer)place_of(grid_text(rows, row, column), answers,
	    ARRAY_LEN(answers), ANSWER_UNKNOWN);
}

static enum cache_mode read_cache(const struct grid *rows, size_t row)
{
	enum cache_mode cache;

	return cache_parse(grid_text(rows, row, "cache"), &cache)
	           ? CACHE_UNKNOWN
	           : cache;
}

static unsigned read_threads(const struct grid *rows, size_t row)
{
	const double threads = grid_number(rows, row, "threads");

	return threads >= 1 && threads <= THREADS_MOST ? (unsigned)threads : 0;
}

/* ---- rows ---- */

static struct throughput read_throughput(const struct grid *rows, size_t row)
{
	struct throughput throughput = {
		.median = grid_number(rows, row, "throughput_samples_per_s"),
		.low = grid_number(rows, row, "throughput_low_samples_per_s"),
		.high = grid_number(rows, row, "throughput_high_samples_per_s"),
		.relative_low = grid_number(rows, row, "relative_low"),
		.relative_high = grid_number(rows, row, "relative_high"),
		.first_epoch =
		    grid_number(rows, row, "first_epoch_samples_per_s"),
		.first_low = grid_number(rows, row, "first_low"),
		.first_high = grid_number(rows, row, "first_high"),
		.runs = grid_number(rows, row, "runs"),
		.counted = grid_number(rows, row, "figures"),
		.together = { grid_number(rows, row, "hosts"),
		    grid_number(rows, row, "knee_hosts"),
		    grid_number(rows, row, "total_mb_per_s") },
	};

	/* A report in CSV does not say how many are counted. */
	throughput.counted = number_or(throughput.counted, throughput.runs);
	return throughput;
}

/* Equal elements have a PSNR without limit, which is not kept. */
static double read_psnr(const struct grid *rows, size_t row)
{
	const double largest = grid_number(rows, row, "difference_largest");

	return largest >= 0 && !(largest > 0)
	           ? INFINITY
	           : grid_number(rows, row, "psnr_db");
}

static struct figures read_row(const struct grid *rows, size_t row)
{
	return (struct figures){
		.session = grid_integer(rows, row, "session"),
		.trial = grid_integer(rows, row, "trial"),
		.strategy = grid_text(rows, row, "strategy"),
		.split = grid_text(rows, row, "split"),
		.store = grid_text(rows, row, "store"),
		.codec = grid_text(rows, row, "codec"),
		.threads = read_threads(rows, row),
		.cache = read_cache(rows, row),
		.cached.place = grid_text(rows, row, "cache_place"),
		.load = load_figures_read(rows, row),
		.state =
		    (enum trial_state)place_of(grid_text(rows, row, "status"),
		        states, ARRAY_LEN(states), TRIAL_SKIPPED),
		.answers.equivalent = (enum equivalence)place_of(
		    grid_text(rows, row, "equivalent"), equivalences,
		    ARRAY_LEN(equivalences), EQUIVALENT_UNKNOWN),
		.answers.portable = read_answer(rows, row, "portable"),
		.answers.fits_memory = read_answer(rows, row, "fits_memory"),
		.answers.drifts = read_answer(rows, row, "drift"),
		.answers.is_far = read_answer(rows, row, "far"),
		.message = grid_text(rows, row, "message"),
		.bottleneck = grid_text(rows, row, "bottleneck"),
		.evidence = grid_text(rows, row, "bottleneck_evidence"),
		.emulated_storage = grid_text(rows, row, "emulated_storage"),
		.throughput = read_throughput(rows, row),
		.profiled = { grid_number(rows, row, "samples"),
		    grid_number(rows, row, "prep_s"),
		    grid_number(rows, row, "storage_bytes"),
		    grid_number(rows, row, "requests_per_sample") *
		        grid_number(rows, row, "samples") },
		.full = { grid_number(rows, row, "full_samples"),
		    grid_number(rows, row, "full_prep_s"),
		    grid_number(rows, row, "full_storage_bytes"), NAN },
		.source_samples = grid_number(rows, row, "source_samples"),
		.cpu_us = grid_number(rows, row, "cpu_us_per_sample"),
		.cached.bytes = grid_number(rows, row, "cache_bytes"),
		.psnr_db = read_psnr(rows, row),
		.warmth.resident_percent =
		    grid_number(rows, row, "resident_percent"),
		.warmth.cold = cold_find(grid_text(rows, row, "cold")),
		.search.predicted =
		    strcmp(grid_text(rows, row, "source"), "predicted") == 0,
		.search.bound_samples_per_s =
		    grid_number(rows, row, "bound_high_samples_per_s"),
		.search.ruled_out =
		    strcmp(grid_text(rows, row, "ended"), "ruled out") == 0,
	};
}

int figures_read(
    struct figures_list *figures, const struct grid *rows, struct error *err)
{
	/* One more, so that no rows are no error. */
	const size_t bytes = (rows->row_count + 1) * sizeof(*figures->list);

	*figures = (struct figures_list){ .list = malloc(bytes) };
	if (!figures->list)
		return error_memory(err, bytes);
	for (size_t i = 0; i < rows->row_count; i++)
		figures->list[figures->count++] = read_row(rows, i);
	return load_figures_mark(figures->list, figures->count, err);
}

void figures_release(struct figures_list *figures)
{
	free(figures->list);
	*figures = (struct figures_list){ .list = NULL };
}

struct figures figures_none(void)
{
	const struct grid empty = GRID_INIT;

	return read_row(&empty, 0);
}

struct figures figures_read_key(const struct grid *rows, size_t row)
{
	return (struct figures){ .strategy = grid_text(rows, row, "strategy"),
		.threads = read_threads(rows, row),
		.cache = read_cache(rows, row),
		.cached.place = grid_text(rows, row, "cache_place"),
		.load = load_figures_read(rows, row) };
}

/* ---- questions ---- */

int64_t figures_newest_session(const struct figures_list *figures)
{
	int64_t newest = 0;

	for (size_t i = 0; i < figures->count; i++)
		if (figures->list[i].session > newest)
			newest = figures->list[i].session;
	return newest;
}

/* Older databases do not know the place. */
static bool is_same_place(const char *a, const char *b)
{
	return !a || !b || !*a || !*b || strcmp(a, b) == 0;
}

bool figures_same_trial(const struct figures *a, const struct figures *b)
{
	/* Threads that `auto` has found in both do not tell them apart. */
	const bool found = a->load.chosen & b->load.chosen & LOAD_THREADS;

	return (a->threads == b->threads || found) && a->cache == b->cache &&
	       is_same_place(a->cached.place, b->cached.place) &&
	       strcmp(a->strategy, b->strategy) == 0 &&
	       load_figures_same(&a->load, &b->load);
}

const char *figures_cache_words(
    const struct figures *figures, char words[FIGURES_CACHE])
{
	const char *place = figures->cached.place;

	snprintf(words, FIGURES_CACHE, "%s%s%s", cache_word(figures->cache),
	    place && *place ? ":" : "", place ? place : "");
	return words;
}

const struct figures *figures_find(
    const struct figures_list *in, const struct figures *trial)
{
	for (size_t i = 0; i < in->count; i++)
		if (figures_same_trial(&in->list[i], trial))
			return &in->list[i];
	return NULL;
}

bool figures_are_of(
    const struct figures *figures, const struct grid *view, size_t row)
{
	const struct figures key = figures_read_key(view, row);

	return figures_same_trial(figures, &key);
}

bool figures_is_unprocessed(const struct figures *figures)
{
	return strcmp(figures->strategy, "unprocessed") == 0;
}

bool figures_is_yours(const struct figures *figures)
{
	return strcmp(figures->strategy, "yours") == 0;
}
