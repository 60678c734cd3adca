/*
 * mel.c - sums the bins of spectra into mel bands.
 * in:  float32 frames x bins, from 0 to half the sample rate; and the rate
 * out: float32 frames x bands; the rate is dropped
 *
 * The filters for a rate are computed at its first recording.
 */
#include "lib/audio/mel.h"
#include "lib/audio/bands.h"
#include "lib/audio/each_rate.h"
#include "lib/audio/rate.h"
#include "lib/audio/recording.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/steps/step.h"
#include "lib/syntax/option.h"

enum { BANDS_MAX = 4096, HERTZ_MAX = AUDIO_RATE_MAX / 2 };

struct options {
	uint64_t bins, rate;
	double fmax, fmin;
	unsigned norm, scale;
};

static const struct option options[] = {
	OPTION_RANGE(UINT, "bins", struct options, bins, 1, BANDS_MAX,
	    "number of bands of the result"),
	OPTION_RANGE(REAL, "fmax", struct options, fmax, 0, HERTZ_MAX,
	    "upper end of the bands in Hz (default: half the sample rate)"),
	OPTION_RANGE(REAL, "fmin", struct options, fmin, 0, HERTZ_MAX,
	    "lower end of the bands in Hz"),
	OPTION_WORDS("norm", struct options, norm, "none|slaney",
	    "weight of bands; slaney: each has an area of 1"),
	OPTION_RANGE(UINT, "rate", struct options, rate, 1, AUDIO_RATE_MAX,
	    "sample rate in Hz, if the recordings do not tell it"),
	OPTION_WORDS("scale", struct options, scale, "htk|slaney",
	    "mel scale: of HTK, or of Slaney's toolbox"),
	OPTION_TABLE_END,
};

static const struct options defaults = {
	.bins = 80,
};

struct bands {
	struct recording recording;
	const struct options *given;
	struct each_rate banks;
	unsigned place[FIELDS_MAX]; /* index of each field in the output */
};

static int mel_check(const void *given, struct error *err)
{
	const struct options *want = given;

	if (want->fmax > 0 && want->fmin >= want->fmax)
		return error_set(err, ERROR_USAGE,
		    "fmin must be less than fmax, got %.6g and %.6g",
		    want->fmin, want->fmax);
	return 0;
}

static int make_plan(const struct options *given, unsigned hertz, size_t bins,
    struct mel_plan *plan, struct error *err)
{
	const double half = hertz / 2.0;

	*plan = (struct mel_plan){
		.bins = bins,
		.bands = given->bins,
		.rate = hertz,
		.low = given->fmin,
		.high = given->fmax > 0 ? given->fmax : half,
		.scale = (enum mel_scale)given->scale,
		.norm = (enum mel_norm)given->norm,
	};
	if (plan->high > half)
		return error_set(err, ERROR_DATA,
		    "fmax=%.6g is above half the sample rate, %.6g Hz",
		    plan->high, half);
	if (plan->low >= plan->high)
		return error_set(err, ERROR_DATA,
		    "fmin=%.6g is not below half the sample rate, %.6g Hz",
		    plan->low, half);
	return 0;
}

static int check_type(const struct type *in, struct error *err)
{
	if (in->dtype != DTYPE_F32 || in->layout != LAYOUT_PLAIN ||
	    in->shape.count != 2 || in->shape.dims[1] == 0 ||
	    in->shape.dims[1] == 1)
		return type_refuse(in, "spectra, float32 frames x bins", err);
	return 0;
}

/* Copies all fields except the rate. */
static int set_schema(
    struct bands *s, const struct schema *in, struct schema *out)
{
	struct type *type;

	out->count = 0;
	for (unsigned f = 0; f < in->count; f++) {
		if ((int)f == s->recording.rate_field)
			continue;
		s->place[f] = out->count;
		out->fields[out->count++] = in->fields[f];
	}
	type = &out->fields[s->place[s->recording.field]].type;
	type->shape.dims[1] = (int64_t)s->given->bins;
	return 0;
}

static int mel_bind(void *priv, const void *given, const struct schema *in,
    unsigned fields, struct schema *out, struct error *err)
{
	struct bands *s = priv;
	struct mel_plan plan;

	s->given = given;
	if (recording_bind(
	        &s->recording, in, fields, (unsigned)s->given->rate, err) ||
	    check_type(&in->fields[s->recording.field].type, err))
		return -1;
	if (!recording_has_rate(&s->recording))
		return error_set(err, ERROR_USAGE,
		    "the spectra have no field '" AUDIO_RATE
		    "' with the sample rate: give rate=HZ");
	if (s->recording.hertz &&
	    make_plan(s->given, s->recording.hertz, 2, &plan, err)) {
		err->code = ERROR_USAGE;
		return -1;
	}
	return set_schema(s, in, out);
}

static int mel_begin(void *priv, struct random *random, const struct sample *in,
    uint64_t *count, struct error *err)
{
	const struct bands *s = priv;
	const struct tensor *spectra = &in->fields[s->recording.field];

	UNUSED(random);
	*count = 1;
	if (spectra->shape.dims[1] >= 2)
		return 0;
	return error_set(err, ERROR_DATA, "takes spectra of 2 bins or more");
}

static void release_bank(void *bank)
{
	mel_free(bank);
}

/* Recordings of one rate usually have spectra of one size. */
struct mel *bands_filters(
    struct bands *s, const struct sample *in, size_t bins, struct error *err)
{
	struct mel_plan plan;
	struct mel *bank;
	unsigned hertz;

	if (recording_rate(&s->recording, in, &hertz, err))
		return NULL;
	bank = each_rate_find(&s->banks, hertz);
	if (bank && mel_plan(bank)->bins == bins)
		return bank;
	if (make_plan(s->given, hertz, bins, &plan, err))
		return NULL;
	bank = mel_new(&plan, err);
	if (bank)
		each_rate_put(&s->banks, hertz, bank, release_bank);
	return bank;
}

unsigned bands_field(const struct bands *s)
{
	return s->recording.field;
}

float *bands_output(struct bands *s, const struct sample *in, size_t frames,
    struct sample *out, struct error *err)
{
	struct tensor *bands = &out->fields[s->place[s->recording.field]];
	const struct shape shape = {
		2,
		{ (int64_t)frames, (int64_t)s->given->bins },
	};

	if (tensor_reshape(bands, DTYPE_F32, &shape, err))
		return NULL;
	out->count = 0;
	for (unsigned f = 0; f < in->count; f++) {
		if ((int)f == s->recording.rate_field)
			continue;
		if (f != s->recording.field)
			tensor_borrow(
			    &out->fields[s->place[f]], &in->fields[f]);
		out->count++;
	}
	return bands->data;
}

static int mel_make(void *priv, struct random *random, const struct sample *in,
    uint64_t number, struct sample *out, struct error *err)
{
	struct bands *s = priv;
	const struct tensor *spectra = &in->fields[s->recording.field];
	const size_t frames = (size_t)spectra->shape.dims[0];
	struct mel *bank =
	    bands_filters(s, in, (size_t)spectra->shape.dims[1], err);
	float *bands = bank ? bands_output(s, in, frames, out, err) : NULL;

	UNUSED(random);
	UNUSED(number);
	if (!bands)
		return -1;
	mel_run(bank, spectra->data, frames, bands);
	return 0;
}

static void mel_release(void *priv)
{
	each_rate_release(&((struct bands *)priv)->banks, release_bank);
}

static const struct sample_ops sample = {
	.bind = mel_bind,
	.begin = mel_begin,
	.make = mel_make,
};

const struct step_ops step_mel = {
	.name = "mel",
	.summary = "sum spectra into bands of the mel scale",
	.in = "float32 frames x bins",
	.out = "float32 frames x bands",
	.any_alignment = true,
	.options = options,
	.options_size = sizeof(struct options),
	.defaults = &defaults,
	.check = mel_check,
	.priv_size = sizeof(struct bands),
	.release = mel_release,
	.sample = &sample,
};
