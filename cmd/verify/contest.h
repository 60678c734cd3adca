/*
 * contest.h - the settings under which a plan is measured against its
 * runners-up: their strategies and loads as lists, and as many samples as the
 * budget allows.
 */
#ifndef CMD_VERIFY_CONTEST_H
#define CMD_VERIFY_CONTEST_H

#include <stddef.h>
#include <stdint.h>

#include "api/project.h"
#include "lib/base/bytes.h"
#include "strategies/planfile/plan_file.h"

struct error;
struct strategies;

enum { CONTEST_LISTS = 10, CONTEST_SETTINGS = 20 };

struct contest {
	/* The strategies; texts are the plan's. */
	const char *labels[PLAN_FILE_RIVALS + 1];
	size_t count;
	/* Settings for project_read_ini; the lists are owned. */
	struct override overrides[CONTEST_SETTINGS];
	struct buf lists[CONTEST_LISTS];
	char budget[32], samples[32];
};

/*
 * Makes the settings for the plan of a loaded project.  `samples` 0: as many as
 * were profiled, or fewer for the budget.
 */
int contest_make(struct contest *contest, const struct project *project,
    double budget_s, uint64_t samples, struct error *err);
/*
 * Leaves out runners-up that are no strategies here, such as those of another
 * order of the steps that stores the same as one that is measured.  Their
 * labels are then behind the `count` others: returns how many.
 */
size_t contest_leave_unknown(
    struct contest *contest, const struct strategies *strategies);
void contest_release(struct contest *contest);

#endif
