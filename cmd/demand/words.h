/* words.h - what presto demand says of a job, and the file that it writes. */
#ifndef CMD_DEMAND_WORDS_H
#define CMD_DEMAND_WORDS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "lib/process/process_tree.h"
#include "strategies/whatif/demand.h"

struct error;
struct job_end;

struct finding {
	bool is_exact;        /* from its loaders; else only the bounds */
	struct demand demand; /* if it is exact */
	struct process_tree_figures processes;
	uint64_t samples; /* option --samples; 0: not given, without bounds */
	struct demand_bounds bounds;
};

/* Says on stderr what was found. */
void finding_say(const struct finding *finding);
/* Says how the job ended: 0, or the error that presto ends with. */
int job_end_say(const struct job_end *end, struct error *err);
/* Is there a demand to write? */
bool finding_has_demand(const struct finding *finding);
/* Prints the file of accelerators: an output_print of a struct finding. */
int finding_print(const void *arg, FILE *out, struct error *err);

#endif
