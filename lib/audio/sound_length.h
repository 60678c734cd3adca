/*
 * sound_length.h - how long a file of sound says that it is, where the
 * libraries take what there is without a word.
 */
#ifndef LIB_AUDIO_SOUND_LENGTH_H
#define LIB_AUDIO_SOUND_LENGTH_H

#include <stdint.h>

#include "lib/base/bytes.h"

struct error;

/*
 * ERROR_DATA when the data chunk of a WAV file ends behind the file.  Lengths
 * that programs write while they do not know better (0, and 2 GiB and more in
 * a shorter file) are none.  Other files are fine.
 */
int wav_check_length(struct span file, struct error *err);

/*
 * Frames of MPEG audio by the header in the first of them (Xing, Info or VBRI),
 * without that one; 0: the file does not tell.
 */
uint64_t mpeg_frames_told(struct span file);

#endif
