/* bytes.h - sequences of bytes: a span borrows them, a buf owns them. */
#ifndef LIB_BASE_BYTES_H
#define LIB_BASE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct error;

struct span {
	const unsigned char *data;
	size_t len;
};

struct buf {
	unsigned char *data; /* owned; aligned to 64 bytes */
	size_t len;
	size_t cap;
};

#define BUF_INIT                                 \
	{                                        \
		.data = NULL, .len = 0, .cap = 0 \
	}

/* Makes the capacity at least `cap`; the first len bytes are kept. */
int buf_reserve(struct buf *buf, size_t cap, struct error *err);
/* The same for a buffer that keeps growing: at least doubles the capacity. */
int buf_grow(struct buf *buf, size_t cap, struct error *err);
int buf_append(
    struct buf *buf, const void *data, size_t len, struct error *err);
/* Appends formatted text and a NUL, which len does not count. */
int buf_printf(struct buf *buf, struct error *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void buf_release(struct buf *buf); /* empty and usable again */

static inline struct span buf_span(const struct buf *buf)
{
	return (struct span){ .data = buf->data, .len = buf->len };
}

static inline bool span_equal(struct span a, struct span b)
{
	return a.len == b.len &&
	       (a.len == 0 || memcmp(a.data, b.data, a.len) == 0);
}

/* The length does not count the NUL. */
static inline struct span span_text(const char *text)
{
	return (struct span){
		.data = (const unsigned char *)text,
		.len = strlen(text),
	};
}

/* Does the text end with `end`, and is it longer? */
bool span_ends_with(struct span text, const char *end);

#endif
