/*
 * cache_list.h - the list `cache` of section [load]: cache modes, and for the
 * application cache the representation that it keeps: "none, system,
 * application:resized".
 */
#ifndef STRATEGIES_PLAN_CACHE_LIST_H
#define STRATEGIES_PLAN_CACHE_LIST_H

struct error;
struct pipeline;
struct plan;
struct plan_load;

/* Adds a word, unless it is there. */
int cache_list_add(struct plan_load *load, const char *word, struct error *err);
/*
 * Looks up the representations of the plan's list, once the pipeline is bound.
 * One that is not known, or not the same in each epoch, is ERROR_USAGE.  Behind
 * a random step it may be the same in another order, where the plan has others;
 * what each order keeps then says strategies/forecast/cache_place.h.
 */
int cache_list_find_places(
    struct plan *plan, const struct pipeline *pipeline, struct error *err);

#endif
