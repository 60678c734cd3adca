/*
 * data_kind.h - the kinds of data that `codec = auto` tells apart, as bits.
 * The row of each codec and filter names the kinds that it is tried on.
 */
#ifndef LIB_CODECS_DATA_KIND_H
#define LIB_CODECS_DATA_KIND_H

enum data_kind {
	DATA_PACKED = 1, /* files that are compressed: JPEG, FLAC, gzip */
	DATA_TEXT = 2,
	DATA_FILES = 4,  /* other files */
	DATA_PIXELS = 8, /* images of integers */
	DATA_SOUND = 16, /* int16, as sound files hold it */
	DATA_INTEGERS = 32,
	DATA_FLOATS = 64,        /* continuous values */
	DATA_FLOAT_IMAGES = 128, /* normalised: few different values */
	DATA_LOOSE = 254,        /* all but DATA_PACKED */
};

#endif
