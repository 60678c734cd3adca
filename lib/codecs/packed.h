/*
 * packed.h - unpacks bytes that other programs compressed, whose length is
 * known: pages of Parquet, buffers of Arrow, shards of MDS.
 *
 * The libraries are those of the codecs, whose states it has. Snappy has an
 * own decoder (snappy.c): its library is in C++, and the format takes a page
 * of code to read.
 */
#ifndef LIB_CODECS_PACKED_H
#define LIB_CODECS_PACKED_H

#include <stddef.h>

#include "lib/base/bytes.h"

struct error;
struct packed;

enum packed_kind {
	PACKED_NONE,
	PACKED_GZIP,      /* one member, with its checksum */
	PACKED_LZ4_BLOCK, /* without a frame */
	PACKED_LZ4_FRAME,
	PACKED_SNAPPY, /* without a frame */
	PACKED_ZSTD,   /* frames in a row */
};

/* One thread uses it. States of libraries are made at their first use. */
struct packed *packed_new(struct error *err);
void packed_free(struct packed *packed); /* NULL is fine */
/* Unpacks all bytes; ERROR_DATA unless they make exactly `len`. */
int packed_decode(struct packed *packed, enum packed_kind kind, struct span in,
    void *out, size_t len, struct error *err);

/* ---- parts of it, in the files that wrap the libraries: 0 or -1 ---- */

int lz4_unpack_block(struct span in, void *out, size_t len);
int lz4_unpack_frame(void *state, struct span in, void *out, size_t len);
int snappy_unpack(struct span in, void *out, size_t len);
int zstd_unpack(void *state, struct span in, void *out, size_t len);

#endif
