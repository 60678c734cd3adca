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
enum sound_kind sound_kind(struct span file);

#endif
