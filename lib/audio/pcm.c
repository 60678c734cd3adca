/* pcm.c - see pcm.h. */
#include <string.h>

#include "lib/audio/pcm.h"
#include "lib/audio/rate.h"
#include "lib/base/error.h"

/* Output bytes per input byte that are allocated on the header's word. */
enum { EXPANSION = 256, SMALL = 1 << 16 };

void pcm_sink_release(struct pcm_sink *sink)
{
	buf_release(&sink->spill);
	buf_release(&sink->mixed);
}

static unsigned channels_out(const struct pcm_sink *sink)
{
	return sink->wish.channels ? sink->wish.channels : sink->form.channels;
}

static struct shape shape_of(const struct pcm_sink *sink, uint64_t frames)
{
	struct shape shape = { 1, { (int64_t)frames } };

	if (sink->wish.channels != 1) {
		shape.count = 2;
		shape.dims[1] = channels_out(sink);
	}
	return shape;
}

static int check_form(const struct pcm_sink *sink, struct error *err)
{
	const struct pcm_form *form = &sink->form;
	const unsigned wanted = sink->wish.channels;

	if (form->rate < 1 || form->rate > AUDIO_RATE_MAX)
		return error_set(err, ERROR_DATA,
		    "the sample rate is %u Hz; it must be 1 to %d", form->rate,
		    (int)AUDIO_RATE_MAX);
	if (form->channels < 1)
		return error_set(err, ERROR_DATA, "the sound has no channel");
	if (wanted > 1 && form->channels > 1 && form->channels != wanted)
		return error_set(err, ERROR_DATA,
		    "has %u channels; channels=%u needs 1 or %u",
		    form->channels, wanted, wanted);
	return 0;
}

int pcm_begin(struct pcm_sink *sink, const struct pcm_form *form,
    struct tensor *out, struct error *err)
{
	struct shape shape;
	uint64_t reason;

	sink->form = *form;
	sink->out = out;
	sink->frames = 0;
	if (check_form(sink, err))
		return -1;
	sink->frame_bytes = channels_out(sink) * dtype_bytes(sink->wish.dtype);
	reason = ((uint64_t)form->file_bytes * EXPANSION + SMALL) /
	         sink->frame_bytes;
	sink->spills = form->frames == 0 || form->frames > reason ||
	               form->frames > sink->wish.most / channels_out(sink);
	sink->spill.len = 0;
	sink->room = sink->spills ? 0 : form->frames;
	shape = shape_of(sink, sink->room);
	return tensor_reshape(out, sink->wish.dtype, &shape, err);
}

/* ---- elements ---- */

static void mix_shorts(
    const int16_t *in, size_t channels, int16_t *out, size_t frames)
{
	const int32_t n = (int32_t)channels;

	for (size_t i = 0; i < frames; i++) {
		int32_t sum = 0, twice, mean;

		for (size_t c = 0; c < channels; c++)
			sum += in[i * channels + c];
		twice = 2 * sum + n;
		mean = twice / (2 * n);
		mean -= twice < 0 && mean * 2 * n != twice; /* round down */
		out[i] = (int16_t)mean;
	}
}

static void mix_floats(
    const float *in, size_t channels, float *out, size_t frames)
{
	const float part = 1.0F / (float)channels;

	for (size_t i = 0; i < frames; i++) {
		float sum = 0;

		for (size_t c = 0; c < channels; c++)
			sum += in[i * channels + c];
		out[i] = sum * part;
	}
}

/* NaN becomes silence. */
static void floats_to_shorts(const float *in, int16_t *out, size_t count)
{
	const float big = 12582912.0F; /* adding it rounds off the fraction */

	for (size_t i = 0; i < count; i++) {
		float x = in[i] * 32768.0F;

		x = x == x ? x : 0;
		x = x < 32767.0F ? x : 32767.0F;
		x = x > -32768.0F ? x : -32768.0F;
		out[i] = (int16_t)((x + big) - big);
	}
}

static void shorts_to_floats(const int16_t *in, float *out, size_t count)
{
	for (size_t i = 0; i < count; i++)
		out[i] = (float)in[i] * (1.0F / 32768);
}

static void convert(
    enum dtype from, const void *in, enum dtype to, void *out, size_t count)
{
	if (from == to)
		memcpy(out, in, count * dtype_bytes(to));
	else if (to == DTYPE_I16)
		floats_to_shorts(in, out, count);
	else
		shorts_to_floats(in, out, count);
}

/* Copies one channel to all channels. */
static void spread(unsigned char *out, const unsigned char *in, size_t bytes,
    unsigned channels, size_t frames)
{
	for (size_t i = 0; i < frames; i++)
		for (unsigned c = 0; c < channels; c++)
			memcpy(out + (i * channels + c) * bytes, in + i * bytes,
			    bytes);
}

/* Converts and mixes; if both are needed, in two steps through `mixed`. */
static int make(struct pcm_sink *sink, const void *in, void *out, size_t count,
    struct error *err)
{
	const enum dtype from = sink->form.dtype, to = sink->wish.dtype;
	const unsigned have = sink->form.channels, want = channels_out(sink);

	if (have == want) {
		convert(from, in, to, out, count * have);
		return 0;
	}
	if (buf_reserve(&sink->mixed, count * sizeof(float), err))
		return -1;
	if (have == 1) {
		convert(from, in, to, sink->mixed.data, count);
		spread(out, sink->mixed.data, dtype_bytes(to), want, count);
		return 0;
	}
	if (from == DTYPE_I16)
		mix_shorts(
		    in, have, (int16_t *)(void *)sink->mixed.data, count);
	else
		mix_floats(in, have, (float *)(void *)sink->mixed.data, count);
	convert(from, sink->mixed.data, to, out, count);
	return 0;
}

/* ---- output ---- */

/* More frames came than were announced: all move to `spill`. */
static int make_room(struct pcm_sink *sink, size_t count, struct error *err)
{
	const size_t have = (size_t)sink->frames * sink->frame_bytes;
	const size_t need = have + count * sink->frame_bytes;

	if (!sink->spills && sink->frames + count <= sink->room)
		return 0;
	if (buf_grow(&sink->spill, need, err))
		return -1;
	if (!sink->spills && have)
		memcpy(sink->spill.data, sink->out->data, have);
	sink->spills = true;
	sink->spill.len = need;
	return 0;
}

int pcm_put(
    struct pcm_sink *sink, const void *frames, size_t count, struct error *err)
{
	unsigned char *to;

	if (count == 0)
		return 0;
	if (sink->frames + count > sink->wish.most / channels_out(sink))
		return error_set(err, ERROR_DATA,
		    "is longer than %llu values of sound",
		    (unsigned long long)sink->wish.most);
	if (make_room(sink, count, err))
		return -1;
	to = sink->spills ? sink->spill.data : sink->out->data;
	if (make(sink, frames, to + sink->frames * sink->frame_bytes, count,
	        err))
		return -1;
	sink->frames += count;
	return 0;
}

int pcm_end(struct pcm_sink *sink, struct error *err)
{
	const struct shape shape = shape_of(sink, sink->frames);

	if (sink->spills) {
		if (tensor_reshape(sink->out, sink->wish.dtype, &shape, err))
			return -1;
		if (sink->frames)
			memcpy(sink->out->data, sink->spill.data,
			    (size_t)sink->frames * sink->frame_bytes);
		return 0;
	}
	sink->out->shape = shape; /* fewer frames came than announced */
	sink->out->bytes = (size_t)sink->frames * sink->frame_bytes;
	return 0;
}
