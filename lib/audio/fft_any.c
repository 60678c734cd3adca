/* fft_any.c - see fft_any.h. */
#include <kissfft/kiss_fft.h>
#include <kissfft/kiss_fftr.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/audio/fft_any.h"
#include "lib/base/array.h"
#include "lib/base/error.h"

struct fft_any {
	struct fft_plan plan;
	kiss_fftr_cfg real;   /* for even sizes */
	kiss_fft_cfg complex; /* for odd sizes */
	float *window;        /* plan.frame weights, multiplied by the scale */
	float *frame;         /* weighted, then zeros; odd sizes: complex */
	kiss_fft_cpx *out;
};

static int set_up(struct fft_any *any, struct error *err)
{
	const struct fft_plan *plan = &any->plan;
	const double scale = plan->dtype == DTYPE_I16 ? 0x1p-15 : 1;
	const bool is_odd = plan->size % 2;

	if (is_odd)
		any->complex = kiss_fft_alloc((int)plan->size, 0, NULL, NULL);
	else
		any->real = kiss_fftr_alloc((int)plan->size, 0, NULL, NULL);
	any->window = calloc(plan->frame, sizeof(float));
	any->frame = calloc(plan->size, sizeof(kiss_fft_cpx));
	any->out = calloc(plan->size, sizeof(kiss_fft_cpx));
	if (!(is_odd ? (void *)any->complex : (void *)any->real) ||
	    !any->window || !any->frame || !any->out)
		return error_memory(err, plan->size * sizeof(kiss_fft_cpx));
	for (size_t i = 0; i < plan->frame; i++)
		any->window[i] = (float)(scale * fft_window_weight(plan->window,
		                                     i, plan->frame));
	return 0;
}

struct fft_any *fft_any_new(const struct fft_plan *plan, struct error *err)
{
	struct fft_any *any = memory_zeroed(sizeof(*any), err);

	if (!any)
		return NULL;
	any->plan = *plan;
	if (set_up(any, err)) {
		fft_any_free(any);
		return NULL;
	}
	return any;
}

void fft_any_free(struct fft_any *any)
{
	if (!any)
		return;
	kiss_fftr_free(any->real);
	kiss_fft_free(any->complex);
	free(any->window);
	free(any->frame);
	free(any->out);
	free(any);
}

/* Returns the weighted sample; 0 behind the last one. */
static float weighed(const struct fft_any *any, const void *samples,
    size_t samples_count, size_t from, size_t i)
{
	const size_t bytes = dtype_bytes(any->plan.dtype);
	const unsigned char *at =
	    (const unsigned char *)samples + (from + i) * bytes;
	int16_t word;
	float sample;

	if (from + i >= samples_count)
		return 0;
	memcpy(any->plan.dtype == DTYPE_I16 ? (void *)&word : (void *)&sample,
	    at, bytes);
	if (any->plan.dtype == DTYPE_I16)
		sample = word;
	return sample * any->window[i];
}

static void run_frame(struct fft_any *any, float *out)
{
	if (any->complex)
		kiss_fft(any->complex, (const kiss_fft_cpx *)(void *)any->frame,
		    any->out);
	else
		kiss_fftr(any->real, any->frame, any->out);
	for (size_t k = 0; k < fft_bins(&any->plan); k++) {
		const float square = any->out[k].r * any->out[k].r +
		                     any->out[k].i * any->out[k].i;

		out[k] = any->plan.power == 1 ? sqrtf(square) : square;
	}
}

void fft_any_run(struct fft_any *any, const void *samples, size_t samples_count,
    size_t count, float *out)
{
	const size_t step = any->complex ? 2 : 1;

	for (size_t n = 0; n < count; n++) {
		for (size_t i = 0; i < any->plan.frame; i++)
			any->frame[i * step] = weighed(
			    any, samples, samples_count, n * any->plan.hop, i);
		run_frame(any, out + n * fft_bins(&any->plan));
	}
}
