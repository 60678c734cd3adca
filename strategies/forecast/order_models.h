/*
 * order_models.h - models of other orders of the steps.
 *
 * A first, quick pilot runs the steps in the order given, for what the choice
 * of orders needs (orders.h).  Each order that a strategy has then gets a pilot
 * of its own: which steps are fused, and how small data can be compressed,
 * depends on the order.
 */
#ifndef STRATEGIES_FORECAST_ORDER_MODELS_H
#define STRATEGIES_FORECAST_ORDER_MODELS_H

struct error;
struct model;
struct order_costs;
struct pilot_plan;
struct strategies;

/* Takes the costs from a model, which need not be timed. */
void order_costs_of(const struct model *model, struct order_costs *costs);
/* Runs pilot samples through the steps in the order given, without codecs. */
int order_costs_find(
    struct order_costs *costs, const struct pilot_plan *how, struct error *err);

/*
 * Makes a model for each order that strategies have and links it to `first`,
 * the model of the order given.  `how`: as of that model.
 */
int order_models_make(struct model *first, const struct strategies *strategies,
    const struct pilot_plan *how, struct error *err);
/* Frees the models that were linked to `first`; NULL is fine. */
void order_models_release(struct model *first);

#endif
