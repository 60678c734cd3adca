/*
 * measuring.h - measures strategies of a project in a session, with progress on
 * the terminal.  presto profile does that, and so does every other command that
 * needs a session.
 *
 * The caller opens the project, enumerates the strategies and takes the
 * inventory.  measuring_run tries pilot samples, leaves out what they show to
 * be impossible, and hands the complete plan to `run`: that calls
 * measuring_session, or prints a forecast.
 */
#ifndef CMD_PROJECT_MEASURING_H
#define CMD_PROJECT_MEASURING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct error;
struct meet;
struct project;
struct request;
struct results;
struct search_ops;
struct session_plan;
struct strategies;

struct measuring { /* all borrowed */
	struct project *project;
	struct strategies *strategies;
	const char *name;     /* the pipeline's, in reports */
	const char *work_dir; /* a session makes a folder in it */
	const char *skipped;  /* file that lists samples left out; or NULL */
	uint64_t max_disk;    /* bytes; 0: limited by free space only */
	bool keep, resume;    /* as in struct session_plan, like the next two */
	const struct search_ops *search;
	const struct request *request;
	bool dry_run; /* `run` measures nothing */
	const atomic_bool *stop;
	/* The database that --resume continues a session of; NULL: none. */
	const char *db;
	const struct meet *meet; /* other processes; NULL: none */
	int (*run)(
	    void *arg, const struct session_plan *plan, struct error *err);
	void *arg;
};

int measuring_run(const struct measuring *measuring, struct error *err);

/* As session_run, for a session that nobody resumes. */
int measuring_once(const struct session_plan *plan, struct results *results,
    int64_t *session, struct error *err);
/* The same for one that --resume continues; a warning says so. */
int measuring_session(const struct session_plan *plan, struct results *results,
    int64_t *session, struct error *err);

#endif
