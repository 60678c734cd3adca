/*
 * factor.h - the factors that presto study can sweep.  Each is a row of one
 * table: what is set, how its values are told apart in the results, and how its
 * picture looks.
 */
#ifndef CMD_STUDY_FACTOR_H
#define CMD_STUDY_FACTOR_H

#include <stdbool.h>
#include <stddef.h>

struct error;

enum factor_picture {
	PICTURE_SPEED_UP, /* speed-up over the first value, and the ideal */
	PICTURE_RATE,     /* samples per second over the values */
	PICTURE_BYTES,    /* bytes of samples per second over the values */
	PICTURE_BARS,     /* a bar for each value */
	PICTURE_SAVING    /* the same, and bars of the storage beside them */
};

struct factor {
	const char *name;    /* as the user gives it */
	const char *summary; /* its values in words, for -h */
	/* The key of the pipeline file that gets the values; NULL: others. */
	const char *section, *key;
	/*
	 * The column of v_trial that tells the values apart, so that one
	 * session measures all of them in turn.  NULL: a session for each.
	 */
	const char *column;
	const char *title; /* heading of the picture */
	const char *axis;  /* title of the axis of values */
	enum factor_picture picture;
};

/* NULL: none; err names those that there are. */
const struct factor *factor_find(const char *name, struct error *err);
const struct factor *factor_at(size_t i); /* NULL behind the last */

/* Are the values pipelines (variants), or sizes of samples (sizes)? */
bool factor_is_variants(const struct factor *factor);
bool factor_is_sizes(const struct factor *factor);

#endif
