/* flac.c - see flac.h. */
#include <stdlib.h>
#include <string.h>

#include <FLAC/stream_decoder.h>

#include "lib/audio/flac.h"
#include "lib/base/array.h"
#include "lib/base/error.h"

enum {
	BITS = 16,
	BLOCK = 64,
	/* Offset of the number of frames, which has 36 bits. */
	INFO_TOTAL = 21,
};

struct flac {
	FLAC__StreamDecoder *decoder;
	struct span file; /* the current file */
	size_t at;
	struct pcm_sink *sink;
	struct tensor *out;
	FLAC__StreamMetadata_StreamInfo info;
	bool has_info, has_begun, is_odd;
	bool has_other_md5;
	bool is_over;     /* all frames were read; the rest is not sound */
	struct buf block; /* frames in the form that the sink expects */
};

/* ---- callbacks of the library ---- */

static FLAC__StreamDecoderReadStatus read_bytes(
    const FLAC__StreamDecoder *decoder, FLAC__byte to[], size_t *count,
    void *arg)
{
	struct flac *flac = arg;
	const size_t left = flac->file.len - flac->at;

	UNUSED(decoder);
	if (*count > left)
		*count = left;
	if (*count == 0)
		return FLAC__STREAM_DECODER_READ_STATUS_END_OF_STREAM;
	memcpy(to, flac->file.data + flac->at, *count);
	flac->at += *count;
	return FLAC__STREAM_DECODER_READ_STATUS_CONTINUE;
}

static void take_info(const FLAC__StreamDecoder *decoder,
    const FLAC__StreamMetadata *metadata, void *arg)
{
	struct flac *flac = arg;

	UNUSED(decoder);
	if (metadata->type != FLAC__METADATA_TYPE_STREAMINFO)
		return;
	flac->info = metadata->data.stream_info;
	flac->has_info = true;
}

static void take_error(const FLAC__StreamDecoder *decoder,
    FLAC__StreamDecoderErrorStatus status, void *arg)
{
	struct flac *flac = arg;

	UNUSED(decoder);
	UNUSED(status);
	if (flac->has_begun && flac->info.total_samples &&
	    flac->info.total_samples == flac->sink->frames)
		flac->is_over = true;
	else
		flac->is_odd = true;
}

static bool is_ordinary(const struct flac *flac, const FLAC__FrameHeader *frame)
{
	const FLAC__StreamMetadata_StreamInfo *info = &flac->info;

	return flac->has_info && !flac->is_odd &&
	       frame->bits_per_sample == BITS &&
	       info->bits_per_sample == BITS &&
	       frame->channels == info->channels &&
	       frame->sample_rate == info->sample_rate;
}

static int begin(struct flac *flac, struct error *err)
{
	const struct pcm_form form = {
		.dtype = flac->sink->wish.dtype,
		.channels = flac->info.channels,
		.rate = flac->info.sample_rate,
		.frames = flac->info.total_samples,
		.file_bytes = flac->file.len,
	};

	flac->has_begun = true;
	return pcm_begin(flac->sink, &form, flac->out, err);
}

static void to_shorts(const FLAC__int32 *restrict in, int16_t *restrict out,
    size_t step, size_t count)
{
	for (size_t i = 0; i < count; i++)
		out[i * step] = (int16_t)in[i];
}

static void to_floats(const FLAC__int32 *restrict in, float *restrict out,
    size_t step, size_t count)
{
	for (size_t i = 0; i < count; i++)
		out[i * step] = (float)in[i] * 0x1p-15f;
}

/*
 * Interleaves channels and converts to dtype.  A single channel is mostly
 * processed in blocks of constant size, which compilers vectorize.
 */
static void interleave(enum dtype dtype, const FLAC__int32 *in, void *out,
    size_t step, size_t count)
{
	const size_t blocks = step == 1 ? count / BLOCK * BLOCK : 0;
	int16_t *shorts = out;
	float *floats = out;

	if (dtype == DTYPE_I16) {
		for (size_t i = 0; i < blocks; i += BLOCK)
			to_shorts(in + i, shorts + i, 1, BLOCK);
		to_shorts(in + blocks, shorts + blocks, step, count - blocks);
		return;
	}
	for (size_t i = 0; i < blocks; i += BLOCK)
		to_floats(in + i, floats + i, 1, BLOCK);
	to_floats(in + blocks, floats + blocks, step, count - blocks);
}

static int put(struct flac *flac, const FLAC__Frame *frame,
    const FLAC__int32 *const channels[], struct error *err)
{
	const enum dtype dtype = flac->sink->wish.dtype;
	const size_t bytes = dtype_bytes(dtype);
	const size_t count = frame->header.blocksize;
	const size_t step = frame->header.channels;

	if ((!flac->has_begun && begin(flac, err)) ||
	    buf_reserve(&flac->block, count * step * bytes, err))
		return -1;
	for (size_t c = 0; c < step; c++)
		interleave(dtype, channels[c], flac->block.data + c * bytes,
		    step, count);
	return pcm_put(flac->sink, flac->block.data, count, err);
}

static FLAC__StreamDecoderWriteStatus take_frame(
    const FLAC__StreamDecoder *decoder, const FLAC__Frame *frame,
    const FLAC__int32 *const channels[], void *arg)
{
	struct flac *flac = arg;
	struct error err = ERROR_INIT; /* libsndfile will report it */

	UNUSED(decoder);
	if (is_ordinary(flac, &frame->header) &&
	    put(flac, frame, channels, &err) == 0)
		return FLAC__STREAM_DECODER_WRITE_STATUS_CONTINUE;
	flac->is_odd = true;
	return FLAC__STREAM_DECODER_WRITE_STATUS_ABORT;
}

/* ---- a file ---- */

struct flac *flac_new(struct error *err)
{
	struct flac *flac = calloc(1, sizeof(*flac));

	if (flac)
		flac->decoder = FLAC__stream_decoder_new();
	if (!flac || !flac->decoder) {
		error_memory(err, sizeof(*flac));
		flac_free(flac);
		return NULL;
	}
	return flac;
}

void flac_free(struct flac *flac)
{
	if (!flac)
		return;
	if (flac->decoder)
		FLAC__stream_decoder_delete(flac->decoder);
	buf_release(&flac->block);
	free(flac);
}

/* Decodes to the end, or to something unusual. */
static void decode_all(struct flac *flac)
{
	FLAC__StreamDecoderState state;

	do {
		if (!FLAC__stream_decoder_process_single(flac->decoder))
			flac->is_odd = true;
		state = FLAC__stream_decoder_get_state(flac->decoder);
	} while (!flac->is_odd && !flac->is_over &&
	         state != FLAC__STREAM_DECODER_END_OF_STREAM);
}

/*
 * Each frame has a checksum, so only the number of frames needs to be compared.
 * If the stream does not tell it, the MD5 must be computed.
 */
static bool needs_md5(struct span file)
{
	static const unsigned char none[5];

	return file.len > INFO_TOTAL + sizeof(none) &&
	       (file.data[INFO_TOTAL] & 0x0f) == 0 &&
	       memcmp(file.data + INFO_TOTAL + 1, none, 4) == 0;
}

bool flac_decode(struct flac *flac, struct span file, struct pcm_sink *sink,
    struct tensor *out)
{
	struct error err = ERROR_INIT;

	flac->file = file;
	flac->at = 0;
	flac->sink = sink;
	flac->out = out;
	flac->has_info = false;
	flac->has_begun = false;
	flac->is_over = false;
	FLAC__stream_decoder_set_md5_checking(flac->decoder, needs_md5(file));
	flac->is_odd =
	    FLAC__stream_decoder_init_stream(flac->decoder, read_bytes, NULL,
	        NULL, NULL, NULL, take_frame, take_info, take_error,
	        flac) != FLAC__STREAM_DECODER_INIT_STATUS_OK;
	if (!flac->is_odd)
		decode_all(flac);
	flac->has_other_md5 =
	    !FLAC__stream_decoder_finish(flac->decoder) && !flac->is_odd;
	return !flac->has_other_md5 && !flac->is_odd && flac->has_begun &&
	       (!flac->info.total_samples ||
	           flac->info.total_samples == sink->frames) &&
	       pcm_end(sink, &err) == 0;
}

bool flac_has_other_md5(const struct flac *flac)
{
	return flac->has_other_md5;
}
