/* forecast.c - see forecast.h. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmd/cmd.h"
#include "cmd/forecast.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/units.h"
#include "lib/steps/step.h"
#include "strategies/ceilings.h"
#include "strategies/session.h"

struct forecast {
	const struct session_plan *plan;
	FILE *out;
	unsigned threads;
	struct error too_large; /* why the application cache is skipped */
};

static bool is_skipped(const struct forecast *f, enum cache_mode cache)
{
	return cache == CACHE_APPLICATION && f->too_large.code != ERROR_NONE;
}

/* To two digits: times and speeds are not known better. */
static double rough(double number)
{
	const double unit = number > 0 ? pow(10, floor(log10(number)) - 1) : 1;

	return round(number / unit) * unit;
}

/* "34.0 ms" as "34 ms", and "2.20 s" as "2.2 s". */
static const char *rough_time(double seconds, char text[UNITS_TEXT])
{
	char *point, *end;

	units_time(rough(seconds), text);
	point = strchr(text, '.');
	end = point ? strchr(point, ' ') : NULL;
	if (end && end[-1] == '0') {
		char *at = end - 1 - (end - 2 == point);

		memmove(at, end, strlen(end) + 1);
	}
	return text;
}

/* One column of speed a cache mode. */
static void print_titles(const struct forecast *f)
{
	const struct plan *plan = f->plan->plan;

	fprintf(
	    f->out, "%-34s %12s %12s", "STRATEGY", "STORAGE", "PREPARATION");
	for (unsigned c = 0; c < plan->cache_count; c++) {
		char title[32];

		snprintf(title, sizeof(title), "SAMPLES/S %s",
		    cache_name(plan->caches[c]));
		fprintf(f->out, " %21s", title);
	}
	fputc('\n', f->out);
}

/* And what holds it there, where that is not the cores. */
static void print_rate(const struct forecast *f, const struct prediction *p)
{
	char rate[UNITS_TEXT], text[UNITS_TEXT + 16];

	units_number(rough(p->samples_per_s), rate);
	snprintf(text, sizeof(text), "%s%s%s", rate,
	    strcmp(p->limit, "cpu") ? " " : "",
	    strcmp(p->limit, "cpu") ? p->limit : "");
	fprintf(f->out, " %21s", text);
}

static void print_strategy(
    const struct forecast *f, const struct strategy *strategy)
{
	const struct session_plan *plan = f->plan;
	struct load load = { .samples = plan->source->samples,
		.threads = f->threads };
	struct prediction p = model_predict(plan->model, strategy, &load);
	char size[UNITS_TEXT], prep[UNITS_TEXT];

	fprintf(f->out, "%-34s %12s %12s", strategy->label,
	    units_bytes(p.storage_bytes, size),
	    strategy->unprocessed ? "-" : rough_time(p.prep_s, prep));
	for (unsigned c = 0; c < plan->plan->cache_count; c++) {
		load.cache = plan->plan->caches[c];
		p = model_predict(plan->model, strategy, &load);
		if (is_skipped(f, load.cache))
			fprintf(f->out, " %21s", "skipped");
		else
			print_rate(f, &p);
	}
	fputc('\n', f->out);
}

static void print_cache(const struct forecast *f)
{
	const struct session_plan *plan = f->plan;
	const struct pipeline *pipeline = plan->pipeline;
	const char *kept =
	    pipeline_name(pipeline, pipeline_last_split(pipeline));
	char bytes[UNITS_TEXT];

	if (is_skipped(f, CACHE_APPLICATION))
		fprintf(f->out, "cache application, of %s, %s\n", kept,
		    f->too_large.text);
	else
		fprintf(f->out, "cache application keeps %s: about %s\n", kept,
		    units_bytes(
		        model_cache_bytes(plan->model, plan->source->samples),
		        bytes));
}

/* What cold epochs are held against; what is in memory is no storage. */
static void print_ceilings(
    const struct forecast *f, const struct ceilings *storage)
{
	const struct ceiling *large =
	    ceilings_find(storage, CEILING_SEQUENTIAL, f->threads);
	const struct ceiling *files =
	    ceilings_find(storage, CEILING_FILES, f->threads);
	char bytes[UNITS_TEXT], number[UNITS_TEXT];

	if (!large || !files)
		fprintf(f->out,
		    "cache none: how fast %s reads is not known; presto "
		    "probe --db measures it\n",
		    *storage->device ? storage->device : "the storage");
	else if (large->cold)
		fprintf(f->out,
		    "cache none: %s reads %s/s, or %s files/s, as measured "
		    "today\n",
		    storage->device,
		    units_bytes(rough(large->bytes_per_s), bytes),
		    units_number(rough(files->requests_per_s), number));
}

static void print_storage(const struct forecast *f)
{
	const struct plan *plan = f->plan->plan;
	const struct ceilings *source = &f->plan->model->source_ceilings;
	const struct ceilings *stored = &f->plan->model->stored_ceilings;
	bool cold = false;

	for (unsigned c = 0; c < plan->cache_count; c++)
		cold |= plan->caches[c] == CACHE_NONE;
	if (!cold || !plan->probe || plan_emulates(plan))
		return;
	print_ceilings(f, stored);
	if (*source->device && strcmp(source->device, stored->device) != 0)
		print_ceilings(f, source);
}

static void print_totals(const struct forecast *f)
{
	const struct session_plan *plan = f->plan;
	const unsigned ways =
	    plan->plan->thread_count * plan->plan->cache_count;
	char time[UNITS_TEXT], size[UNITS_TEXT];

	fprintf(f->out,
	    "\npredicted from %u sample%s, for %llu sample%s on %u thread%s\n"
	    "%zu strategies, each loaded in %u way%s: about %s, and at most "
	    "%s of disk at a time\n",
	    plan->model->samples, plan->model->samples == 1 ? "" : "s",
	    (unsigned long long)plan->source->samples,
	    plan->source->samples == 1 ? "" : "s", f->threads,
	    f->threads == 1 ? "" : "s", plan->strategies->count, ways,
	    ways == 1 ? "" : "s", rough_time(session_seconds(plan), time),
	    units_bytes(session_disk_bytes(plan), size));
}

int forecast_print(
    const struct session_plan *plan, FILE *out, struct error *err)
{
	struct forecast f = {
		.plan = plan,
		.out = out,
		.threads = plan_most_threads(plan->plan),
		.too_large = ERROR_INIT,
	};

	UNUSED(err);
	model_check_cache(plan->model, plan->source->samples, &f.too_large);
	print_titles(&f);
	for (size_t i = 0; i < plan->strategies->count; i++)
		print_strategy(&f, &plan->strategies->list[i]);
	print_totals(&f);
	print_storage(&f);
	for (unsigned c = 0; c < plan->plan->cache_count; c++)
		if (plan->plan->caches[c] == CACHE_APPLICATION)
			print_cache(&f);
	return 0;
}

void forecast_warn(const struct model *model)
{
	const struct pipeline *pipeline = model->pipeline;

	for (unsigned i = 0; model->samples && i < pipeline->count; i++)
		if (model->many[i] > 0 && model->many[i + 1] <= 0)
			cmd_warn("step %s made nothing of the %u sample%s "
			         "looked at: see its options, and what the "
			         "step before gives",
			    pipeline->steps[i].ops->name, model->samples,
			    model->samples == 1 ? "" : "s");
}
