/* stored_hashes.c - see stored_hashes.h. */
#include "strategies/trial/stored_hashes.h"

#include "lib/base/error.h"
#include "lib/loader/loader.h"
#include "lib/media/medium.h"
#include "strategies/trial/partial_epochs.h"

enum { BATCH_BYTES = 1 << 20, BATCH_MOST = 4096, SAMPLE_FIXED = 256 };

/* Hashing a sample takes that, beside its bytes. */
static const double hash_fixed_s = 1e-6;

/* Batches of about a megabyte, to be hashed while they are in a CPU cache. */
static unsigned batch_of(const struct stored_hashes_plan *how)
{
	const struct reader *reader = how->reader;
	int64_t bytes = schema_bytes(&how->pipeline->schemas[how->split]);
	uint64_t count;

	if (bytes < 0)
		bytes = reader->samples
		            ? (int64_t)(reader->bytes / reader->samples)
		            : 0;
	count = BATCH_BYTES / ((uint64_t)bytes + SAMPLE_FIXED) + 1;
	return count < BATCH_MOST ? (unsigned)count : BATCH_MOST;
}

static int read_all(const struct stored_hashes_plan *how, struct loader *loader,
    struct outputs *hashes, struct error *err)
{
	const struct schema *schema = &how->pipeline->schemas[how->split];
	const struct batch *batch;
	bool stopped = false;
	int rc = 0;

	loader_begin(loader, 0, false);
	while (rc == 0 && !stopped && (batch = loader_next(loader))) {
		rc = outputs_add(hashes, batch, schema, err);
		stopped = how->stop && atomic_load(how->stop);
	}
	if (rc == 0) /* else loader_free ends the epoch */
		rc = loader_end(loader, err);
	if (rc == 0 && stopped)
		rc = error_set(err, ERROR_INTERRUPTED, "interrupted");
	return rc;
}

int stored_hashes_read(const struct stored_hashes_plan *how,
    struct outputs *hashes, struct error *err)
{
	const struct loader_plan plan = {
		.reader = how->reader,
		.pipeline = how->pipeline,
		.medium = how->medium,
		.from = how->split,
		.to = how->split,
		.threads = how->threads,
		.fetchers = plan_fetchers(how->plan, how->threads),
		.read_ahead = (unsigned)how->plan->load.read_ahead.values[0],
		.batch = batch_of(how),
	};
	struct loader *loader = loader_new(&plan, err);
	int rc;

	if (!loader)
		return -1;
	medium_set_warm(how->medium, true);
	rc = read_all(how, loader, hashes, err);
	medium_set_warm(how->medium, false);
	loader_free(loader);
	outputs_sort(hashes);
	return rc;
}

/* Seconds of a thread that copies and hashes a byte; 0: not known. */
static double hash_byte_s(const struct model *model)
{
	if (model->machine.copy_bytes_per_s <= 0 ||
	    model->machine.hash_bytes_per_s <= 0)
		return 0;
	return 1 / model->machine.copy_bytes_per_s +
	       1 / model->machine.hash_bytes_per_s;
}

bool stored_hashes_save_time(const struct model *model,
    const struct strategy *strategy, const struct load *load)
{
	const unsigned split = strategy->unprocessed ? 0 : strategy->split;
	const struct model *of = model_of(model, strategy);
	const struct pipeline *pipeline = of->pipeline;
	const unsigned width = load->threads < model->machine.cores
	                           ? load->threads
	                           : model->machine.cores;
	const double n = (double)load->samples;
	const double epoch_s = model_predict(model, strategy, load).epoch_s;
	const double steps_s = n * of->online_s[split] / width;
	const double hash_s =
	    n * (of->many[split] * hash_fixed_s +
	            of->field_bytes[split] * hash_byte_s(model));

	return !pipeline_makes_many(pipeline, split, pipeline->count) &&
	       2 * hash_s < (1 - partial_epochs_fraction(epoch_s)) * steps_s;
}
