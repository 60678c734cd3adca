/*
 * scale.h - where a value lies on an axis, and where its ticks are: at 1, 2
 * and 5 times a power of ten, or at powers of ten.
 */
#ifndef CMD_PAGE_SCALE_H
#define CMD_PAGE_SCALE_H

#include <stdbool.h>
#include <stddef.h>

enum { SCALE_TICKS = 24, SCALE_TEXT = 32 };

/* What the numbers of an axis are. */
enum scale_unit { SCALE_NUMBER, SCALE_BYTES, SCALE_TIME };

struct scale {
	double low, high; /* the ends of the axis */
	double from, to;  /* where these are, in pixels */
	bool is_log;
};

/* From 0 to `high`; to 1 if that is not above 0. */
struct scale scale_from_zero(double high);
/*
 * Holds both, and ends at ticks, of which there are about so many: logarithmic
 * where the one is many times the other, else from 0.
 */
struct scale scale_of_range(double low, double high, unsigned ticks);

double scale_at(const struct scale *scale, double value);
/* Fills `ticks` with at most about `most` of them: how many. */
size_t scale_ticks(
    const struct scale *scale, unsigned most, double ticks[SCALE_TICKS]);

/* "50 MB", "2 000", "200 us": as people write the value of a tick. */
const char *scale_text(
    enum scale_unit unit, double value, char text[SCALE_TEXT]);

#endif
