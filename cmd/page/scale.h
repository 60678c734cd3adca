/*
 * scale.h - positions of values on an axis, and its ticks: at 1, 2 and 5 times
 * a power of ten, or at powers of ten.
 */
#ifndef CMD_PAGE_SCALE_H
#define CMD_PAGE_SCALE_H

#include <stdbool.h>
#include <stddef.h>

enum { SCALE_TICKS = 24, SCALE_TEXT = 32 };

/* The unit of an axis. */
enum scale_unit { SCALE_NUMBER, SCALE_BYTES, SCALE_TIME };

struct scale {
	double low, high; /* values at the ends of the axis */
	double from, to;  /* positions of the ends in pixels */
	bool is_log;
};

/* A scale from 0 to `high`; to 1 if `high` is not positive. */
struct scale scale_from_zero(double high);
/*
 * A scale that includes both values and ends at ticks, of which there are about
 * `ticks`. It is logarithmic if `high` is many times `low`, else begins at 0.
 */
struct scale scale_of_range(double low, double high, unsigned ticks);

double scale_at(const struct scale *scale, double value);
/* Fills `ticks` with about `most` values; returns their number. */
size_t scale_ticks(
    const struct scale *scale, unsigned most, double ticks[SCALE_TICKS]);

/* The value of a tick in words: "50 MB", "2 000", "200 us". */
const char *scale_text(
    enum scale_unit unit, double value, char text[SCALE_TEXT]);

#endif
