/* shapes.c - see shapes.h. */
#include "strategies/forecast/shapes.h"

#include <stdio.h>

#include "lib/base/error.h"
#include "lib/stores/store.h"
#include "strategies/forecast/predict.h"
#include "strategies/plan/strategies.h"

enum { SHAPES_WHAT = 128 + 2 * SHAPE_TEXT };

void shapes_note(struct shapes *shapes, const struct sample *sample)
{
	for (unsigned f = 0; f < sample->count && !shapes->differ; f++) {
		const struct shape *shape = &sample->fields[f].shape;

		if (!shapes->seen) {
			shapes->first[f] = *shape;
		} else if (!shape_equal(&shapes->first[f], shape)) {
			shapes->differ = true;
			shapes->field = f;
			shapes->other = *shape;
		}
	}
	shapes->seen = true;
}

static bool has_shapes_for(
    const struct model *model, const struct strategy *strategy)
{
	return strategy->unprocessed || !strategy->store->one_shape ||
	       !model_of(model, strategy)->shapes[strategy->split].differ;
}

/* Writes "decoded/npy (field data: 375x500x3 and 500x333x3)", and sets err. */
static void describe_shapes(const struct model *model,
    const struct strategy *strategy, char what[SHAPES_WHAT], struct error *err)
{
	const struct model *of = model_of(model, strategy);
	const struct schema *schema = &of->pipeline->schemas[strategy->split];
	const struct shapes *shapes = &of->shapes[strategy->split];
	char a[SHAPE_TEXT], b[SHAPE_TEXT];

	snprintf(what, SHAPES_WHAT, "%.48s/%.24s (field %.32s: %s and %s)",
	    pipeline_name(of->pipeline, strategy->split), strategy->store->name,
	    schema->fields[shapes->field].name,
	    shape_text(&shapes->first[shapes->field], a),
	    shape_text(&shapes->other, b));
	error_set(err, ERROR_USAGE,
	    "%s needs samples of one shape, as resize size=N, center_crop, "
	    "pad or window make them",
	    strategy->store->name);
}

int model_check(const struct model *model, const struct strategy *strategy,
    struct error *err)
{
	char what[SHAPES_WHAT];

	if (has_shapes_for(model, strategy))
		return 0;
	describe_shapes(model, strategy, what, err);
	return error_prefix(err, "%s", what);
}

int model_leave_out(
    const struct model *model, struct strategies *strategies, struct error *err)
{
	char what[SHAPES_WHAT];
	size_t kept = 0;

	for (size_t i = 0; i < strategies->count; i++) {
		const struct strategy strategy = strategies->list[i];

		if (has_shapes_for(model, &strategy)) {
			strategies->list[kept++] = strategy;
			continue;
		}
		describe_shapes(model, &strategy, what, err);
		if (strategies_leave_out(strategies, what, err))
			return -1;
	}
	strategies->count = kept;
	return strategies_check_any(strategies, model->pipeline->ini, err);
}
