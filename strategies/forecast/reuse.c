/* reuse.c - see reuse.h. */
#include "strategies/forecast/reuse.h"

#include "lib/base/error.h"
#include "lib/stores/frames.h"
#include "lib/stores/store.h"
#include "strategies/forecast/predict.h"

/* Does `to` begin with the steps that ran in front of the split of `of`? */
static bool begins_with(const struct pipeline *given, const struct strategy *to,
    const struct strategy *of)
{
	const struct pipeline *a = strategy_pipeline(of, given);
	const struct pipeline *b = strategy_pipeline(to, given);

	if (of->split > to->split)
		return false;
	for (unsigned i = 0; a != b && i < of->split; i++)
		if (a->steps[i].given != b->steps[i].given)
			return false;
	return true;
}

bool reuse_gives_samples(const struct pipeline *given,
    const struct strategy *of, const struct strategy *to)
{
	return !of->unprocessed && !to->unprocessed &&
	       strategy_same_size(of, to) && begins_with(given, to, of) &&
	       !of->codec.transform && !of->codec.ops->encode;
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

	/* Forms take the longest to make, so they are asked last. */
	return !of->unprocessed && !to->unprocessed &&
	       strategy_same_size(of, to) && of->split == to->split &&
	       of->codec.ops->encode &&
	       of->codec.ops->encode == to->codec.ops->encode &&
	       begins_with(given, to, of) && form_of(given, of, &a) &&
	       form_of(given, to, &b) && frames_are_shared(&a, &b);
}

double reuse_saves_of_s(const struct model *model, const struct strategy *of,
    const struct prediction *forecast, const struct strategy *to,
    const struct load *load)
{
	double read_s = 0;

	if (of->split == to->split)
		return forecast->prep_steps_s;
	/* It is mostly in memory, and copied twice: from files, and by a step.
	 */
	if (model->machine.copy_bytes_per_s > 0)
		read_s = 2 * forecast->storage_bytes /
		         model->machine.copy_bytes_per_s / load->threads;
	return forecast->prep_steps_s - read_s;
}

double reuse_saves_s(const struct model *model, const struct strategy *of,
    const struct strategy *to, const struct load *load)
{
	const struct prediction p = model_predict(model, of, load);

	return reuse_saves_of_s(model, of, &p, to, load);
}
