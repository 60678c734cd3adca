/*
 * key.h - the name of a sample, as messages show it.
 */
#ifndef LIB_SAMPLE_KEY_H
#define LIB_SAMPLE_KEY_H

#include "lib/base/bytes.h"

enum { KEY_TEXT = 512 };

/*
 * The key on one line, made harmless (lib/base/printable); what is too long is
 * cut.  Returns `text`.
 */
const char *key_text(struct span key, char text[KEY_TEXT]);

#endif
