/* byte_letters.c - see byte_letters.h. */
#include <stdbool.h>

#include "lib/base/utf8.h"
#include "lib/tokens/byte_letters.h"

enum { FIRST_OTHER = 0x100 };

static bool is_printable(unsigned byte)
{
	return (byte >= '!' && byte <= '~') || (byte >= 0xa1 && byte <= 0xac) ||
	       byte >= 0xae;
}

void byte_letters_fill(struct byte_letters *letters)
{
	unsigned count = 0, other = FIRST_OTHER;

	for (unsigned code = 0; code < BYTE_LETTERS; code++)
		letters->byte[code] = -1;
	for (unsigned byte = 0; byte < BYTE_VALUES; byte++)
		if (is_printable(byte)) {
			letters->letter[byte] = (uint16_t)byte;
			letters->order[count++] = (unsigned char)byte;
		}
	for (unsigned byte = 0; byte < BYTE_VALUES; byte++)
		if (!is_printable(byte)) {
			letters->letter[byte] = (uint16_t)other++;
			letters->order[count++] = (unsigned char)byte;
		}
	for (unsigned byte = 0; byte < BYTE_VALUES; byte++)
		letters->byte[letters->letter[byte]] = (int16_t)byte;
}

int byte_letters_append(const struct byte_letters *letters, struct buf *out,
    struct span bytes, struct error *err)
{
	unsigned char text[UTF8_BYTES];

	for (size_t i = 0; i < bytes.len; i++) {
		const unsigned len =
		    utf8_encode(letters->letter[bytes.data[i]], text);

		if (buf_append(out, text, len, err))
			return -1;
	}
	return 0;
}
