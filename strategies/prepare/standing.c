/* standing.c - see standing.h. */
#include "strategies/prepare/standing.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/snippets/readme.h"
#include "lib/stores/store.h"
#include "strategies/prepare/prepare.h"

static int take_room(struct standing *standing, const struct prepare_plan *plan,
    struct error *err)
{
	free(standing->stands);
	standing->stands = calloc(plan->shards + 1, sizeof(bool));
	standing->count = 0;
	return standing->stands ? 0 : error_memory(err, plan->shards + 1);
}

static struct folder_check_plan check_plan(const struct prepare_plan *plan,
    const struct manifest *manifest, bool is_whole)
{
	return (struct folder_check_plan){
		.medium = plan->medium,
		.dir = plan->folder.dir,
		.manifest = manifest,
		.threads = plan->threads,
		.is_whole = is_whole,
		.for_people = README_NAME,
	};
}

int standing_read(struct standing *standing, const struct prepare_plan *plan,
    struct error *err)
{
	const int written =
	    store_is_written(plan->medium, plan->folder.dir, err);

	manifest_release(&standing->truth);
	standing->has_truth = written > 0;
	if (written <= 0)
		return written;
	return manifest_read(
	    &standing->truth, plan->medium, plan->folder.dir, err);
}

int standing_compare(struct standing *standing, const struct prepare_plan *plan,
    bool is_whole, struct folder_check *found, struct error *err)
{
	const struct folder_check_plan how =
	    check_plan(plan, &standing->truth, is_whole);

	if (take_room(standing, plan, err) ||
	    folder_check_run(found, &how, err))
		return -1;
	for (size_t i = 0; i < found->shards && i < plan->shards; i++) {
		standing->stands[i] = !found->is_damaged[i];
		standing->count += standing->stands[i];
	}
	return 0;
}

int standing_resume(struct standing *standing, const struct prepare_plan *plan,
    struct error *err)
{
	const struct finished_place notes = { plan->medium, plan->folder.dir,
		FINISHED_NAME };
	const struct strategy *strategy = plan->strategy;
	struct store_form form;

	if (take_room(standing, plan, err) ||
	    store_form_init(&form, strategy->store, &strategy->codec,
	        &plan->pipeline->schemas[strategy->split], err) ||
	    finished_open(&standing->finished, &notes, plan->folder.fingerprint,
	        plan->shards, err))
		return -1;
	for (unsigned i = 0; i < plan->shards; i++) {
		const struct file_sum *index = &standing->finished.indexes[i];
		const struct shard_place place = { plan->medium,
			plan->folder.dir, &form, plan->folder.first_shard + i };

		standing->stands[i] =
		    index->bytes > 0 && shard_is_complete(&place, index);
		standing->count += standing->stands[i];
	}
	return 0;
}

void standing_forget(struct standing *standing, unsigned shards)
{
	memset(standing->stands, 0, shards * sizeof(*standing->stands));
	standing->count = 0;
}

struct prepare_plan standing_plan(
    struct standing *standing, const struct prepare_plan *plan)
{
	struct prepare_plan all = *plan;

	all.folder.stands = standing->stands;
	all.folder.truth = standing->has_truth ? &standing->truth : NULL;
	all.folder.finished =
	    standing->finished.path ? &standing->finished : NULL;
	return all;
}

int standing_foreign(const struct prepare_plan *plan,
    struct folder_check *found, struct error *err)
{
	struct manifest manifest = MANIFEST_INIT;
	const struct folder_check_plan how = check_plan(plan, &manifest, true);
	int rc = manifest_read(&manifest, plan->medium, plan->folder.dir, err);

	if (rc == 0)
		rc = folder_check_foreign(found, &how, err);
	manifest_release(&manifest);
	return rc;
}

void standing_release(struct standing *standing)
{
	manifest_release(&standing->truth);
	finished_close(&standing->finished);
	free(standing->stands);
	*standing = (struct standing)STANDING_INIT;
}
