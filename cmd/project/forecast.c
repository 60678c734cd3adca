/* forecast.c - see forecast.h. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmd/program/cmd.h"
#include "cmd/program/terminal.h"
#include "cmd/project/forecast.h"
#include "cmd/project/order_words.h"
#include "cmd/writers/table.h"
#include "lib/base/error.h"
#include "lib/base/units.h"
#include "lib/db/grid.h"
#include "lib/files/path.h"
#include "lib/files/url.h"
#include "lib/measure/system.h"
#include "lib/steps/step.h"
#include "strategies/decide/derive.h"
#include "strategies/forecast/cache_place.h"
#include "strategies/forecast/footprint.h"
#include "strategies/forecast/machine_file.h"
#include "strategies/forecast/models/ceilings.h"
#include "strategies/search/search.h"
#include "strategies/session/duration.h"
#include "strategies/session/session.h"

enum { RANGE_TEXT = UNITS_TEXT + 32 };

/* A session of so many seconds is worth a word about --search. */
static const double long_s = 60;

struct forecast {
	const struct session_plan *plan;
	FILE *out;
	unsigned threads;
};

/* ---- the table ---- */

/* Columns: each cache mode has its rates. */
enum { STRATEGY, STORAGE, PREPARATION, RATES, SECOND_RATES, THIRD_RATES };

/* Adds the column titles, with a column of rates for each cache mode. */
static int add_titles(
    const struct forecast *f, struct grid *table, struct error *err)
{
	const struct plan *plan = f->plan->plan;

	if (grid_add_column(table, "strategy", err) ||
	    grid_add_column(table, "storage", err) ||
	    grid_add_column(table, "preparation", err))
		return -1;
	for (unsigned c = 0; c < plan->load.cache_count; c++) {
		const char *place = plan->load.place_names[c];
		char title[32 + PLACE_NAME];

		snprintf(title, sizeof(title), "samples/s, cache %s%s%s",
		    cache_name(plan->load.caches[c]), *place ? ":" : "", place);
		if (grid_add_column(table, title, err))
			return -1;
	}
	return 0;
}

/* Writes "1 234 ± 5 %"; without an interval "1 234". */
static void add_range(
    const char *value, double low, double high, char text[RANGE_TEXT])
{
	const double percent =
	    low > 0 && high > 0 ? 100 * (sqrt(high / low) - 1) : 0;

	if (percent > 0)
		snprintf(text, RANGE_TEXT, "%s \302\261 %.0f %%", value,
		    fmax(percent, 1));
	else
		snprintf(text, RANGE_TEXT, "%s", value);
}

/* Sets a rate, and what limits it if that is not the cores. */
static int set_rate(struct grid *table, size_t column,
    const struct prediction *p, struct error *err)
{
	const bool is_cpu = strcmp(p->limit, "cpu") == 0;
	char rate[UNITS_TEXT], range[RANGE_TEXT], text[RANGE_TEXT + 16];

	units_number(units_rough(p->samples_per_s), rate);
	add_range(rate, p->low_samples_per_s, p->high_samples_per_s, range);
	snprintf(text, sizeof(text), "%s%s%s%s", range, is_cpu ? "" : " (",
	    is_cpu ? "" : p->limit, is_cpu ? "" : ")");
	return grid_set_text(table, column, text, err);
}

/* Nobody can predict the user's own loader. */
static int add_unknown(
    const struct forecast *f, struct grid *table, struct error *err)
{
	const unsigned last = RATES + f->plan->plan->load.cache_count;

	for (unsigned c = STORAGE; c < last; c++)
		if (grid_set_text(
		        table, c, c < RATES ? "-" : "not predicted", err))
			return -1;
	return 0;
}

static int add_strategy(const struct forecast *f,
    const struct strategy *strategy, struct grid *table, struct error *err)
{
	const struct session_plan *plan = f->plan;
	struct load load = { .samples = strategy_samples(
		                 strategy, plan->source->samples),
		.threads = f->threads,
		.others = plan->model->machine.others };
	struct prediction p = model_predict(plan->model, strategy, &load);
	char size[UNITS_TEXT], prep[UNITS_TEXT], title[STRATEGY_TITLE];
	char storage[RANGE_TEXT], preparation[RANGE_TEXT];
	int rc = 0;

	if (grid_add_row(table, err) ||
	    grid_set_text(
	        table, STRATEGY, strategy_title(strategy, title), err))
		return -1;
	if (strategy->yours)
		return add_unknown(f, table, err);
	add_range(units_bytes(p.storage_bytes, size), p.low_storage_bytes,
	    strategy->unprocessed ? 0 : p.high_storage_bytes, storage);
	add_range(
	    strategy->unprocessed ? "-" : units_rough_time(p.prep_s, prep),
	    p.low_prep_s, p.high_prep_s, preparation);
	if (grid_set_text(table, STORAGE, storage, err) ||
	    grid_set_text(table, PREPARATION, preparation, err))
		return -1;
	for (unsigned c = 0; rc == 0 && c < plan->plan->load.cache_count; c++) {
		load.cache = plan->plan->load.caches[c];
		load.place = plan->plan->load.places[c];
		p = model_predict(plan->model, strategy, &load);
		rc = set_rate(table, RATES + c, &p, err);
	}
	return rc;
}

static int print_table(const struct forecast *f, struct error *err)
{
	static const struct table_column columns[RATES + PLAN_LIST] = {
		[STRATEGY] = { .importance = 0, .least = 20 },
		[STORAGE] = { .importance = 1 },
		[PREPARATION] = { .importance = 3 },
		[SECOND_RATES] = { .importance = 2 },
		[THIRD_RATES] = { .importance = 2 },
	};
	const struct table_page page = { .width = terminal_columns(f->out),
		.columns = columns };
	const struct strategies *strategies = f->plan->strategies;
	struct grid table = GRID_INIT;
	int rc = add_titles(f, &table, err);

	for (size_t i = 0; rc == 0 && i < strategies->count; i++)
		rc = add_strategy(f, &strategies->list[i], &table, err);
	if (rc == 0)
		table_write_page(&table, &page, f->out);
	grid_release(&table);
	return rc;
}

/* ---- the lines below it ---- */

/* The most memory that a strategy needs at a time, for preparing or loading. */
static double memory_of(
    const struct session_plan *plan, const struct strategy *strategy)
{
	struct load load = { .samples = strategy_samples(
		                 strategy, plan->source->samples),
		.threads = plan_most_threads(plan->plan) };
	struct footprint footprint = footprint_of_preparation(
	    plan->model, strategy, &load, plan->work_dir);
	double most = footprint_bytes(&footprint);

	for (unsigned c = 0; c < plan->plan->load.cache_count; c++) {
		double bytes;

		load.cache = plan->plan->load.caches[c];
		load.place = plan->plan->load.places[c];
		footprint = footprint_of_load(plan->model, strategy, &load);
		bytes = footprint_bytes(&footprint);
		if (bytes > most)
			most = bytes;
	}
	return most;
}

static void print_memory(const struct forecast *f)
{
	const struct session_plan *plan = f->plan;
	const struct strategies *all = plan->strategies;
	const struct strategy *largest = &all->list[0];
	double least = memory_of(plan, largest), most = least;
	char a[UNITS_TEXT], b[UNITS_TEXT];

	for (size_t i = 1; i < all->count; i++) {
		const double bytes = memory_of(plan, &all->list[i]);

		if (bytes < least)
			least = bytes;
		if (bytes > most) {
			most = bytes;
			largest = &all->list[i];
		}
	}
	terminal_print(f->out, "",
	    "memory: %s to %s at a time, most of all for %s",
	    units_bytes(units_rough(least), a),
	    units_bytes(units_rough(most), b), largest->label);
}

/* Says what the application cache keeps, for an entry of the list. */
static void print_cache(const struct forecast *f, unsigned entry)
{
	const struct session_plan *plan = f->plan;
	const struct load load = { .samples = plan->source->samples,
		.threads = f->threads,
		.cache = CACHE_APPLICATION,
		.place = plan->plan->load.places[entry] };
	const struct cache_place place =
	    cache_place_of(plan->model, &plan->strategies->list[0], &load);
	const char *name = pipeline_name(plan->pipeline, place.at);
	char need[UNITS_TEXT], allowed[UNITS_TEXT];

	units_bytes(place.bytes, need);
	units_bytes((double)cache_place_budget(plan->model), allowed);
	if (place.share < 1)
		terminal_print(f->out, "",
		    "cache application keeps %s of %.0f %% of the samples, "
		    "since %s are allowed (load.cache_budget) and all need "
		    "about %s; the others are read from storage in each epoch",
		    name, floor(100 * place.share), allowed, need);
	else
		terminal_print(f->out, "",
		    "cache application keeps %s: about %s", name, need);
}

/* Ceilings of the storage for cold epochs; data in memory has none. */
static void print_ceilings(
    const struct forecast *f, const struct ceilings *storage)
{
	const struct ceiling *large =
	    ceilings_find(storage, CEILING_SEQUENTIAL, f->threads);
	const struct ceiling *files =
	    ceilings_find(storage, CEILING_FILES, f->threads);
	char bytes[UNITS_TEXT], number[UNITS_TEXT];

	if (!large || !files)
		terminal_print(f->out, "",
		    "cache none: the read speed of %s is not known; presto "
		    "probe --db measures it",
		    *storage->place.device ? storage->place.device
		                           : "the storage");
	else if (large->cold)
		terminal_print(f->out, "",
		    "cache none: %s reads up to %s/s, or %s files/s, the most "
		    "that was seen in the last 24 hours",
		    storage->place.device,
		    units_bytes(units_rough(large->bytes_per_s), bytes),
		    units_number(units_rough(files->requests_per_s), number));
}

/* A server is not probed by the way: each request may cost money. */
static void print_far(const struct forecast *f)
{
	char url[URL_TEXT];

	terminal_print(f->out, "",
	    "unprocessed: %s was not probed; its forecast is what the loader "
	    "took for the pilot samples from there, and \302\261 is wide; "
	    "presto "
	    "probe measures it",
	    url_text(f->plan->dataset.path, url));
}

static void print_storage(const struct forecast *f)
{
	const struct plan *plan = f->plan->plan;
	const struct ceilings *source = &f->plan->model->source_ceilings;
	const struct ceilings *stored = &f->plan->model->stored_ceilings;
	bool cold = false;

	for (unsigned c = 0; c < plan->load.cache_count; c++)
		cold |= plan->load.caches[c] == CACHE_NONE;
	if (!cold || !plan->measure.probe || plan_emulates(plan))
		return;
	print_ceilings(f, stored);
	if (f->plan->source->is_far)
		print_far(f);
	else if (*source->place.device &&
	         strcmp(source->place.device, stored->place.device) != 0)
		print_ceilings(f, source);
}

/* Says what the intervals come from. */
static void print_accuracy(const struct forecast *f)
{
	static const char *const origins[] = {
		[ACCURACY_MACHINE] = "on this machine",
		[ACCURACY_ALL] = "on all machines",
	};
	const struct accuracy *accuracy = &f->plan->model->accuracy;
	const struct accuracy_part *part =
	    f->plan->plan->load.caches[0] == CACHE_NONE ? &accuracy->cold
	                                                : &accuracy->warm;

	if (part->count == 0)
		terminal_print(f->out, "",
		    "\302\261 holds 95 of 100 forecasts; sessions in the "
		    "database (--db) make it narrower, or wider");
	else
		terminal_print(f->out, "",
		    "\302\261 holds 95 of 100 forecasts, by the errors of %u "
		    "earlier ones %s",
		    part->count, origins[part->origin]);
}

static void print_basis(const struct forecast *f)
{
	const struct session_plan *plan = f->plan;

	fputc('\n', f->out);
	terminal_print(f->out, "",
	    "predicted from %u sample%s, for %llu sample%s on %u thread%s",
	    plan->model->samples, plan->model->samples == 1 ? "" : "s",
	    (unsigned long long)plan->source->samples,
	    plan->source->samples == 1 ? "" : "s", f->threads,
	    f->threads == 1 ? "" : "s");
	print_accuracy(f);
}

/* The total is that of all trials: says how fewer are measured. */
static void print_search(const struct forecast *f, double seconds)
{
	if (session_searches(f->plan))
		terminal_print(f->out, "",
		    "that is the time of all trials; --search %s may measure "
		    "fewer",
		    f->plan->search->name);
	else if (seconds >= long_s)
		terminal_print(f->out, "",
		    "--search auto measures only what can still win");
}

static int print_totals(const struct forecast *f, struct error *err)
{
	const struct session_plan *plan = f->plan;
	const unsigned ways = plan_mode_count(plan->plan);
	char time[UNITS_TEXT], size[UNITS_TEXT];
	double seconds;

	if (duration_of_session(plan, &seconds, err))
		return -1;
	print_basis(f);
	terminal_print(f->out, "",
	    "%zu strategies, each loaded in %u way%s: about %s, and at most "
	    "%s of disk at a time",
	    plan->strategies->count, ways, ways == 1 ? "" : "s",
	    units_rough_time(seconds, time),
	    units_bytes(session_disk_bytes(plan), size));
	print_search(f, seconds);
	if (plan->user_loader)
		terminal_print(f->out, "",
		    "yours is counted as if it took the time of unprocessed");
	return 0;
}

static void print_order(const struct forecast *f)
{
	const struct strategy *list = f->plan->strategies->list;
	char words[ORDER_WORDS];

	if (!list[f->plan->strategies->count - 1].unprocessed)
		terminal_print(f->out, "", "samples are stored %s",
		    order_cost_words(f->plan->model, f->threads, words));
}

static void print_machine(
    const struct forecast *f, const struct machine_file *machine)
{
	const struct storage_speed *storage = &machine->storage;
	char bytes[UNITS_TEXT], memory[UNITS_TEXT];

	terminal_print(f->out, "",
	    "for %llu core%s, %.3g times as fast as those here, with %s of "
	    "memory",
	    (unsigned long long)machine->cores, machine->cores == 1 ? "" : "s",
	    f->plan->model->machine.speed,
	    units_bytes((double)f->plan->model->machine.memory, memory));
	if (machine->has_storage && storage->bandwidth > 0)
		terminal_print(f->out, "",
		    "cache none: a storage that reads up to %s/s",
		    units_bytes(units_rough(storage->bandwidth), bytes));
}

int forecast_print_rates(const struct session_plan *plan,
    const struct machine_file *machine, FILE *out, struct error *err)
{
	struct forecast f = {
		.plan = plan,
		.out = out,
		.threads = plan_most_threads(plan->plan),
	};

	if (print_table(&f, err))
		return -1;
	print_basis(&f);
	if (machine)
		print_machine(&f, machine);
	else
		print_storage(&f);
	return 0;
}

int forecast_print(
    const struct session_plan *plan, FILE *out, struct error *err)
{
	struct forecast f = {
		.plan = plan,
		.out = out,
		.threads = plan_most_threads(plan->plan),
	};

	if (print_table(&f, err) || print_totals(&f, err))
		return -1;
	print_memory(&f);
	print_order(&f);
	print_storage(&f);
	for (unsigned c = 0; c < plan->plan->load.cache_count; c++)
		if (plan->plan->load.caches[c] == CACHE_APPLICATION)
			print_cache(&f, c);
	return 0;
}

int forecast_read_known(
    const struct session_plan *plan, const char *path, struct error *err)
{
	struct model *model = plan->model;
	struct machine machine;
	struct results *results;
	int rc = -1;

	if (!path_exists(path))
		return 0;
	results = derive_open(path, false, err);
	machine_read(&machine);
	if (results)
		rc =
		    accuracy_learn(&model->accuracy, results, machine.cpu, err);
	if (rc == 0 && plan->plan->measure.probe && !plan_emulates(plan->plan))
		rc = ceilings_read(results, plan->dataset.path,
		         &model->source_ceilings, err) ||
		             ceilings_read(results, plan->work_dir,
		                 &model->stored_ceilings, err)
		         ? -1
		         : 0;
	results_close(results);
	return rc;
}

void forecast_warn(const struct model *model)
{
	const struct pipeline *pipeline = model->pipeline;

	for (unsigned i = 0; model->samples && i < pipeline->count; i++)
		if (model->many[i] > 0 && model->many[i + 1] <= 0)
			cmd_warn("step %s gave no output for the %u pilot "
			         "sample%s: check its options, and the output "
			         "of the step before",
			    pipeline->steps[i].ops->name, model->samples,
			    model->samples == 1 ? "" : "s");
}
