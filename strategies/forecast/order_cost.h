/*
 * order_cost.h - what reading a dataset in the order in which it is stored
 * costs, against its own order.
 *
 * A block of samples (stored_order.h) is read in both orders, twice each: CPU
 * time of the second time, when it is in memory, counts.  What a cold disk
 * takes for seeking comes on top.
 */
#ifndef STRATEGIES_FORECAST_ORDER_COST_H
#define STRATEGIES_FORECAST_ORDER_COST_H

struct error;
struct reader;
struct stored_order;

struct order_cost {      /* CPU time of a sample */
	double given_s;  /* in the order of the dataset; 0: not measured */
	double stored_s; /* in the order in which it is stored */
};

/*
 * Nothing is measured, and *cost is all 0, where samples are not read by
 * number: reading them from front to back is what it was.
 */
int order_cost_measure(struct order_cost *cost,
    const struct stored_order *order, const struct reader *source,
    struct error *err);

/* How much longer a sample takes than in the order of the dataset. */
static inline double order_cost_more(const struct order_cost *cost)
{
	return cost->stored_s > cost->given_s ? cost->stored_s - cost->given_s
	                                      : 0;
}

#endif
