/*
 * kernels.h - the inner loops of the spectral steps, compiled for registers
 * of several widths (lanes.h).  The same floats from each.
 */
#ifndef LIB_AUDIO_KERNELS_H
#define LIB_AUDIO_KERNELS_H

#include <stddef.h>

struct fft_group;
struct fft_tables;
struct mel_group;
struct mel_tables;

enum { KERNEL_LANES_MAX = 16 };

/* `work` is aligned to 64 bytes. */
struct audio_kernels {
	size_t lanes; /* frames that a group has at most */
	void (*fft)(const struct fft_tables *tables,
	    const struct fft_group *group, float *work);
	void (*mel)(const struct mel_tables *tables,
	    const struct mel_group *group, float *work);
	/* Both, and `out` of the group is rows of bands. */
	void (*bands)(const struct fft_tables *tables,
	    const struct fft_group *group, const struct mel_tables *mel,
	    float *work);
	void (*ln)(const float *in, float plus, float *out, size_t count);
};

/* The best for this processor. */
const struct audio_kernels *audio_kernels(void);

extern const struct audio_kernels audio_kernels_plain;
/* NULL where the processor has not got it. */
const struct audio_kernels *audio_kernels_avx2(void);
const struct audio_kernels *audio_kernels_avx512(void);

#endif
