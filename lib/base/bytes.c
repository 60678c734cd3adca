/* bytes.c - see bytes.h. */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/bytes.h"
#include "lib/base/error.h"

enum { ALIGNMENT = 64 };

int buf_reserve(struct buf *buf, size_t cap, struct error *err)
{
	size_t bytes;
	void *data;

	if (cap <= buf->cap)
		return 0;
	if (size_add(cap, ALIGNMENT - 1, &bytes))
		return error_memory(err, cap);
	bytes -= bytes % ALIGNMENT;
	data = bytes <= PTRDIFF_MAX ? aligned_alloc(ALIGNMENT, bytes) : NULL;
	if (!data)
		return error_memory(err, bytes);
	if (buf->len)
		memcpy(data, buf->data, buf->len);
	free(buf->data);
	buf->data = data;
	buf->cap = bytes;
	return 0;
}

/* Room for `more` bytes behind the len that are there; doubles. */
static int reserve_more(struct buf *buf, size_t more, struct error *err)
{
	size_t need;

	if (size_add(buf->len, more, &need))
		return error_memory(err, more);
	if (need <= buf->cap)
		return 0;
	if (need < buf->cap * 2)
		need = buf->cap * 2;
	return buf_reserve(buf, need, err);
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

bool span_equal(struct span a, struct span b)
{
	return a.len == b.len &&
	       (a.len == 0 || memcmp(a.data, b.data, a.len) == 0);
}

struct span span_text(const char *text)
{
	return (struct span){
		.data = (const unsigned char *)text,
		.len = strlen(text),
	};
}
