/* magic.c - see magic.h. */
#include "lib/image/magic.h"

#include <string.h>

#include "lib/base/array.h"

#define MAGIC(kind, offset, text, title)                           \
	{                                                          \
		.format = (kind), .name = (title), .at = (offset), \
		.len = sizeof(text) - 1, .bytes = (text)           \
	}

static const struct magic magics[] = {
	MAGIC(IMAGE_JPEG, 0, "\xff\xd8\xff", "a JPEG file"),
	MAGIC(IMAGE_PNG, 0, "\x89PNG\r\n\x1a\n", "a PNG file"),
	MAGIC(IMAGE_NONE, 0, "\x89PNG", "a PNG file that was sent as text"),
	MAGIC(IMAGE_NONE, 0, "GIF8", "a GIF file"),
	MAGIC(IMAGE_NONE, 8, "WEBP", "a WebP file"),
	MAGIC(IMAGE_NONE, 0, "BM", "a BMP file"),
	MAGIC(IMAGE_NONE, 0, "II*\0", "a TIFF file"),
	MAGIC(IMAGE_NONE, 0, "MM\0*", "a TIFF file"),
	MAGIC(IMAGE_NONE, 4, "ftypavif", "an AVIF file"),
	MAGIC(IMAGE_NONE, 4, "ftyphei", "a HEIF file"),
	MAGIC(IMAGE_NONE, 4, "ftypmif1", "a HEIF file"),
	MAGIC(IMAGE_NONE, 4, "ftyp", "a video"),
	MAGIC(IMAGE_NONE, 0, "\xff\x0a", "a JPEG XL file"),
	MAGIC(IMAGE_NONE, 4, "JXL \r\n", "a JPEG XL file"),
	MAGIC(IMAGE_NONE, 4, "jP  \r\n", "a JPEG 2000 file"),
	MAGIC(IMAGE_NONE, 0, "\xff\x4f\xff\x51", "a JPEG 2000 file"),
	MAGIC(IMAGE_NONE, 0, "P5", "a PGM file"),
	MAGIC(IMAGE_NONE, 0, "P6", "a PPM file"),
	MAGIC(IMAGE_NONE, 0, "8BPS", "a Photoshop file"),
	MAGIC(IMAGE_NONE, 0, "qoif", "a QOI file"),
	MAGIC(IMAGE_NONE, 0, "\x93NUMPY", "a NumPy array"),
	MAGIC(IMAGE_NONE, 0, "\x89HDF", "an HDF5 file"),
	MAGIC(IMAGE_NONE, 0, "\x1f\x8b", "gzip data"),
	MAGIC(IMAGE_NONE, 0, "PK\x03\x04", "a ZIP archive"),
	MAGIC(IMAGE_NONE, 0, "%PDF", "a PDF file"),
	MAGIC(IMAGE_NONE, 0, "<svg", "an SVG file"),
	MAGIC(IMAGE_NONE, 0, "<?xml", "an XML file"),
	MAGIC(IMAGE_NONE, 0, "<!DOCTYPE", "an HTML page"),
	MAGIC(IMAGE_NONE, 0, "<html", "an HTML page"),
};

const struct magic *magic_find(struct span file)
{
	for (size_t i = 0; i < ARRAY_LEN(magics); i++) {
		const struct magic *m = &magics[i];

		if (file.len >= m->at + m->len &&
		    memcmp(file.data + m->at, m->bytes, m->len) == 0)
			return m;
	}
	return NULL;
}
