/*
 * audio_decode.c - decodes a sound file to samples and their rate.
 * in:  the bytes of a file: WAV, FLAC, MP3, Ogg, AIFF, AU, CAF, W64
 * out: int16 or float32, [n] with channels=1, else [n, channels]; and a field
 *      `rate`, int32 scalar, in Hz.  Other fields are passed on.
 */
#include "lib/audio/rate.h"
#include "lib/audio/sound_file.h"
#include "lib/base/array.h"
#include "lib/steps/step.h"
#include "lib/steps/whole.h"
#include "lib/syntax/option.h"

enum { CHANNELS_MOST = 64 };

struct options {
	unsigned dtype; /* index in this list: */
	uint64_t channels;
};

static const enum dtype dtypes[] = { DTYPE_I16, DTYPE_F32 };

static const struct option options[] = {
	OPTION_RANGE(UINT, "channels", struct options, channels, 0,
	    CHANNELS_MOST,
	    "number of channels; 1: mix to one; 0: keep them as they are"),
	OPTION_WORDS("dtype", struct options, dtype, "int16|float32",
	    "element type: int16, or float32 from -1 to 1"),
	OPTION_TABLE_END,
};

static const struct options defaults = {
	.dtype = 1,
};

struct audio_decode {
	struct sound_decoder *decoder;
	unsigned field, rate; /* indexes of the output fields */
};

static int audio_decode_bind(void *priv, const void *given,
    const struct schema *in, unsigned fields, struct schema *out,
    struct error *err)
{
	const struct options *wish = given;
	struct audio_decode *audio = priv;
	const struct pcm_wish pcm = {
		.dtype = dtypes[wish->dtype],
		.channels = (unsigned)wish->channels,
		.most = PCM_MOST,
	};
	struct type type = {
		.dtype = pcm.dtype,
		.shape = { pcm.channels == 1 ? 1 : 2,
		    { -1, pcm.channels ? (int64_t)pcm.channels : -1 } },
	};

	if (whole_field(fields, &audio->field, err))
		return -1;
	if (in->fields[audio->field].type.layout != LAYOUT_ENCODED)
		return type_refuse(&in->fields[audio->field].type,
		    "the bytes of a file of sound", err);
	out->fields[audio->field].type = type;
	if (audio_rate_add(out, &audio->rate, err))
		return -1;
	audio->decoder = sound_decoder_new(&pcm, err);
	return audio->decoder ? 0 : -1;
}

static int audio_decode_make(void *priv, struct random *random,
    const struct sample *in, uint64_t i, struct sample *out, struct error *err)
{
	const struct audio_decode *audio = priv;
	const struct tensor *bytes = &in->fields[audio->field];
	const struct span file = { .data = bytes->data, .len = bytes->bytes };
	unsigned rate;

	UNUSED(random);
	UNUSED(i);
	if (sound_decode(
	        audio->decoder, file, &out->fields[audio->field], &rate, err) ||
	    audio_rate_set(&out->fields[audio->rate], rate, err))
		return -1;
	whole_pass(in, out, 1u << audio->field | 1u << audio->rate);
	return 0;
}

static void audio_decode_release(void *priv)
{
	sound_decoder_free(((struct audio_decode *)priv)->decoder);
}

static const struct sample_ops sample = {
	.bind = audio_decode_bind,
	.begin = whole_begin,
	.make = audio_decode_make,
};

const struct step_ops step_audio_decode = {
	.name = "audio_decode",
	.summary = "decode a sound file",
	.in = "bytes of a file of sound",
	.out = "int16 or float32, n or n x channels; field rate",
	.any_alignment = true,
	.options = options,
	.options_size = sizeof(struct options),
	.defaults = &defaults,
	.priv_size = sizeof(struct audio_decode),
	.release = audio_decode_release,
	.sample = &sample,
};
