/*
 * mpeg.h - decodes MPEG audio (MP3, and layers I and II) by libmpg123.
 *
 * libsndfile uses the same library, but trusts the length guessed from the
 * first frame.  With a variable bit rate and no header about it, this may drop
 * more than half of the sound.  It also refuses files of one frame, and lets
 * warnings be printed.
 */
#ifndef LIB_AUDIO_MPEG_H
#define LIB_AUDIO_MPEG_H

#include "lib/audio/pcm.h"

struct error;
struct mpeg;

/* Use one per worker for all its files. */
struct mpeg *mpeg_new(const struct pcm_wish *wish, struct error *err);
void mpeg_free(struct mpeg *mpeg); /* NULL is fine */

/*
 * Decodes the file through the sink into `out`.  The silence that the encoder
 * added at both ends is removed, if the file tells its length.  Damage in the
 * middle is skipped, as players do.  ERROR_DATA if nothing can be decoded, or
 * the rate or the number of channels changes.
 */
int mpeg_decode(struct mpeg *mpeg, struct span file, struct pcm_sink *sink,
    struct tensor *out, struct error *err);

#endif
