/*
 * mpeg.h - MPEG audio (MP3, and layers I and II) through libmpg123.
 *
 * libsndfile reads it by the same library, but believes the length that the
 * first frame lets it guess: of a file with a variable bit rate and no header
 * that says so, more than half may be left out.  It also refuses files of one
 * frame, and lets warnings be printed.
 */
#ifndef LIB_AUDIO_MPEG_H
#define LIB_AUDIO_MPEG_H

#include "lib/audio/pcm.h"

struct error;
struct mpeg;

/* One a worker, for all of its files. */
struct mpeg *mpeg_new(const struct pcm_wish *wish, struct error *err);
void mpeg_free(struct mpeg *mpeg); /* NULL is fine */

/*
 * Decodes the file into `out`, by the sink.  The silence that the encoder put
 * before and behind is cut off where the file tells of it.  Damage in the
 * midst is passed over, as players do, and what was cut off is not missed.
 * ERROR_DATA when nothing can be decoded, and when rate or channels change.
 */
int mpeg_decode(struct mpeg *mpeg, struct span file, struct pcm_sink *sink,
    struct tensor *out, struct error *err);

#endif
