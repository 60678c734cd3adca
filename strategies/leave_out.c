/* leave_out.c - see predict.h: what the samples do not allow. */
#include "lib/base/error.h"
#include "lib/stores/store.h"
#include "strategies/predict.h"

int model_check(const struct model *model, const struct strategy *strategy,
    struct error *err)
{
	const struct schema *schema =
	    &model->pipeline->schemas[strategy->split];
	const struct shapes *shapes = &model->shapes[strategy->split];
	char a[SHAPE_TEXT], b[SHAPE_TEXT];

	if (strategy->unprocessed || !strategy->store->one_shape)
		return 0;
	if (!shapes->differ)
		return 0;
	error_set(err, ERROR_USAGE,
	    "%s needs samples of one shape, and field %s has %s and %s",
	    strategy->store->name, schema->fields[shapes->field].name,
	    shape_text(&shapes->first[shapes->field], a),
	    shape_text(&shapes->other, b));
	return error_prefix(err, "split %s: store %s",
	    pipeline_name(model->pipeline, strategy->split),
	    strategy->store->name);
}

int model_leave_out(
    const struct model *model, struct strategies *strategies, struct error *err)
{
	size_t kept = 0;

	for (size_t i = 0; i < strategies->count; i++) {
		const struct strategy strategy = strategies->list[i];

		if (model_check(model, &strategy, err) == 0)
			strategies->list[kept++] = strategy;
		else if (strategies_leave_out(strategies, err))
			return -1;
	}
	strategies->count = kept;
	return strategies_check_any(strategies, err);
}
