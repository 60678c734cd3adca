/* bytes.c - see bytes.h. */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/base/room.h"

enum {
	ALIGNMENT = 64,
	/* From this size on the C library can move pages, not bytes. */
	MOVED = 1 << 20,
};

static bool is_aligned(const void *data)
{
	return (uintptr_t)data % ALIGNMENT == 0;
}

/*
 * Grows large buffers with realloc, which needs no second copy.  A file of
 * unknown size then takes only as much memory as it has bytes.
 */
static void *resize(struct buf *buf, size_t bytes)
{
	void *data;

	if (buf->cap >= MOVED) {
		data = realloc(buf->data, bytes);
		if (!data)
			return NULL;
		buf->data = data;
		if (is_aligned(data))
			return data;
	}
	data = aligned_alloc(ALIGNMENT, bytes);
	if (!data)
		return NULL;
	if (buf->len)
		memcpy(data, buf->data, buf->len);
	free(buf->data);
	return data;
}

int buf_reserve(struct buf *buf, size_t cap, struct error *err)
{
	size_t bytes;
	void *data;

	if (cap <= buf->cap)
		return 0;
	if (!room_fits_work(cap))
		return room_error("the data made from it", cap, err);
	if (size_add(cap, ALIGNMENT - 1, &bytes))
		return error_memory(err, cap);
	bytes -= bytes % ALIGNMENT;
	data = bytes <= PTRDIFF_MAX ? resize(buf, bytes) : NULL;
	if (!data)
		return error_memory(err, bytes);
	buf->data = data;
	buf->cap = bytes;
	return 0;
}

int buf_grow(struct buf *buf, size_t cap, struct error *err)
{
	if (cap <= buf->cap)
		return 0;
	if (cap < buf->cap * 2 && room_fits_work(buf->cap * 2))
		cap = buf->cap * 2;
	return buf_reserve(buf, cap, err);
}

/* Makes room for `more` bytes after the first len. */
static int reserve_more(struct buf *buf, size_t more, struct error *err)
{
	size_t need;

	if (size_add(buf->len, more, &need))
		return error_memory(err, more);
	return buf_grow(buf, need, err);
}

int buf_append(struct buf *buf, const void *data, size_t len, struct error *err)
{
	if (!len)
		return 0;
	if (reserve_more(buf, len, err))
		return -1;
	memcpy(buf->data + buf->len, data, len);
	buf->len += len;
	return 0;
}

int buf_printf(struct buf *buf, struct error *err, const char *format, ...)
{
	va_list args, again;
	int wanted, rc = -1;

	va_start(args, format);
	va_copy(again, args);
	wanted = vsnprintf(NULL, 0, format, args);
	if (wanted < 0) {
		error_set(err, ERROR_SYSTEM, "cannot format '%s'", format);
		goto done;
	}
	if (reserve_more(buf, (size_t)wanted + 1, err))
		goto done;
	vsnprintf(
	    (char *)buf->data + buf->len, (size_t)wanted + 1, format, again);
	buf->len += (size_t)wanted;
	rc = 0;
done:
	va_end(again);
	va_end(args);
	return rc;
}

void buf_release(struct buf *buf)
{
	free(buf->data);
	*buf = (struct buf)BUF_INIT;
}

bool span_ends_with(struct span text, const char *end)
{
	const size_t len = strlen(end);

	return text.len > len &&
	       memcmp(text.data + text.len - len, end, len) == 0;
}
