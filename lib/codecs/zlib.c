/*
 * zlib.c - RFC 1950 (zlib): the header, frames of deflate, a final block and
 * the Adler-32 of all bytes.
 */
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/codecs/codec.h"
#include "lib/codecs/deflate/deflate.h"

/*
 * 0x78 is deflate with a window of 32 KiB. The next byte tells how hard the
 * encoder tried.
 */
static int head(int level, struct buf *out, struct error *err)
{
	const unsigned effort = level < 2    ? 0
	                        : level < 6  ? 1
	                        : level == 6 ? 2
	                                     : 3;
	unsigned char header[2] = { 0x78, (unsigned char)(effort << 6) };

	header[1] = (unsigned char)(header[1] + 31 - (0x7800 + header[1]) % 31);
	return buf_append(out, header, sizeof(header), err);
}

static int tail(uint32_t sum, uint64_t len, struct buf *out, struct error *err)
{
	unsigned char big_endian[4];

	UNUSED(len);
	for (unsigned i = 0; i < 4; i++)
		big_endian[i] = (unsigned char)(sum >> (24 - 8 * i));
	if (buf_append(out, deflate_final, DEFLATE_FINAL_LEN, err))
		return -1;
	return buf_append(out, big_endian, sizeof(big_endian), err);
}

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
	.head = head,
	.tail = tail,
	.sum = deflate_adler32,
	.sum_start = 1,
};
