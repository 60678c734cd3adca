/*
 * sound_length.h - checks the length that a sound file announces, for formats
 * whose libraries accept shorter files silently.
 */
#ifndef LIB_AUDIO_SOUND_LENGTH_H
#define LIB_AUDIO_SOUND_LENGTH_H

#include <stdint.h>

#include "lib/base/bytes.h"

struct error;

/*
 * ERROR_DATA if the data chunk of a WAV file ends behind the end of the file.
 * Placeholders (0, and 2 GiB or more in a shorter file) are ignored.  Other
 * files are accepted.
 */
int wav_check_length(struct span file, struct error *err);

/*
 * Returns the number of MPEG frames announced in the first one (Xing, Info or
 * VBRI header), without that one; 0: not announced.
 */
uint64_t mpeg_frames_told(struct span file);

#endif
