/*
 * job.h - runs the command of presto demand, and looks at its processes.
 *
 * The job has presto's standard streams, folder and process group, so that
 * Ctrl-C reaches it as without presto.  A signal that was sent to presto alone
 * is passed on to all processes of the job.  presto then waits for their end;
 * after a second signal it sends SIGTERM, and after a third SIGKILL.  The same
 * happens at the end of the budget: SIGINT, SIGTERM 10 s later, SIGKILL.
 */
#ifndef CMD_DEMAND_JOB_H
#define CMD_DEMAND_JOB_H

#include <stdbool.h>

struct error;
struct process_tree;

struct job_end {
	int status; /* as waitpid(2) gives it */
	double seconds;
	bool was_interrupted;
	bool was_over_budget;
};

/*
 * Runs argv (NULL behind the last) to its end; `budget_s` 0: without a limit.
 * Sets *tree, which the caller releases, also after an error.  ERROR_USAGE: the
 * program cannot be run.
 */
int job_run(char *const *argv, double budget_s, struct process_tree *tree,
    struct job_end *end, struct error *err);

#endif
