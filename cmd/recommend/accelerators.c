/* accelerators.c - prints the demand of accelerators and what covers it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmd/recommend/findings.h"
#include "cmd/writers/json.h"
#include "lib/base/error.h"
#include "lib/base/units.h"
#include "strategies/decide/advice.h"
#include "strategies/decide/rank.h"
#include "strategies/whatif/accelerators.h"

static const char *plural(unsigned count, const char *one, const char *more)
{
	return count == 1 ? one : more;
}

/* ---- people ---- */

static void say_shares(const struct findings *f, const struct accelerators *a)
{
	char samples[UNITS_TEXT], batch[UNITS_TEXT];

	for (unsigned i = 0; i < a->job.type_count; i++) {
		const struct nodes_share *share = &a->division.shares[i];
		const struct nodes_type *type = &a->job.types[i];

		if (!share->devices)
			continue;
		recommend_say(f, "share",
		    "%u %s on host %s: %s samples per step each, %u virtual %s "
		    "of %s",
		    share->devices, type->type, type->host,
		    units_number(share->samples, samples), share->virtual_nodes,
		    plural(share->virtual_nodes, "node", "nodes"),
		    units_number(share->node_batch, batch));
	}
	for (unsigned i = 0; i < a->left_out_count; i++) {
		const struct left_out *left = &a->left_out[i];
		const struct nodes_type *type = &a->job.types[left->type];

		recommend_say(f, "left out", "%u %s on host %s: %s",
		    left->devices, type->type, type->host, left->why);
	}
}

static void say_hosts(const struct findings *f, const struct accelerators *a)
{
	const struct candidate *winner = f->advice->winner;
	char rate[UNITS_TEXT];

	for (unsigned i = 0; i < a->host_count; i++)
		recommend_say(f, "demand",
		    "host %s needs %s samples/s; %s covers %.0f %% of it, on a "
		    "machine like this one",
		    a->hosts[i].host,
		    units_number(a->hosts[i].samples_per_s, rate),
		    winner->trial.strategy,
		    floor(100 * winner->full.throughput /
		          a->hosts[i].samples_per_s));
}

static unsigned count_sufficient(const struct ranking *ranking)
{
	unsigned count = 0;

	for (size_t i = 0; i < ranking->ranked; i++)
		count += ranking->list[i].sufficient;
	return count;
}

static void say_verdict(const struct findings *f)
{
	const struct candidate *winner = f->advice->winner;
	const unsigned count = count_sufficient(f->ranking);

	if (!count)
		recommend_say(f, "verdict", "no strategy is sufficient");
	else if (candidate_is_unprocessed(winner))
		recommend_say(f, "verdict",
		    "your data is not the bottleneck: the accelerators need no "
		    "more than unprocessed delivers");
	else if (count == 1)
		recommend_say(f, "verdict", "only %s is sufficient",
		    winner->trial.strategy);
	else if (f->request->objective->is_rate)
		recommend_say(f, "verdict",
		    "%s is sufficient, and the cheapest of %u sufficient "
		    "trials",
		    winner->trial.strategy, count);
	else
		recommend_say(f, "verdict",
		    "%s is sufficient, and the best of %u sufficient trials",
		    winner->trial.strategy, count);
}

void recommend_say_accelerators(const struct findings *f)
{
	const struct accelerators *a = f->request->accelerators;
	char samples[UNITS_TEXT], step[UNITS_TEXT], rate[UNITS_TEXT];
	char comm[UNITS_TEXT];

	if (!a)
		return;
	recommend_say(f, "accelerators",
	    "a step of %s samples takes %s (all-reduce %s): %s samples/s",
	    units_number(a->job.batch, samples),
	    units_time(a->division.step_s, step),
	    units_time(a->division.allreduce_s, comm),
	    units_number(a->samples_per_s, rate));
	say_shares(f, a);
	say_hosts(f, a);
	say_verdict(f);
	for (unsigned i = 0; i < a->warning_count; i++)
		recommend_say(f, "warning", "%s", a->warnings[i]);
}

/* ---- programs ---- */

static void add_shares(
    const struct accelerators *a, struct json_doc *doc, struct json_t *at)
{
	struct json_t *array = json_add_array(doc, at, "shares");

	for (unsigned i = 0; i < a->job.type_count; i++) {
		const struct nodes_share *share = &a->division.shares[i];
		const struct nodes_type *type = &a->job.types[i];
		struct json_t *object;

		if (!share->devices)
			continue;
		object = json_add_object(doc, array, NULL);
		json_add_text(doc, object, "type", type->type);
		json_add_text(doc, object, "host", type->host);
		json_add_uint(doc, object, "devices", share->devices);
		json_add_uint(doc, object, "samples", share->samples);
		json_add_uint(
		    doc, object, "virtual_nodes", share->virtual_nodes);
		json_add_uint(
		    doc, object, "virtual_node_batch", share->node_batch);
		json_add_number(doc, object, "compute_s", share->compute_s);
		json_add_number(
		    doc, object, "memory_bytes", type->memory_bytes);
	}
}

static void add_left_out(
    const struct accelerators *a, struct json_doc *doc, struct json_t *at)
{
	struct json_t *array = json_add_array(doc, at, "left_out");

	for (unsigned i = 0; i < a->left_out_count; i++) {
		const struct left_out *left = &a->left_out[i];
		const struct nodes_type *type = &a->job.types[left->type];
		struct json_t *object = json_add_object(doc, array, NULL);

		json_add_text(doc, object, "type", type->type);
		json_add_text(doc, object, "host", type->host);
		json_add_uint(doc, object, "devices", left->devices);
		json_add_number(doc, object, "step_s", left->step_s);
		json_add_text(doc, object, "why", left->why);
	}
}

/* A host, and the part of its demand that each trial covers. */
static void add_host(const struct host_demand *host,
    const struct ranking *ranking, struct json_doc *doc, struct json_t *array)
{
	struct json_t *object = json_add_object(doc, array, NULL), *covers;

	json_add_text(doc, object, "host", host->host);
	json_add_number(
	    doc, object, "required_samples_per_s", host->samples_per_s);
	covers = json_add_array(doc, object, "covers");
	for (size_t i = 0; i < ranking->ranked; i++) {
		const struct candidate *c = &ranking->list[i];
		struct json_t *row = json_add_object(doc, covers, NULL);

		json_add_text(doc, row, "strategy", c->trial.strategy);
		json_add_number(doc, row, "threads", c->trial.threads);
		json_add_text(doc, row, "cache", cache_word(c->trial.cache));
		json_add_number(doc, row, "covers",
		    c->full.throughput / host->samples_per_s);
	}
}

void recommend_add_accelerators(const struct findings *f, struct json_doc *doc)
{
	const struct accelerators *a = f->request->accelerators;
	struct json_t *at, *array;

	if (!a)
		return;
	at = json_add_object(doc, doc->root, "accelerators");
	json_add_number(doc, at, "step_s", a->division.step_s);
	json_add_number(doc, at, "required_samples_per_s", a->samples_per_s);
	add_shares(a, doc, at);
	add_left_out(a, doc, at);
	json_add_number(doc, at, "allreduce_s", a->division.allreduce_s);
	json_add_uint(doc, at, "batch", a->job.batch);
	json_add_uint(doc, at, "sufficient", count_sufficient(f->ranking));
	array = json_add_array(doc, at, "hosts");
	for (unsigned i = 0; i < a->host_count; i++)
		add_host(&a->hosts[i], f->ranking, doc, array);
	array = json_add_array(doc, at, "warnings");
	for (unsigned i = 0; i < a->warning_count; i++)
		json_add_text(doc, array, NULL, a->warnings[i]);
}

/* ---- the gate ---- */

static const struct candidate *find_fastest(const struct ranking *ranking)
{
	const struct candidate *fastest = &ranking->list[0];

	for (size_t i = 1; i < ranking->ranked; i++)
		if (ranking->list[i].full.throughput > fastest->full.throughput)
			fastest = &ranking->list[i];
	return fastest;
}

int recommend_check_sufficient(const struct findings *f, struct error *err)
{
	const struct accelerators *a = f->request->accelerators;
	const struct candidate *nearest = find_fastest(f->ranking);
	char needs[UNITS_TEXT], has[UNITS_TEXT];
	double more;

	if (!a || count_sufficient(f->ranking))
		return 0;
	more = accelerators_most(a) / nearest->full.throughput;
	return error_set(err, ERROR_GATE,
	    "no strategy is sufficient: host %s needs %s samples/s, the "
	    "nearest is %s with %s (%.0f %%); use %.0f machines to feed it, or "
	    "%.3g times the %s",
	    a->hosts[a->most].host, units_number(accelerators_most(a), needs),
	    nearest->trial.strategy,
	    units_number(nearest->full.throughput, has), floor(100 / more),
	    ceil(more), more,
	    candidate_waits_for_storage(nearest) ? "storage" : "cores");
}
