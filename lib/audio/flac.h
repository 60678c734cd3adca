/*
 * flac.h - FLAC files through libFLAC: those of 16 bits that are whole, as
 * nearly all are.
 *
 * libsndfile reads FLAC by the same library, but takes a seventh of the time
 * for itself.  Where anything is out of the ordinary it is asked instead: it
 * knows what is wrong, and the words for it.
 */
#ifndef LIB_AUDIO_FLAC_H
#define LIB_AUDIO_FLAC_H

#include "lib/audio/pcm.h"

struct error;
struct flac;

/* One a worker, for all of its files. */
struct flac *flac_new(struct error *err);
void flac_free(struct flac *flac); /* NULL is fine */

/*
 * Decodes the file into `out`, by the sink.  What stands behind the last frame
 * that the header tells of, such as a tag, is ignored.  False when it is not of
 * the ordinary, is damaged or cut, or is not what the sink wishes: then `out`
 * holds anything.
 */
bool flac_decode(struct flac *flac, struct span file, struct pcm_sink *sink,
    struct tensor *out);
/*
 * Was the last file declined since its sound has not the MD5 that it tells?
 * Then libsndfile would not see it.  Only looked at where the number of frames
 * is not told: else frames have their checksums, and none can be missing.
 */
bool flac_has_other_md5(const struct flac *flac);

#endif
