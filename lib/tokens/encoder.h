/*
 * encoder.h - encoder.json of a vocabulary: one JSON object that maps tokens,
 * in byte letters, to integers.  The parser is strict: no other content, no
 * token and no number twice.
 */
#ifndef LIB_TOKENS_ENCODER_H
#define LIB_TOKENS_ENCODER_H

#include <stdint.h>

#include "lib/base/bytes.h"
#include "lib/tokens/token_map.h"

struct byte_letters;
struct error;

struct encoder {
	struct token_map tokens;
	uint32_t *ids; /* by entry in `tokens` */
	size_t capacity;
	uint32_t limit; /* all numbers are less */
};

#define ENCODER_INIT                      \
	{                                 \
		.tokens = TOKEN_MAP_INIT, \
	}

/* Errors (ERROR_DATA) begin with the offset of the mistake. */
int encoder_read(struct encoder *encoder, struct span json,
    const struct byte_letters *letters, struct error *err);
/* Returns the number of a token, by its bytes; -1: there is none. */
int64_t encoder_id(const struct encoder *encoder, struct span bytes);
void encoder_release(struct encoder *encoder); /* empty and usable again */

#endif
