/* key.c - see key.h. */
#include "lib/sample/key.h"

#include "lib/base/printable.h"

const char *key_text(struct span key, char text[KEY_TEXT])
{
	return printable_copy(text, KEY_TEXT, key);
}
