/*
 * test_speech.c - generated recordings: reproducible, and similar to real ones.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "datasets/generator.h"
#include "lib/audio/sound_file.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/files/path_tree.h"
#include "lib/syntax/option.h"
#include "test/unit/test.h"

enum { RECORDINGS = 30 };

/* `format` as the command line says it; NULL: as it is by default. */
static char *generate(uint64_t seed, unsigned threads, const char *format)
{
	const struct generator_ops *ops = generator_find("speech");
	char *dir = test_scratch();
	struct generate_plan plan = {
		.dir = dir,
		.count = RECORDINGS,
		.seed = seed,
		.threads = threads,
	};
	struct error err = ERROR_INIT;
	void *options;

	assert_non_null(ops);
	options = calloc(1, ops->options_size);
	assert_non_null(options);
	if (format)
		test_ok(
		    option_set(ops->options, options, "format", format, &err),
		    &err);
	plan.options = options;
	test_ok(ops->run(&plan, &err), &err);
	free(options);
	return dir;
}

struct seen {
	const char *dir;
	struct sound_decoder *decoder;
	unsigned count, rate;
	uint64_t bytes, frames;
	unsigned different; /* from the folder `other` */
	const char *other;
};

static int look(void *arg, const char *name, uint64_t bytes, struct error *err)
{
	struct buf file = BUF_INIT, other = BUF_INIT;
	struct tensor sound = TENSOR_INIT;
	struct seen *seen = arg;

	if (strstr(name, ".conf"))
		return 0;
	test_read_file(seen->dir, name, &file);
	if (seen->other) {
		test_read_file(seen->other, name, &other);
		seen->different +=
		    !span_equal(buf_span(&file), buf_span(&other));
	}
	test_ok(sound_decode(
	            seen->decoder, buf_span(&file), &sound, &seen->rate, err),
	    err);
	seen->count++;
	seen->bytes += bytes;
	seen->frames += (uint64_t)sound.shape.dims[0];
	tensor_release(&sound);
	buf_release(&file);
	buf_release(&other);
	return 0;
}

static struct seen look_at_all(const char *dir, const char *other)
{
	const struct pcm_wish wish = { DTYPE_I16, 1, PCM_MOST };
	struct error err = ERROR_INIT;
	struct seen seen = {
		.dir = dir,
		.other = other,
		.decoder = sound_decoder_new(&wish, &err),
	};

	assert_non_null(seen.decoder);
	test_ok(path_each(dir, look, &seen, &err), &err);
	sound_decoder_free(seen.decoder);
	assert_int_equal(seen.count, RECORDINGS);
	return seen;
}

static void test_speech_depends_on_the_seed_only(void **state)
{
	char *first = generate(1, 1, NULL), *same = generate(1, 3, NULL);
	char *other = generate(2, 3, NULL);

	UNUSED(state);
	assert_int_equal(look_at_all(first, same).different, 0);
	assert_int_equal(look_at_all(first, other).different, RECORDINGS);
	test_scratch_remove(first);
	test_scratch_remove(same);
	test_scratch_remove(other);
}

/* LibriSpeech: 12.7 s and 0.232 MB a file, 1.74 times as many decoded. */
static void test_speech_is_like_librispeech(void **state)
{
	char *dir = generate(7, 2, "flac");
	const struct seen seen = look_at_all(dir, NULL);

	UNUSED(state);
	assert_int_equal(seen.rate, 16000);
	assert_in_range(seen.frames / seen.count, 16000 * 11, 16000 * 15);
	assert_in_range(seen.bytes / seen.count, 190000, 280000);
	assert_in_range(100 * 2 * seen.frames / seen.bytes, 150, 200);
	test_scratch_remove(dir);
}

/* Common Voice, single words: 2.46 s and 19.7 kB a file. */
static void test_speech_is_like_common_voice(void **state)
{
	struct seen seen;
	char *dir;

	UNUSED(state);
	dir = generate(7, 2, "mp3");
	seen = look_at_all(dir, NULL);
	assert_int_equal(seen.rate, 48000);
	assert_in_range(seen.frames / seen.count, 48000 * 2, 48000 * 3);
	assert_in_range(seen.bytes / seen.count, 14000, 32000);
	test_scratch_remove(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_speech_depends_on_the_seed_only),
		cmocka_unit_test(test_speech_is_like_librispeech),
		cmocka_unit_test(test_speech_is_like_common_voice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
