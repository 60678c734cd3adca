/*
 * sound_file.h - recordings in files: WAV, FLAC, Ogg (Vorbis, Opus), AIFF, AU,
 * CAF and W64 through libsndfile, whole FLAC files of 16 bits through libFLAC
 * where presto was built with it (flac.h), MP3 through libmpg123 (mpeg.h) or,
 * where presto was built without, through libsndfile too.
 *
 * The kind is told by the first bytes.  A file of another kind is refused
 * before a library sees it.  What a header claims is not believed: room is
 * made for what comes.
 */
#ifndef LIB_AUDIO_SOUND_FILE_H
#define LIB_AUDIO_SOUND_FILE_H

#include "lib/audio/pcm.h"
#include "lib/base/library.h"

struct error;
struct sound_decoder;

/* One a worker, for all of its files. */
struct sound_decoder *sound_decoder_new(
    const struct pcm_wish *wish, struct error *err);
void sound_decoder_free(struct sound_decoder *decoder); /* NULL is fine */

/*
 * Decodes the file into `out`; *rate is its sample rate.  ERROR_DATA for what
 * is no sound, damaged, or ends before the length that it claims (FLAC; a WAV
 * file that is cut short is as long as it is).
 */
int sound_decode(struct sound_decoder *decoder, struct span file,
    struct tensor *out, unsigned *rate, struct error *err);

/* The version of the library, as a session records it. */
void sound_library_version(char text[LIBRARY_VERSION]);

#endif
