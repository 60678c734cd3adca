/*
 * chart.h - the charts of a session.  Each is a file with a `const struct
 * chart_ops` and a line in charts.def.  A chart is drawn for a width, that of a
 * screen or of a phone, and chooses its height.
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
	CHART_SIZE = 12, /* size of text in pixels */
	CHART_SMALL = 11,
	CHART_STRATEGIES = 24, /* most strategies of a legible chart */
	CHART_ROWS = 72,       /* most trials of a legible chart */
	CHART_TEXT = 512
};

struct chart {
	struct svg svg; /* the chart sets its height */
	struct svg_about about;
	const struct facts *facts;
	bool is_narrow;
	bool has_links; /* links to the rows of the page's table */
};

struct chart_ops {
	const char *name; /* value of --chart */
	const char *title;
	const char *explanation; /* one or two sentences for people */
	/*
	 * Is there something to draw?  If not, the page prints a text instead.
	 */
	bool (*is_there)(const struct facts *facts);
	const char *missing;
	/* Describes the picture in words, for readers who cannot see it. */
	void (*describe)(const struct facts *facts, char text[CHART_TEXT]);
	int (*draw)(struct chart *chart, struct error *err);
};

#define CHART(name) extern const struct chart_ops chart_##name;
#include "cmd/page/charts.def"
#undef CHART

const struct chart_ops *chart_at(size_t i); /* NULL after the last chart */

struct chart_form {
	const char *id; /* unique within the page */
	const char
	    *css; /* style sheet of a picture on its own; NULL: the page's */
	bool is_narrow;
	bool has_links;
};

int chart_draw(const struct chart_ops *ops, const struct facts *facts,
    const struct chart_form *form, FILE *out, struct error *err);

/* Number of strategies in charts; the i-th is number chart_strategy. */
size_t chart_strategies(const struct facts *facts);
size_t chart_strategy(const struct facts *facts, size_t i);
/* Is a trial of this strategy shown? */
bool chart_shows(const struct facts *facts, size_t strategy);
/* "#strategy-3", or NULL if the chart has no links. */
const char *chart_link(
    const struct chart *chart, size_t strategy, char text[32]);

#endif
