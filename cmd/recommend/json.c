/* json.c - a recommendation for programs, as JSON. */
#include <math.h>

#include "cmd/recommend/findings.h"
#include "cmd/recommend/recommend.h"
#include "cmd/writers/json.h"
#include "lib/db/grid.h"
#include "strategies/decide/advice.h"
#include "strategies/decide/rank.h"
#include "strategies/decide/sensitivity.h"

/* Whole numbers that are not known are null. */
static double known(unsigned number)
{
	return number ? (double)number : (double)NAN;
}

/* Texts that are not known are null. */
static void add_text(
    struct json_doc *doc, struct json_t *at, const char *key, const char *text)
{
	json_add_text(doc, at, key, text && *text ? text : NULL);
}

/* The bill of a month; null without prices. */
static void add_bill(
    const struct findings *f, struct json_doc *doc, struct json_t *recommended)
{
	const struct bill *bill = &f->advice->bill;
	struct json_t *at;

	if (isnan(bill_total(bill))) {
		add_text(doc, recommended, "bill", NULL);
		return;
	}
	at = json_add_object(doc, recommended, "bill");
	add_text(doc, at, "currency", f->request->prices->currency);
	json_add_number(doc, at, "preparation", bill->preparation);
	json_add_number(doc, at, "storage", bill->storage);
	json_add_number(doc, at, "egress", bill->egress);
	json_add_number(doc, at, "requests", bill->requests);
	json_add_number(doc, at, "compute", bill->compute);
	json_add_number(doc, at, "accelerators", bill->accelerators);
	json_add_number(doc, at, "accelerators_waiting", bill->waiting);
}

static void add_doubt(
    const struct advice *advice, struct json_doc *doc, struct json_t *at)
{
	const struct candidate *c = advice->winner;

	json_add_number(doc, at, "full_throughput_low", c->full.low);
	json_add_number(doc, at, "full_throughput_high", c->full.high);
	add_text(doc, at, "drift", answer_word(c->trial.answers.drifts));
	add_text(doc, at, "rival",
	    *advice->open ? advice->rival->trial.strategy : "");
	json_add_number(doc, at, "loss", c->loss);
	json_add_flag(doc, at, "inconclusive", advice->is_inconclusive);
}

/* How the winner is loaded, beside its threads and its cache. */
static void add_load(
    const struct load_figures *load, struct json_doc *doc, struct json_t *at)
{
	for (unsigned i = 0; i < LOAD_NUMBERS; i++)
		json_add_number(
		    doc, at, load_number_column(i), load->numbers[i]);
}

static void add_recommendation(const struct findings *f, struct json_doc *doc)
{
	const struct advice *advice = f->advice;
	const struct candidate *c = advice->winner, *base = advice->unprocessed;
	struct json_t *at = json_add_object(doc, doc->root, "recommendation");

	add_text(doc, at, "strategy", c->trial.strategy);
	add_text(doc, at, "split", c->trial.split);
	add_text(doc, at, "store", c->trial.store);
	add_text(doc, at, "codec", c->trial.codec);
	json_add_number(doc, at, "threads", known(c->trial.threads));
	add_text(doc, at, "cache", cache_word(c->trial.cache));
	json_add_number(doc, at, "throughput", c->trial.throughput.median);
	json_add_number(doc, at, "speedup_over_unprocessed",
	    advice->speedup_over_unprocessed);
	json_add_number(doc, at, "prep_s", c->trial.profiled.prep_s);
	json_add_number(
	    doc, at, "storage_bytes", c->trial.profiled.storage_bytes);
	json_add_number(doc, at, "full_prep_s", c->full.prep_s);
	json_add_number(
	    doc, at, "full_storage_bytes", round(c->full.storage_bytes));
	json_add_number(doc, at, "break_even_epochs", c->break_even_epochs);
	add_text(doc, at, "bottleneck", c->trial.bottleneck);
	add_text(doc, at, "reason", advice->reason);
	add_text(doc, at, "command", f->command);
	add_text(doc, at, "bottleneck_evidence", c->trial.evidence);
	add_text(
	    doc, at, "bottleneck_before", base ? base->trial.bottleneck : "");
	add_text(doc, at, "bottleneck_before_evidence",
	    base ? base->trial.evidence : "");
	add_text(doc, at, "fits_memory", answer_word(advice->fits_memory));
	add_text(doc, at, "next_best",
	    advice->next ? advice->next->trial.strategy : "");
	json_add_number(
	    doc, at, "break_even_epochs_next", advice->break_even_next);
	json_add_number(doc, at, "full_throughput", c->full.throughput);
	add_text(doc, at, "emulated_storage", c->trial.emulated_storage);
	json_add_number(doc, at, "total_s", c->total_s);
	json_add_number(doc, at, "cost", c->cost);
	add_bill(f, doc, at);
	add_text(doc, at, "open", advice->open);
	add_text(doc, at, "settle", f->settle);
	add_text(doc, at, "assumed_cache", cache_word(f->ranking->cache));
	if (c->trial.cached.place)
		add_text(doc, at, "cache_place", c->trial.cached.place);
	add_text(doc, at, "other_reader",
	    advice->unread ? advice->unread->trial.strategy : "");
	add_doubt(advice, doc, at);
	json_add_number(doc, at, "yours_samples_per_s",
	    advice->yours.candidate
	        ? advice->yours.candidate->trial.throughput.median
	        : NAN);
	json_add_number(doc, at, "speedup_over_yours", advice->yours.speedup);
	json_add_number(
	    doc, at, "break_even_epochs_yours", advice->yours.break_even);
	add_load(&c->trial.load, doc, at);
}

/* ---- other winners ---- */

static void add_axis(struct json_doc *doc, struct json_t *at, const char *key,
    const struct sensitivity_axis *axis)
{
	struct json_t *array = json_add_array(doc, at, key);

	for (size_t i = 0; i < axis->count; i++) {
		const struct sensitivity_span *span = &axis->spans[i];
		struct json_t *object = json_add_object(doc, array, NULL);

		json_add_number(doc, object, "from", span->from);
		json_add_number(doc, object, "to", span->to);
		add_text(doc, object, "strategy", span->strategy);
		add_text(doc, object, "cache", cache_word(span->cache));
	}
}

static void add_sensitivity(const struct findings *f, struct json_doc *doc)
{
	const struct sensitivity *s = f->sensitivity;
	struct json_t *at, *weights;

	if (!s)
		return;
	at = json_add_object(doc, doc->root, "sensitivity");

	add_axis(doc, at, "epochs", &s->epochs);
	add_axis(doc, at, "max_storage_bytes", &s->storage);
	weights = json_add_object(doc, at, "weights");
	add_axis(doc, weights, "prep", &s->prep);
	add_axis(doc, weights, "storage", &s->storage_weight);
	add_axis(doc, weights, "throughput", &s->throughput);
}

int recommend_json(const struct findings *f, struct error *err)
{
	struct json_doc doc = json_doc_object();
	struct json_t *array;
	int rc;

	add_recommendation(f, &doc);
	add_sensitivity(f, &doc);
	recommend_add_accelerators(f, &doc);
	recommend_add_allocation(f, &doc);
	recommend_add_offload(f, &doc);
	recommend_add_searched(f, &doc);
	array = json_add_array(&doc, doc.root, "ranking");
	for (size_t row = 0; row < f->rows->row_count; row++)
		json_add_row(
		    &doc, json_add_object(&doc, array, NULL), f->rows, row, 0);
	array = json_add_array(&doc, doc.root, "warnings");
	for (unsigned i = 0; i < f->advice->warning_count; i++)
		json_add_text(&doc, array, NULL, f->advice->warnings[i]);
	for (size_t i = 0; i < f->told->row_count; i++)
		json_add_text(&doc, array, NULL, grid_text(f->told, i, "text"));
	rc = json_doc_write(&doc, f->page->out, err);
	json_doc_release(&doc);
	return rc;
}
