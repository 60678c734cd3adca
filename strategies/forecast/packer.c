/*
 * packer.c - see packer.h.
 *
 * Records of the first samples are collected in blocks of a few megabytes, and
 * compressed at the end. The blocks give the ratio; the sizes of all samples
 * say what it is applied to. Codecs without a transform share one block a
 * store. A codec with a transform has its own block, of transformed samples.
 */
#include "strategies/forecast/packer.h"

#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/codecs/transform.h"
#include "lib/pipeline/chain.h"
#include "lib/stores/store.h"

enum {
	REPS = PIPELINE_STEPS + 1,
	FORMS = 1 + PLAN_LIST,      /* untransformed, and one form a codec */
	PACK_BYTES = 2 << 20,       /* the most of a block to compress */
	PACK_BYTES_OWN = 512 << 10, /* the most of a codec's own block */
};

/* A codec that saves no larger fraction of a block is taken to save nothing. */
static const double vain_fraction = 0.03;

struct block {
	struct buf records; /* the first samples, to be compressed */
	double bytes;       /* size of all samples */
	unsigned samples;
};

/* A codec's transform, bound to one representation. */
struct transformed {
	struct chain *encode, *decode;
	double encode_s, decode_s; /* time of all `samples` */
	unsigned samples;
};

struct packer {
	const struct plan *plan;
	const struct pipeline *pipeline;
	bool timed;
	struct transformed transformed[REPS][PLAN_LIST];
	struct block blocks[REPS][PLAN_LIST][FORMS];
	struct sample encoded, decoded;
};

static double seconds_since(uint64_t start_ns)
{
	return (double)(clock_now(&clock_thread_cpu) - start_ns) / 1e9;
}

/* Returns the number of the block that a codec compresses. */
static unsigned form_of(const struct plan *plan, unsigned codec)
{
	return plan->strategies.codecs[codec].transform ? 1 + codec : 0;
}

/* Opens the chains of a codec that transforms the representation. */
static int open_codec(
    struct packer *packer, unsigned rep, unsigned codec, struct error *err)
{
	const struct codec *c = &packer->plan->strategies.codecs[codec];
	struct transformed *t = &packer->transformed[rep][codec];
	const struct chain_plan encode = {
		.pipeline = packer->pipeline,
		.from = rep,
		.to = rep,
		.encode = c,
	};
	const struct chain_plan decode = {
		.pipeline = packer->pipeline,
		.from = rep,
		.to = rep,
		.decode = c,
	};
	struct schema stored;
	struct error ignored;

	if (!c->transform ||
	    !plan_wants_codec(
	        packer->plan, codec, &packer->pipeline->schemas[rep]) ||
	    codec_stored_schema(
	        c, &packer->pipeline->schemas[rep], &stored, &ignored))
		return 0;
	t->encode = chain_new(&encode, err);
	t->decode = t->encode ? chain_new(&decode, err) : NULL;
	return t->decode ? 0 : -1;
}

struct packer *packer_new(const struct plan *plan,
    const struct pipeline *pipeline, bool timed, struct error *err)
{
	struct packer *packer = memory_zeroed(sizeof(*packer), err);
	const unsigned last = pipeline_last_split(pipeline);

	if (!packer)
		return NULL;
	packer->plan = plan;
	packer->pipeline = pipeline;
	packer->timed = timed;
	for (unsigned r = 0; r <= last; r++)
		for (unsigned c = 0; c < plan->strategies.codec_count; c++)
			if (open_codec(packer, r, c, err)) {
				packer_free(packer);
				return NULL;
			}
	return packer;
}

void packer_free(struct packer *packer)
{
	if (!packer)
		return;
	for (unsigned r = 0; r < REPS; r++)
		for (unsigned i = 0; i < PLAN_LIST; i++) {
			chain_free(packer->transformed[r][i].encode);
			chain_free(packer->transformed[r][i].decode);
			for (unsigned f = 0; f < FORMS; f++)
				buf_release(&packer->blocks[r][i][f].records);
		}
	sample_release(&packer->encoded);
	sample_release(&packer->decoded);
	free(packer);
}

/* Appends the sample to `records`: as a record, or as bytes of its files. */
static int append(const struct store_form *form, const struct sample *sample,
    struct buf *records, struct error *err)
{
	if (form->ops->append)
		return form->ops->append(&form->schema, sample, records, err);
	for (unsigned i = 0; i < sample->count; i++)
		if (buf_append(records, sample->fields[i].data,
		        sample->fields[i].bytes, err))
			return -1;
	return 0;
}

/* Adds a sample of `form` to the block of each store that takes it. */
static int collect(struct packer *packer, unsigned rep, unsigned form,
    const struct sample *sample, struct error *err)
{
	const struct plan *plan = packer->plan;
	const struct codec none = { .ops = &codec_none };
	const struct codec *codec =
	    form ? &plan->strategies.codecs[form - 1] : &none;
	const size_t most = form ? PACK_BYTES_OWN : PACK_BYTES;

	for (unsigned s = 0; s < plan->strategies.store_count; s++) {
		struct block *block = &packer->blocks[rep][s][form];
		const size_t before = block->records.len;
		struct store_form f;
		struct error ignored;

		if (store_form_init(&f, plan->strategies.stores[s], codec,
		        &packer->pipeline->schemas[rep], &ignored))
			continue;
		if (append(&f, sample, &block->records, err))
			return -1;
		block->samples++;
		block->bytes += (double)(block->records.len - before);
		if (before >= most)
			block->records.len = before;
	}
	return 0;
}

/* Runs a sample through the transform and back. */
static int transform(struct packer *packer, struct transformed *t,
    const struct sample *sample, struct error *err)
{
	uint64_t start = clock_now(&clock_thread_cpu);

	if (chain_run(t->encode, sample, &packer->encoded, err))
		return -1;
	t->encode_s += seconds_since(start);
	packer->encoded.key = sample->key;
	t->samples++;
	if (!packer->timed)
		return 0;
	start = clock_now(&clock_thread_cpu);
	if (chain_run(t->decode, &packer->encoded, &packer->decoded, err))
		return -1;
	t->decode_s += seconds_since(start);
	return 0;
}

int packer_add(struct packer *packer, unsigned rep, const struct sample *sample,
    struct error *err)
{
	if (collect(packer, rep, 0, sample, err))
		return -1;
	for (unsigned c = 0; c < packer->plan->strategies.codec_count; c++) {
		struct transformed *t = &packer->transformed[rep][c];

		if (t->encode &&
		    (transform(packer, t, sample, err) ||
		        collect(packer, rep, 1 + c, &packer->encoded, err)))
			return -1;
	}
	return 0;
}

/*
 * Decompresses a frame twice and takes the faster time: the first time, the
 * memory for the block is new.
 */
static int time_decode(const struct codec *codec, void *state,
    const struct buf *frame, size_t len, struct packing *packing,
    struct error *err)
{
	struct buf back = BUF_INIT;
	int rc = 0;

	for (int i = 0; rc == 0 && i < 2; i++) {
		const uint64_t start = clock_now(&clock_thread_cpu);
		double seconds;

		back.len = 0;
		rc =
		    codec->ops->decode(state, buf_span(frame), len, &back, err);
		seconds = seconds_since(start);
		if (i == 0 || seconds < packing->decode_s)
			packing->decode_s = seconds;
	}
	buf_release(&back);
	return rc;
}

/*
 * Compresses the block. A codec may give up on blocks after one that did not
 * shrink, so such a block is compressed once more, and the second time counts.
 */
static int encode(const struct codec *codec, void *state, struct span block,
    struct buf *frame, struct packing *packing, struct error *err)
{
	do {
		const uint64_t start = clock_now(&clock_thread_cpu);
		const bool again = frame->len > 0;

		frame->len = 0;
		if (codec->ops->encode(state, block, frame, err))
			return -1;
		packing->encode_s = seconds_since(start);
		packing->bytes = (double)frame->len;
		if (again)
			break;
	} while (packing->bytes > (1 - vain_fraction) * (double)block.len);
	return 0;
}

/* Compresses and decompresses one block with one codec. */
static int compress(const struct packer *packer, const struct codec *codec,
    struct span block, struct packing *packing, struct error *err)
{
	struct buf frame = BUF_INIT;
	void *state = NULL;
	int rc = -1;

	if (codec->ops->state_new) {
		state = codec->ops->state_new(codec->level, err);
		if (!state)
			return -1;
	}
	if (encode(codec, state, block, &frame, packing, err))
		goto done;
	if (packer->timed &&
	    time_decode(codec, state, &frame, block.len, packing, err))
		goto done;
	rc = 0;
done:
	if (codec->ops->state_free)
		codec->ops->state_free(state);
	buf_release(&frame);
	return rc;
}

int packer_try(struct packer *packer, unsigned rep, unsigned store,
    unsigned codec, double more, struct packing *packing, struct error *err)
{
	const struct codec *c = &packer->plan->strategies.codecs[codec];
	const struct transformed *t = &packer->transformed[rep][codec];
	const struct block *block =
	    &packer->blocks[rep][store][form_of(packer->plan, codec)];

	double fraction; /* mean sample over the block's records */

	*packing = (struct packing){ .bytes = (double)block->records.len };
	if (block->samples == 0 || !plan_wants_codec(packer->plan, codec,
	                               &packer->pipeline->schemas[rep]))
		return 0;
	if (c->ops->encode &&
	    compress(packer, c, buf_span(&block->records), packing, err))
		return -1;
	fraction = block->records.len > 0
	               ? (block->bytes / block->samples + more) /
	                     (double)block->records.len
	               : 0;
	packing->bytes *= fraction;
	packing->encode_s *= fraction;
	packing->decode_s *= fraction;
	if (t->samples) {
		packing->encode_s += t->encode_s / t->samples;
		packing->decode_s += t->decode_s / t->samples;
	}
	return 0;
}
