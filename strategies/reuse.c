/* reuse.c - see reuse.h. */
#include "strategies/reuse.h"

#include "lib/base/error.h"
#include "lib/stores/frames.h"
#include "lib/stores/store.h"

static bool is_of_split(const struct strategy *of, const struct strategy *to)
{
	return !of->unprocessed && !to->unprocessed && of->split == to->split;
}

bool reuse_gives_samples(const struct strategy *of, const struct strategy *to)
{
	return is_of_split(of, to) && !of->codec.transform &&
	       !of->codec.ops->encode;
}

static bool form_of(const struct pipeline *pipeline,
    const struct strategy *strategy, struct store_form *form)
{
	struct error ignored = ERROR_INIT;

	return store_form_init(form, strategy->store, &strategy->codec,
	           &pipeline->schemas[strategy->split], &ignored) == 0;
}

bool reuse_gives_frames(const struct pipeline *pipeline,
    const struct strategy *of, const struct strategy *to)
{
	struct store_form a, b;

	return is_of_split(of, to) && form_of(pipeline, of, &a) &&
	       form_of(pipeline, to, &b) && frames_are_shared(&a, &b);
}
