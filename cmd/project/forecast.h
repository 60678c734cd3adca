/*
 * forecast.h - the output of profile --dry-run and of predict: strategies with
 * their predicted size and speed, each with an interval; and for profile the
 * time, disk and memory of a session.
 */
#ifndef CMD_PROJECT_FORECAST_H
#define CMD_PROJECT_FORECAST_H

#include <stdio.h>

struct error;
struct machine_file;
struct model;
struct session_plan;

int forecast_print(
    const struct session_plan *plan, FILE *out, struct error *err);

/* The table alone; `machine`: what it is for, NULL: this machine. */
int forecast_print_rates(const struct session_plan *plan,
    const struct machine_file *machine, FILE *out, struct error *err);

/*
 * Reads from a database, if it is there, how far earlier forecasts were off,
 * and ceilings that sessions or presto probe saw in the last 24 hours.
 */
int forecast_read_known(
    const struct session_plan *plan, const char *path, struct error *err);

/* Warns of a step that gave no output for any pilot sample. */
void forecast_warn(const struct model *model);

#endif
