/*
 * vocabulary_maker.h - small vocabularies in the two files of GPT-2, for tests,
 * and a plain version of GPT-2's encoder.
 */
#ifndef TEST_UNIT_VOCABULARY_MAKER_H
#define TEST_UNIT_VOCABULARY_MAKER_H

#include <stddef.h>
#include <stdint.h>

#include "lib/base/bytes.h"

/*
 * Bytes are 0 to 255 by value, merges follow, then <|endoftext|>.  A merge is
 * "LEFT RIGHT" in letters, where a blank is "\xc4\xa0"; the list ends with
 * NULL.
 */
void vocabulary_make(
    const char *const *merges, struct buf *encoder, struct buf *bpe);
/* The same as files of a folder. */
void vocabulary_write(const char *dir, const char *const *merges);

/*
 * The tokens of one piece by the same list of merges: as strings of bytes, the
 * earliest merge that is anywhere in the piece being made everywhere, again and
 * again.  Returns their number; `ids` has room for one a byte.
 */
size_t vocabulary_naive(
    const char *const *merges, struct span piece, int32_t *ids);

#endif
