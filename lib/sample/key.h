/* key.h - formats the name of a sample for messages. */
#ifndef LIB_SAMPLE_KEY_H
#define LIB_SAMPLE_KEY_H

#include "lib/base/bytes.h"

enum { KEY_TEXT = 512 };

/* Writes the key on one line, made harmless (printable.h); returns `text`. */
const char *key_text(struct span key, char text[KEY_TEXT]);

#endif
