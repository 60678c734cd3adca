/*
 * forecast.h - what a session would do, and take: profile --dry-run.
 */
#ifndef CMD_FORECAST_H
#define CMD_FORECAST_H

#include <stdio.h>

struct error;
struct session_plan;

int forecast_print(
    const struct session_plan *plan, FILE *out, struct error *err);

#endif
