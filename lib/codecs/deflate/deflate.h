/*
 * deflate.h - frames of RFC 1951 (deflate) for gzip.c and zlib.c; wraps
 * libdeflate.
 *
 * A frame is a series of deflate blocks that refer to nothing before them. An
 * empty stored block ends it at a byte boundary, as zlib's full flush does.
 * Frames in a row and a final block are one deflate stream; so is one frame
 * with a final block.
 */
#ifndef LIB_CODECS_DEFLATE_DEFLATE_H
#define LIB_CODECS_DEFLATE_DEFLATE_H

#include <stddef.h>
#include <stdint.h>

#include "lib/base/bytes.h"

struct error;

enum {
	DEFLATE_FINAL_LEN = 2,
	DEFLATE_EXPANSION = 1032, /* largest ratio: 258 bytes in 2 bits */
};

/* An empty final block, which ends a stream. */
extern const unsigned char deflate_final[DEFLATE_FINAL_LEN];

/* Functions of struct codec_ops. */
void *deflate_new(int level, struct error *err);
void deflate_free(void *state);
size_t deflate_bound(size_t len);
int deflate_encode(
    void *state, struct span in, struct buf *out, struct error *err);
int deflate_decode(void *state, struct span frame, size_t len, struct buf *out,
    struct error *err);

/* Inflates and verifies a zlib stream; -1 unless it holds `len` bytes. */
int deflate_unzlib(void *state, struct span stream, void *out, size_t len);
/* The same for a gzip file of one member. */
int deflate_ungzip(void *state, struct span stream, void *out, size_t len);

/* The ends of a zlib stream; `sum` is the Adler-32 of what was compressed. */
int deflate_zlib_head(int level, struct buf *out, struct error *err);
int deflate_zlib_tail(
    uint32_t sum, uint64_t len, struct buf *out, struct error *err);

uint32_t deflate_adler32(uint32_t sum, struct span bytes); /* starts at 1 */
uint32_t deflate_crc32(uint32_t sum, struct span bytes);   /* starts at 0 */

#endif
