/* numbered.c - see numbered.h. */
#include <string.h>

#include "datasets/files/numbered.h"

struct span numbered_key(struct buf *keys, struct span stem, uint64_t number)
{
	unsigned char *start = keys->data + keys->len, digits[NUMBERED_MORE];
	size_t count = 0;

	memcpy(start, stem.data, stem.len);
	start[stem.len] = '-';
	do {
		digits[count++] = (unsigned char)('0' + number % 10);
		number /= 10;
	} while (number);
	for (size_t i = 0; i < count; i++)
		start[stem.len + 1 + i] = digits[count - 1 - i];
	keys->len += stem.len + 1 + count;
	return (struct span){ start, stem.len + 1 + count };
}
