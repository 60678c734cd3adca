/*
 * exif.c - see exif.h.
 *
 * A JPEG file is a sequence of segments: 0xff, a marker, two bytes of length.
 * The Exif segment (APP1) contains a TIFF file: a byte order, and at some
 * offset a directory of entries of 12 bytes: tag, type, count, value.
 */
#include <stdint.h>
#include <string.h>

#include "lib/base/cpu.h"
#include "lib/image/exif.h"

enum {
	MARKER_TEM = 0x01,
	MARKER_RST0 = 0xd0,
	MARKER_SOI = 0xd8,
	MARKER_EOI = 0xd9,
	MARKER_SOS = 0xda,
	MARKER_APP1 = 0xe1,
	EXIF_LEN = 6, /* "Exif", two zeros */
	TIFF_LEN = 8,
	ENTRY_LEN = 12,
	TAG_ORIENTATION = 0x0112,
	TYPE_SHORT = 3,
	TYPE_LONG = 4,
};

struct tiff {
	struct span bytes;
	bool is_little_endian;
};

static uint32_t read_u16(const struct tiff *tiff, size_t at)
{
	const unsigned char *p = tiff->bytes.data + at;

	if (tiff->is_little_endian)
		return p[0] | (uint32_t)p[1] << 8;
	return p[1] | (uint32_t)p[0] << 8;
}

static uint32_t read_u32(const struct tiff *tiff, size_t at)
{
	const uint32_t first = read_u16(tiff, at);
	const uint32_t second = read_u16(tiff, at + 2);

	return tiff->is_little_endian ? first | second << 16
	                              : second | first << 16;
}

/* Returns the value of an orientation entry; 0 for other entries. */
static unsigned entry_orientation(const struct tiff *tiff, size_t at)
{
	const uint32_t type = read_u16(tiff, at + 2);
	uint32_t value = 0;

	if (read_u16(tiff, at) != TAG_ORIENTATION)
		return 0;
	if (type == TYPE_SHORT)
		value = read_u16(tiff, at + 8);
	else if (type == TYPE_LONG)
		value = read_u32(tiff, at + 8);
	return value <= 8 ? value : 0;
}

/* Returns 0 when there is none. */
static unsigned tiff_orientation(struct span bytes)
{
	struct tiff tiff = { .bytes = bytes };
	size_t at, entries;

	if (bytes.len < TIFF_LEN)
		return 0;
	tiff.is_little_endian = memcmp(bytes.data, "II", 2) == 0;
	if (!tiff.is_little_endian && memcmp(bytes.data, "MM", 2) != 0)
		return 0;
	at = read_u32(&tiff, 4);
	if (read_u16(&tiff, 2) != 42 || at > bytes.len - 2)
		return 0;
	entries = read_u16(&tiff, at);
	at += 2;
	for (; entries > 0 && bytes.len - at >= ENTRY_LEN; entries--) {
		const unsigned orientation = entry_orientation(&tiff, at);

		if (orientation)
			return orientation;
		at += ENTRY_LEN;
	}
	return 0;
}

static unsigned segment_orientation(struct span segment)
{
	if (segment.len < EXIF_LEN ||
	    memcmp(segment.data, "Exif\0", EXIF_LEN) != 0)
		return 0;
	segment.data += EXIF_LEN;
	segment.len -= EXIF_LEN;
	return tiff_orientation(segment);
}

static bool has_no_length(unsigned marker)
{
	return marker == MARKER_TEM || marker == 0xff ||
	       (marker >= MARKER_RST0 && marker <= MARKER_SOI);
}

unsigned exif_orientation(struct span jpeg)
{
	size_t at = 0;

	while (jpeg.len - at >= 4 && jpeg.data[at] == 0xff) {
		const unsigned marker = jpeg.data[at + 1];
		struct span segment = { .data = jpeg.data + at + 4 };
		size_t len;
		unsigned orientation;

		if (has_no_length(marker)) {
			at += marker == 0xff ? 1 : 2; /* 0xff may be repeated */
			continue;
		}
		if (marker == MARKER_SOS || marker == MARKER_EOI)
			break;
		len = (size_t)jpeg.data[at + 2] << 8 | jpeg.data[at + 3];
		if (len < 2 || len > jpeg.len - at - 2)
			break;
		segment.len = len - 2;
		orientation =
		    marker == MARKER_APP1 ? segment_orientation(segment) : 0;
		if (orientation)
			return orientation;
		at += 2 + len;
	}
	return 1;
}

bool exif_is_turned(unsigned orientation)
{
	return orientation >= 5;
}

/* The source of the next output pixel, in bytes of the input. */
struct walk {
	ptrdiff_t first, row, column;
	size_t width; /* pixels per output row */
};

static struct walk walk_for(
    unsigned orientation, const struct tensor *in, const struct tensor *out)
{
	static const struct {
		bool from_below, from_right;
	} ways[] = {
		[1] = { false, false },
		[2] = { false, true },
		[3] = { true, true },
		[4] = { true, false },
		[5] = { false, false },
		[6] = { true, false },
		[7] = { true, true },
		[8] = { false, true },
	};
	const bool from_below = ways[orientation].from_below;
	const bool from_right = ways[orientation].from_right;
	const ptrdiff_t pixel = (ptrdiff_t)in->shape.dims[2];
	const ptrdiff_t row = (ptrdiff_t)in->shape.dims[1] * pixel;
	const ptrdiff_t last = (ptrdiff_t)in->shape.dims[0] - 1;
	const ptrdiff_t down = from_below ? -row : row;
	const ptrdiff_t right = from_right ? -pixel : pixel;
	const bool is_turned = exif_is_turned(orientation);

	return (struct walk){
		.first = (from_below ? last * row : 0) +
		         (from_right ? row - pixel : 0),
		.row = is_turned ? right : down,
		.column = is_turned ? down : right,
		.width = (size_t)out->shape.dims[1],
	};
}

enum { TILE = 32 };

/* `pixel` is a constant in each call, so that memcpy becomes a move. */
CPU_BODY void copy_pixels(const unsigned char *in, unsigned char *out,
    struct walk walk, const size_t tile[2], size_t pixel)
{
	for (size_t y = 0; y < tile[0]; y++)
		for (size_t x = 0; x < tile[1]; x++)
			memcpy(out + (y * walk.width + x) * pixel,
			    in + (ptrdiff_t)y * walk.row +
			        (ptrdiff_t)x * walk.column,
			    pixel);
}

static void copy_tile(const unsigned char *in, unsigned char *out,
    struct walk walk, const size_t tile[2], size_t pixel)
{
	if (pixel == 3)
		copy_pixels(in, out, walk, tile, 3);
	else
		copy_pixels(in, out, walk, tile, 1);
}

/* Works in tiles, so that a rotation does not miss the cache at every pixel. */
void exif_upright(
    const struct tensor *in, unsigned orientation, struct tensor *out)
{
	const struct walk walk = walk_for(orientation, in, out);
	const size_t height = (size_t)out->shape.dims[0];
	const size_t pixel = (size_t)in->shape.dims[2];
	const unsigned char *from =
	    (const unsigned char *)in->data + walk.first;
	unsigned char *to = out->data;

	for (size_t y = 0; y < height; y += TILE)
		for (size_t x = 0; x < walk.width; x += TILE) {
			const size_t tile[2] = {
				height - y < TILE ? height - y : TILE,
				walk.width - x < TILE ? walk.width - x : TILE,
			};

			copy_tile(from + (ptrdiff_t)y * walk.row +
			              (ptrdiff_t)x * walk.column,
			    to + (y * walk.width + x) * pixel, walk, tile,
			    pixel);
		}
}
