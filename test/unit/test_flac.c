/* test_flac.c - whole files are decoded, all others left to libsndfile. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/audio/flac.h"
#include "lib/audio/sound_writer.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/random.h"
#include "test/unit/test.h"

enum { FRAMES = 9000, RATE = 16000, CHANNELS = 3 };

struct recording {
	int16_t samples[FRAMES * CHANNELS];
	unsigned channels;
	struct buf file;
};

static struct recording *record(unsigned channels)
{
	struct recording *r = calloc(1, sizeof(*r));
	struct random random = random_stream(3, 0, 0, 0);
	struct error err = ERROR_INIT;

	assert_non_null(r);
	r->channels = channels;
	for (size_t i = 0; i < FRAMES * channels; i++)
		r->samples[i] = (int16_t)(9000 * sin(0.07 * (double)i) +
		                          50 * random_normal(&random));
	test_ok(
	    sound_write(&(struct sound){ r->samples, FRAMES, channels, RATE },
	        SOUND_WRITE_FLAC, &r->file, &err),
	    &err);
	return r;
}

static void recording_free(struct recording *r)
{
	buf_release(&r->file);
	free(r);
}

struct target {
	struct flac *flac;
	struct pcm_sink sink;
	struct tensor out;
};

static void target_init(struct target *target, const struct pcm_wish *wish)
{
	struct error err = ERROR_INIT;

	*target = (struct target){ .sink.wish = *wish };
	target->flac = flac_new(&err);
	test_ok(!target->flac, &err);
}

static void target_release(struct target *target)
{
	flac_free(target->flac);
	pcm_sink_release(&target->sink);
	tensor_release(&target->out);
}

static bool decode(struct target *target, struct span file)
{
	return flac_decode(target->flac, file, &target->sink, &target->out);
}

static bool is_like(const struct target *target, const struct recording *r)
{
	const size_t count = FRAMES * r->channels;
	const float *floats = target->out.data;

	if (target->out.dtype == DTYPE_I16)
		return target->out.bytes == count * 2 &&
		       memcmp(target->out.data, r->samples, count * 2) == 0;
	for (size_t i = 0; i < count; i++)
		if (floats[i] != (float)r->samples[i] / 32768)
			return false;
	return target->out.bytes == count * 4;
}

static void test_flac_comes_as_it_was(void **state)
{
	UNUSED(state);
	for (unsigned i = 0; i < 2 * CHANNELS; i++) {
		const struct pcm_wish wish = { i % 2 ? DTYPE_I16 : DTYPE_F32, 0,
			PCM_MOST };
		struct recording *r = record(1 + i / 2);
		struct target target;

		target_init(&target, &wish);
		for (unsigned k = 0; k < 2; k++) {
			assert_true(decode(&target, buf_span(&r->file)));
			assert_true(is_like(&target, r));
			assert_int_equal(target.sink.form.rate, RATE);
		}
		target_release(&target);
		recording_free(r);
	}
}

static void test_flac_declines_what_is_cut(void **state)
{
	const struct pcm_wish wish = { DTYPE_I16, 0, PCM_MOST };
	struct recording *r = record(1);
	struct span cut = buf_span(&r->file);
	struct target target;

	UNUSED(state);
	target_init(&target, &wish);
	for (cut.len = 0; cut.len < r->file.len; cut.len += 37)
		assert_false(decode(&target, cut));
	assert_true(decode(&target, buf_span(&r->file)));
	target_release(&target);
	recording_free(r);
}

/* Bytes of no frame may be any. */
static void test_flac_declines_what_is_damaged(void **state)
{
	const struct pcm_wish wish = { DTYPE_I16, 0, PCM_MOST };
	struct recording *r = record(2);
	struct target target;
	unsigned declined = 0;

	UNUSED(state);
	target_init(&target, &wish);
	for (size_t i = 200; i < r->file.len; i += 41) {
		r->file.data[i] ^= 0x11;
		if (decode(&target, buf_span(&r->file)))
			assert_true(is_like(&target, r));
		else
			declined++;
		r->file.data[i] ^= 0x11;
	}
	assert_true(declined > 100);
	target_release(&target);
	recording_free(r);
}

static void test_flac_declines_what_is_not_wished(void **state)
{
	static const struct pcm_wish wishes[] = {
		{ DTYPE_I16, 3, PCM_MOST }, /* of two */
		{ DTYPE_I16, 0, FRAMES },   /* too long */
	};
	struct recording *r = record(2);

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(wishes); i++) {
		struct target target;

		target_init(&target, &wishes[i]);
		assert_false(decode(&target, buf_span(&r->file)));
		assert_false(decode(&target, span_text("RIFF....WAVE")));
		target_release(&target);
	}
	recording_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_flac_comes_as_it_was),
		cmocka_unit_test(test_flac_declines_what_is_cut),
		cmocka_unit_test(test_flac_declines_what_is_damaged),
		cmocka_unit_test(test_flac_declines_what_is_not_wished),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
