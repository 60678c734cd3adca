/*
 * forecast.h - the output of profile --dry-run: strategies with their predicted
 * size and speed, and the time, disk and memory of a session.
 */
#ifndef CMD_PROJECT_FORECAST_H
#define CMD_PROJECT_FORECAST_H

#include <stdio.h>

struct error;
struct model;
struct session_plan;

int forecast_print(
    const struct session_plan *plan, FILE *out, struct error *err);

/* Warns of a step that gave no output for any pilot sample. */
void forecast_warn(const struct model *model);

#endif
