/* plan.h - presto recommend --plan: writes the winner as a plan. */
#ifndef CMD_RECOMMEND_PLAN_H
#define CMD_RECOMMEND_PLAN_H

struct error;
struct request;
struct session_data;

/* The sources of a plan; all borrowed. */
struct plan_order {
	const char *path; /* the plan's; "-": stdout */
	const char *db;   /* the result database */
	const struct session_data *data;
	const struct request *request; /* as asked for */
};

/*
 * ERROR_USAGE if no plan can be written there: it is a folder, its folder is
 * missing, or it is a file that is no plan.
 */
int recommend_plan_check(const char *path, struct error *err);

/*
 * Writes the plan, as a whole or not at all.  ERROR_USAGE: the session did not
 * keep its pipeline file.
 */
int recommend_plan_write(const struct plan_order *order, struct error *err);

#endif
