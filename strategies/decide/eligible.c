/* eligible.c - see eligible.h. */
#include "strategies/decide/eligible.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/codecs/codec.h"
#include "lib/stores/readable.h"
#include "lib/stores/store.h"
#include "strategies/decide/rank.h"

/* The names of store and codec are those of a report. */
static bool is_taken(const struct stock_reader *reader, const char *store_name,
    const char *codec_name)
{
	const struct store_ops *store = store_find(store_name);
	struct error ignored = ERROR_INIT;
	struct codec codec;

	return store && codec_parse(codec_name, &codec, &ignored) == 0 &&
	       readable_by(reader, store, &codec);
}

/* A report without `portable` and `store` is taken to be readable. */
static bool is_readable(
    const struct candidate *c, const struct stock_reader *reader)
{
	if (candidate_is_unprocessed(c) || (reader && !reader->takes))
		return true;
	if (c->trial.answers.portable == ANSWER_NO)
		return false;
	if (!reader &&
	    (c->trial.answers.portable != ANSWER_UNKNOWN || !*c->trial.store))
		return true;
	return is_taken(reader, c->trial.store, c->trial.codec);
}

static bool has_mode(
    const struct ranking *ranking, enum cache_mode cache, bool even_outgrown)
{
	for (size_t i = 0; i < ranking->count; i++) {
		const struct candidate *c = &ranking->list[i];

		if (c->able && c->readable && !c->fewer &&
		    c->trial.cache == cache &&
		    (even_outgrown || !c->full.outgrows_memory))
			return true;
	}
	return false;
}

/*
 * The page cache is always there, so its mode comes first.  The application's
 * cache counts where no other warm mode was measured.
 */
static enum cache_mode assumed_cache(const struct ranking *ranking)
{
	static const struct {
		enum cache_mode cache;
		bool even_outgrown;
	} modes[] = { { CACHE_SYSTEM, false }, { CACHE_APPLICATION, false },
		{ CACHE_DISK, false }, { CACHE_NONE, true },
		{ CACHE_SYSTEM, true }, { CACHE_APPLICATION, true },
		{ CACHE_DISK, true } };

	for (size_t i = 0; i < ARRAY_LEN(modes); i++)
		if (has_mode(ranking, modes[i].cache, modes[i].even_outgrown))
			return modes[i].cache;
	return CACHE_UNKNOWN;
}

/*
 * Rates of other numbers of samples do not compare: a short epoch is mostly its
 * beginning and end, and its data may stay in memory.  Those with the most
 * samples are ranked.
 */
static void find_fewer(struct ranking *ranking)
{
	double most = 0;

	for (size_t i = 0; i < ranking->count; i++)
		if (ranking->list[i].able)
			most =
			    fmax(most, ranking->list[i].trial.source_samples);
	for (size_t i = 0; i < ranking->count; i++)
		ranking->list[i].fewer =
		    ranking->list[i].trial.source_samples < most;
}

void ranking_find_rivals(struct ranking *ranking, const struct request *request)
{
	find_fewer(ranking);
	for (size_t i = 0; i < ranking->count; i++)
		ranking->list[i].readable =
		    is_readable(&ranking->list[i], request->reader);
	ranking->cache = assumed_cache(ranking);
	for (size_t i = 0; i < ranking->count; i++)
		ranking->list[i].assumed =
		    ranking->list[i].trial.cache == ranking->cache;
}

static const char *why_unranked(
    const struct candidate *c, const struct request *request)
{
	if (c->rank)
		return "";
	if (candidate_is_yours(c))
		return "your loader";
	if (c->trial.search.predicted)
		return "not measured";
	if (!c->able)
		return request_refuses_loss(request, c) ? "lossy" : "left out";
	if (!c->readable)
		return c->trial.answers.portable == ANSWER_NO ||
		               !request->reader
		           ? "presto only"
		           : "for other readers";
	if (!c->assumed)
		return "other cache mode";
	return c->fewer ? "fewer samples" : "misses a constraint";
}

void ranking_say_unranked(
    struct ranking *ranking, const struct request *request)
{
	for (size_t i = 0; i < ranking->count; i++)
		ranking->list[i].unranked =
		    why_unranked(&ranking->list[i], request);
}
