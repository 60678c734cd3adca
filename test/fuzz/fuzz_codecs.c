/*
 * fuzz_codecs.c - any bytes through each codec and back, and any bytes as a
 * frame: an error, or as many bytes as were told.  The first byte chooses.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/codecs/codec.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

enum { CODECS_MOST = 8, LEVELS = 4 };

static size_t count_codecs(void)
{
	size_t count = 0;

	while (codec_at(count))
		count++;
	return count;
}

static void require(int truth)
{
	if (!truth)
		abort();
}

/* States are kept, as workers keep them. */
static void *state_of(const struct codec_ops *ops, size_t codec, int level)
{
	static void *states[CODECS_MOST][LEVELS];
	struct error err;

	require(codec < CODECS_MOST);
	if (!ops->state_new)
		return NULL;
	if (!states[codec][level])
		states[codec][level] =
		    ops->state_new(1 + level * (ops->level_max - 1) / 5, &err);
	require(states[codec][level] != NULL);
	return states[codec][level];
}

static void check_round_trip(
    const struct codec_ops *ops, void *state, struct span in)
{
	struct buf packed = BUF_INIT, back = BUF_INIT;
	struct error err = ERROR_INIT;

	require(ops->encode(state, in, &packed, &err) == 0);
	require(packed.len <= ops->bound(in.len));
	require(
	    ops->decode(state, buf_span(&packed), in.len, &back, &err) == 0);
	require(span_equal(buf_span(&back), in));
	buf_release(&packed);
	buf_release(&back);
}

static void check_any(
    const struct codec_ops *ops, void *state, struct span frame, size_t len)
{
	struct buf back = BUF_INIT;
	struct error err = ERROR_INIT;

	if (ops->decode(state, frame, len, &back, &err) == 0)
		require(back.len == len);
	else
		require(err.code == ERROR_DATA && back.len == 0);
	buf_release(&back);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	const struct codec_ops *ops;
	const size_t count = count_codecs();
	struct span rest;
	void *state;

	if (len < 2)
		return 0;
	ops = codec_at(data[0] % count);
	if (!ops->encode)
		return 0;
	state = state_of(ops, data[0] % count, data[0] / count % LEVELS);
	rest.data = data + 2;
	rest.len = len - 2;
	if (data[0] < 128)
		check_round_trip(ops, state, rest);
	else
		check_any(ops, state, rest, data[1]);
	return 0;
}
