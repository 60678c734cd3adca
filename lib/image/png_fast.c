/* png_fast.c - see png_fast.h. */
#include "lib/image/png_fast.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/codecs/deflate/deflate.h"
#include "lib/image/luma.h"
#include "lib/image/png_filter.h"

enum {
	SIGNATURE = 8,
	FRAME = 12, /* bytes of a chunk's length, name and checksum */
	HEADER = 13,
	KIND_PALETTE = 3,
	PALETTE_BYTES = 3 * 256,
	WINDOW_MOST = 0x78, /* first byte of a stream with the largest window */
};

struct png_fast {
	void *inflater;
	struct buf stream; /* the data, if it is in several chunks */
	struct buf rows;   /* inflated rows, their filter bytes, and slack */
	struct buf pixels; /* rows that still need conversion */
};

/* The findings of read_chunks. */
struct plain {
	size_t height, width, channels;
	unsigned char kind; /* colour type in the header */
	unsigned palettes;  /* number of palette chunks */
	struct span stream;
	unsigned chunks; /* number of data chunks */
};

struct chunk {
	const char *name; /* 4 letters */
	struct span body;
};

struct png_fast *png_fast_new(struct error *err)
{
	struct png_fast *fast = memory_zeroed(sizeof(*fast), err);

	if (!fast)
		return NULL;
	fast->inflater = deflate_new(1, err);
	if (!fast->inflater) {
		free(fast);
		return NULL;
	}
	return fast;
}

void png_fast_free(struct png_fast *fast)
{
	if (!fast)
		return;
	deflate_free(fast->inflater);
	buf_release(&fast->stream);
	buf_release(&fast->rows);
	buf_release(&fast->pixels);
	free(fast);
}

static uint32_t number_at(const unsigned char *at)
{
	return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 |
	       (uint32_t)at[2] << 8 | at[3];
}

/* Takes the next chunk from the file; false if it is not complete. */
static bool take_chunk(struct span *file, struct chunk *chunk)
{
	struct span summed;

	if (file->len < FRAME || number_at(file->data) > file->len - FRAME)
		return false;
	chunk->name = (const char *)file->data + 4;
	chunk->body.data = file->data + 8;
	chunk->body.len = number_at(file->data);
	summed.data = file->data + 4;
	summed.len = chunk->body.len + 4;
	file->data += chunk->body.len + FRAME;
	file->len -= chunk->body.len + FRAME;
	return deflate_crc32(0, summed) == number_at(summed.data + summed.len);
}

static bool is_named(const struct chunk *chunk, const char *name)
{
	return memcmp(chunk->name, name, 4) == 0;
}

/* Is it a chunk without effect on the pixels? */
static bool is_idle(const struct chunk *chunk)
{
	static const char *const names[] = { "bKGD", "cHRM", "eXIf", "gAMA",
		"iCCP", "iTXt", "pHYs", "sBIT", "sRGB", "tEXt", "tIME",
		"zTXt" };

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (is_named(chunk, names[i]))
			return true;
	return false;
}

/* Is it a palette whose colours are not needed? */
static bool is_palette(const struct chunk *chunk, const struct plain *plain)
{
	return plain->kind == KIND_PALETTE && plain->palettes == 0 &&
	       is_named(chunk, "PLTE") && chunk->body.len > 0 &&
	       chunk->body.len <= PALETTE_BYTES && chunk->body.len % 3 == 0;
}

static bool read_header(const struct chunk *chunk, struct plain *plain)
{
	static const unsigned char channels[] = { 1, 0, 3, 1, 2, 0, 4 };
	const unsigned char *at = chunk->body.data;

	if (!is_named(chunk, "IHDR") || chunk->body.len != HEADER)
		return false;
	plain->width = number_at(at);
	plain->height = number_at(at + 4);
	if (at[8] != 8 || at[9] >= sizeof(channels) || !channels[at[9]] ||
	    at[10] || at[11] || at[12])
		return false;
	plain->channels = channels[at[9]];
	plain->kind = at[9];
	return plain->width > 0 && plain->width <= PNG_SIDE_MOST &&
	       plain->height > 0 && plain->height <= PNG_SIDE_MOST &&
	       plain->width * plain->height <= IMAGE_PIXELS_MAX;
}

/* Adds a data chunk to the stream; a single chunk is not copied. */
static bool add_data(
    struct png_fast *fast, const struct span *body, struct plain *plain)
{
	struct buf *stream = &fast->stream;
	struct error err;

	if (plain->chunks++ == 0) {
		plain->stream = *body;
		return true;
	}
	if (plain->chunks == 2) {
		stream->len = 0;
		if (buf_append(
		        stream, plain->stream.data, plain->stream.len, &err))
			return false;
	}
	if (buf_append(stream, body->data, body->len, &err))
		return false;
	plain->stream = buf_span(stream);
	return true;
}

/* Reads all chunks: header, idle ones, a palette, data, idle ones, end. */
static bool read_chunks(
    struct png_fast *fast, struct span file, struct plain *plain)
{
	bool is_past = false; /* data chunks were seen */
	struct chunk chunk;

	if (file.len < SIGNATURE ||
	    memcmp(file.data, "\x89PNG\r\n\x1a\n", SIGNATURE) != 0)
		return false;
	file.data += SIGNATURE;
	file.len -= SIGNATURE;
	if (!take_chunk(&file, &chunk) || !read_header(&chunk, plain))
		return false;
	while (take_chunk(&file, &chunk)) {
		if (is_named(&chunk, "IEND"))
			return chunk.body.len == 0;
		if (is_named(&chunk, "IDAT")) {
			if (is_past || !add_data(fast, &chunk.body, plain))
				return false;
			continue;
		}
		if (plain->chunks == 0 && is_palette(&chunk, plain)) {
			plain->palettes++;
			continue;
		}
		if (!is_idle(&chunk))
			return false;
		is_past = plain->chunks > 0;
	}
	return false;
}

/* zlib, not libdeflate, refuses data that needs a larger window than said. */
static bool inflate_rows(struct png_fast *fast, const struct plain *plain)
{
	const size_t row = plain->width * plain->channels + 1;
	const size_t len = plain->height * row;
	struct error err;

	if (plain->stream.len < 2 || plain->stream.data[0] != WINDOW_MOST ||
	    len / DEFLATE_EXPANSION > plain->stream.len ||
	    buf_reserve(&fast->rows, len + PNG_FILTER_SLACK, &err) ||
	    deflate_unzlib(fast->inflater, plain->stream, fast->rows.data, len))
		return false;
	for (size_t y = 0; y < plain->height; y++)
		if (fast->rows.data[y * row] >= PNG_FILTERS)
			return false;
	return true;
}

/* Converts one row; other conversions are left to libpng. */
static void convert(const unsigned char *in, size_t from, unsigned char *out,
    size_t to, size_t width)
{
	if (from == 4)
		for (size_t x = 0; x < width; x++)
			memcpy(out + 3 * x, in + 4 * x, 3);
	else if (to == 3)
		for (size_t x = 0; x < width; x++)
			memset(out + 3 * x, in[x], 3);
	else
		luma_of_rgb(DTYPE_U8, in, out, width);
}

/* Unfilters rows in their final place, or alternates between two rows. */
static bool undo_rows(struct png_fast *fast, const struct plain *plain,
    unsigned char *out, size_t channels)
{
	const size_t row = plain->width * plain->channels;
	const size_t room = row + PNG_FILTER_SLACK;
	const bool is_direct = channels == plain->channels;
	const unsigned char *above;
	struct error err;

	if (buf_reserve(&fast->pixels, 3 * room, &err))
		return false;
	memset(fast->pixels.data, 0, 3 * room);
	above = fast->pixels.data + 2 * room;
	for (size_t y = 0; y < plain->height; y++) {
		const unsigned char *in = fast->rows.data + y * (row + 1);
		unsigned char *to = fast->pixels.data + (y & 1) * room;

		if (is_direct)
			to = out + y * row;
		png_unfilter(in[0], plain->channels, in + 1, above, to, row);
		if (!is_direct)
			convert(to, plain->channels,
			    out + y * plain->width * channels, channels,
			    plain->width);
		above = to;
	}
	return true;
}

/* Returns the channels of the output; 0: leave the file to libpng. */
static size_t channels_for(
    const struct png_form *form, const struct plain *plain)
{
	const size_t channels = plain->channels;

	if (form->mode == IMAGE_INDEX || plain->kind == KIND_PALETTE)
		return form->mode == IMAGE_INDEX && plain->palettes ? 1 : 0;
	if (form->dtype != DTYPE_U8 ||
	    (form->exact && (channels == 2 || channels == 4)))
		return 0;
	if (form->mode == IMAGE_UNCHANGED)
		return channels;
	if (form->mode == IMAGE_RGB)
		return channels == 2 ? 0 : 3;
	return channels == 1 || channels == 3 ? 1 : 0;
}

bool png_fast_run(struct png_fast *fast, struct span file,
    const struct png_form *form, struct tensor *out)
{
	struct plain plain = { .chunks = 0 };
	struct shape shape = { .count = 3 };
	struct error err;
	size_t channels;

	if (!read_chunks(fast, file, &plain))
		return false;
	channels = channels_for(form, &plain);
	if (!channels || !inflate_rows(fast, &plain))
		return false;
	shape.dims[0] = (int64_t)plain.height;
	shape.dims[1] = (int64_t)plain.width;
	shape.dims[2] = (int64_t)channels;
	return tensor_reshape(out, DTYPE_U8, &shape, &err) == 0 &&
	       undo_rows(fast, &plain, out->data, channels);
}
