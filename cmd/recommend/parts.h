/*
 * parts.h - what presto recommend found, and who prints it: text and
 * Markdown in text.c, JSON in json.c.
 */
#ifndef CMD_RECOMMEND_PARTS_H
#define CMD_RECOMMEND_PARTS_H

#include <stdbool.h>

#include "lib/db/results.h"

struct advice;
struct allocation;
struct buf;
struct candidate;
struct error;
struct evidence;
struct grid;
struct json_doc;
struct offload_plan;
struct offload_site;
struct ranking;
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
	const struct grid *rows;               /* of the ranking */
	const struct grid *told; /* "text": warnings while profiling */
	const char *options;     /* that name the session to presto recommend */
	const char *command;     /* that comes next; NULL: none */
	const char *settle;      /* what may settle what is open; NULL: none */
	const struct allocation *allocation; /* NULL: not known */
	const struct offload_plan *offload;  /* NULL: not asked, not known */
	/* Of unprocessed, where that does not win; likewise. */
	const struct offload_plan *offload_unprocessed;
};

/* A line "  NAME   TEXT", or "- NAME: TEXT" in Markdown. */
void recommend_say(const struct findings *f, const char *name,
    const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The lines about money, and about when another strategy would win. */
void recommend_say_cost(const struct findings *f);
void recommend_say_sensitivity(const struct findings *f);

/*
 * What accelerators take, how far the cores go, and whether other machines
 * should help: for people, for programs, and where they come from.
 */
void recommend_say_accelerators(const struct findings *f);
void recommend_add_accelerators(const struct findings *f, struct json_doc *doc);
/* ERROR_GATE: no strategy gives the accelerators what they take. */
int recommend_check_sufficient(const struct findings *f, struct error *err);

/* The label of the winner without options. */
int recommend_default(const struct evidence *evidence,
    char label[RESULTS_LABEL], struct error *err);

/* `cores` NAN or 0: as measured.  False: not known. */
bool recommend_allocate(const struct evidence *evidence,
    const struct candidate *winner, double cores,
    struct allocation *allocation);
void recommend_say_allocation(const struct findings *f);
void recommend_add_allocation(const struct findings *f, struct json_doc *doc);

bool recommend_offload(const struct evidence *evidence,
    const struct candidate *winner, const struct offload_site *site,
    struct offload_plan *plan);
void recommend_say_offload(const struct findings *f);
void recommend_add_offload(const struct findings *f, struct json_doc *doc);

/* Prints the command that writes the strategy, a label, as it was measured. */
int recommend_next(struct buf *out, const struct evidence *evidence,
    const char *strategy, struct error *err);

int recommend_text(const struct findings *f, struct error *err);
int recommend_json(const struct findings *f, struct error *err);

#endif
