/* array.c - see array.h. */
#include <stdint.h>
#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/room.h"

enum { FIRST_CAPACITY = 8 };

void *memory_zeroed(size_t bytes, struct error *err)
{
	void *memory = calloc(1, bytes);

	if (!memory)
		error_memory(err, bytes);
	return memory;
}

void *array_grow(
    void *items, size_t *capacity, size_t need, size_t size, struct error *err)
{
	size_t count = *capacity, bytes;
	void *grown;

	if (items && need <= count)
		return items;
	count = count > SIZE_MAX / 2 ? need : count * 2;
	if (count < FIRST_CAPACITY)
		count = FIRST_CAPACITY;
	if (count < need)
		count = need;
	if (size_mul(count, size, &bytes) || bytes > PTRDIFF_MAX) {
		error_set(err, ERROR_MEMORY,
		    "out of memory (%zu times %zu bytes)", count, size);
		return NULL;
	}
	if (!room_fits_work(bytes)) {
		room_error("the data made from it", bytes, err);
		return NULL;
	}
	grown = realloc(items, bytes ? bytes : 1);
	if (!grown) {
		error_memory(err, bytes);
		return NULL;
	}
	*capacity = count;
	return grown;
}
