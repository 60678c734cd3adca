/*
 * encoder.h - encoder.json of a vocabulary: one JSON object, from tokens in
 * byte letters to whole numbers.  It is read strictly: nothing else is in it,
 * and neither a token nor a number is there twice.
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
	uint32_t *ids; /* by entry of tokens */
	size_t capacity;
	uint32_t limit; /* all numbers are below it */
};

#define ENCODER_INIT                      \
	{                                 \
		.tokens = TOKEN_MAP_INIT, \
	}

/* ERROR_DATA begins with the byte where the mistake is. */
int encoder_read(struct encoder *encoder, struct span json,
    const struct byte_letters *letters, struct error *err);
/* The number of a token, by its bytes; -1 when there is none. */
int64_t encoder_id(const struct encoder *encoder, struct span bytes);
void encoder_release(struct encoder *encoder); /* empty and usable again */

#endif
