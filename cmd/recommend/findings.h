/* findings.h - the findings of presto recommend, and printing them. */
#ifndef CMD_RECOMMEND_FINDINGS_H
#define CMD_RECOMMEND_FINDINGS_H

#include <stdbool.h>

#include "lib/db/results.h"

struct advice;
struct allocation;
struct buf;
struct candidate;
struct error;
struct figures;
struct session_data;
struct grid;
struct json_doc;
struct offload_plan;
struct offload_site;
struct ranking;
struct recommend_choice;
struct recommend_page;
struct request;
struct sensitivity;

/* All borrowed. */
struct findings {
	const struct recommend_page *page;
	const struct ranking *ranking;
	const struct advice *advice;
	const struct request *request;
	const struct sensitivity *sensitivity; /* NULL: not asked for */
	const struct grid *rows;               /* the ranking as a table */
	const struct grid *told; /* "text": warnings of profiling */
	const char *options;     /* name the session to presto recommend */
	const char *command;     /* to run next; NULL: none */
	/* The session was searched for the best by another request. */
	bool searched_for_another;
	const char *settle; /* command that may settle the winner; or NULL */
	const struct allocation *allocation; /* NULL: not known */
	const struct offload_plan *offload;  /* NULL: not asked, not known */
	/* The same for unprocessed, where it does not win. */
	const struct offload_plan *offload_unprocessed;
};

/* Prints a line "  NAME   TEXT", or "- NAME: TEXT" in Markdown. */
void recommend_say(const struct findings *f, const char *name,
    const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Print the lines about costs, and about when another strategy would win. */
void recommend_say_cost(const struct findings *f);
void recommend_say_sensitivity(const struct findings *f);

/* `say` prints lines for people, `add` adds an object for programs. */
void recommend_say_accelerators(const struct findings *f);
void recommend_add_accelerators(const struct findings *f, struct json_doc *doc);
/* ERROR_GATE: no strategy is fast enough for the accelerators. */
int recommend_check_sufficient(const struct findings *f, struct error *err);

/* Tell what a search has left out, where it has. */
void recommend_say_searched(const struct findings *f);
void recommend_add_searched(const struct findings *f, struct json_doc *doc);

/* The winner of a request without options. */
int recommend_default(const struct session_data *data,
    struct recommend_choice *choice, struct error *err);

/* `cores` NAN or 0: as measured.  False: the CPU time is not known. */
bool recommend_allocate(const struct session_data *data,
    const struct candidate *winner, double cores,
    struct allocation *allocation);
void recommend_say_allocation(const struct findings *f);
void recommend_add_allocation(const struct findings *f, struct json_doc *doc);

bool recommend_offload(const struct session_data *data,
    const struct candidate *winner, const struct offload_site *site,
    struct offload_plan *plan);
void recommend_say_offload(const struct findings *f);
void recommend_add_offload(const struct findings *f, struct json_doc *doc);

/* The shards that it was measured with, of several numbers; 0: of one. */
unsigned recommend_shards(const struct figures *trial);
/* Prints the command that materializes a strategy as it was measured. */
int recommend_next(struct buf *out, const struct session_data *data,
    const struct figures *trial, struct error *err);

int recommend_text(const struct findings *f, struct error *err);
int recommend_json(const struct findings *f, struct error *err);

#endif
