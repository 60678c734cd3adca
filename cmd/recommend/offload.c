/* offload.c - prints whether other machines should help. */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "cmd/recommend/findings.h"
#include "cmd/recommend/recommend.h"
#include "cmd/report/session_data.h"
#include "cmd/writers/json.h"
#include "lib/base/units.h"
#include "strategies/decide/advice.h"
#include "strategies/whatif/offload.h"

bool recommend_offload(const struct session_data *data,
    const struct candidate *winner, const struct offload_site *site,
    struct offload_plan *plan)
{
	const struct trial_work *work =
	    session_work_of(&data->work, &winner->trial);
	const char *first =
	    candidate_is_unprocessed(winner) ? "raw" : winner->trial.split;

	if (!work ||
	    !offload_facts_make(&plan->facts, first, work, &data->work))
		return false;
	offload_use_idle(&plan->facts, winner->trial.threads, work->cores,
	    work->others_cores, candidate_waits_for_storage(winner));
	offload_make(&plan->offload, &plan->facts, site);
	return true;
}

/* ---- people ---- */

static void say_point(
    const struct findings *f, const struct offload_point *point)
{
	char bytes[UNITS_TEXT], rate[UNITS_TEXT], worker[UNITS_TEXT];

	units_bytes(point->place->bytes, bytes);
	units_number(point->worker_rate, worker);
	if (!point->workers)
		recommend_say(f, "  after",
		    "%s: %.0f %% of the work, %s per sample over the network: "
		    "no gain",
		    point->place->name, 100 * point->fraction, bytes);
	else
		recommend_say(f, "  after",
		    "%s: %.0f %% of the work, %s per sample over the network, "
		    "%s samples/s per worker; %u of them: %s samples/s",
		    point->place->name, 100 * point->fraction, bytes, worker,
		    point->workers, units_number(point->samples_per_s, rate));
}

static void say_verdict(const struct findings *f, const char *name,
    const char *strategy, const struct offload *o)
{
	char needed[UNITS_TEXT], local[UNITS_TEXT];

	if (!o->best) {
		recommend_say(
		    f, name, "%s: stay local, %s", strategy, o->reason);
		return;
	}
	recommend_say(f, name,
	    "%s: to %u %s, after %s; %s; %s samples/s are needed, %s are "
	    "delivered here",
	    strategy, o->best->workers,
	    o->best->workers == 1 ? "worker" : "workers", o->best->place->name,
	    o->reason, units_number(o->needed, needed),
	    units_number(o->local, local));
}

void recommend_say_offload(const struct findings *f)
{
	const struct offload_plan *plan = f->offload;

	if (!f->page->site)
		return;
	if (!plan) {
		recommend_say(f, "offload",
		    "not known: a report has no CPU times of steps");
		return;
	}
	say_verdict(
	    f, "offload", f->advice->winner->trial.strategy, &plan->offload);
	for (unsigned i = 0; i < plan->offload.count; i++)
		say_point(f, &plan->offload.points[i]);
	if (isinf(f->page->site->bandwidth))
		recommend_say(f, "  network",
		    "assumed to have no limit: there is no bandwidth in "
		    "[network]");
	if (f->offload_unprocessed)
		say_verdict(f, "offload", "unprocessed",
		    &f->offload_unprocessed->offload);
}

/* ---- programs ---- */

static double finite_or_nothing(double number)
{
	return isfinite(number) ? number : NAN;
}

static void add_point(const struct offload_point *point, struct json_doc *doc,
    struct json_t *array)
{
	struct json_t *at = json_add_object(doc, array, NULL);

	json_add_text(doc, at, "after", point->place->name);
	json_add_number(doc, at, "fraction", point->fraction);
	json_add_number(doc, at, "bytes_per_sample", point->place->bytes);
	json_add_number(doc, at, "worker_samples_per_s",
	    finite_or_nothing(point->worker_rate));
	json_add_number(doc, at, "network_samples_per_s",
	    finite_or_nothing(point->network_rate));
	json_add_number(doc, at, "left", point->left);
	json_add_uint(doc, at, "workers", point->workers);
	json_add_number(doc, at, "samples_per_s", point->samples_per_s);
	json_add_number(doc, at, "local_share", point->local_fraction);
	json_add_number(
	    doc, at, "part_speedup", finite_or_nothing(point->part_speedup));
	json_add_flag(doc, at, "sufficient", point->is_enough);
}

static void add_verdict(const struct offload *o, const char *strategy,
    struct json_doc *doc, struct json_t *at)
{
	json_add_text(doc, at, "strategy", strategy);
	json_add_text(doc, at, "verdict", o->best ? "offload" : "stay local");
	json_add_text(doc, at, "after", o->best ? o->best->place->name : NULL);
	json_add_uint(doc, at, "workers", o->best ? o->best->workers : 0);
	json_add_text(doc, at, "reason", o->reason);
	json_add_number(doc, at, "required_samples_per_s", o->needed);
	json_add_number(doc, at, "local_samples_per_s", o->local);
	json_add_number(doc, at, "alone_samples_per_s", o->alone);
	json_add_number(doc, at, "samples_per_s",
	    o->best ? o->best->samples_per_s : o->alone);
	json_add_number(doc, at, "in_flight_samples", ceil(o->in_flight));
}

void recommend_add_offload(const struct findings *f, struct json_doc *doc)
{
	const struct offload_plan *instead = f->offload_unprocessed;
	struct json_t *at, *array;

	if (!f->page->site)
		return;
	if (!f->offload) {
		json_add_text(doc, doc->root, "offload", NULL);
		return;
	}
	at = json_add_object(doc, doc->root, "offload");
	add_verdict(
	    &f->offload->offload, f->advice->winner->trial.strategy, doc, at);
	json_add_number(doc, at, "bandwidth_bytes_per_s",
	    finite_or_nothing(f->page->site->bandwidth));
	array = json_add_array(doc, at, "points");
	for (unsigned i = 0; i < f->offload->offload.count; i++)
		add_point(&f->offload->offload.points[i], doc, array);
	if (instead)
		add_verdict(&instead->offload, "unprocessed", doc,
		    json_add_object(doc, at, "unprocessed"));
	else
		json_add_text(doc, at, "unprocessed", NULL);
}
