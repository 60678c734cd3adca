/* png_maker.h - writes PNG files of every kind for tests, with known pixels. */
#ifndef TEST_UNIT_PNG_MAKER_H
#define TEST_UNIT_PNG_MAKER_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/bytes.h"

enum png_kind { PNG_GREY, PNG_RGB, PNG_PALETTE, PNG_GREY_ALPHA, PNG_RGBA };

enum { PNG_KINDS = PNG_RGBA + 1, PNG_COLOURS_MAX = 256 };

struct png_wish {
	enum png_kind kind;
	unsigned depth; /* 1, 2, 4, 8, 16: as far as the kind has it */
	unsigned height, width;
	bool interlaced;
	bool transparent; /* a tRNS chunk: not of kinds with alpha */
	bool indices;     /* of palettes, tell these and no colours */
	unsigned filters; /* of libpng, PNG_FILTER_UP ...; 0: it chooses */
	unsigned seed;
};

/* Has the kind such a depth? */
bool png_kind_has(enum png_kind kind, unsigned depth);

/*
 * Appends the file to `file`, and puts 4 numbers of each pixel into `pixels`,
 * which the caller frees: red, green, blue and alpha from 0 to 65535, or from
 * 0 to 255 unless depth is 16; with `indices` the place in the palette, four
 * times.
 */
void png_make(const struct png_wish *wish, struct buf *file, uint16_t **pixels);

/* How many channels the kind has, palettes as their colours. */
unsigned png_wish_channels(const struct png_wish *wish);

#endif
