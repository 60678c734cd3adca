/*
 * resampler.c - see resampler.h.
 *
 * soxr can only be reset by rebuilding its filters, so it is created anew for
 * each recording.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <soxr.h>

#include "lib/audio/resampler.h"
#include "lib/base/array.h"
#include "lib/base/error.h"

struct sound_resampler {
	soxr_quality_spec_t quality;
};

struct sound_resampler *sound_resampler_new(
    enum resampler_quality quality, struct error *err)
{
	static const unsigned long recipes[] = {
		[RESAMPLER_QUICK] = SOXR_QQ,
		[RESAMPLER_LOW] = SOXR_LQ,
		[RESAMPLER_MEDIUM] = SOXR_MQ,
		[RESAMPLER_HIGH] = SOXR_HQ,
		[RESAMPLER_VERY_HIGH] = SOXR_VHQ,
	};
	struct sound_resampler *resampler =
	    memory_zeroed(sizeof(*resampler), err);

	if (!resampler)
		return NULL;
	resampler->quality = soxr_quality_spec(recipes[quality], 0);
	return resampler;
}

void sound_resampler_free(struct sound_resampler *resampler)
{
	free(resampler);
}

int64_t sound_resampler_frames(uint64_t frames, unsigned from, unsigned to)
{
	if (frames > (uint64_t)INT64_MAX / 2 / to - from)
		return -1;
	return (int64_t)((frames * to * 2 + from) / ((uint64_t)from * 2));
}

/* Processes all input and the end; a missing rest is filled with silence. */
static soxr_error_t process(soxr_t soxr, const struct resampler_form *form,
    const void *in, size_t frames, unsigned char *out)
{
	const size_t frame_bytes = form->channels * dtype_bytes(form->dtype);
	const size_t wanted =
	    (size_t)sound_resampler_frames(frames, form->from, form->to);
	size_t used = 0, done = 0, more = 1;
	soxr_error_t error =
	    soxr_process(soxr, in, frames, &used, out, wanted, &done);

	while (!error && done < wanted && more) {
		error = soxr_process(soxr, NULL, 0, NULL,
		    out + done * frame_bytes, wanted - done, &more);
		done += more;
	}
	memset(out + done * frame_bytes, 0, (wanted - done) * frame_bytes);
	return error;
}

int sound_resampler_run(struct sound_resampler *resampler,
    const struct resampler_form *form, const void *in, size_t frames, void *out,
    struct error *err)
{
	const soxr_datatype_t type =
	    form->dtype == DTYPE_I16 ? SOXR_INT16_I : SOXR_FLOAT32_I;
	soxr_io_spec_t io = soxr_io_spec(type, type);
	const soxr_runtime_spec_t runtime = soxr_runtime_spec(1);
	soxr_error_t error = NULL;
	soxr_t soxr;

	io.flags = SOXR_NO_DITHER;
	soxr = soxr_create(form->from, form->to, form->channels, &error, &io,
	    &resampler->quality, &runtime);
	if (soxr && !error)
		error = process(soxr, form, in, frames, out);
	soxr_delete(soxr);
	if (error || !soxr)
		return error_set(err, ERROR_DATA,
		    "cannot resample %u channels from %u to %u Hz: %s",
		    form->channels, form->from, form->to,
		    error ? error : "no resampler");
	return 0;
}

void resampler_library_version(char text[LIBRARY_VERSION])
{
	snprintf(text, LIBRARY_VERSION, "soxr %s", SOXR_THIS_VERSION_STR);
}
