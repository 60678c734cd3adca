/* orders_state.h - the sets of steps that ran, for the files of this room. */
#ifndef STRATEGIES_ORDERS_ORDERS_STATE_H
#define STRATEGIES_ORDERS_ORDERS_STATE_H

#include "strategies/orders/orders.h"

struct order_set {     /* a set of steps that ran, in some order */
	uint64_t done; /* bit i: step i of the order given */
	struct schema schema;
	uint64_t ways;       /* orders of the other steps; 0: none is legal */
	size_t first, edges; /* its edges, by the step */
};

struct order_edge { /* a step that may run next */
	unsigned step;
	size_t to; /* the set then */
	/* It commutes exactly with all later steps that ran before it. */
	bool is_exact;
};

struct made_order { /* on the heap, so that it stays where it is */
	uint64_t number;
	struct order order;
	struct pipeline pipeline; /* borrows the steps of the order given */
};

struct orders {
	const struct pipeline *given;
	uint64_t all;                       /* bits of all steps */
	uint64_t waits_for[PIPELINE_STEPS]; /* bits of steps */
	/* Bits of later steps that it does not commute with exactly. */
	uint64_t changed_by[PIPELINE_STEPS];
	struct order_set *sets; /* a set is behind its subsets */
	size_t set_count, set_capacity;
	struct order_edge *edges;
	size_t edge_count, edge_capacity;
	size_t *table; /* indexes of sets + 1, hashed by `done` */
	bool is_many;  /* too many sets: only the order given is known */
	struct order unchanged;
	struct made_order **made; /* owned */
	size_t made_count, made_capacity;
};

static inline uint64_t order_bit(unsigned step)
{
	return UINT64_C(1) << step;
}

/* Larger numbers are not offered: a label has room for 14 digits. */
static const uint64_t orders_number_most = 99999999999999;

/* Finds the steps of order `number`. */
void orders_walk(const struct orders *orders, uint64_t number,
    unsigned char steps[PIPELINE_STEPS]);
/* Did the same steps run in front of representation `split`? */
bool orders_ran_same(
    const struct order *a, const struct order *b, unsigned split);
/* Returns the number of an order. */
uint64_t orders_number(
    const struct orders *orders, const unsigned char steps[PIPELINE_STEPS]);

#endif
