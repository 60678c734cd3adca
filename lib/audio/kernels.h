/*
 * kernels.h - the inner loops of the spectral steps, compiled for vectors of
 * several widths (lanes.h).  All give equal results.
 */
#ifndef LIB_AUDIO_KERNELS_H
#define LIB_AUDIO_KERNELS_H

#include <stddef.h>

struct fft_group;
struct fft_tables;
struct mel_group;
struct mel_tables;

enum { KERNEL_LANES_MAX = 16 };

/* `work` must be aligned to 64 bytes. */
struct audio_kernels {
	size_t lanes; /* most frames in a group */
	void (*fft)(const struct fft_tables *tables,
	    const struct fft_group *group, float *work);
	void (*mel)(const struct mel_tables *tables,
	    const struct mel_group *group, float *work);
	/* Both in one; `out` of the group is rows of bands. */
	void (*bands)(const struct fft_tables *tables,
	    const struct fft_group *group, const struct mel_tables *mel,
	    float *work);
	/*
	 * Computes out[i] = ln(in[i] + plus); `out` may be `in`.  The relative
	 * error is at most 1e-7 (1.5 units in the last place).  0 gives
	 * -infinity, negative numbers NaN.
	 */
	void (*ln)(const float *in, float plus, float *out, size_t count);
};

/* Returns the best kernels for this processor. */
const struct audio_kernels *audio_kernels(void);

const struct audio_kernels *audio_kernels_plain(void);
/* Return NULL if the processor lacks the instructions. */
const struct audio_kernels *audio_kernels_avx2(void);
const struct audio_kernels *audio_kernels_avx512(void);

#endif
