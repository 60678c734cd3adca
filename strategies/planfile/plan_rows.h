/*
 * plan_rows.h - the keys of a plan's own sections, as tables that reading and
 * printing share; for this room only.
 */
#ifndef STRATEGIES_PLANFILE_PLAN_ROWS_H
#define STRATEGIES_PLANFILE_PLAN_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/syntax/option.h"

struct ini;

#define PLAN_SECTION   "plan"
#define PLAN_CODE      "code"
#define PLAN_FOLDERS   "folders"
#define PLAN_RUNNER_UP "runner-up"

/* A section with fixed keys: values are in struct plan_file. */
struct plan_part {
	const char *name;
	const struct option *rows;
};

enum { PLAN_PARTS = 4 };

/* In the order of the file; the first is PLAN_SECTION. */
extern const struct plan_part plan_parts[PLAN_PARTS];
/* The rows of struct plan_rival. */
extern const struct option plan_rival_rows[];

/* Is it a section of the plan, and not of its pipeline part? */
bool plan_owns_section(const char *name);

/* The seal that the content should have. */
uint64_t plan_seal(const struct ini *whole);

#endif
