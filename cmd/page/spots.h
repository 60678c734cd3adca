/*
 * spots.h - the points of a chart of storage against throughput, both of the
 * full dataset, and the front of points that no other beats.
 */
#ifndef CMD_PAGE_SPOTS_H
#define CMD_PAGE_SPOTS_H

#include <stdbool.h>
#include <stddef.h>

struct error;
struct fact;
struct facts;
struct scale;

/* A trial and its point in the picture. */
struct spot {
	const struct fact *fact;
	double x, y, low, high; /* low and high: ends of the interval */
	bool is_front;
};

/* Largest for the recommendation, then the front, unprocessed, others. */
int spot_importance(const struct spot *spot);

struct spots {
	struct spot *list; /* in the order in which they are named */
	size_t count;
	struct spot *front; /* copies of those on the front, by storage */
	size_t front_count;
};

/* Is the trial measured, and its storage known? */
bool spot_is_shown(const struct fact *fact);

/* Lists the trials of the facts; release the list in any case. */
int spots_find(
    struct spots *spots, const struct facts *facts, struct error *err);
void spots_release(struct spots *spots);

/* Scales that hold all points, with about `ticks` ticks each. */
void spots_scales(const struct spots *spots, unsigned ticks, struct scale *x,
    struct scale *y);
/* Sets the places of all points, and lists the front. */
void spots_place(
    struct spots *spots, const struct scale *x, const struct scale *y);

#endif
