/* orders.h - prints the legal orders of a pipeline's steps, for presto show. */
#ifndef CMD_SHOW_ORDERS_H
#define CMD_SHOW_ORDERS_H

struct error;
struct model;
struct pipeline;

/*
 * `model`: sizes from pilot samples, in the order given.  Orders are compared
 * by the bytes that the steps read and write.
 */
int show_orders(const struct pipeline *pipeline, const struct model *model,
    struct error *err);

#endif
