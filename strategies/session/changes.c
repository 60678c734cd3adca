/* changes.c - see changes.h. */
#include "strategies/session/changes.h"

#include "lib/base/error.h"
#include "lib/base/stop.h"
#include "lib/codecs/transform.h"
#include "lib/measure/system.h"
#include "lib/pipeline/chain.h"
#include "lib/sample/difference.h"

enum { SAMPLES_MOST = 24 };

struct changes {
	const struct session_plan *plan;
	/* The order given; the strategy in front of its split, and behind. */
	struct chain *given, *offline, *online;
	bool is_online; /* `online` has begun a sample */
	struct sample wanted, stored, is;
	struct difference fields[FIELDS_MAX];
	bool is_unlike;
	struct chunk chunk;
	void *unpacker;
};

/* Makes the next sample of the strategy: 1; 0: there is none. */
static int next_of_strategy(struct changes *changes, struct error *err)
{
	for (;;) {
		int got = 0;

		if (changes->is_online)
			got = chain_next(changes->online, &changes->is, err);
		if (got)
			return got;
		changes->is_online = false;
		got = chain_next(changes->offline, &changes->stored, err);
		if (got <= 0)
			return got;
		if (chain_begin(changes->online, &changes->stored, err))
			return -1;
		changes->is_online = true;
	}
}

static void compare(struct changes *changes)
{
	const struct sample *a = &changes->wanted, *b = &changes->is;

	changes->is_unlike |= a->count != b->count;
	for (unsigned f = 0; !changes->is_unlike && f < a->count; f++)
		changes->is_unlike |= difference_add(&changes->fields[f],
		                          &a->fields[f], &b->fields[f]) != 0;
}

/* Compares all that comes of a sample of the source. */
static int add_sample(
    struct changes *changes, const struct sample *in, struct error *err)
{
	int wanted, is;

	changes->is_online = false;
	if (chain_begin(changes->given, in, err) ||
	    chain_begin(changes->offline, in, err))
		return -1;
	for (;;) {
		wanted = chain_next(changes->given, &changes->wanted, err);
		is = wanted < 0 ? wanted : next_of_strategy(changes, err);
		if (wanted < 0 || is < 0)
			return -1;
		if (wanted != is)
			changes->is_unlike = true;
		if (!wanted || !is)
			return 0;
		compare(changes);
	}
}

/* Takes up to `most` samples from the first chunk of a stream. */
static int add_chunk(struct changes *changes, unsigned most, struct error *err)
{
	const struct reader *source = changes->plan->source;
	struct sample in = SAMPLE_INIT;
	int got = 1;

	if (reader_unpack(source, changes->unpacker, &changes->chunk, err))
		return -1;
	for (unsigned i = 0; i < most && got > 0; i++) {
		struct error refused = ERROR_INIT;

		got = source->ops->next(source, &changes->chunk, &in, err);
		if (got > 0 && stop_check(changes->plan->stop, err))
			return -1;
		/* Whoever delivers all samples says which are refused. */
		if (got > 0 && add_sample(changes, &in, &refused) &&
		    refused.code != ERROR_DATA) {
			*err = refused;
			return -1;
		}
	}
	return got < 0 ? -1 : 0;
}

static int add_stream(
    struct changes *changes, size_t number, unsigned most, struct error *err)
{
	const struct reader *source = changes->plan->source;
	const uint64_t losses = mapping_losses();
	void *stream = source->ops->stream_open(source, number, err);
	int got;

	if (!stream)
		return -1;
	chunk_reset(&changes->chunk);
	got = source->ops->stream_fetch(stream, &changes->chunk, err);
	changes->chunk.stream = number;
	if (got > 0 && add_chunk(changes, most, err))
		got = -1;
	source->ops->stream_close(stream);
	return mapping_judge(losses, got < 0 ? -1 : 0, err);
}

static int add_all(struct changes *changes, struct error *err)
{
	const size_t all = changes->plan->source->streams;
	const size_t streams = all < SAMPLES_MOST ? all : SAMPLES_MOST;
	int rc = 0;

	medium_set_warm(changes->plan->medium, true);
	for (size_t i = 0; rc == 0 && i < streams; i++)
		rc = add_stream(changes, i * all / streams,
		    (unsigned)(SAMPLES_MOST / streams), err);
	medium_set_warm(changes->plan->medium, false);
	return rc;
}

static int open_chains(
    struct changes *changes, const struct strategy *strategy, struct error *err)
{
	const struct session_plan *plan = changes->plan;
	const struct pipeline *own =
	    strategy_pipeline(strategy, plan->pipeline);
	const struct codec *codec =
	    strategy->codec.transform ? &strategy->codec : NULL;
	const struct chain_plan given = {
		.pipeline = plan->pipeline,
		.to = plan->pipeline->count,
		.decode = plan->source->decode,
	};
	const struct chain_plan offline = {
		.pipeline = own,
		.to = strategy->split,
		.decode = plan->source->decode,
		.encode = codec,
	};
	const struct chain_plan online = {
		.pipeline = own,
		.from = strategy->split,
		.to = own->count,
		.decode = codec,
	};
	const uint64_t seed = plan->plan->measure.seed;

	changes->given = chain_new(&given, err);
	changes->offline = changes->given ? chain_new(&offline, err) : NULL;
	changes->online = changes->offline ? chain_new(&online, err) : NULL;
	if (!changes->online)
		return -1;
	chain_set_draw(changes->given, seed, 0);
	chain_set_draw(changes->offline, seed, 0);
	chain_set_draw(changes->online, seed, 0);
	return reader_unpacker_new(plan->source, &changes->unpacker, err);
}

static void close_chains(struct changes *changes)
{
	chain_free(changes->given);
	chain_free(changes->offline);
	chain_free(changes->online);
	reader_unpacker_free(changes->plan->source, changes->unpacker);
	chunk_release(&changes->chunk);
	sample_release(&changes->wanted);
	sample_release(&changes->stored);
	sample_release(&changes->is);
}

/* Keeps the field with the lowest PSNR. */
static void keep(const struct changes *changes, struct preparation_row *row)
{
	for (unsigned f = 0; !changes->is_unlike && f < FIELDS_MAX; f++) {
		const struct difference *field = &changes->fields[f];
		const double psnr_db = difference_psnr_db(field);

		if (!field->count ||
		    (row->has_difference && psnr_db >= row->psnr_db))
			continue;
		row->has_difference = true;
		row->difference_largest = field->largest;
		row->difference_mean = difference_mean(field);
		row->psnr_db = psnr_db;
	}
}

int changes_measure(const struct session_plan *plan,
    const struct strategy *strategy, struct preparation_row *row,
    struct error *err)
{
	struct changes changes = {
		.plan = plan,
		.wanted = SAMPLE_INIT,
		.stored = SAMPLE_INIT,
		.is = SAMPLE_INIT,
		.chunk = CHUNK_INIT,
	};
	int rc = open_chains(&changes, strategy, err);

	if (rc == 0)
		rc = add_all(&changes, err);
	if (rc == 0)
		keep(&changes, row);
	close_chains(&changes);
	return rc;
}
