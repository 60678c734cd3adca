/*
 * orders.h - the legal orders of a pipeline's steps.
 *
 * A step waits for the steps that its option `after` names; without that
 * option, for all earlier ones that it does not commute with (commute.h).  No
 * step passes one with `fixed`.  An order is legal if all of its steps come
 * behind those that they wait for, and if each takes what the one before gives.
 *
 * Orders are walks through the sets of steps that ran: all orders of a set lead
 * to the same data type.  A pipeline with many free steps has few sets and very
 * many orders, so orders are counted by the sets, and made one by one.
 *
 * The label of an order is "o" and its number among the legal orders, sorted by
 * the places that the steps have in the order given, which is number 0 and has
 * no label.  The label depends on the pipeline only, never on figures.
 */
#ifndef STRATEGIES_ORDERS_ORDERS_H
#define STRATEGIES_ORDERS_ORDERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/pipeline/commute.h"
#include "lib/pipeline/pipeline.h"

struct error;
struct orders;

enum {
	ORDER_LABEL = 24,
	ORDERS_SETS = 1 << 14, /* more sets of steps are not looked at */
	ORDERS_LISTED = 5000,  /* more orders are not told apart */
	ORDERS_CHOSEN = 32,    /* the most that orders_choose returns */
};

struct order {                   /* it lives as long as the orders */
	char label[ORDER_LABEL]; /* "o3"; "": the order given */
	/* The steps in this order, bound; of the order given: as given. */
	const struct pipeline *pipeline;
	enum commute how; /* are the data those of the order given? */
};

/* Costs of the steps in the order given: means of a sample. */
struct order_costs {
	double step_s[PIPELINE_STEPS];    /* CPU time of each step */
	double bytes[PIPELINE_STEPS + 1]; /* bytes of each representation */
};

/* Appends the costs of a pipeline as a text that is read again exactly. */
int order_costs_print(const struct order_costs *costs, unsigned steps,
    struct buf *out, struct error *err);
/* Reads such a text; false: it is none of a pipeline with so many steps. */
bool order_costs_parse(
    struct order_costs *costs, unsigned steps, const char *text);

/* Finds the legal orders; `given` is bound, and borrowed. */
struct orders *orders_new(const struct pipeline *given, struct error *err);
void orders_free(struct orders *orders); /* NULL is fine */

/* Counts the orders, with the one given; UINT64_MAX: too many to count. */
uint64_t orders_count(const struct orders *orders);
/* The order given. */
const struct order *orders_given(const struct orders *orders);
/*
 * Returns the order of a label, or for "given".  NULL: ERROR_USAGE, there is
 * none.
 */
const struct order *orders_find(
    struct orders *orders, const char *label, struct error *err);

/*
 * Predicts the CPU time of the steps from place `from` on.  A step takes time
 * in proportion to the bytes of its input, and gives bytes in proportion to
 * them, as in cedar (Zhao et al., VLDB 2024).
 */
double orders_cost(const struct orders *orders, const struct order *order,
    unsigned from, const struct order_costs *costs);

/* An order, and its cost. */
struct priced_order {
	uint64_t number; /* 0: the order given */
	double all_s;
	/* The steps in front of the first random one, and what they give. */
	double offline_s, offline_bytes;
};

/*
 * Lists the orders that differ in a cost, the cheapest first; of equal ones the
 * lowest number.  *list is the caller's.  With more than ORDERS_LISTED orders
 * it is NULL.
 */
int orders_list(const struct orders *orders, const struct order_costs *costs,
    struct priced_order **list, size_t *count, struct error *err);
/* Returns order `number`; NULL: it cannot be made. */
const struct order *orders_at(
    struct orders *orders, uint64_t number, struct error *err);

/*
 * Chooses the orders that are worth a try, besides the one given: for each set
 * of steps that may be stored the exact one with the least online work behind
 * it, and the least work in front of it; then another one, which changes the
 * data, where no exact one is, or where it takes clearly less work.  Exact ones
 * come first.  *all is false if there are more than ORDERS_CHOSEN; those with
 * the least work are returned.
 */
int orders_choose(struct orders *orders, const struct order_costs *costs,
    const struct order *chosen[ORDERS_CHOSEN], size_t *count, bool *all,
    struct error *err);
/*
 * Is `other`, which changes the data, of no use at this split beside an exact
 * order?  It is if both store what the same steps gave, and `other` does not
 * take clearly less work in front of the split or behind it.
 */
bool orders_outdo(const struct orders *orders, const struct order *exact,
    const struct order *other, unsigned split, const struct order_costs *costs);
/*
 * Do two orders store the same bytes as representations `split`?  They do if
 * the same steps ran, and all pairs that changed places commute exactly.
 */
bool orders_store_same(
    const struct order *a, const struct order *b, unsigned split);

#endif
