/*
 * order_cost.h - the extra CPU time of reading a dataset in the random order in
 * which it will be stored, compared with its own order.
 *
 * One block of samples (stored_order.h) is read twice in each order. The second
 * time counts, when the block is in memory. Seeking on a cold disk takes more
 * time still.
 */
#ifndef STRATEGIES_FORECAST_MODELS_ORDER_COST_H
#define STRATEGIES_FORECAST_MODELS_ORDER_COST_H

struct error;
struct reader;
struct stored_order;

struct order_cost {      /* CPU time of a sample */
	double given_s;  /* in the order of the dataset; 0: not measured */
	double stored_s; /* in the stored order */
};

/*
 * If samples cannot be read by number, nothing is measured and *cost is all 0:
 * they are read from front to back in any case.
 */
int order_cost_measure(struct order_cost *cost,
    const struct stored_order *order, const struct reader *source,
    struct error *err);

/* Returns how much longer a sample takes than in the order of the dataset. */
static inline double order_cost_more(const struct order_cost *cost)
{
	return cost->stored_s > cost->given_s ? cost->stored_s - cost->given_s
	                                      : 0;
}

#endif
