/* examples.c - see examples.h. */
#include "lib/pipeline/examples.h"

#include "lib/base/error.h"
#include "lib/files/mapping.h"
#include "lib/pipeline/chain.h"
#include "lib/sample/reader.h"

enum { LOOKED_MORE = 64 }; /* samples for each example, with filters */

struct taking {
	struct examples *examples;
	const struct reader *reader;
	struct chain *chain;
	struct chunk chunk;
	void *unpacker;
	bool skips;
	bool drops;      /* a filter is among the steps */
	unsigned enough; /* examples from the streams so far */
};

void examples_release(struct examples *examples)
{
	for (unsigned i = 0; i < OWN_EXAMPLES; i++)
		sample_release(&examples->samples[i]);
	examples->count = 0;
}

/* Runs the steps on one sample, which may yield several. */
static int run_steps(
    struct taking *taking, const struct sample *in, struct error *err)
{
	struct examples *examples = taking->examples;
	int got;

	if (chain_begin(taking->chain, in, err))
		return -1;
	while (examples->count < OWN_EXAMPLES) {
		struct sample *out = &examples->samples[examples->count];

		got = chain_next(taking->chain, out, err);
		if (got <= 0)
			return got;
		out->key = (struct span){ .len = 0 };
		examples->count++;
	}
	return 0;
}

static int take_sample(
    struct taking *taking, const struct sample *in, struct error *err)
{
	struct examples *examples = taking->examples;
	const unsigned before = examples->count;

	if (run_steps(taking, in, err)) {
		reader_blame(taking->reader, &taking->chunk, in, err);
		if (!taking->skips || err->code != ERROR_DATA)
			return -1;
	}
	if (before == 0 && examples->count > 0)
		reader_where(
		    taking->reader, &taking->chunk, in, examples->where);
	return 0;
}

static bool wants_more(const struct taking *taking, unsigned left)
{
	return left > 0 && taking->examples->count < taking->enough;
}

/* Takes samples of a chunk while some are left to take. */
static int take_chunk(struct taking *taking, unsigned *left, struct error *err)
{
	const struct reader *reader = taking->reader;
	struct sample in = SAMPLE_INIT;
	int got = 1;

	if (reader_unpack(reader, taking->unpacker, &taking->chunk, err))
		return -1;
	while (wants_more(taking, *left) && got > 0) {
		got = reader->ops->next(reader, &taking->chunk, &in, err);
		if (got > 0 && take_sample(taking, &in, err))
			got = -1;
		*left -= got > 0;
	}
	return got < 0 ? -1 : 0;
}

/* Looks at up to `most` samples of a stream of the dataset. */
static int take_stream(
    struct taking *taking, size_t number, unsigned most, struct error *err)
{
	const struct reader *reader = taking->reader;
	const uint64_t losses = mapping_losses();
	void *stream = reader->ops->stream_open(reader, number, err);
	unsigned left = most;
	int got = 1;

	if (!stream)
		return -1;
	while (wants_more(taking, left) && got > 0) {
		chunk_reset(&taking->chunk);
		got = reader->ops->stream_fetch(stream, &taking->chunk, err);
		taking->chunk.stream = number;
		if (got > 0 && take_chunk(taking, &left, err))
			got = -1;
	}
	reader->ops->stream_close(stream);
	return mapping_judge(losses, got < 0 ? -1 : 0, err);
}

static int take_all(struct taking *taking, struct error *err)
{
	const struct reader *reader = taking->reader;
	const size_t streams =
	    reader->streams < OWN_EXAMPLES ? reader->streams : OWN_EXAMPLES;
	const unsigned most =
	    taking->drops ? OWN_EXAMPLES * LOOKED_MORE : OWN_EXAMPLES;

	for (size_t i = 0; i < streams; i++) {
		taking->enough = (unsigned)((i + 1) * OWN_EXAMPLES / streams);
		if (take_stream(taking, i * reader->streams / streams,
		        (unsigned)(most / streams), err))
			return -1;
	}
	if (taking->examples->count > 0)
		return 0;
	if (taking->drops && err->code == ERROR_NONE)
		return error_set(err, ERROR_DATA,
		    "filters dropped all of the first %u samples", most);
	if (err->code == ERROR_DATA) /* the last one that was skipped */
		return error_prefix(
		    err, "none of the first samples could be used; the last");
	return error_set(err, ERROR_DATA, "the dataset has no samples");
}

int examples_take(struct examples *examples, const struct pipeline *pipeline,
    unsigned rep, const struct reader *reader, bool skips, struct error *err)
{
	const struct chain_plan plan = {
		.pipeline = pipeline,
		.from = pipeline->from,
		.to = rep,
		.decode = reader->decode,
	};
	struct taking taking = {
		.examples = examples,
		.reader = reader,
		.chunk = CHUNK_INIT,
		.skips = skips,
		.drops = pipeline_drops(pipeline, plan.from, rep),
	};
	int rc = -1;

	err->code = ERROR_NONE;
	taking.chain = chain_new(&plan, err);
	if (taking.chain &&
	    reader_unpacker_new(reader, &taking.unpacker, err) == 0)
		rc = take_all(&taking, err);
	reader_unpacker_free(reader, taking.unpacker);
	chunk_release(&taking.chunk);
	chain_free(taking.chain);
	return rc;
}
