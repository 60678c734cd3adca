/* inflate.c - see inflate.h. */
#include <stdlib.h>
#include <zlib.h>

#include "datasets/archives/inflate.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/media/medium.h"

enum {
	BLOCK = 256 << 10,
	EITHER_FORM = 32 + MAX_WBITS, /* gzip or zlib, by the header */
};

struct inflater {
	struct medium_file *file;
	uint64_t at; /* offset of the next read */
	z_stream z;
	bool is_open;   /* z must be ended */
	bool has_ended; /* at least one stream has ended */
	bool in_stream; /* a stream began and has not ended */
	unsigned char block[BLOCK];
};

bool inflate_knows(struct span bytes)
{
	if (bytes.len < 2)
		return false;
	if (bytes.data[0] == 0x1f && bytes.data[1] == 0x8b)
		return true;
	return (bytes.data[0] & 15) == Z_DEFLATED && bytes.data[0] >> 4 <= 7 &&
	       (bytes.data[0] << 8 | bytes.data[1]) % 31 == 0;
}

struct inflater *inflater_new(struct medium_file *file, struct error *err)
{
	struct inflater *inflater = memory_zeroed(sizeof(*inflater), err);

	if (!inflater)
		return NULL;
	inflater->file = file;
	inflater->is_open = inflateInit2(&inflater->z, EITHER_FORM) == Z_OK;
	if (inflater->is_open)
		return inflater;
	error_memory(err, sizeof(*inflater));
	free(inflater);
	return NULL;
}

void inflater_free(struct inflater *inflater)
{
	if (!inflater)
		return;
	if (inflater->is_open)
		inflateEnd(&inflater->z);
	free(inflater);
}

/* Reads more of the file; *more is false at its end. */
static int fill(struct inflater *inflater, bool *more, struct error *err)
{
	const uint64_t left = medium_size(inflater->file) - inflater->at;
	const size_t want = left < BLOCK ? (size_t)left : BLOCK;

	*more = want > 0;
	if (want == 0)
		return 0;
	if (medium_read_full(
	        inflater->file, inflater->at, inflater->block, want, err))
		return -1;
	inflater->at += want;
	inflater->z.next_in = inflater->block;
	inflater->z.avail_in = (uInt)want;
	return 0;
}

/* Inflates some of the block; streams may follow each other. */
static int step(struct inflater *inflater, struct error *err)
{
	z_stream *z = &inflater->z;
	int rc;

	if (!inflater->in_stream && inflateReset(z) != Z_OK)
		return error_set(err, ERROR_MEMORY, "out of memory");
	inflater->in_stream = true;
	rc = inflate(z, Z_NO_FLUSH);
	if (rc == Z_STREAM_END) {
		inflater->in_stream = false;
		inflater->has_ended = true;
	}
	if (rc == Z_MEM_ERROR)
		return error_set(err, ERROR_MEMORY, "out of memory");
	if (rc != Z_STREAM_END && rc != Z_OK && rc != Z_BUF_ERROR)
		return error_set(err, ERROR_DATA,
		    "its compressed data is damaged: %s",
		    z->msg ? z->msg : "it needs a dictionary");
	return 0;
}

int inflater_read(struct inflater *inflater, void *data, size_t len,
    size_t *got, struct error *err)
{
	z_stream *z = &inflater->z;
	unsigned char *to = data;
	bool more = true;

	*got = 0;
	while (*got < len) {
		const size_t want = len - *got < BLOCK ? len - *got : BLOCK;

		if (z->avail_in == 0 && fill(inflater, &more, err))
			return -1;
		if (!more && inflater->in_stream)
			return error_set(err, ERROR_DATA,
			    "its compressed data is cut short");
		if (!more)
			return 0;
		z->next_out = to + *got;
		z->avail_out = (uInt)want;
		if (step(inflater, err))
			return -1;
		*got += want - z->avail_out;
	}
	return 0;
}

bool inflater_is_behind(const struct inflater *inflater)
{
	return inflater->has_ended &&
	       (!inflater->in_stream || inflater->z.total_out == 0);
}
