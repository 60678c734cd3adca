/* offload_facts.c - see offload.h: what the traced pass says of the work. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/db/grid.h"
#include "strategies/figures/figures.h"
#include "strategies/whatif/offload.h"

static double number_or_0(
    const struct grid *grid, size_t row, const char *column)
{
	const double number = grid_number(grid, row, column);

	return number >= 0 ? number : 0;
}

/* What a sample took in the traced pass, in all. */
static double traced_s(const struct grid *efforts, size_t row)
{
	static const char *const columns[] = { "fetch_cpu_s", "decode_cpu_s",
		"steps_cpu_s", "batch_cpu_s" };
	double sum = 0;

	for (size_t i = 0; i < ARRAY_LEN(columns); i++)
		sum += number_or_0(efforts, row, columns[i]);
	return sum;
}

static void add_place(
    struct offload_facts *facts, const char *name, double cpu_s, double bytes)
{
	struct offload_place *place;

	/* Nothing left a step that did not run, or not by itself. */
	if (facts->count == OFFLOAD_POINTS || !*name || !(bytes > 0))
		return;
	place = &facts->places[facts->count];
	place->cpu_s = fmin(cpu_s, facts->all_s);
	place->bytes = bytes;
	snprintf(place->name, sizeof(place->name), "%s", name);
	facts->count++;
}

bool offload_facts_read(struct offload_facts *facts, const char *first,
    const struct grid *efforts, size_t row, const struct grid *steps)
{
	const double samples = grid_number(efforts, row, "traced_samples");
	const double all_s = grid_number(efforts, row, "cpu_s");
	const double scale = all_s / traced_s(efforts, row);
	double before_s = number_or_0(efforts, row, "fetch_cpu_s");

	*facts = (struct offload_facts){ .all_s = all_s,
		.samples_per_s = grid_number(efforts, row, "samples_per_s") };
	facts->alone = facts->samples_per_s;
	facts->capacity = facts->samples_per_s;
	if (!(samples > 0) || !isfinite(scale) || !(facts->samples_per_s > 0))
		return false;
	for (size_t i = 0; i < steps->row_count; i++) {
		const char *name = grid_text(steps, i, "name");
		const double bytes =
		    number_or_0(steps, i, "bytes_out") / samples;

		if (!figures_rows_match(efforts, row, steps, i))
			continue;
		before_s += number_or_0(steps, i, "cpu_s") / samples;
		if (strcmp(name, "parse") == 0)
			add_place(facts, first, before_s * scale, bytes);
		else if (*grid_text(steps, i, "step") &&
		         strcmp(name, "unpack") != 0)
			add_place(facts, name, before_s * scale, bytes);
	}
	return true;
}

void offload_use_idle(struct offload_facts *facts, double threads, double cores,
    double others_cores, bool waits_for_storage)
{
	const double left =
	    cores - (waits_for_storage ? 0 : fmax(others_cores, 0));

	if (!waits_for_storage && !(threads < cores))
		return;
	facts->capacity = fmax(facts->capacity, left / facts->all_s);
	if (!waits_for_storage)
		facts->alone = facts->capacity;
}
