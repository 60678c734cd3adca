/*
 * ordered_span.c - the parts of epochs that a run works on, one after the
 * other: whole epochs, or the spans that were asked for.
 */
#include <unistd.h>

#include "lib/base/error.h"
#include "lib/loader/ordered/ordered_run.h"
#include "lib/loader/ordered/ordered_state.h"

static struct ordered_span *span_at(
    struct ordered_loader *loader, uint64_t number)
{
	return &loader->spans[number % ORDERED_SPANS];
}

bool ordered_span_find(const struct ordered_loader *loader, uint64_t number,
    struct ordered_span *span)
{
	const uint64_t asked = loader->spans_run + number;

	*span = (struct ordered_span){
		.epoch = loader->start.epoch + (uint32_t)number,
		.end = UINT64_MAX,
	};
	if (loader->plan.by_spans && asked >= loader->spans_asked)
		return false;
	if (loader->plan.by_spans)
		*span = loader->spans[asked % ORDERED_SPANS];
	if (number == 0)
		span->from = loader->start.batch;
	return true;
}

int ordered_span_begin(struct ordered_loader *loader, struct error *err)
{
	bool is_there;

	pthread_mutex_lock(&loader->lock);
	is_there = loader->spans_taken < loader->spans_asked;
	if (is_there && loader->is_between) {
		const struct ordered_span *span =
		    span_at(loader, loader->spans_taken);

		loader->position =
		    (struct ordered_position){ span->epoch, span->from };
		loader->is_between = false;
	}
	pthread_mutex_unlock(&loader->lock);
	if (is_there)
		return 0;
	return error_set(
	    err, ERROR_USAGE, "no batches were asked for: ask for a span");
}

/*
 * Why the span cannot be asked for; NULL: it can.  With the lock held.  Samples
 * in front of a batch are only counted at the beginning of a run.
 */
static const char *refusal(
    const struct ordered_loader *loader, const struct ordered_span *span)
{
	if (loader->spans_asked - loader->spans_taken == ORDERED_SPANS)
		return "too many spans were asked for";
	if (loader->makes_many && span->end != UINT64_MAX)
		return "a step makes several samples of one, so a span must "
		       "go to the end of its epoch";
	if (loader->makes_many && span->from > 0 &&
	    (loader->is_running || loader->spans_asked > loader->spans_taken))
		return "a step makes several samples of one, so only the "
		       "first span may begin within its epoch";
	return NULL;
}

int ordered_loader_ask(
    struct ordered_loader *loader, struct ordered_span span, struct error *err)
{
	const char *why;

	pthread_mutex_lock(&loader->lock);
	why = refusal(loader, &span);
	if (!why) {
		*span_at(loader, loader->spans_asked++) = span;
		pthread_cond_broadcast(&loader->fetchable);
	}
	pthread_mutex_unlock(&loader->lock);
	return why ? error_set(err, ERROR_USAGE, "%s", why) : 0;
}

void ordered_loader_forget(struct ordered_loader *loader)
{
	pthread_mutex_lock(&loader->lock);
	loader->spans_taken = loader->spans_asked;
	loader->is_between = true;
	pthread_mutex_unlock(&loader->lock);
	if (loader->is_running && loader->process == getpid())
		ordered_run_stop(loader);
}

uint64_t ordered_loader_unit(const struct ordered_loader *loader)
{
	return order_unit(&loader->order);
}
