/* ordered_view.c - see ordered_view.h. */
#include "lib/loader/ordered/ordered_view.h"

#include "lib/loader/ordered/ordered_state.h"

enum {
	BATCH_LEAST = 1 << 20,  /* bytes; smaller ones are copied in no time */
	BATCHES = 8,            /* of a window, about */
	WINDOW_MOST = 256 << 20 /* bytes */
};

void ordered_view_init(struct ordered_loader *loader)
{
	const struct ordered_plan *plan = &loader->plan;
	const struct schema *schema = &plan->pipeline->schemas[plan->to];
	const int64_t row = schema_bytes(schema);
	uint64_t batch;

	loader->view_window = 0;
	if (loader->makes_many || loader->order.window ||
	    loader->order.way == ORDER_PICKS || schema->count != 1 ||
	    row <= 0 || plan->reader->codec[0] || plan->reader->decode)
		return;
	batch = (uint64_t)row * plan->batch;
	if (batch >= BATCH_LEAST && batch <= WINDOW_MOST / 2)
		loader->view_window = batch < WINDOW_MOST / BATCHES
		                          ? (size_t)batch * BATCHES
		                          : WINDOW_MOST;
}

/* Is the sample in the only mapping of the worker's chunk? */
static bool is_mapped(const struct mapping *mapping, const struct tensor *field)
{
	const uintptr_t at = (uintptr_t)field->data;
	const uintptr_t base = (uintptr_t)mapping->base;

	return mapping->entry && at >= base &&
	       at + field->bytes <= base + mapping->bytes &&
	       at % dtype_bytes(field->dtype) == 0;
}

/* Is it behind the other samples of the batch?  With the lock held. */
static bool is_neighbour(struct ordered_worker *worker, struct batch *batch,
    unsigned slot, const struct tensor *field)
{
	const struct mapping *mapping = &worker->source->mappings[0];
	struct ordered_loader *loader = worker->loader;
	const struct ordered_output *output =
	    &loader->outputs[worker->filling % loader->output_count];
	unsigned char *first =
	    (unsigned char *)field->data - slot * field->bytes;

	if (output->is_mixed || !is_mapped(mapping, field))
		return false;
	if (!batch->view.entry)
		batch_begin_view(batch, mapping_share(mapping), first);
	return batch->view.entry == mapping->entry && batch->blocks[0] == first;
}

bool ordered_view_make(struct ordered_worker *worker, struct batch *batch,
    unsigned slot, const struct sample *sample)
{
	struct ordered_loader *loader = worker->loader;

	/* All samples that a take has of a batch are neighbours. */
	if (worker->viewed != worker->filling + 1) {
		pthread_mutex_lock(&loader->lock);
		worker->views =
		    is_neighbour(worker, batch, slot, &sample->fields[0]);
		if (!worker->views)
			loader->outputs[worker->filling % loader->output_count]
			    .is_mixed = true;
		pthread_mutex_unlock(&loader->lock);
		worker->viewed = worker->filling + 1;
	}
	if (worker->views)
		batch_view_slot(batch, slot, sample);
	return worker->views;
}

int ordered_view_done(struct ordered_loader *loader,
    struct ordered_output *output, unsigned slots, struct error *err)
{
	struct batch *batch = output->batch;
	bool is_whole;

	if (!loader->view_window ||
	    atomic_fetch_sub(&output->making, slots) != slots)
		return 0;
	pthread_mutex_lock(&loader->lock);
	is_whole = !output->is_mixed;
	pthread_mutex_unlock(&loader->lock);
	/* Samples behind a gap move up. */
	is_whole = is_whole && atomic_load(&output->gaps) == 0;
	if (is_whole || !batch->view.entry)
		return 0;
	if (mapping_check(&batch->view, 0, err))
		return -1;
	batch_end_view(batch, output->slots);
	return 0;
}
