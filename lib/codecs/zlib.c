/*
 * zlib.c - RFC 1950 (zlib): the header, frames of deflate, a final block and
 * the Adler-32 of all bytes.
 */
#include "lib/codecs/codec.h"
#include "lib/codecs/deflate/deflate.h"

const struct codec_ops codec_zlib = {
	.name = "zlib",
	.summary = "deflate with a short header, TensorFlow's ZLIB",
	.suits = "text and integers, for readers that need this format",
	.suffix = ".zz",
	.unpack = "pigz -dc",
	.tensorflow = "ZLIB",
	.level_min = 1,
	.level_max = 9,
	.level_default = 6,
	.state_new = deflate_new,
	.state_free = deflate_free,
	.bound = deflate_bound,
	.encode = deflate_encode,
	.decode = deflate_decode,
	.head = deflate_zlib_head,
	.tail = deflate_zlib_tail,
	.sum = deflate_adler32,
	.sum_start = 1,
};
