/* read_back.c - see read_back.h. */
#include "strategies/prepare/read_back.h"

#include "lib/base/error.h"
#include "lib/loader/loader.h"
#include "lib/sample/batch.h"
#include "lib/sample/reader.h"
#include "strategies/prepare/prepare.h"

enum { BATCH = 16 };

int read_back_samples(const struct prepare_plan *plan, struct reader *reader,
    uint64_t *samples, struct error *err)
{
	const struct loader_plan how = {
		.reader = reader,
		.pipeline = plan->pipeline,
		.from = plan->strategy->split,
		.to = plan->strategy->split,
		.threads = plan->threads,
		.batch = BATCH,
	};
	struct loader *loader = loader_new(&how, err);
	const struct batch *batch;
	uint64_t count = 0;
	int rc = -1;

	if (loader) {
		loader_begin(loader, 0, false);
		while ((batch = loader_next(loader)))
			count += batch->count;
		rc = loader_end(loader, err);
	}
	if (rc == 0 && count != reader->samples)
		rc = error_set(err, ERROR_DATA,
		    "%s: %llu samples were read back, %llu were written",
		    plan->folder.dir, (unsigned long long)count,
		    (unsigned long long)reader->samples);
	*samples = count;
	loader_free(loader);
	reader_free(reader);
	return rc;
}
