/*
 * gzip.c - RFC 1952 (gzip): one member with frames of deflate, a final block,
 * the CRC-32 of all bytes and their number.
 *
 * A member for each frame would be valid, too. But Python's tarfile in stream
 * mode, and so webdataset, and TensorFlow before 2.5 silently stop at the end
 * of the first member.
 */
#include "lib/base/error.h"
#include "lib/codecs/codec.h"
#include "lib/codecs/deflate/deflate.h"

enum { LEVEL_FASTEST = 1, LEVEL_BEST = 9 };

/* Without name and time: the same samples give the same bytes. */
static int head(int level, struct buf *out, struct error *err)
{
	unsigned char header[10] = { 0x1f, 0x8b, 8 };

	if (level == LEVEL_BEST)
		header[8] = 2;
	if (level == LEVEL_FASTEST)
		header[8] = 4;
	header[9] = 255; /* operating system: unknown */
	return buf_append(out, header, sizeof(header), err);
}

static int tail(uint32_t sum, uint64_t len, struct buf *out, struct error *err)
{
	unsigned char little_endian[8];

	for (unsigned i = 0; i < 4; i++) {
		little_endian[i] = (unsigned char)(sum >> (8 * i));
		little_endian[4 + i] = (unsigned char)(len >> (8 * i));
	}
	if (buf_append(out, deflate_final, DEFLATE_FINAL_LEN, err))
		return -1;
	return buf_append(out, little_endian, sizeof(little_endian), err);
}

const struct codec_ops codec_gzip = {
	.name = "gzip",
	.summary = "deflate with a CRC; everything reads it",
	.suits = "text and integers, for readers that need this format",
	.suffix = ".gz",
	.unpack = "gzip -dc",
	.tensorflow = "GZIP",
	.python_tar = true,
	.level_min = LEVEL_FASTEST,
	.level_max = LEVEL_BEST,
	.level_default = 6,
	.state_new = deflate_new,
	.state_free = deflate_free,
	.bound = deflate_bound,
	.encode = deflate_encode,
	.decode = deflate_decode,
	.head = head,
	.tail = tail,
	.sum = deflate_crc32,
	.sum_start = 0,
};
