/* reuse.c - see reuse.h. */
#include "strategies/forecast/reuse.h"

#include "lib/base/error.h"
#include "lib/stores/frames.h"
#include "lib/stores/store.h"
#include "strategies/forecast/predict.h"

/* Reading stored data back, mostly from memory, by a thread (predict.h). */
static const double read_bytes_per_s = 1e9;

bool reuse_gives_samples(const struct strategy *of, const struct strategy *to)
{
	return !of->unprocessed && !to->unprocessed &&
	       strategy_same_size(of, to) && of->pipeline == to->pipeline &&
	       of->split <= to->split && !of->codec.transform &&
	       !of->codec.ops->encode;
}

static bool form_of(const struct pipeline *given,
    const struct strategy *strategy, struct store_form *form)
{
	const struct pipeline *pipeline = strategy_pipeline(strategy, given);
	struct error ignored = ERROR_INIT;

	return store_form_init(form, strategy->store, &strategy->codec,
	           &pipeline->schemas[strategy->split], &ignored) == 0;
}

bool reuse_gives_frames(const struct pipeline *given, const struct strategy *of,
    const struct strategy *to)
{
	struct store_form a, b;

	return !of->unprocessed && !to->unprocessed &&
	       strategy_same_size(of, to) && of->pipeline == to->pipeline &&
	       of->split == to->split && form_of(given, of, &a) &&
	       form_of(given, to, &b) && frames_are_shared(&a, &b);
}

double reuse_saves_s(const struct model *model, const struct strategy *of,
    const struct strategy *to, const struct load *load)
{
	const struct prediction p = model_predict(model, of, load);

	if (of->split == to->split)
		return p.prep_steps_s;
	return p.prep_steps_s -
	       p.storage_bytes / read_bytes_per_s / load->threads;
}
