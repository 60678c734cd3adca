/*
 * spectrogram.c - computes spectra of short frames of a recording.
 * in:  int16 or float32: samples of one channel, n or n x 1; and their rate
 * out: float32 frames x (n_fft / 2 + 1): magnitudes, or their squares; and the
 *      rate
 *
 * Window and tables for a rate (a few kilobytes) are computed at its first
 * recording.
 */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "lib/audio/bands.h"
#include "lib/audio/each_rate.h"
#include "lib/audio/fft.h"
#include "lib/audio/mel.h"
#include "lib/audio/rate.h"
#include "lib/audio/recording.h"
#include "lib/base/array.h"
#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/base/units.h"
#include "lib/steps/step.h"
#include "lib/syntax/option.h"

struct options {
	unsigned function;
	const char *hop, *window;
	uint64_t n_fft, power, rate;
	bool center, pad;
};

static const struct option options[] = {
	OPTION(FLAG, "center", 0, struct options, center, "yes|no",
	    "centre frames on the hops and mirror the edges, as librosa does"),
	OPTION_WORDS("function", struct options, function,
	    "hann|hamming|rectangular", "function of the window"),
	OPTION(TEXT, "hop", 0, struct options, hop, "TIME|N",
	    "distance from one frame to the next: a time, or samples"),
	OPTION_RANGE(UINT, "n_fft", struct options, n_fft, FFT_MIN, FFT_MAX,
	    "size of the transform (default: the least power of two)"),
	OPTION(FLAG, "pad", 0, struct options, pad, "yes|no",
	    "add zeros at the end, so that each hop begins a frame"),
	OPTION_RANGE(UINT, "power", struct options, power, 1, 2,
	    "power of the magnitudes: 1, or 2 for their squares"),
	OPTION_RANGE(UINT, "rate", struct options, rate, 1, AUDIO_RATE_MAX,
	    "sample rate in Hz, if the recordings do not tell it"),
	OPTION(TEXT, "window", 0, struct options, window, "TIME|N",
	    "length of a frame: a time, or samples"),
	OPTION_TABLE_END,
};

static const struct options defaults = {
	.hop = "10ms",
	.power = 1,
	.window = "20ms",
};

/* A length in samples, or a time: then `samples` is 0. */
struct length {
	const char *text;
	double seconds;
	size_t samples;
};

struct spectrogram {
	struct recording recording;
	struct length window, hop;
	const struct options *given;
	enum dtype dtype;
	struct each_rate ffts;
	struct buf mirrored; /* centred frames: the sound with mirrored edges */
};

static int parse_length(struct length *length, const char *name,
    const char *text, struct error *err)
{
	uint64_t samples = 0;
	const bool is_count = text[strspn(text, "0123456789")] == '\0';

	*length = (struct length){ .text = text };
	if (is_count ? units_parse_uint(text, &samples)
	             : units_parse_time(text, &length->seconds))
		return error_set(err, ERROR_USAGE,
		    "%s must be a time, as in 20ms, or a number of samples, "
		    "not '%s'",
		    name, text);
	if (is_count ? samples < 1 || samples > FFT_MAX
	             : !(length->seconds > 0))
		return error_set(err, ERROR_USAGE,
		    "%s must be a time above 0, or 1 to %d samples, got %s",
		    name, FFT_MAX, text);
	length->samples = (size_t)samples;
	return 0;
}

static int parse_lengths(const struct options *given, struct length *window,
    struct length *hop, struct error *err)
{
	if (parse_length(window, "window", given->window, err) ||
	    parse_length(hop, "hop", given->hop, err))
		return -1;
	if (given->n_fft && window->samples > given->n_fft)
		return error_set(err, ERROR_USAGE,
		    "window must be %u samples (n_fft) at most, got %s",
		    (unsigned)given->n_fft, given->window);
	return fft_check_size(given->n_fft, err);
}

static int spectrogram_check(const void *given, struct error *err)
{
	const struct options *want = given;
	struct length window, hop;

	if (want->center && want->pad)
		return error_set(err, ERROR_USAGE,
		    "center and pad exclude each other: centred frames reach "
		    "over the end");
	return parse_lengths(want, &window, &hop, err);
}

/* Converts a length to samples at this rate, rounded to nearest. */
static int length_at(const struct length *length, const char *name,
    unsigned hertz, size_t *samples, struct error *err)
{
	const double exact = length->seconds * hertz;

	*samples = length->samples;
	if (*samples)
		return 0;
	if (!(exact >= 0.5 && exact < FFT_MAX + 0.5))
		return error_set(err, ERROR_DATA,
		    "%s=%s is %.6g samples at %u Hz; it must be 1 to %d", name,
		    length->text, exact, hertz, FFT_MAX);
	*samples = (size_t)lround(exact);
	return 0;
}

static size_t default_size(size_t frame)
{
	size_t size = FFT_MIN;

	while (size < frame)
		size *= 2;
	return size;
}

static int make_plan(const struct spectrogram *s, unsigned hertz,
    struct fft_plan *plan, struct error *err)
{
	*plan = (struct fft_plan){
		.window = (enum fft_window)s->given->function,
		.dtype = s->dtype,
		.power = (unsigned)s->given->power,
	};
	if (length_at(&s->window, "window", hertz, &plan->frame, err) ||
	    length_at(&s->hop, "hop", hertz, &plan->hop, err))
		return -1;
	plan->size =
	    s->given->n_fft ? s->given->n_fft : default_size(plan->frame);
	if (plan->frame > plan->size)
		return error_set(err, ERROR_DATA,
		    "window=%s is %zu samples at %u Hz; n_fft=%zu is less",
		    s->window.text, plan->frame, hertz, plan->size);
	return 0;
}

/*
 * Samples by which a centred frame precedes its hop.  The window is in the
 * middle of the transform, and the middle of the window is at the hop.
 */
static size_t samples_before(const struct fft_plan *plan)
{
	return plan->size / 2 - (plan->size - plan->frame) / 2;
}

static size_t count_frames(
    const struct options *given, const struct fft_plan *plan, size_t samples)
{
	if (given->center && samples)
		return (samples - plan->size % 2) / plan->hop + 1;
	if (given->pad || given->center)
		return samples / plan->hop + (samples % plan->hop > 0);
	return samples < plan->frame ? 0
	                             : (samples - plan->frame) / plan->hop + 1;
}

static int check_type(const struct type *in, struct error *err)
{
	char text[SHAPE_TEXT];

	if ((in->dtype != DTYPE_I16 && in->dtype != DTYPE_F32) ||
	    in->layout != LAYOUT_PLAIN || in->shape.count < 1 ||
	    in->shape.count > 2)
		return error_set(err, ERROR_USAGE,
		    "takes samples, int16 or float32, not %s; audio_decode "
		    "makes them of a file",
		    type_text(in, text));
	return 0;
}

static int check_channels(
    const struct shape *shape, enum error_code code, struct error *err)
{
	if (shape->count < 2 || shape->dims[1] == 1 || shape->dims[1] < 0)
		return 0;
	return error_set(err, code,
	    "takes one channel, not %lld: mix them with channels=1 of "
	    "audio_decode",
	    (long long)shape->dims[1]);
}

/* Sets what is known before a recording comes. */
static int set_type(const struct spectrogram *s, const struct type *in,
    struct type *out, struct error *err)
{
	const bool has_counts = s->window.samples && s->hop.samples;
	const unsigned hertz =
	    s->recording.rate_field < 0 ? s->recording.hertz : 0;
	struct fft_plan plan;

	*out = (struct type){
		.dtype = DTYPE_F32,
		.shape = { 2, { -1, -1 } },
	};
	if (s->given->n_fft)
		out->shape.dims[1] = (int64_t)s->given->n_fft / 2 + 1;
	else if (s->window.samples)
		out->shape.dims[1] =
		    (int64_t)default_size(s->window.samples) / 2 + 1;
	if (!has_counts && !hertz)
		return 0;
	if (make_plan(s, hertz, &plan, err)) {
		err->code = ERROR_USAGE;
		return -1;
	}
	out->shape.dims[1] = (int64_t)fft_bins(&plan);
	if (in->shape.dims[0] >= 0)
		out->shape.dims[0] = (int64_t)count_frames(
		    s->given, &plan, (size_t)in->shape.dims[0]);
	return 0;
}

static int spectrogram_bind(void *priv, const void *given,
    const struct schema *in, unsigned fields, struct schema *out,
    struct error *err)
{
	struct spectrogram *s = priv;
	const struct type *type;

	s->given = given;
	if (parse_lengths(given, &s->window, &s->hop, err) ||
	    recording_bind(
	        &s->recording, in, fields, (unsigned)s->given->rate, err))
		return -1;
	type = &in->fields[s->recording.field].type;
	if (check_type(type, err) ||
	    check_channels(&type->shape, ERROR_USAGE, err))
		return -1;
	if (!recording_has_rate(&s->recording) &&
	    !(s->window.samples && s->hop.samples))
		return error_set(err, ERROR_USAGE,
		    "the recordings have no field '" AUDIO_RATE
		    "': give rate=HZ, or window and hop in samples");
	s->dtype = type->dtype;
	return set_type(s, type, &out->fields[s->recording.field].type, err);
}

static int spectrogram_begin(void *priv, struct random *random,
    const struct sample *in, uint64_t *count, struct error *err)
{
	const struct spectrogram *s = priv;

	UNUSED(random);
	*count = 1;
	return check_channels(
	    &in->fields[s->recording.field].shape, ERROR_DATA, err);
}

static void release_fft(void *fft)
{
	fft_free(fft);
}

/* Returns the transform for a sample's rate. */
static struct fft *fft_for(
    struct spectrogram *s, const struct sample *in, struct error *err)
{
	struct fft_plan plan;
	struct fft *fft;
	unsigned hertz;

	if (recording_rate(&s->recording, in, &hertz, err))
		return NULL;
	fft = each_rate_find(&s->ffts, hertz);
	if (fft)
		return fft;
	if (make_plan(s, hertz, &plan, err))
		return NULL;
	fft = fft_new(&plan, err);
	if (fft)
		each_rate_put(&s->ffts, hertz, fft, release_fft);
	return fft;
}

/* The sound from which frames are taken; one begins at each hop. */
struct sound {
	const void *samples;
	size_t count, frames;
};

/*
 * Returns the index at place `at` of a sound that is mirrored at both ends
 * again and again, without repeating the end samples.
 */
static size_t mirrored_place(ptrdiff_t at, size_t count)
{
	const ptrdiff_t turn = count > 1 ? 2 * ((ptrdiff_t)count - 1) : 1;

	at %= turn;
	if (at < 0)
		at += turn;
	return (size_t)(at < (ptrdiff_t)count ? at : turn - at);
}

static void copy_mirrored(unsigned char *to, ptrdiff_t from, ptrdiff_t end,
    const struct tensor *samples, size_t count)
{
	const size_t bytes = dtype_bytes(samples->dtype);
	const unsigned char *data = samples->data;

	for (; from < end; from++, to += bytes)
		memcpy(to, data + mirrored_place(from, count) * bytes, bytes);
}

/* Copies the sound from the start of the first frame to the end of the last. */
static int mirror_edges(struct spectrogram *s, const struct fft_plan *plan,
    const struct tensor *samples, struct sound *sound, struct error *err)
{
	const size_t bytes = dtype_bytes(samples->dtype);
	const size_t before = samples_before(plan), count = sound->count;
	const size_t all = (sound->frames - 1) * plan->hop + plan->frame;
	const size_t behind = all - before; /* no frame ends before its hop */
	const size_t inside = behind < count ? behind : count;
	size_t room;
	unsigned char *to;

	if (size_mul(all, bytes, &room))
		return error_memory(err, SIZE_MAX);
	if (buf_reserve(&s->mirrored, room, err))
		return -1;
	to = s->mirrored.data;
	copy_mirrored(to, -(ptrdiff_t)before, 0, samples, count);
	memcpy(to + before * bytes, samples->data, inside * bytes);
	copy_mirrored(to + (before + inside) * bytes, (ptrdiff_t)inside,
	    (ptrdiff_t)behind, samples, count);
	sound->samples = to;
	sound->count = all;
	return 0;
}

static int find_sound(struct spectrogram *s, const struct fft_plan *plan,
    const struct tensor *samples, struct sound *sound, struct error *err)
{
	sound->samples = samples->data;
	sound->count = shape_elements(&samples->shape);
	sound->frames = count_frames(s->given, plan, sound->count);
	return s->given->center && sound->frames
	           ? mirror_edges(s, plan, samples, sound, err)
	           : 0;
}

static int spectrogram_make(void *priv, struct random *random,
    const struct sample *in, uint64_t number, struct sample *out,
    struct error *err)
{
	struct spectrogram *s = priv;
	const unsigned field = s->recording.field;
	const struct tensor *samples = &in->fields[field];
	struct fft *fft = fft_for(s, in, err);
	struct shape shape = { 2, { 0 } };
	struct sound sound;

	UNUSED(random);
	UNUSED(number);
	if (!fft || find_sound(s, fft_plan(fft), samples, &sound, err))
		return -1;
	shape.dims[0] = (int64_t)sound.frames;
	shape.dims[1] = (int64_t)fft_bins(fft_plan(fft));
	if (tensor_reshape(&out->fields[field], DTYPE_F32, &shape, err))
		return -1;
	fft_run(fft, sound.samples, sound.count, sound.frames,
	    out->fields[field].data);
	for (unsigned f = 0; f < in->count; f++)
		if (f != field)
			tensor_borrow(&out->fields[f], &in->fields[f]);
	out->count = in->count;
	return 0;
}

/* ---- spectrogram and mel, fused ---- */

static bool fits_bands(const void *priv, const void *next)
{
	const struct spectrogram *s = priv;

	return bands_field(next) == s->recording.field;
}

/* Estimated from the operations of each. */
static double share_of_fft(size_t size)
{
	const double fft = 2.5 * (double)size * log2((double)size);

	return fft / (fft + 4 * ((double)size / 2 + 1));
}

static int make_bands(void *priv, void *next, const struct sample *in,
    struct sample *out, double *first, struct error *err)
{
	struct spectrogram *s = priv;
	const struct tensor *samples = &in->fields[s->recording.field];
	struct fft *fft = fft_for(s, in, err);
	struct mel *mel = NULL;
	float *bands = NULL;
	struct sound sound;

	if (fft && !find_sound(s, fft_plan(fft), samples, &sound, err))
		mel = bands_filters(next, in, fft_bins(fft_plan(fft)), err);
	if (mel && !fft_reserve_bands(fft, mel, err))
		bands = bands_output(next, in, sound.frames, out, err);
	if (!bands)
		return -1;
	fft_run_bands(
	    fft, mel, sound.samples, sound.count, sound.frames, bands);
	*first = share_of_fft(fft_plan(fft)->size);
	return 0;
}

static void spectrogram_release(void *priv)
{
	struct spectrogram *s = priv;

	each_rate_release(&s->ffts, release_fft);
	buf_release(&s->mirrored);
}

static const struct fused_pair_ops fused_pair = {
	.next = &step_mel,
	.fits = fits_bands,
	.make = make_bands,
};

static const struct sample_ops sample = {
	.bind = spectrogram_bind,
	.begin = spectrogram_begin,
	.make = spectrogram_make,
	.fused_pair = &fused_pair,
};

const struct step_ops step_spectrogram = {
	.name = "spectrogram",
	.summary = "take the spectra of short frames of a recording",
	.in = "int16 or float32 of one channel",
	.out = "float32 frames x bins",
	.any_alignment = true,
	.options = options,
	.options_size = sizeof(struct options),
	.defaults = &defaults,
	.check = spectrogram_check,
	.priv_size = sizeof(struct spectrogram),
	.release = spectrogram_release,
	.sample = &sample,
};
