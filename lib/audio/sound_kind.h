/*
 * sound_kind.h - what a file of sound is, by its first bytes.
 */
#ifndef LIB_AUDIO_SOUND_KIND_H
#define LIB_AUDIO_SOUND_KIND_H

#include "lib/base/bytes.h"

enum sound_kind {
	SOUND_UNKNOWN,
	SOUND_MPEG, /* MP3, layers I and II */
	SOUND_FILE, /* WAV, FLAC, Ogg, AIFF, AU, CAF, W64 */
};

/* Tags of ID3v2 in front are passed over. */
/*
 * A FLAC file without the tags of MP3 files around it, which are no part of the
 * format but in use: ID3v2 in front and ID3v1 behind.  Others as they are.
 */
struct span sound_without_tags(struct span file);

/* MPEG audio from its first frame on; of length 0 where that is none. */
struct span sound_at_frame(struct span file);

enum sound_kind sound_kind(struct span file);

#endif
