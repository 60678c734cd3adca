/*
 * deflate_lengths.h - how long the codes of symbols become that come so often:
 * Huffman's, and none longer than a limit; inside lib/codecs only.
 */
#ifndef LIB_CODECS_DEFLATE_LENGTHS_H
#define LIB_CODECS_DEFLATE_LENGTHS_H

#include <stdint.h>

enum { LENGTHS_SYMBOLS = 320 };

/*
 * Of at most LENGTHS_SYMBOLS symbols, no more than 1 << `most` of them used;
 * 0: it has none.  The code is whole, so that two symbols have one where fewer
 * are used.
 */
void deflate_lengths(
    uint8_t *lengths, const uint32_t *often, unsigned count, unsigned most);

#endif
