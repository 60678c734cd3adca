/* words.h - prints the plan of presto plan-scale. */
#ifndef CMD_SCALE_WORDS_H
#define CMD_SCALE_WORDS_H

#include <stdio.h>

#include "cmd/writers/format.h"

struct error;
struct scale_evidence;
struct scale_plan;
struct scale_wanted;

struct scale_page {
	const struct scale_evidence *evidence;
	const struct scale_wanted *wanted;
	const struct scale_plan *plan;
};

/* Text for people, or one row with all figures. */
int scale_print(const struct scale_page *page, enum format format, FILE *out,
    struct error *err);

#endif
