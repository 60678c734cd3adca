/* sound_writer.h - writes int16 sound as FLAC, or as libsndfile can. */
#ifndef LIB_AUDIO_SOUND_WRITER_H
#define LIB_AUDIO_SOUND_WRITER_H

#include <stdint.h>

#include "lib/base/bytes.h"

struct error;

enum sound_format {
	SOUND_WRITE_FLAC,
	SOUND_WRITE_WAV,
	SOUND_WRITE_OGG, /* Vorbis */
	SOUND_WRITE_MP3, /* if this libsndfile supports it */
};

struct sound {
	const int16_t *samples; /* frames times channels */
	size_t frames;
	unsigned channels;
	unsigned rate; /* Hz */
};

/* Replaces the content of `out` by the file. */
int sound_write(const struct sound *sound, enum sound_format format,
    struct buf *out, struct error *err);

#endif
