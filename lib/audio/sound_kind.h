/* sound_kind.h - recognizes sound files by their first bytes. */
#ifndef LIB_AUDIO_SOUND_KIND_H
#define LIB_AUDIO_SOUND_KIND_H

#include "lib/base/bytes.h"

enum sound_kind {
	SOUND_UNKNOWN,
	SOUND_MPEG, /* MP3, layers I and II */
	SOUND_FILE, /* WAV, FLAC, Ogg, AIFF, AU, CAF, W64 */
};

/* ID3v2 tags at the start are skipped. */
/*
 * Removes ID3v2 before and ID3v1 behind a FLAC file: these tags of MP3 files
 * are not in the standard, but in use.  Other files are unchanged.
 */
struct span sound_without_tags(struct span file);

/* Returns MPEG audio from its first frame on; length 0 for other files. */
struct span sound_at_frame(struct span file);

enum sound_kind sound_kind(struct span file);

#endif
