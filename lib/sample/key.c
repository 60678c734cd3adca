/* key.c - see key.h. */
#include "lib/sample/key.h"

const char *key_text(struct span key, char text[KEY_TEXT])
{
	const size_t len = key.len < KEY_TEXT ? key.len : KEY_TEXT - 1;

	for (size_t i = 0; i < len; i++) {
		const unsigned char c = key.data[i];

		text[i] = (char)(c < ' ' || c == 0x7f ? '?' : c);
	}
	text[len] = '\0';
	return text;
}
