/* wire.c - see wire.h. */
#include "lib/service/wire.h"

#include <string.h>

enum { LENGTH = 4 }; /* bytes of the length of a text */

uint64_t wire_number(const unsigned char *at, unsigned bytes)
{
	uint64_t number = 0;

	for (unsigned i = bytes; i-- > 0;)
		number = number << 8 | at[i];
	return number;
}

void wire_set_number(unsigned char *at, uint64_t number, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		at[i] = (unsigned char)(number >> 8 * i);
}

void wire_put(struct wire_writer *writer, uint64_t number, unsigned bytes)
{
	unsigned char text[sizeof(number)];

	wire_set_number(text, number, bytes);
	if (writer->rc == 0)
		writer->rc = buf_append(writer->to, text, bytes, writer->err);
}

void wire_put_text(struct wire_writer *writer, struct span text)
{
	wire_put(writer, text.len, LENGTH);
	if (writer->rc == 0)
		writer->rc =
		    buf_append(writer->to, text.data, text.len, writer->err);
}

/* Takes so many bytes; a span without data where there are fewer. */
static struct span take(struct wire_reader *reader, size_t bytes)
{
	const struct span taken = { reader->rest.data, bytes };

	if (bytes > reader->rest.len) {
		reader->is_short = true;
		reader->rest.len = 0;
		return (struct span){ NULL, 0 };
	}
	reader->rest.data += bytes;
	reader->rest.len -= bytes;
	return taken;
}

uint64_t wire_get(struct wire_reader *reader, unsigned bytes)
{
	const struct span taken = take(reader, bytes);

	return taken.data ? wire_number(taken.data, bytes) : 0;
}

struct span wire_get_text(struct wire_reader *reader)
{
	return take(reader, (size_t)wire_get(reader, LENGTH));
}

void wire_get_words(struct wire_reader *reader, char *text, size_t room)
{
	const struct span words = wire_get_text(reader);

	*text = '\0';
	if (words.len >= room ||
	    (words.len > 0 && memchr(words.data, '\0', words.len))) {
		reader->is_short = true;
		return;
	}
	if (words.len > 0)
		memcpy(text, words.data, words.len);
	text[words.len] = '\0';
}
