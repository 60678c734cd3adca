/* words.h - parses lines, words and numbers of a text that may be damaged. */
#ifndef LIB_SYNTAX_WORDS_H
#define LIB_SYNTAX_WORDS_H

#include <stdint.h>

#include "lib/base/bytes.h"

/* Takes a line, which must end in a newline: 1, 0 at the end, or -1. */
int words_line(struct span *text, struct span *line);
/* Take the next word: 0, or -1 when it is not as expected. */
int words_next(struct span *line, struct span *word);
int words_expect(struct span *line, const char *word);
int words_number(struct span *line, uint64_t *number);
int words_hash(struct span *line, uint64_t *hash); /* 16 hex digits */

#endif
