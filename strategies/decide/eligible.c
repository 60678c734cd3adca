/* eligible.c - see eligible.h. */
#include "strategies/decide/eligible.h"

#include <stdbool.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/codecs/codec.h"
#include "lib/stores/readable.h"
#include "lib/stores/store.h"
#include "strategies/decide/rank.h"

/* By its store and codec, as a report names them. */
static bool is_taken(const struct stock_reader *reader, const char *store_name,
    const char *codec_name)
{
	const struct store_ops *store = store_find(store_name);
	struct error ignored = ERROR_INIT;
	struct codec codec;

	return store && codec_parse(codec_name, &codec, &ignored) == 0 &&
	       readable_by(reader, store, &codec);
}

/* A report that does not say what it stores does not say that it is odd. */
static bool is_readable(
    const struct candidate *c, const struct stock_reader *reader)
{
	if (candidate_is_unprocessed(c) || (reader && !reader->takes))
		return true;
	if (strcmp(c->portable, "no") == 0)
		return false;
	if (!reader && (*c->portable || !*c->store))
		return true;
	return is_taken(reader, c->store, c->codec);
}

static bool has_mode(
    const struct ranking *ranking, const char *cache, bool even_outgrown)
{
	for (size_t i = 0; i < ranking->count; i++) {
		const struct candidate *c = &ranking->list[i];

		if (c->able && c->readable && strcmp(c->cache, cache) == 0 &&
		    (even_outgrown || !c->outgrows_memory))
			return true;
	}
	return false;
}

/*
 * The page cache keeps what fits, whether asked to or not.  The application's
 * is for those who measure nothing else that is warm.
 */
static const char *assumed_cache(const struct ranking *ranking)
{
	static const struct {
		const char *cache;
		bool even_outgrown;
	} modes[] = { { "system", false }, { "application", false },
		{ "none", true }, { "system", true }, { "application", true } };

	for (size_t i = 0; i < ARRAY_LEN(modes); i++)
		if (has_mode(ranking, modes[i].cache, modes[i].even_outgrown))
			return modes[i].cache;
	/* Of a report that names none. */
	return ranking->count ? ranking->list[0].cache : "";
}

void ranking_find_rivals(struct ranking *ranking, const struct request *request)
{
	for (size_t i = 0; i < ranking->count; i++)
		ranking->list[i].readable =
		    is_readable(&ranking->list[i], request->reader);
	ranking->cache = assumed_cache(ranking);
	for (size_t i = 0; i < ranking->count; i++)
		ranking->list[i].assumed =
		    strcmp(ranking->list[i].cache, ranking->cache) == 0;
}

static const char *why_unranked(
    const struct candidate *c, const struct request *request)
{
	if (c->rank)
		return "";
	if (!c->able)
		return c->lossy && !request->lossy ? "lossy" : "left out";
	if (!c->readable)
		return strcmp(c->portable, "no") == 0 || !request->reader
		           ? "presto only"
		           : "for other readers";
	return c->assumed ? "misses a constraint" : "other cache mode";
}

void ranking_say_unranked(
    struct ranking *ranking, const struct request *request)
{
	for (size_t i = 0; i < ranking->count; i++)
		ranking->list[i].unranked =
		    why_unranked(&ranking->list[i], request);
}
