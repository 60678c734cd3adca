/*
 * recommend.h - which strategy to use, and why; profile ends with it.
 */
#ifndef CMD_RECOMMEND_RECOMMEND_H
#define CMD_RECOMMEND_RECOMMEND_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "cmd/writers/format.h"
#include "lib/db/results.h"

struct error;
struct evidence;
struct grid;
struct offload_site;
struct request;
struct ranking;

/*
 * The text that `presto recommend` prints, without the ranking, set apart from
 * the table before it.  ERROR_GATE when there is nothing to recommend.
 */
int recommend_print(
    struct results *results, int64_t session, FILE *out, struct error *err);

/*
 * The strategy that `presto recommend` names without options, of a session:
 * its label.  ERROR_GATE when there is none.
 */
int recommend_winner(struct results *results, int64_t session,
    char label[RESULTS_LABEL], struct error *err);

struct recommend_page {
	enum format format;
	bool
	    alone; /* FORMAT_HTML: it is no part of a report: add the ranking */
	uint64_t top;  /* rows of the ranking; 0: 10 for people, else all */
	bool pareto;   /* of the ranking only what is on the front */
	bool brief;    /* text without the ranking */
	bool warnings; /* of the session, and not only their number */
	double cores;  /* to allocate; NAN or 0: as measured */
	const struct offload_site *site; /* borrowed; NULL: none */
	FILE *out;
};

/* The ranking, as far as the page shows it: a row a trial, best first. */
int recommend_grid(const struct ranking *ranking,
    const struct recommend_page *page, struct grid *grid, struct error *err);

/* Ranks the trials by the request and prints the recommendation. */
int recommend_evidence(const struct evidence *evidence,
    const struct request *request, const struct recommend_page *page,
    struct error *err);

#endif
