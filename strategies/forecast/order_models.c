/* order_models.c - see order_models.h. */
#include "strategies/forecast/order_models.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/array.h"
#include "strategies/forecast/pilot.h"
#include "strategies/forecast/predict.h"
#include "strategies/orders/orders.h"

/* The most that the rehearsals of an order beside the given one may take. */
static const double order_rehearse_s = 0.8;

void order_costs_of(const struct model *model, struct order_costs *costs)
{
	*costs = (struct order_costs){ .bytes = { 0 } };
	for (unsigned i = 0; i <= model->pipeline->count; i++) {
		costs->bytes[i] = model->field_bytes[i];
		if (i < model->pipeline->count)
			costs->step_s[i] = model->step_s[i];
	}
}

int order_costs_find(
    struct order_costs *costs, const struct pilot_plan *how, struct error *err)
{
	struct model *model = memory_zeroed(sizeof(*model), err);
	struct plan plan = *how->plan;
	struct pilot_plan quick = *how;
	int rc;

	if (!model)
		return -1;
	plan.strategies.codec_count = 0;
	quick.plan = &plan;
	quick.strategies = NULL;
	quick.timed = false;
	rc = pilot_run(model, &quick, err);
	if (rc == 0)
		order_costs_of(model, costs);
	model_release(model);
	free(model);
	return rc;
}

/* Makes the model of an order, unless there is one. */
static int add_model(struct model *first, const struct pipeline *pipeline,
    const struct pilot_plan *how, struct error *err)
{
	struct pilot_plan other = *how;
	struct model *last = first, *model;

	while (last->pipeline != pipeline && last->next)
		last = last->next;
	if (last->pipeline == pipeline)
		return 0;
	model = memory_zeroed(sizeof(*model), err);
	if (!model)
		return -1;
	other.pipeline = pipeline;
	other.reordered = true;
	/* There may be many orders. */
	other.rehearse_s = fmin(how->rehearse_s, order_rehearse_s);
	if (pilot_run(model, &other, err)) {
		model_release(model);
		free(model);
		return -1;
	}
	last->next = model;
	return 0;
}

int order_models_make(struct model *first, const struct strategies *strategies,
    const struct pilot_plan *how, struct error *err)
{
	for (size_t i = 0; i < strategies->count; i++) {
		const struct strategy *strategy = &strategies->list[i];

		if (strategy->pipeline &&
		    add_model(first, strategy->pipeline, how, err))
			return -1;
	}
	return 0;
}

void order_models_release(struct model *first)
{
	while (first && first->next) {
		struct model *next = first->next;

		first->next = next->next;
		model_release(next);
		free(next);
	}
}
