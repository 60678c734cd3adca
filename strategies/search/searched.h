/*
 * searched.h - the trials that a search has left out of a session, counted for
 * its recommendation.
 */
#ifndef STRATEGIES_SEARCH_SEARCHED_H
#define STRATEGIES_SEARCH_SEARCHED_H

#include <stdbool.h>
#include <stddef.h>

struct candidate;
struct ranking;
struct request;

struct searched {        /* numbers of trials */
	size_t measured; /* done */
	size_t ruled_out;
	size_t open; /* neither: the search did not get to them */
	/*
	 * The one ruled out that could be the fastest, of those in the cache
	 * mode that is ranked; NULL: none is.  It is the ranking's.
	 */
	const struct candidate *closest;
};

struct searched searched_find(const struct ranking *ranking);

/* Are strategies that one request rules out ruled out by the other, too? */
bool searched_for(const struct request *a, const struct request *b);

#endif
