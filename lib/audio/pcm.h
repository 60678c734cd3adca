/*
 * pcm.h - frames of sound as a decoder gives them, block by block, made into
 * one tensor of the elements and channels that are wanted.
 *
 * A frame is one sample of each channel, one behind the other.  int16 is
 * float times 32768, rounded to the nearest, ties to even, and clipped; a mix
 * to one channel is the mean of all, in int16 rounded to the nearest, halves
 * up.
 */
#ifndef LIB_AUDIO_PCM_H
#define LIB_AUDIO_PCM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/bytes.h"
#include "lib/sample/tensor.h"

struct error;

/* Values (frames times channels) of one recording at most. */
#define PCM_MOST ((uint64_t)1 << 31)

struct pcm_wish {
	enum dtype dtype;  /* I16 or F32 */
	unsigned channels; /* 0: as they are; 1: mixed; else just so many */
	uint64_t most;     /* values; PCM_MOST, or less */
};

/* What a decoder gives. */
struct pcm_form {
	enum dtype dtype; /* I16 or F32 */
	unsigned channels;
	unsigned rate; /* Hz */
	/*
	 * As the file claims; 0: not known.  Not believed but to make room,
	 * within reason: `file_bytes`.
	 */
	uint64_t frames;
	size_t file_bytes;
};

/* Where the frames go.  Recycled: what it owns grows and stays. */
struct pcm_sink {
	struct pcm_wish wish;
	struct pcm_form form;
	struct tensor *out; /* borrowed */
	size_t frame_bytes; /* of a frame in out */
	uint64_t frames;    /* that came */
	uint64_t room;      /* frames in out; more go to spill */
	bool spills;        /* all is in spill */
	struct buf spill;   /* len: bytes that are in it */
	struct buf mixed;   /* floats on the way to int16 */
};

void pcm_sink_release(struct pcm_sink *sink);

/*
 * Begins a recording, which is to become `out`.  ERROR_DATA when its channels
 * are not those that are wanted, or the rate is none.
 */
int pcm_begin(struct pcm_sink *sink, const struct pcm_form *form,
    struct tensor *out, struct error *err);
/* The next frames.  ERROR_DATA when there are more than wish.most. */
int pcm_put(
    struct pcm_sink *sink, const void *frames, size_t count, struct error *err);
/* `out` is done: [n] of one channel that was wished for, else [n, channels]. */
int pcm_end(struct pcm_sink *sink, struct error *err);

#endif
