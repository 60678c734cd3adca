/*
 * pcm.h - collects blocks of decoded sound in one tensor with the wanted
 * element type and channels.
 *
 * A frame has one sample of each channel.  int16 is the float times 32768,
 * rounded to nearest, ties to even, and clipped.  A mix to one channel is the
 * mean of all; in int16 rounded to nearest, halves up.
 */
#ifndef LIB_AUDIO_PCM_H
#define LIB_AUDIO_PCM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/bytes.h"
#include "lib/sample/tensor.h"

struct error;

/* Most values (frames times channels) of a recording. */
#define PCM_MOST ((uint64_t)1 << 31)

struct pcm_wish {
	enum dtype dtype;  /* I16 or F32 */
	unsigned channels; /* 0: as in the file; 1: mix; else required number */
	uint64_t most;     /* most values; PCM_MOST or less */
};

/* The form of a decoder's output. */
struct pcm_form {
	enum dtype dtype; /* I16 or F32 */
	unsigned channels;
	unsigned rate; /* Hz */
	/*
	 * As announced by the file; 0: unknown.  Used only to allocate memory
	 * in advance, within a limit given by `file_bytes`.
	 */
	uint64_t frames;
	size_t file_bytes;
};

/* Receives the frames.  Its memory is reused. */
struct pcm_sink {
	struct pcm_wish wish;
	struct pcm_form form;
	struct tensor *out; /* borrowed */
	size_t frame_bytes; /* bytes of a frame in `out` */
	uint64_t frames;    /* number of frames received */
	uint64_t room;      /* frames that fit in `out`; more go to `spill` */
	bool spills;        /* all frames are in `spill` */
	struct buf spill;   /* frames received; len: their bytes */
	struct buf mixed;   /* mixed floats before conversion to int16 */
};

void pcm_sink_release(struct pcm_sink *sink);

/*
 * Begins a recording that will become `out`.  ERROR_DATA if its channels are
 * not those wanted, or the rate is invalid.
 */
int pcm_begin(struct pcm_sink *sink, const struct pcm_form *form,
    struct tensor *out, struct error *err);
/* Adds frames.  ERROR_DATA if there are more than wish.most. */
int pcm_put(
    struct pcm_sink *sink, const void *frames, size_t count, struct error *err);
/* Completes `out`: [n] if one channel was wanted, else [n, channels]. */
int pcm_end(struct pcm_sink *sink, struct error *err);

#endif
