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

static void print_strategy(
    const struct forecast *f, const struct strategy *strategy)
{
	const struct session_plan *plan = f->plan;
	struct load load = { .samples = plan->source->samples,
		.threads = f->threads };
	struct prediction p = model_predict(plan->model, strategy, &load);
	char size[UNITS_TEXT], prep[UNITS_TEXT], rate[UNITS_TEXT];

	fprintf(f->out, "%-34s %12s %12s", strategy->label,
	    units_bytes(p.storage_bytes, size),
	    strategy->unprocessed ? "-" : rough_time(p.prep_s, prep));
	for (unsigned c = 0; c < plan->plan->cache_count; c++) {
		load.cache = plan->plan->caches[c];
		p = model_predict(plan->model, strategy, &load);
		fprintf(f->out, " %21s",
		    is_skipped(f, load.cache)
		        ? "skipped"
		        : units_number(rough(p.samples_per_s), rate));
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
