/*
 * forecast_errors.h - how far the forecasts in a database were from what was
 * then measured.
 */
#ifndef LIB_DB_FORECAST_ERRORS_H
#define LIB_DB_FORECAST_ERRORS_H

#include <stddef.h>

struct error;
struct results;

enum forecast_figure {
	FORECAST_WARM, /* throughput of data in memory */
	FORECAST_COLD, /* throughput of data on a storage */
	FORECAST_STORAGE,
	FORECAST_PREPARATION
};

struct forecast_error {
	enum forecast_figure figure;
	double log_ratio; /* ln(measured / predicted) */
	char cpu[96];     /* name of the machine's processor */
};

struct forecast_errors { /* the list is owned */
	struct forecast_error *list;
	size_t count, capacity;
};

#define FORECAST_ERRORS_INIT \
	{                    \
		.list = NULL \
	}

/* Reads those of forecasts with an interval, of the newest sessions first. */
int forecast_errors_read(
    struct forecast_errors *errors, struct results *results, struct error *err);
void forecast_errors_release(struct forecast_errors *errors);

#endif
