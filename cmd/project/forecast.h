/*
 * forecast.h - what a session would do, and take: profile --dry-run.
 */
#ifndef CMD_PROJECT_FORECAST_H
#define CMD_PROJECT_FORECAST_H

#include <stdio.h>

struct error;
struct model;
struct session_plan;

int forecast_print(
    const struct session_plan *plan, FILE *out, struct error *err);

/* Warns of a step that made nothing of all samples that were looked at. */
void forecast_warn(const struct model *model);

#endif
