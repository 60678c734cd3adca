/*
 * packer.c - see packer.h.
 *
 * A piece of each record is collected in a block of a few megabytes, which is
 * compressed at the end in frames like those of a shard. The pieces of many
 * samples give the ratio; the sizes of all samples say what it is applied to.
 * Codecs without a transform share one block a store. A codec with a transform
 * has its own block, of transformed samples.
 */
#include "strategies/forecast/packer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/codecs/transform.h"
#include "lib/pipeline/chain.h"
#include "lib/stores/store.h"

enum {
	REPS = PIPELINE_STEPS + 1,
	FORMS = 1 + PLAN_LIST,    /* untransformed, and one form a codec */
	PACK_BYTES = 4 << 20,     /* the most of a block to compress */
	PACK_BYTES_OWN = 2 << 20, /* the most of a codec's own block */
	/* Much more than the window of deflate, which begins empty. */
	PIECE_BYTES = 192 << 10, /* the most of a record */
	LARGE_PIECES = 3,        /* pieces of a record that fills frames */
};

/* A codec that saves no larger fraction of a block is taken to save nothing. */
static const double vain_fraction = 0.03;

/* A piece of a record that stands for `weight` times its bytes. */
struct piece {
	size_t end; /* its end in the buffer */
	double weight;
};

struct block {
	struct buf records; /* pieces of records, to be compressed */
	struct buf pieces;  /* struct piece */
	/* The same of records that fill frames by themselves. */
	struct buf large, large_pieces;
	double usual; /* size of all other records */
	double bytes; /* size of all samples */
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
	double limit_s; /* of a codec, for a block */
	struct transformed transformed[REPS][PLAN_LIST];
	struct block blocks[REPS][PLAN_LIST][FORMS];
	struct sample encoded, decoded;
};

/* Slow codecs pack a few megabytes a second; there may be dozens of blocks. */
static const double usual_limit_s = 0.5;

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
	packer->limit_s = usual_limit_s;
	for (unsigned r = 0; r <= last; r++)
		for (unsigned c = 0; c < plan->strategies.codec_count; c++)
			if (open_codec(packer, r, c, err)) {
				packer_free(packer);
				return NULL;
			}
	return packer;
}

void packer_limit(struct packer *packer, double seconds)
{
	packer->limit_s = seconds;
}

static void release_block(struct block *block)
{
	buf_release(&block->records);
	buf_release(&block->pieces);
	buf_release(&block->large);
	buf_release(&block->large_pieces);
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
				release_block(&packer->blocks[r][i][f]);
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

/*
 * Where a piece of a longer record begins: at another height of each, since the
 * upper parts of photographs are skies.
 */
static size_t place_of_piece(size_t len, unsigned number)
{
	/* the golden ratio spreads places evenly, however many there are */
	static const double golden = 0.6180339887498949;
	const double turns = golden * number;

	return (size_t)((turns - floor(turns)) * (double)(len - PIECE_BYTES));
}

static int add_piece(
    struct buf *pieces, size_t end, double weight, struct error *err)
{
	const struct piece piece = { end, weight };

	return buf_append(pieces, &piece, sizeof(piece), err);
}

/* A record as large as a frame is compressed by itself. */
static int keep_large(
    struct block *block, size_t before, size_t most, struct error *err)
{
	const struct span record = { block->records.data + before,
		block->records.len - before };
	const double weight = (double)record.len / (LARGE_PIECES * PIECE_BYTES);

	block->records.len = before;
	/* Behind the most, it counts as the others do. */
	for (unsigned i = 0; i < LARGE_PIECES && block->large.len < most; i++) {
		const size_t at = place_of_piece(
		    record.len, LARGE_PIECES * block->samples + i);

		if (buf_append(
		        &block->large, record.data + at, PIECE_BYTES, err) ||
		    add_piece(
		        &block->large_pieces, block->large.len, weight, err))
			return -1;
	}
	return 0;
}

/* Keeps a piece of the record at `before`. */
static int keep_piece(
    struct block *block, size_t before, size_t most, struct error *err)
{
	unsigned char *record = block->records.data + before;
	const size_t len = block->records.len - before;

	if (len > STORE_FRAME)
		return keep_large(block, before, most, err);
	block->usual += (double)len;
	block->records.len = before;
	/* The fuller it is, the rarer: later samples shall be seen, too. */
	if (before >= most ||
	    (before >= most / 2 &&
	        block->samples % (before >= most / 4 * 3 ? 4 : 2)))
		return 0;
	if (len > PIECE_BYTES)
		memmove(record, record + place_of_piece(len, block->samples),
		    PIECE_BYTES);
	block->records.len += len > PIECE_BYTES ? PIECE_BYTES : len;
	return add_piece(&block->pieces, block->records.len, 1, err);
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
		block->bytes += (double)(block->records.len - before);
		if (keep_piece(block, before, most, err))
			return -1;
		block->samples++;
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

struct frames { /* used while compressing */
	const struct codec *codec;
	void *state;
	struct buf frame, back;
	bool timed;
	double weight; /* weight of the next frame */
	double left_s; /* CPU time for further frames */
	double done;   /* bytes that add_frames took, with their weights */
};

/* Measures the time to decompress the frame. */
static int time_decode(
    struct frames *frames, size_t len, double *seconds, struct error *err)
{
	const uint64_t start = clock_now(&clock_thread_cpu);

	frames->back.len = 0;
	if (frames->codec->ops->decode(frames->state, buf_span(&frames->frame),
	        len, &frames->back, err))
		return -1;
	*seconds = seconds_since(start);
	return 0;
}

/*
 * Compresses a frame, and decompresses it. A codec may give up on blocks after
 * one that did not shrink, so such a frame is compressed once more, and the
 * second time counts.
 */
static int add_frame(struct frames *frames, struct span bytes,
    struct packing *packing, struct error *err)
{
	const struct codec *codec = frames->codec;
	uint64_t start;
	double seconds, decode_s = 0;

	for (bool again = false;; again = true) {
		frames->frame.len = 0;
		start = clock_now(&clock_thread_cpu);
		if (codec->ops->encode(
		        frames->state, bytes, &frames->frame, err))
			return -1;
		seconds = seconds_since(start);
		frames->left_s -= seconds;
		if (again || (double)frames->frame.len <=
		                 (1 - vain_fraction) * (double)bytes.len)
			break;
	}
	if (frames->timed && time_decode(frames, bytes.len, &decode_s, err))
		return -1;
	frames->left_s -= decode_s;
	packing->encode_s += frames->weight * seconds;
	packing->bytes += frames->weight * (double)frames->frame.len;
	packing->decode_s += frames->weight * decode_s;
	return 0;
}

/*
 * Compresses pieces: in frames, or each `alone`, as a frame with its weight. It
 * ends early when the time is over.
 */
static int add_frames(struct frames *frames, struct span all,
    const struct buf *list, bool alone, struct packing *packing,
    struct error *err)
{
	const struct piece *pieces =
	    (const struct piece *)(const void *)list->data;
	size_t at = 0;

	frames->done = 0;
	for (unsigned i = 0; at < all.len && (at == 0 || frames->left_s > 0);
	     i++) {
		const size_t left = all.len - at;
		const struct span bytes = {
			.data = all.data + at,
			.len = alone                ? pieces[i].end - at
			       : left < STORE_FRAME ? left
			                            : STORE_FRAME,
		};

		frames->weight = alone ? pieces[i].weight : 1;
		/* The first time, memory is new. */
		if (at == 0 && frames->timed) {
			struct packing ignored = { .bytes = 0 };

			if (add_frame(frames, bytes, &ignored, err))
				return -1;
		}
		if (add_frame(frames, bytes, packing, err))
			return -1;
		frames->done += frames->weight * (double)bytes.len;
		at += bytes.len;
	}
	return 0;
}

static void add_scaled(
    struct packing *sum, const struct packing *packing, double scale)
{
	sum->bytes += scale * packing->bytes;
	sum->encode_s += scale * packing->encode_s;
	sum->decode_s += scale * packing->decode_s;
}

/* Compresses a block: `packing` is that of all its samples together. */
static int compress_block(struct frames *frames, const struct block *block,
    bool alone, struct packing *packing, struct error *err)
{
	struct packing large = { .bytes = 0 }, usual = { .bytes = 0 };

	/* Records that were not compressed are like those that were. */
	if (add_frames(frames, buf_span(&block->large), &block->large_pieces,
	        true, &large, err))
		return -1;
	if (frames->done > 0)
		add_scaled(packing, &large,
		    (block->bytes - block->usual) / frames->done);
	if (add_frames(frames, buf_span(&block->records), &block->pieces, alone,
	        &usual, err))
		return -1;
	if (frames->done > 0)
		add_scaled(packing, &usual, block->usual / frames->done);
	return 0;
}

/* Compresses and decompresses a block with one codec. */
static int compress(const struct packer *packer, const struct codec *codec,
    const struct block *block, bool alone, struct packing *packing,
    struct error *err)
{
	struct frames frames = { .codec = codec,
		.timed = packer->timed,
		.left_s = packer->limit_s };
	int rc = -1;

	if (codec->ops->state_new) {
		frames.state = codec->ops->state_new(codec->level, err);
		if (!frames.state)
			return -1;
	}
	packing->bytes = 0;
	rc = compress_block(&frames, block, alone, packing, err);
	if (codec->ops->state_free)
		codec->ops->state_free(frames.state);
	buf_release(&frames.frame);
	buf_release(&frames.back);
	return rc;
}

int packer_try(struct packer *packer, unsigned rep, unsigned store,
    unsigned codec, double more, struct packing *packing, struct error *err)
{
	const struct codec *c = &packer->plan->strategies.codecs[codec];
	const struct transformed *t = &packer->transformed[rep][codec];
	const struct block *block =
	    &packer->blocks[rep][store][form_of(packer->plan, codec)];
	double fraction; /* mean sample over all samples of the block */

	*packing = (struct packing){ .bytes = block->bytes };
	if (block->samples == 0 || !plan_wants_codec(packer->plan, codec,
	                               &packer->pipeline->schemas[rep]))
		return 0;
	if (c->ops->encode &&
	    compress(packer, c, block,
	        !packer->plan->strategies.stores[store]->append &&
	            !packer->plan->strategies.stores[store]->one_shape,
	        packing, err))
		return -1;
	fraction = block->bytes > 0
	               ? (block->bytes / block->samples + more) / block->bytes
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
