/*
 * chart.h - the charts of a session: each is a file with a `const struct
 * chart_ops` and a line in charts.def.  A chart is drawn for a width, wide or
 * as that of a phone, and is as high as it has to be.
 */
#ifndef CMD_PAGE_CHART_H
#define CMD_PAGE_CHART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "cmd/page/svg.h"

struct error;
struct facts;

enum {
	CHART_SIZE = 12, /* of text, in pixels */
	CHART_SMALL = 11,
	CHART_STRATEGIES = 24, /* a chart with more cannot be read, */
	CHART_ROWS = 72,       /* or with more trials */
	CHART_TEXT = 512
};

struct chart {
	struct svg svg; /* its height is found by the chart */
	struct svg_about about;
	const struct facts *facts;
	bool is_narrow;
	bool has_links; /* to the rows of the page's table */
};

struct chart_ops {
	const char *name; /* of --chart */
	const char *title;
	const char *explanation; /* a sentence or two, for people */
	/* Is there something to draw?  Else what the page says instead. */
	bool (*is_there)(const struct facts *facts);
	const char *missing;
	/* What is seen, in words: for who cannot see it. */
	void (*describe)(const struct facts *facts, char text[CHART_TEXT]);
	int (*draw)(struct chart *chart, struct error *err);
};

#define CHART(name) extern const struct chart_ops chart_##name;
#include "cmd/page/charts.def"
#undef CHART

const struct chart_ops *chart_at(size_t i); /* NULL behind the last */

struct chart_form {
	const char *id;  /* unlike those of other charts of the page */
	const char *css; /* of a picture that stands alone; NULL: the page's */
	bool is_narrow;
	bool has_links;
};

int chart_draw(const struct chart_ops *ops, const struct facts *facts,
    const struct chart_form *form, FILE *out, struct error *err);

/*
 * Strategies that charts show: all, or the first of them and `unprocessed`;
 * the i-th is number chart_strategy.
 */
size_t chart_strategies(const struct facts *facts);
size_t chart_strategy(const struct facts *facts, size_t i);
/* Is a trial of this strategy shown? */
bool chart_shows(const struct facts *facts, size_t strategy);
/* "#strategy-3", or NULL without links. */
const char *chart_link(
    const struct chart *chart, size_t strategy, char text[32]);

#endif
