/* load_figures.c - see load_figures.h. */
#include "strategies/figures/load_figures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/base/units.h"
#include "lib/db/grid.h"
#include "strategies/figures/figures.h"

static const struct number {
	const char *column, *before, *after; /* ", batch 64", ", 8 shards" */
	unsigned key; /* enum load_key; 0: auto finds none */
} numbers[LOAD_NUMBERS] = {
	[LOAD_NUMBER_FETCHERS] = { "fetchers", "fetchers ", "", LOAD_FETCHERS },
	[LOAD_NUMBER_READ_AHEAD] = { "read_ahead", "read-ahead ", "",
	    LOAD_READ_AHEAD },
	[LOAD_NUMBER_SHUFFLE] = { "shuffle", "shuffle ", "", 0 },
	[LOAD_NUMBER_BATCH] = { "batch", "batch ", "", LOAD_BATCH },
	[LOAD_NUMBER_SHARDS] = { "shards", "", " shards", 0 },
	[LOAD_NUMBER_SAMPLES] = { "source_samples", "", " samples", 0 },
};

const char *load_number_column(enum load_number number)
{
	return numbers[number].column;
}

struct load_figures load_figures_read(const struct grid *rows, size_t row)
{
	struct load_figures load = {
		.chosen = (unsigned)grid_integer(rows, row, "chosen"),
	};

	for (size_t i = 0; i < LOAD_NUMBERS; i++)
		load.numbers[i] = grid_number(rows, row, numbers[i].column);
	return load;
}

static bool same_number(double a, double b)
{
	if (isnan(a) || isnan(b))
		return isnan(a) && isnan(b);
	return !(a < b || a > b);
}

bool load_figures_found(
    const struct load_figures *load, enum load_number number)
{
	return (load->chosen & numbers[number].key) != 0;
}

/* The bits of numbers in which they differ. */
static unsigned difference(
    const struct load_figures *a, const struct load_figures *b)
{
	unsigned bits = 0;

	for (unsigned i = 0; i < LOAD_NUMBERS; i++)
		if (!same_number(a->numbers[i], b->numbers[i]))
			bits |= 1U << i;
	return bits;
}

/* The same, without numbers that `auto` has found in both. */
static unsigned asked_difference(
    const struct load_figures *a, const struct load_figures *b)
{
	unsigned bits = difference(a, b);

	for (unsigned i = 0; i < LOAD_NUMBERS; i++)
		if (a->chosen & b->chosen & numbers[i].key)
			bits &= ~(1U << i);
	return bits;
}

/* Threads that tell it apart; 0: `auto` has found them. */
static unsigned asked_threads(const struct figures *figures)
{
	return figures->load.chosen & LOAD_THREADS ? 0 : figures->threads;
}

/* Orders by what tells trials apart, but for these numbers. */
static int compare_keys(const void *a, const void *b)
{
	const struct figures *x = *(const struct figures *const *)a;
	const struct figures *y = *(const struct figures *const *)b;

	if (x->session != y->session)
		return x->session < y->session ? -1 : 1;
	if (asked_threads(x) != asked_threads(y))
		return asked_threads(x) < asked_threads(y) ? -1 : 1;
	if (x->cache != y->cache)
		return x->cache < y->cache ? -1 : 1;
	return strcmp(x->strategy, y->strategy);
}

/* Marks all of a group by how they differ from the first. */
static void mark_group(struct figures **group, size_t count)
{
	unsigned bits = 0;

	for (size_t i = 1; i < count; i++)
		bits |= asked_difference(&group[0]->load, &group[i]->load);
	for (size_t i = 0; i < count; i++)
		group[i]->load.differs = bits;
}

int load_figures_mark(struct figures *list, size_t count, struct error *err)
{
	const size_t bytes = (count + 1) * sizeof(struct figures *);
	struct figures **sorted = malloc(bytes);

	if (!sorted)
		return error_memory(err, bytes);
	for (size_t i = 0; i < count; i++)
		sorted[i] = &list[i];
	qsort(sorted, count, sizeof(*sorted), compare_keys);
	for (size_t i = 0, end; i < count; i = end) {
		for (end = i + 1; end < count &&
		                  compare_keys(&sorted[i], &sorted[end]) == 0;)
			end++;
		mark_group(&sorted[i], end - i);
	}
	free(sorted);
	return 0;
}

bool load_figures_same(
    const struct load_figures *a, const struct load_figures *b)
{
	return (asked_difference(a, b) & (a->differs | b->differs)) == 0;
}

bool load_figures_alike(
    const struct load_figures *a, const struct load_figures *b)
{
	return (difference(a, b) & ~(1U << LOAD_NUMBER_SHARDS)) == 0;
}

/* ---- words ---- */

static bool is_told(const struct load_figures *load, unsigned i)
{
	return !isnan(load->numbers[i]) &&
	       ((load->differs & (1U << i)) || load_figures_found(load, i));
}

static void add(char text[LOAD_FIGURES_TEXT], const char *before,
    const char *what, const char *after)
{
	const size_t used = strlen(text);

	snprintf(text + used, LOAD_FIGURES_TEXT - used, "%s%s%s", before, what,
	    after);
}

const char *load_figures_words(
    const struct load_figures *load, char text[LOAD_FIGURES_TEXT])
{
	*text = '\0';
	for (unsigned i = 0; i < LOAD_NUMBERS; i++) {
		char number[UNITS_TEXT], after[RESULTS_WORD];
		const bool one = load->numbers[i] < 2;

		if (!is_told(load, i))
			continue;
		units_number(load->numbers[i], number);
		/* "1 shard" */
		snprintf(after, sizeof(after), "%.*s",
		    (int)strlen(numbers[i].after) - (one && *numbers[i].after),
		    numbers[i].after);
		add(text, ", ", numbers[i].before, "");
		add(text, "", number, after);
	}
	return text;
}

const char *load_figures_name(
    const struct load_figures *load, char text[LOAD_FIGURES_TEXT])
{
	*text = '\0';
	for (unsigned i = 0; i < LOAD_NUMBERS; i++) {
		char number[UNITS_TEXT];

		if (!(load->differs & (1U << i)) || isnan(load->numbers[i]))
			continue;
		snprintf(number, sizeof(number), "%.0f", load->numbers[i]);
		add(text, " ", numbers[i].column, "=");
		add(text, number, "", "");
	}
	return text;
}
