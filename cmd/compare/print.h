/*
 * print.h - prints a comparison of two sessions: as text and Markdown for
 * people, as CSV and JSON for programs, and as JSON and XML for CI services.
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
	const struct compare_operand *base, *new_one; /* read before */
	const struct comparison *comparison;
	const struct grid *differences, *notes; /* "text"; see comparable.h */
	enum compare_format format;
	enum benchmarks_form form;
	/* The result in one sentence, for the log of a CI job. */
	char summary[COMPARE_SUMMARY];
};

/* Writes the sentence, without a full stop. */
void compare_summarize(
    const struct comparison *comparison, char summary[COMPARE_SUMMARY]);

/* An output_print of a struct compare_page. */
int compare_print(const void *page, FILE *out, struct error *err);

/* One word: "fine", "slower", "broken", "unclear", "missing", "". */
const char *compare_verdict_name(enum compare_verdict verdict);

/* Prints JUnit XML, a testcase for each trial. */
void compare_print_junit(const struct compare_page *page, FILE *out);

/* Prints text or Markdown. */
int compare_print_text(
    const struct compare_page *page, FILE *out, struct error *err);

#endif
