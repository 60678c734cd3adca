/* recommend.h - prints the best strategy, and why; profile ends with it. */
#ifndef CMD_RECOMMEND_RECOMMEND_H
#define CMD_RECOMMEND_RECOMMEND_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "cmd/writers/format.h"
#include "lib/db/results.h"

struct error;
struct session_data;
struct grid;
struct offload_site;
struct request;
struct ranking;

/* Prints the recommendation without the ranking.  ERROR_GATE: there is none. */
int recommend_print(
    struct results *results, int64_t session, FILE *out, struct error *err);

struct recommend_choice {
	char label[RESULTS_LABEL];
	unsigned shards; /* that it was measured with, of several; 0: of one */
	bool is_settled; /* one that is twice as good can be ruled out */
};

/*
 * The strategy that is recommended without options.  ERROR_GATE: there is none.
 */
int recommend_winner(struct results *results, int64_t session,
    struct recommend_choice *choice, struct error *err);

struct recommend_page {
	enum format format;
	/*
	 * It is all that is printed: FORMAT_HTML is a page of its own, with the
	 * ranking, and an answer that noise leaves open is an error.
	 */
	bool alone;
	uint64_t top;  /* rows of the ranking; 0: 10 for people, else all */
	bool pareto;   /* rank only the Pareto front */
	bool brief;    /* text without the ranking */
	bool warnings; /* print those of the session, not only their number */
	double cores;  /* to allocate; NAN or 0: as measured */
	const struct offload_site *site; /* borrowed; NULL: none */
	FILE *out;
};

/* Fills the rows of the ranking that the page shows, best first. */
int recommend_grid(const struct ranking *ranking,
    const struct recommend_page *page, struct grid *grid, struct error *err);

/*
 * Ranks the trials by the request and prints the recommendation.
 * ERROR_INCONCLUSIVE, behind what is printed: a candidate that is twice as good
 * cannot be ruled out.
 */
int recommend_session(const struct session_data *data,
    const struct request *request, const struct recommend_page *page,
    struct error *err);

#endif
