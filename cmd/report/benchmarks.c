/*
 * benchmarks.c - see benchmarks.h.
 *
 *	bmf: { NAME: { MEASURE: { "value", "lower_value", "upper_value" } } }
 *	github-action-benchmark:
 *	    [ { "name", "unit", "value", "range", "extra" } ]
 *
 * The latter has one direction for a whole file, so it only has throughputs.
 */
#include "cmd/report/benchmarks.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/base/units.h"
#include "lib/db/grid.h"
#include "lib/db/results.h"
#include "lib/db/results_read.h"
#include "strategies/figures/figures.h"

static int print_name(
    const struct benchmark *b, struct buf *name, struct error *err)
{
	const struct figures *trial = b->trial;
	const char *emulated = trial->emulated_storage;
	char load[LOAD_FIGURES_TEXT];

	return buf_printf(name, err, "%s/%s threads=%u cache=%s%s%s%s",
	    b->pipeline, trial->strategy, trial->threads,
	    cache_word(trial->cache), load_figures_name(&trial->load, load),
	    *emulated ? " emulated=" : "", emulated);
}

struct json_doc benchmarks_doc(enum benchmarks_form form)
{
	return form == BENCHMARKS_BMF ? json_doc_object() : json_doc_array();
}

static void add_measure(struct json_doc *doc, struct json_t *at,
    const char *name, const double figure[3])
{
	struct json_t *measure;

	if (isnan(figure[0]))
		return;
	measure = json_add_object(doc, at, name);
	json_add_number(doc, measure, "value", figure[0]);
	if (isnan(figure[1]) || isnan(figure[2]))
		return;
	json_add_number(doc, measure, "lower_value", figure[1]);
	json_add_number(doc, measure, "upper_value", figure[2]);
}

static void add_bmf(
    struct json_doc *doc, const char *name, const struct benchmark *b)
{
	struct json_t *at = json_add_object(doc, doc->root, name);

	add_measure(doc, at, "throughput",
	    (double[]){ b->trial->throughput.median, b->trial->throughput.low,
	        b->trial->throughput.high });
	add_measure(doc, at, "throughput_ratio",
	    (double[]){ b->ratio, b->ratio_low, b->ratio_high });
	add_measure(doc, at, "storage_bytes",
	    (double[]){ b->trial->profiled.storage_bytes, NAN, NAN });
	add_measure(doc, at, "prep_s",
	    (double[]){ b->trial->profiled.prep_s, NAN, NAN });
}

/* "95 %: 13 400 to 13 500, 10 runs; 8.77 MB stored, prepared in 97.0 ms" */
static int print_extra(
    const struct benchmark *b, struct buf *text, struct error *err)
{
	char low[UNITS_TEXT], high[UNITS_TEXT];

	if (buf_printf(text, err, "%.0f run%s", b->trial->throughput.runs,
	        b->trial->throughput.runs > 1 ? "s" : ""))
		return -1;
	/* One figure has no interval, and a few have none of 95 %. */
	if (b->trial->throughput.low < b->trial->throughput.high &&
	    buf_printf(text, err, ", %s: %s to %s",
	        b->trial->throughput.counted > FEW_RUNS ? "95 %"
	                                                : "lowest to highest",
	        units_number(b->trial->throughput.low, low),
	        units_number(b->trial->throughput.high, high)))
		return -1;
	if (!isnan(b->trial->profiled.storage_bytes) &&
	    buf_printf(text, err, "; %s stored",
	        units_bytes(b->trial->profiled.storage_bytes, low)))
		return -1;
	if (!isnan(b->trial->profiled.prep_s) &&
	    buf_printf(text, err, ", prepared in %s",
	        units_time(b->trial->profiled.prep_s, low)))
		return -1;
	return b->extra ? buf_printf(text, err, "; %s", b->extra) : 0;
}

static int add_github(struct json_doc *doc, const char *name,
    const struct benchmark *b, struct error *err)
{
	struct json_t *at = json_add_object(doc, doc->root, NULL);
	struct buf extra = BUF_INIT;
	char range[UNITS_TEXT];
	int rc = print_extra(b, &extra, err);

	json_add_text(doc, at, "name", name);
	json_add_text(doc, at, "unit", "samples/s");
	json_add_number(doc, at, "value", b->trial->throughput.median);
	if (!isnan(b->trial->throughput.low) &&
	    !isnan(b->trial->throughput.high)) {
		snprintf(range, sizeof(range), "\u00b1 %.3g",
		    (b->trial->throughput.high - b->trial->throughput.low) / 2);
		json_add_text(doc, at, "range", range);
	}
	if (rc == 0)
		json_add_text(doc, at, "extra", (const char *)extra.data);
	buf_release(&extra);
	return rc;
}

int benchmarks_add(struct json_doc *doc, enum benchmarks_form form,
    const struct benchmark *benchmark, struct error *err)
{
	struct buf name = BUF_INIT;
	int rc = 0;

	if (benchmark->trial->state != TRIAL_DONE ||
	    isnan(benchmark->trial->throughput.median))
		return 0;
	rc = print_name(benchmark, &name, err);
	if (rc == 0 && form == BENCHMARKS_BMF)
		add_bmf(doc, (const char *)name.data, benchmark);
	else if (rc == 0)
		rc = add_github(doc, (const char *)name.data, benchmark, err);
	buf_release(&name);
	return rc;
}

int benchmarks_print(struct results *results, int64_t session,
    enum benchmarks_form form, FILE *out, struct error *err)
{
	struct json_doc doc = benchmarks_doc(form);
	struct figures_list figures = { .list = NULL };
	struct grid rows = GRID_INIT;
	int rc = results_read(results, RESULTS_TRIALS, session, &rows, err);

	if (rc == 0)
		rc = figures_read(&figures, &rows, err);
	for (size_t i = 0; rc == 0 && i < figures.count; i++) {
		const struct benchmark benchmark = {
			.pipeline = grid_text(&rows, i, "pipeline"),
			.trial = &figures.list[i],
			.ratio = NAN,
		};

		rc = benchmarks_add(&doc, form, &benchmark, err);
	}
	if (rc == 0)
		rc = json_doc_write(&doc, out, err);
	json_doc_release(&doc);
	figures_release(&figures);
	grid_release(&rows);
	return rc;
}
