/*
 * study.h - the results of a study: for each value of its factor and each
 * series, the figures of one trial.
 *
 * A series is named after all that its values have in common, such as a split
 * and a store.  A trial that the factor does not apply to is a baseline, a
 * point without a value: unprocessed has no codec.
 */
#ifndef CMD_STUDY_STUDY_H
#define CMD_STUDY_STUDY_H

#include <stddef.h>
#include <stdint.h>

#include "cmd/study/factor.h"

struct error;
struct results;

enum {
	STUDY_VALUES = 32,             /* the most values of a study */
	STUDY_BASELINE = STUDY_VALUES, /* value of a point that has none */
	STUDY_TEXT = 160,
};

struct study_value {
	char text[STUDY_TEXT]; /* as given, or as the results have it */
	double number;         /* NAN: it is none */
	double bytes;          /* in a sample of the source; sizes only */
};

struct study_point {
	unsigned value; /* index, or STUDY_BASELINE */
	size_t series;  /* index */
	int64_t session;
	char status[32], message[STUDY_TEXT]; /* why it was not measured */
	double rate, low, high; /* samples per second; NAN: not measured */
	double prep_s, storage_bytes; /* NAN: not known */
};

struct study {
	const struct factor *factor;
	const char *pipeline; /* its name, or "" for variants; borrowed */
	struct study_value values[STUDY_VALUES];
	unsigned value_count;
	char (*series)[STUDY_TEXT]; /* owned */
	size_t series_count, series_capacity;
	struct study_point *points; /* owned; see study_sort */
	size_t point_count, point_capacity;
};

void study_release(struct study *study);

/*
 * Splits "1,2,4" into values.  ERROR_USAGE for an empty one, one that occurs
 * twice, and more than STUDY_VALUES.
 */
int study_set_values(struct study *study, const char *list, struct error *err);
int study_add_value(struct study *study, const char *text, struct error *err);

/*
 * Adds the trials of a session.  `value` is the index of the value that all of
 * it has, STUDY_BASELINE: each trial tells its own in the factor's column.
 */
int study_add_session(struct study *study, struct results *results,
    int64_t session, unsigned value, struct error *err);
/* Sorts points by series and value; baselines come last. */
void study_sort(struct study *study);

/* The point of the first value that the series has; NULL: none is measured. */
const struct study_point *study_first(const struct study *study, size_t series);
/* Samples per second; of sizes, bytes of samples per second.  NAN: not known.
 */
double study_rate(const struct study *study, const struct study_point *point);
/* study_rate over that of study_first; NAN: not known, or a baseline. */
double study_ratio(const struct study *study, const struct study_point *point);
/* The text of the value; "" for a baseline. */
const char *study_value_text(
    const struct study *study, const struct study_point *point);

#endif
