/* made_shards.c - see made_shards.h. */
#include "strategies/prepare/made_shards.h"

#include <stdlib.h>

#include "lib/base/error.h"
#include "lib/stores/store.h"
#include "strategies/prepare/read_back.h"
#include "strategies/prepare/shard_remove.h"

int made_shards_form(
    const struct prepare_plan *plan, struct store_form *form, struct error *err)
{
	const struct strategy *strategy = plan->strategy;

	return store_form_init(form, strategy->store, &strategy->codec,
	    &plan->pipeline->schemas[strategy->split], err);
}

/* Opens shards of the plan; the folder may have others in front of them. */
static struct reader *open_shards(const struct prepare_plan *plan,
    const struct store_form *form, const bool *which, struct error *err)
{
	const unsigned first = plan->folder.first_shard;
	const unsigned count = first + plan->shards;
	bool *marks = calloc((size_t)count + 1, sizeof(*marks));
	struct reader *reader = NULL;

	for (unsigned i = 0; marks && i < plan->shards; i++)
		marks[first + i] = !which || which[i];
	if (marks)
		reader = store_open_shards(
		    plan->medium, plan->folder.dir, form, marks, count, err);
	else
		error_memory(err, count);
	free(marks);
	return reader;
}

int made_shards_read(const struct prepare_plan *plan, const bool *which,
    uint64_t *samples, struct error *err)
{
	struct store_form form;
	struct reader *reader;

	*samples = 0;
	if (made_shards_form(plan, &form, err))
		return -1;
	reader = open_shards(plan, &form, which, err);
	if (!reader)
		return -1;
	if (reader->streams == 0) {
		reader_free(reader);
		return 0;
	}
	return read_back_samples(plan, reader, samples, err);
}

/* Makes the shards that do not stand, and adds to what was made. */
static int make(const struct prepare_plan *plan, struct made_shards *made,
    struct error *err)
{
	struct prepared now = { .samples = 0 };
	unsigned missing = 0;

	for (unsigned i = 0; i < plan->shards; i++)
		missing += !plan->folder.stands[i];
	if (missing == 0)
		return 0;
	if (prepare_run(plan, &now, err))
		return -1;
	made->made.samples += now.samples;
	made->made.skipped += now.skipped;
	made->made.filtered += now.filtered;
	made->made.wall_ns += now.wall_ns;
	made->made.cpu_ns += now.cpu_ns;
	return 0;
}

/* Marks the shards that do not read back, each read alone. */
static int find_damaged(const struct prepare_plan *plan, const bool *owned,
    bool *damaged, unsigned *count, struct error *err)
{
	bool *which = calloc((size_t)plan->shards + 1, sizeof(*which));
	uint64_t samples;
	int rc = which ? 0 : error_memory(err, plan->shards);

	*count = 0;
	for (unsigned i = 0; rc == 0 && i < plan->shards; i++) {
		if (owned && !owned[i])
			continue;
		which[i] = true;
		rc = made_shards_read(plan, which, &samples, err);
		which[i] = false;
		damaged[i] = rc && err->code == ERROR_DATA;
		if (damaged[i]) {
			++*count;
			rc = 0;
		}
	}
	free(which);
	return rc;
}

/*
 * Removes the damaged shards, so that they are replaced. Nothing is mended if
 * the shards could be read one by one.
 */
static int drop_damaged(const struct prepare_plan *plan, bool *stands,
    const bool *owned, struct made_shards *made, struct error *err)
{
	bool *damaged = calloc((size_t)plan->shards + 1, sizeof(*damaged));
	unsigned count = 0;
	int rc = damaged ? find_damaged(plan, owned, damaged, &count, err)
	                 : error_memory(err, plan->shards);

	if (rc == 0 && count)
		rc = shards_remove(plan->medium, plan->folder.dir,
		    plan->folder.first_shard, damaged, plan->shards, err);
	for (unsigned i = 0; rc == 0 && i < plan->shards; i++)
		if (damaged[i])
			stands[i] = false;
	made->mended += count;
	free(damaged);
	return rc;
}

int made_shards_run(const struct prepare_plan *plan, bool *stands,
    const bool *owned, struct made_shards *made, struct error *err)
{
	struct error why = ERROR_INIT;

	*made = (struct made_shards){ .samples = 0 };
	if (make(plan, made, err))
		return -1;
	if (made_shards_read(plan, owned, &made->samples, err) == 0)
		return 0;
	if (err->code != ERROR_DATA)
		return -1;
	if (drop_damaged(plan, stands, owned, made, &why)) {
		*err = why;
		return -1;
	}
	if (made->mended == 0 || make(plan, made, err))
		return -1;
	return made_shards_read(plan, owned, &made->samples, err);
}
