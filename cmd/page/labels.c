/* labels.c - see labels.h. */
#include "cmd/page/labels.h"

#include "lib/base/array.h"

/* Places of a name beside its point, the best first: right, left, above, ... */
static const struct side {
	double x, y; /* direction: -1, 0 or 1 */
} sides[] = {
	{ 1, 0 },
	{ -1, 0 },
	{ 0, -1 },
	{ 0, 1 },
	{ 1, -1 },
	{ 1, 1 },
	{ -1, -1 },
	{ -1, 1 },
};

static const double gap = 3;
/* Distances at which a line leads from the name to the point. */
static const double far_gaps[] = { 18, 34, 54 };

bool box_overlaps(const struct box *a, const struct box *b)
{
	return a->x < b->x + b->width && b->x < a->x + a->width &&
	       a->y < b->y + b->height && b->y < a->y + a->height;
}

static bool is_inside(const struct box *box, const struct box *outer)
{
	return box->x >= outer->x && box->y >= outer->y &&
	       box->x + box->width <= outer->x + outer->width &&
	       box->y + box->height <= outer->y + outer->height;
}

static struct box beside(const struct labels *labels, const struct label *label,
    const struct side *side, double width, double distance)
{
	const double away = labels->radius + label->around + distance;
	const double diagonal = side->x * side->y != 0 ? 0.7 : 1;
	const double x = label->x + side->x * away * diagonal;
	const double y = label->y + side->y * away * diagonal;

	return (struct box){
		.x = side->x > 0   ? x
		     : side->x < 0 ? x - width
		                   : x - width / 2,
		.y = side->y > 0   ? y
		     : side->y < 0 ? y - labels->height
		                   : y - labels->height / 2,
		.width = width,
		.height = labels->height,
	};
}

static bool is_free(const struct labels *labels, const struct box *box)
{
	if (!is_inside(box, &labels->inside))
		return false;
	for (size_t i = 0; i < labels->taken_count; i++)
		if (box_overlaps(box, &labels->taken[i]))
			return false;
	for (size_t i = 0; i < labels->count; i++) {
		const struct label *other = &labels->list[i];
		const struct box point = {
			.x = other->x - labels->radius,
			.y = other->y - labels->radius,
			.width = 2 * labels->radius,
			.height = 2 * labels->radius,
		};

		if (box_overlaps(box, &point) ||
		    (other->is_placed && box_overlaps(box, &other->box)))
			return false;
	}
	return true;
}

static bool try_at(const struct labels *labels, struct label *label,
    double width, double distance)
{
	for (size_t i = 0; i < ARRAY_LEN(sides); i++) {
		const struct box box =
		    beside(labels, label, &sides[i], width, distance);

		if (!is_free(labels, &box))
			continue;
		label->box = box;
		label->is_placed = true;
		return true;
	}
	return false;
}

void labels_place(struct labels *labels)
{
	for (size_t i = 0; i < labels->count; i++) {
		struct label *label = &labels->list[i];

		if (try_at(labels, label, label->width, gap))
			continue;
		for (size_t k = 0; k < ARRAY_LEN(far_gaps) && !label->is_far;
		     k++)
			label->is_far =
			    try_at(labels, label, label->width, far_gaps[k]);
		if (label->is_far || !(label->brief_width > 0))
			continue;
		label->is_brief =
		    try_at(labels, label, label->brief_width, gap);
	}
}
