/*
 * flac.h - decodes ordinary FLAC files, complete and with 16 bits, by libFLAC.
 *
 * libsndfile reads FLAC with the same library, but adds a seventh to the time
 * (bench_audio), and accepts a file of unknown length that is cut between two
 * frames, since it checks no MD5 (test_sound_damage).  All other files go to
 * libsndfile, which also reports what is wrong with them.
 */
#ifndef LIB_AUDIO_FLAC_H
#define LIB_AUDIO_FLAC_H

#include "lib/audio/pcm.h"

struct error;
struct flac;

/* Use one per worker for all its files. */
struct flac *flac_new(struct error *err);
void flac_free(struct flac *flac); /* NULL is fine */

/*
 * Decodes the file through the sink into `out`.  Data behind the last frame
 * that the header announces, such as a tag, is ignored.  False if the file is
 * unusual, damaged or truncated, or does not match what the sink wants: `out`
 * is then undefined.
 */
bool flac_decode(struct flac *flac, struct span file, struct pcm_sink *sink,
    struct tensor *out);
/*
 * Was the last file refused because its MD5 differs?  libsndfile would not
 * notice.  The MD5 is checked only if the header does not tell the number of
 * frames; otherwise checksums of frames suffice, and none can be missing.
 */
bool flac_has_other_md5(const struct flac *flac);

#endif
