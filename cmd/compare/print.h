/*
 * print.h - what a comparison of two sessions looks like: as text and
 * Markdown for people, as CSV and JSON for programs, and in the JSON forms and
 * the XML of CI services.
 */
#ifndef CMD_COMPARE_PRINT_H
#define CMD_COMPARE_PRINT_H

#include <stdio.h>

#include "cmd/compare/operand.h"
#include "cmd/report/benchmarks.h"
#include "strategies/compare/compare.h"

struct error;
struct grid;

enum compare_format {
	COMPARE_TEXT,
	COMPARE_JSON,
	COMPARE_CSV,
	COMPARE_MARKDOWN,
	COMPARE_JUNIT
};

enum { COMPARE_SUMMARY = 900 };

struct compare_page {
	const struct compare_operand *base, *new_one; /* were read */
	const struct comparison *comparison;
	const struct grid *differences, *notes; /* "text"; see comparable.h */
	enum compare_format format;
	enum benchmarks_form form;
	/* What a CI job needs to know, in a sentence. */
	char summary[COMPARE_SUMMARY];
};

/* Of the comparison; without a full stop. */
void compare_summarize(
    const struct comparison *comparison, char summary[COMPARE_SUMMARY]);

/* An output_print of a struct compare_page. */
int compare_print(const void *page, FILE *out, struct error *err);

/* One word: "fine", "slower", "broken", "unclear", "missing", "". */
const char *compare_verdict_name(enum compare_verdict verdict);

/* A testcase for each trial. */
void compare_print_junit(const struct compare_page *page, FILE *out);

/* Of it, as text and Markdown. */
int compare_print_text(
    const struct compare_page *page, FILE *out, struct error *err);

#endif
