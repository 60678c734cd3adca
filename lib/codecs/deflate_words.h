/*
 * deflate_words.h - deflate of arrays of 4-byte numbers; inside lib/codecs
 * only.
 *
 * What repeats in them are whole numbers.  So a match has a multiple of 4
 * bytes, and only what begins a number is looked up, as one, two and three of
 * them: a quarter of the places, and the matches that a parser of bytes breaks
 * up.  Where the numbers begin is found by itself: a literal goes on by one
 * byte, a match by numbers.
 *
 * Any other bytes are compressed as well, but badly.
 */
#ifndef LIB_CODECS_DEFLATE_WORDS_H
#define LIB_CODECS_DEFLATE_WORDS_H

#include <stddef.h>

#include "lib/base/bytes.h"

struct deflate_words;

struct deflate_words *deflate_words_new(void); /* NULL: out of memory */
void deflate_words_free(struct deflate_words *words);

/*
 * A whole frame, as deflate_encode makes it, of less than 4 GiB into `room`
 * bytes: how long it is, or 0 when it does not fit.
 */
size_t deflate_words_compress(struct deflate_words *words, struct span in,
    unsigned char *out, size_t room);
/* Bytes of the frame made last that did not repeat: few of an array. */
size_t deflate_words_literals(const struct deflate_words *words);

#endif
