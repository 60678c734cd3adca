/*
 * resample.c - changes the sample rate of sound.
 * in:  int16 or float32, [n] or [n, channels]; a field `rate`, or from=HZ
 * out: the same with the new rate, and a field `rate`
 */
#include <string.h>

#include "lib/audio/rate.h"
#include "lib/audio/resampler.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/steps/step.h"
#include "lib/steps/whole.h"
#include "lib/syntax/option.h"

enum { CHANNELS_MOST = 1024 };

struct options {
	uint64_t from, rate;
	unsigned quality; /* an enum resampler_quality */
};

static const struct option options[] = {
	OPTION_RANGE(UINT, "from", struct options, from, 1, AUDIO_RATE_MAX,
	    "sample rate of the input in Hz, if no field rate tells it"),
	OPTION_WORDS("quality", struct options, quality,
	    "quick|low|medium|high|very_high", "quality of the filter"),
	OPTION_RANGE(UINT, "rate", struct options, rate, 1, AUDIO_RATE_MAX,
	    "sample rate of the output in Hz"),
	OPTION_TABLE_END,
};

static const struct options defaults = {
	.quality = RESAMPLER_HIGH,
};

struct resample {
	struct sound_resampler *resampler;
	unsigned from, to;
	unsigned field, rate; /* indexes of the output fields */
	bool has_rate;        /* the input has a field `rate` */
};

static int resample_check(const void *given, struct error *err)
{
	const struct options *wish = given;

	if (wish->rate)
		return 0;
	return error_set(
	    err, ERROR_USAGE, "rate must be given, in Hz: rate=16000");
}

static int check_sound(const struct type *type, struct error *err)
{
	if ((type->dtype == DTYPE_I16 || type->dtype == DTYPE_F32) &&
	    (type->shape.count == 1 || type->shape.count == 2) &&
	    type->layout == LAYOUT_PLAIN)
		return 0;
	return type_refuse(
	    type, "sound, int16 or float32, n or n x channels", err);
}

static int resample_bind(void *priv, const void *given, const struct schema *in,
    unsigned fields, struct schema *out, struct error *err)
{
	const struct options *wish = given;
	struct resample *resample = priv;
	struct type *type;

	if (whole_field(fields, &resample->field, err) ||
	    check_sound(&in->fields[resample->field].type, err))
		return -1;
	resample->from = (unsigned)wish->from;
	resample->to = (unsigned)wish->rate;
	resample->has_rate = audio_rate_field(in) >= 0;
	if (!resample->has_rate && !wish->from)
		return error_set(err, ERROR_USAGE,
		    "there is no field '" AUDIO_RATE
		    "': give the sample rate with from=HZ");
	type = &out->fields[resample->field].type;
	type->shape.dims[0] =
	    !resample->has_rate && type->shape.dims[0] >= 0
	        ? sound_resampler_frames((uint64_t)type->shape.dims[0],
	              resample->from, resample->to)
	        : -1;
	if (audio_rate_add(out, &resample->rate, err))
		return -1;
	resample->resampler =
	    sound_resampler_new((enum resampler_quality)wish->quality, err);
	return resample->resampler ? 0 : -1;
}

static int resample_tensor(const struct resample *resample, unsigned from,
    const struct tensor *in, struct tensor *out, struct error *err)
{
	const struct resampler_form form = {
		.dtype = in->dtype,
		.channels =
		    in->shape.count == 2 ? (unsigned)in->shape.dims[1] : 1,
		.from = from,
		.to = resample->to,
	};
	struct shape shape = in->shape;

	if (from == resample->to || in->bytes == 0)
		return tensor_copy(out, in, err);
	if (in->shape.count == 2 && in->shape.dims[1] > CHANNELS_MOST)
		return error_set(err, ERROR_DATA,
		    "%lld channels are more than %d",
		    (long long)in->shape.dims[1], (int)CHANNELS_MOST);
	shape.dims[0] =
	    sound_resampler_frames((uint64_t)shape.dims[0], from, resample->to);
	if (shape.dims[0] < 0)
		return error_set(err, ERROR_LIMIT,
		    "%lld frames at %u Hz are too long at %u Hz",
		    (long long)in->shape.dims[0], from, resample->to);
	if (tensor_reshape(out, in->dtype, &shape, err))
		return -1;
	return sound_resampler_run(resample->resampler, &form, in->data,
	    (size_t)in->shape.dims[0], out->data, err);
}

static int resample_make(void *priv, struct random *random,
    const struct sample *in, uint64_t i, struct sample *out, struct error *err)
{
	const struct resample *resample = priv;
	unsigned from = resample->from;

	UNUSED(random);
	UNUSED(i);
	if (resample->has_rate &&
	    audio_rate_get(&in->fields[resample->rate], &from, err))
		return -1;
	if (resample_tensor(resample, from, &in->fields[resample->field],
	        &out->fields[resample->field], err) ||
	    audio_rate_set(&out->fields[resample->rate], resample->to, err))
		return -1;
	whole_pass(in, out, 1u << resample->field | 1u << resample->rate);
	return 0;
}

static void resample_release(void *priv)
{
	sound_resampler_free(((struct resample *)priv)->resampler);
}

static const struct sample_ops sample = {
	.bind = resample_bind,
	.begin = whole_begin,
	.make = resample_make,
};

const struct step_ops step_resample = {
	.name = "resample",
	.summary = "change the sample rate of sound",
	.in = "int16 or float32, n or n x channels",
	.out = "the same; field rate",
	.options = options,
	.options_size = sizeof(struct options),
	.defaults = &defaults,
	.check = resample_check,
	.priv_size = sizeof(struct resample),
	.release = resample_release,
	.sample = &sample,
};
