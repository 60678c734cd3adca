/* jpeg_maker.h - writes JPEG files as other programs do, for tests. */
#ifndef TEST_UNIT_JPEG_MAKER_H
#define TEST_UNIT_JPEG_MAKER_H

#include <stdbool.h>

#include "lib/base/bytes.h"

enum jpeg_kind {
	JPEG_GREY, /* 1 channel */
	JPEG_YCC,  /* 3: from RGB, colours at half the size */
	JPEG_RGB,  /* 3: stored as they are */
	JPEG_CMYK, /* 4, with Adobe's marker; 255 is no ink */
	JPEG_YCCK,
};

struct jpeg_wish {
	enum jpeg_kind kind;
	unsigned height, width;
	const unsigned char *pixels; /* HxWxC */
	bool is_progressive;
	bool in_scans;         /* each component in a scan of its own */
	unsigned down, across; /* how much finer brightness is; 0: twice */
	bool is_mixed;         /* red and blue each the finer in one way */
	unsigned quality;      /* 0: 100 */
	unsigned restart;      /* a marker after so many blocks; 0: none */
	unsigned orientation;  /* Exif; 0: no Exif */
	bool is_big_endian;    /* of the Exif */
};

/* Fails the test when it cannot. */
void jpeg_make(const struct jpeg_wish *wish, struct buf *out);
/* A whole APP1 segment's contents; returns its length. */
enum { EXIF_SEGMENT = 32 };
void exif_make(
    unsigned orientation, bool is_big_endian, unsigned char exif[EXIF_SEGMENT]);

#endif
