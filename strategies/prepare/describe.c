/* describe.c - see describe.h. */
#include "strategies/prepare/describe.h"

#include "lib/folder/description.h"
#include "lib/folder/description_write.h"
#include "lib/snippets/readme.h"
#include "strategies/prepare/origin.h"
#include "strategies/prepare/prepare.h"

int describe_folder(const struct prepare_plan *plan, struct sink *sink,
    struct manifest *manifest, struct error *err)
{
	const struct description_parts parts = {
		.pipeline = plan->pipeline,
		.split = plan->strategy->split,
		.classes = plan->source->classes,
		.seed = plan->seed,
	};
	struct description description = DESCRIPTION_INIT;
	int rc = description_make(&description, &parts, manifest, err);

	if (rc == 0)
		rc = description_write(
		    &description, sink, plan->folder.dir, manifest, err);
	if (rc == 0)
		rc = readme_write(
		    &description, sink, plan->folder.dir, manifest, err);
	if (rc == 0)
		rc = origin_list(plan, manifest, err);
	description_release(&description);
	return rc;
}
