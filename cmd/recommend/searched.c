/* searched.c - what a search has left out, in a recommendation. */
#include <stdio.h>

#include "cmd/recommend/findings.h"
#include "cmd/writers/json.h"
#include "strategies/decide/rank.h"
#include "strategies/search/searched.h"

void recommend_say_searched(const struct findings *f)
{
	const struct searched found = searched_find(f->ranking);
	char open[96] = "";

	if (!found.ruled_out && !found.open)
		return;
	if (found.open)
		snprintf(open, sizeof(open),
		    ", and %zu %s neither: the search did not get to %s",
		    found.open, found.open == 1 ? "was" : "were",
		    found.open == 1 ? "it" : "them");
	recommend_say(f, "searched",
	    "%zu of %zu trials were measured, %zu ruled out by %s%s",
	    found.measured, found.measured + found.ruled_out + found.open,
	    found.ruled_out,
	    found.ruled_out == 1 ? "its forecast" : "forecasts", open);
	if (found.closest)
		recommend_say(f, "closest", "%s: %s",
		    found.closest->trial.strategy,
		    found.closest->trial.message);
	if (f->searched_for_another)
		recommend_say(f, "warning",
		    "the search was for another objective or other "
		    "constraints: what it ruled out may win by these; "
		    "--search all measures it");
}

void recommend_add_searched(const struct findings *f, struct json_doc *doc)
{
	const struct searched found = searched_find(f->ranking);
	struct json_t *at;

	if (!found.ruled_out && !found.open)
		return;
	at = json_add_object(doc, doc->root, "searched");
	json_add_number(doc, at, "measured", (double)found.measured);
	json_add_number(doc, at, "ruled_out", (double)found.ruled_out);
	json_add_number(doc, at, "open", (double)found.open);
	json_add_flag(doc, at, "for_this_request", !f->searched_for_another);
	if (!found.closest)
		return;
	json_add_text(doc, at, "closest", found.closest->trial.strategy);
	json_add_text(doc, at, "closest_why", found.closest->trial.message);
	json_add_number(doc, at, "closest_bound_samples_per_s",
	    found.closest->trial.search.bound_samples_per_s);
}
