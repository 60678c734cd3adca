/* trial_epoch.c - see trial_epoch.h. */
#include "strategies/trial/trial_epoch.h"

#include <stdlib.h>

#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/loader/cache.h"
#include "strategies/monitor/early_marks.h"
#include "strategies/plan/plan.h"
#include "strategies/trial/trial.h"
#include "strategies/trial/trial_load.h"
#include "strategies/trial/user_loader.h"

enum { EVENTS_MOST = 2000 }; /* events of the traced epoch that are kept */

static bool stopped(const struct trial_plan *plan)
{
	return plan->stop && atomic_load(plan->stop);
}

int trial_epoch_stopped(const struct trial_plan *plan, struct error *err)
{
	return stopped(plan) ? error_set(err, ERROR_INTERRUPTED, "interrupted")
	                     : 0;
}

uint64_t trial_epoch_skipped(const struct trial_load *load)
{
	return (load->loader ? loader_skipped(load->loader) : 0) +
	       (load->rest ? loader_skipped(load->rest) : 0) +
	       (load->filler ? loader_skipped(load->filler) : 0);
}

uint64_t trial_epoch_filtered(const struct trial_load *load)
{
	return (load->loader ? loader_filtered(load->loader) : 0) +
	       (load->rest ? loader_filtered(load->rest) : 0) +
	       (load->filler ? loader_filtered(load->filler) : 0);
}

/* Runs an epoch of the steps in front of the cache, and fills the cache. */
static int fill(
    const struct trial_plan *plan, struct trial_load *load, struct error *err)
{
	const struct batch *batch;
	int rc = 0;

	loader_begin(load->filler, 0, false);
	while (rc == 0 && !stopped(plan) && (batch = loader_next(load->filler)))
		rc = cache_add(load->cache, batch, err);
	if (loader_end(load->filler, err))
		rc = -1;
	return rc ? -1 : trial_epoch_stopped(plan, err);
}

/* ---- the traced epoch ---- */

/* First reading is done here, so that the trace shows the steps alone. */
static int warm_up(
    const struct trial_plan *plan, struct trial_load *load, struct error *err)
{
	if (load->filler)
		return fill(plan, load, err);
	return partial_epochs_warm_up(plan, load->loader, err);
}

/* Traces and hashes what one loader delivers. */
static int trace_loader(const struct trial_plan *plan, struct loader *loader,
    struct trial_result *result, struct error *err)
{
	const struct schema *schema =
	    &plan->loading.pipeline->schemas[plan->loading.pipeline->count];
	struct loader_trace trace;
	struct batch *batch;
	int rc = 0;

	loader_begin(loader, 0, true);
	while (rc == 0 && !stopped(plan) && (batch = loader_next(loader)))
		rc = outputs_add(&result->outputs, batch, schema, err);
	if (loader_end(loader, err))
		rc = -1;
	loader_get_trace(loader, &trace);
	loader_add_trace(&result->trace, &trace);
	return rc ? -1 : trial_epoch_stopped(plan, err);
}

/* The same, and keeps the first events in place of those of an earlier one. */
static int record_loader(const struct trial_plan *plan, struct loader *loader,
    struct trial_result *result, struct error *err)
{
	if (plan->loading.plan->measure.trace == PLAN_TRACE_NO)
		return trace_loader(plan, loader, result, err);
	if (loader_record(loader, EVENTS_MOST, err) ||
	    trace_loader(plan, loader, result, err))
		return -1;
	free(result->events.list);
	return loader_take_events(loader, &result->events, err);
}

int trial_epoch_traced(const struct trial_plan *plan, struct trial_load *load,
    struct trial_result *result, struct error *err)
{
	/* Only all of it shows what an application cache delivers. */
	const bool whole = load->filler || plan->check.whole;
	int rc = warm_up(plan, load, err);

	if (rc)
		return -1;
	result->traced_fraction = loader_set_part(load->loader,
	    whole ? 1 : partial_epochs_fraction(plan->check.epoch_s));
	result->trace = (struct loader_trace){ .wall_ns = 0 };
	if (load->rest)
		rc = trace_loader(plan, load->rest, result, err);
	if (rc == 0)
		rc = record_loader(plan, load->loader, result, err);
	loader_set_part(load->loader, 1);
	result->skipped = trial_epoch_skipped(load);
	result->filtered = trial_epoch_filtered(load);
	outputs_sort(&result->outputs);
	return rc;
}

/* ---- a timed epoch ---- */

struct delivery {
	const struct trial_plan *plan;
	uint64_t start, fetched;
	struct early_marks marks;
	struct run_row *row;
};

static uint64_t bytes_since(const struct delivery *delivery)
{
	return medium_bytes_read(delivery->plan->medium) - delivery->fetched;
}

static int deliver_from(struct delivery *delivery, struct loader *loader,
    uint32_t number, struct error *err)
{
	struct run_row *row = delivery->row;
	const struct batch *batch;

	loader_begin(loader, number, false);
	while ((batch = loader_next(loader))) {
		if (row->samples == 0)
			row->first_batch_ns =
			    clock_now(&clock_monotonic) - delivery->start;
		row->samples += batch->count;
		if (early_marks_due(&delivery->marks))
			early_marks_set(&delivery->marks, bytes_since(delivery),
			    clock_now(&clock_monotonic) - delivery->start);
		if (stopped(delivery->plan))
			break;
	}
	row->wall_ns = clock_now(&clock_monotonic) - delivery->start;
	row->bytes_fetched = bytes_since(delivery);
	return loader_end(loader, err);
}

int trial_epoch_deliver(const struct trial_plan *plan, struct trial_load *load,
    uint32_t number, uint64_t start, struct run_row *row, struct error *err)
{
	struct delivery delivery = { .plan = plan, .start = start, .row = row };
	int rc = 0;

	if (load->user_loader)
		return user_loader_epoch(load->user_loader, row, err);
	delivery.fetched = medium_bytes_read(plan->medium);
	if (load->filler && row->epoch == 1 && fill(plan, load, err))
		return -1;
	if (load->rest)
		rc = deliver_from(&delivery, load->rest, number, err);
	if (rc == 0 && !stopped(plan))
		rc = deliver_from(&delivery, load->loader, number, err);
	early_marks_keep(&delivery.marks, row);
	return rc;
}
