/*
 * fuzz_audio.c - any bytes as a file of sound: an error in words, or sound of
 * the size and type that was promised, the same when it is decoded again.
 *
 * libsndfile 1.2.0 does not free all that it made for an Ogg file which it
 * then refuses: not ours to find.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/audio/sound_file.h"
#include "lib/base/array.h"
#include "lib/base/error.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);
/* NOLINTNEXTLINE(bugprone-reserved-identifier): the sanitizer's name */
const char *__lsan_default_suppressions(void);

/* NOLINTNEXTLINE(bugprone-reserved-identifier) */
const char *__lsan_default_suppressions(void)
{
	return "leak:libsndfile.so\nleak:libvorbis.so\nleak:libogg.so\n";
}

static const struct pcm_wish wishes[] = {
	{ DTYPE_I16, 1, 1 << 20 },
	{ DTYPE_F32, 0, 1 << 20 },
	{ DTYPE_I16, 2, 1 << 20 },
};

static void require(int truth)
{
	if (!truth)
		abort();
}

static void check(const struct tensor *out, const struct pcm_wish *wish)
{
	require(out->dtype == wish->dtype);
	require(out->shape.count == (wish->channels == 1 ? 1 : 2));
	require(out->bytes ==
	        shape_elements(&out->shape) * dtype_bytes(out->dtype));
	require(shape_elements(&out->shape) <= wish->most);
	require(wish->channels < 2 || out->shape.dims[1] == wish->channels);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	/* Used for all inputs, as a worker's. */
	static struct sound_decoder *decoders[ARRAY_LEN(wishes)];
	const struct span file = { data, len };

	for (size_t i = 0; i < ARRAY_LEN(wishes); i++) {
		struct tensor out = TENSOR_INIT, again = TENSOR_INIT;
		struct error err = ERROR_INIT;
		unsigned rate = 0;

		if (!decoders[i])
			decoders[i] = sound_decoder_new(&wishes[i], &err);
		require(decoders[i] != NULL);
		if (sound_decode(decoders[i], file, &out, &rate, &err)) {
			require(
			    err.code == ERROR_DATA || err.code == ERROR_LIMIT);
			require(err.text[0] != '\0');
		} else {
			require(rate > 0);
			check(&out, &wishes[i]);
			require(sound_decode(decoders[i], file, &again, &rate,
			            &err) == 0);
			require(shape_equal(&out.shape, &again.shape));
			require(!out.bytes ||
			        memcmp(out.data, again.data, out.bytes) == 0);
		}
		tensor_release(&out);
		tensor_release(&again);
	}
	return 0;
}
