/*
 * sound_file.h - decodes recordings from files.  libsndfile reads WAV, FLAC,
 * Ogg (Vorbis, Opus), AIFF, AU, CAF and W64.  Complete FLAC files of 16 bits
 * use libFLAC if it was there at build time (flac.h).  MP3 uses libmpg123
 * (mpeg.h), or libsndfile in a build without it.
 *
 * The format is recognized by the first bytes; others are refused before a
 * library sees them.  Memory grows with the data, not by lengths in headers.
 */
#ifndef LIB_AUDIO_SOUND_FILE_H
#define LIB_AUDIO_SOUND_FILE_H

#include "lib/audio/pcm.h"
#include "lib/base/library.h"

struct error;
struct sound_decoder;

/* Use one per worker for all its files. */
struct sound_decoder *sound_decoder_new(
    const struct pcm_wish *wish, struct error *err);
void sound_decoder_free(struct sound_decoder *decoder); /* NULL is fine */

/*
 * Decodes the file into `out`; *rate is its sample rate.  ERROR_DATA if it is
 * not sound, is damaged, or ends before the length that it announces.
 */
int sound_decode(struct sound_decoder *decoder, struct span file,
    struct tensor *out, unsigned *rate, struct error *err);

/* The version of the library, as a session records it. */
void sound_library_version(char text[LIBRARY_VERSION]);

#endif
