/*
 * shape_check.h - leaves out stores that want samples of one shape where the
 * pilot samples differ (shapes.h).
 */
#ifndef STRATEGIES_FORECAST_SHAPE_CHECK_H
#define STRATEGIES_FORECAST_SHAPE_CHECK_H

struct error;
struct model;
struct strategies;
struct strategy;

/* ERROR_USAGE if the strategy cannot store the pilot samples. */
int model_check(const struct model *model, const struct strategy *strategy,
    struct error *err);
/* Leaves out those that cannot: see strategies_enumerate. */
int model_leave_out(const struct model *model, struct strategies *strategies,
    struct error *err);

#endif
