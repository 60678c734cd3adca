/*
 * test_audio_decode.c - decoding sound files: compared with what was written
 * here, and real files with digests and references.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/audio/rate.h"
#include "lib/audio/sound_file.h"
#include "lib/audio/sound_writer.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/random.h"
#include "lib/files/path.h"
#include "lib/files/path_tree.h"
#include "lib/steps/step.h"
#include "test/unit/md5.h"
#include "test/unit/stepper.h"
#include "test/unit/test.h"

enum { FRAMES = 20000, RATE = 22050 };

static const double turn = 6.283185307179586;

/* ---- a worker ---- */

struct worker {
	struct stepper stepper;
	struct sample out;
	struct error err;
};

static struct schema files(void)
{
	const struct type file = { DTYPE_U8, LAYOUT_ENCODED, { 1, { -1 } },
		"" };
	struct schema schema = { .count = 0 };
	struct error err = ERROR_INIT;

	test_ok(schema_add(&schema, "data", &file, &err), &err);
	return schema;
}

static void worker_init(struct worker *worker, const char *words)
{
	const struct schema schema = files();

	*worker = (struct worker){ .out = SAMPLE_INIT };
	test_ok(stepper_open_sample(
	            &worker->stepper, words, &schema, 1, &worker->err),
	    &worker->err);
}

static int worker_decode(struct worker *worker, struct span file)
{
	struct sample in = { .label = 7, .count = 1 };
	uint64_t count = 0;

	worker->err = (struct error)ERROR_INIT;
	tensor_view_encoded(&in.fields[0], file.data, file.len, "");
	if (stepper_begin(&worker->stepper, 1, &in, &count, &worker->err))
		return -1;
	assert_int_equal(count, 1);
	return stepper_make(
	    &worker->stepper, 1, &in, 0, &worker->out, &worker->err);
}

static const struct tensor *worker_ok(struct worker *worker, struct span file)
{
	test_ok(worker_decode(worker, file), &worker->err);
	return &worker->out.fields[0];
}

static unsigned worker_rate(struct worker *worker)
{
	unsigned hertz = 0;

	test_ok(audio_rate_get(&worker->out.fields[1], &hertz, &worker->err),
	    &worker->err);
	return hertz;
}

static void worker_release(struct worker *worker)
{
	stepper_close(&worker->stepper);
	sample_release(&worker->out);
}

/* ---- sound ---- */

/* Two tones and some noise, not the same in each channel. */
static int16_t *make_sound(unsigned channels)
{
	struct random random = random_stream(5, 0, 0, 0);
	int16_t *samples = calloc((size_t)FRAMES * channels, 2);

	assert_non_null(samples);
	for (unsigned i = 0; i < FRAMES * channels; i++) {
		const double t = (double)(i / channels) / RATE;
		const double c = 1 + i % channels;

		samples[i] = (int16_t)(9000 * sin(turn * 440 * c * t) +
		                       5000 * sin(turn * 1510 * t) +
		                       100 * random_normal(&random));
	}
	return samples;
}

static void write_sound(const int16_t *samples, unsigned channels,
    enum sound_format format, struct buf *file)
{
	const struct sound sound = { samples, FRAMES, channels, RATE };
	struct error err = ERROR_INIT;

	test_ok(sound_write(&sound, format, file, &err), &err);
}

struct recording {
	int16_t *samples;
	struct buf file;
};

static void recording_init(
    struct recording *recording, unsigned channels, enum sound_format format)
{
	*recording = (struct recording){ .samples = make_sound(channels) };
	write_sound(recording->samples, channels, format, &recording->file);
}

static void recording_release(struct recording *recording)
{
	free(recording->samples);
	buf_release(&recording->file);
}

/* ---- what comes out ---- */

static void test_lossless_files_come_as_they_were(void **state)
{
	static const enum sound_format formats[] = { SOUND_WRITE_FLAC,
		SOUND_WRITE_WAV };
	struct worker worker;

	UNUSED(state);
	worker_init(&worker, "audio_decode dtype=int16");
	assert_int_equal(worker.stepper.schema.count, 2);
	assert_int_equal(audio_rate_field(&worker.stepper.schema), 1);
	for (size_t i = 0; i < ARRAY_LEN(formats); i++)
		for (unsigned channels = 1; channels <= 3; channels++) {
			const struct tensor *out;
			struct recording r;

			recording_init(&r, channels, formats[i]);
			out = worker_ok(&worker, buf_span(&r.file));
			assert_int_equal(out->shape.count, 2);
			assert_int_equal(out->shape.dims[0], FRAMES);
			assert_int_equal(out->shape.dims[1], channels);
			assert_memory_equal(
			    out->data, r.samples, FRAMES * channels * 2);
			assert_int_equal(worker_rate(&worker), RATE);
			assert_int_equal(worker.out.label, 7);
			recording_release(&r);
		}
	worker_release(&worker);
}

static void test_floats_are_of_full_scale(void **state)
{
	struct recording r;
	struct worker worker;
	const float *out;

	UNUSED(state);
	recording_init(&r, 2, SOUND_WRITE_FLAC);
	worker_init(&worker, "audio_decode");
	out = worker_ok(&worker, buf_span(&r.file))->data;
	assert_int_equal(worker.out.fields[0].dtype, DTYPE_F32);
	for (size_t i = 0; i < 2 * FRAMES; i++)
		assert_true(out[i] == (float)r.samples[i] / 32768);
	worker_release(&worker);
	recording_release(&r);
}

static void test_mono_is_the_mean_of_all(void **state)
{
	for (unsigned channels = 1; channels <= 3; channels++) {
		const double n = channels;
		struct worker shorts, floats;
		struct recording r;

		recording_init(&r, channels, SOUND_WRITE_FLAC);
		worker_init(&shorts, "audio_decode channels=1 dtype=int16");
		worker_init(&floats, "audio_decode channels=1");
		worker_ok(&shorts, buf_span(&r.file));
		worker_ok(&floats, buf_span(&r.file));
		assert_int_equal(shorts.out.fields[0].shape.count, 1);
		assert_int_equal(shorts.out.fields[0].shape.dims[0], FRAMES);
		for (size_t i = 0; i < FRAMES; i++) {
			const int16_t *in = r.samples + i * channels;
			const int16_t *s = shorts.out.fields[0].data;
			const float *f = floats.out.fields[0].data;
			double mean = 0;

			for (unsigned c = 0; c < channels; c++)
				mean += in[c] / n;
			assert_int_equal(s[i], (int)floor(mean + 0.5 + 1e-9));
			assert_true(fabs(f[i] - mean / 32768) < 1e-7);
		}
		worker_release(&shorts);
		worker_release(&floats);
		recording_release(&r);
	}
	UNUSED(state);
}

static void test_one_channel_becomes_as_many_as_asked(void **state)
{
	struct recording one, three;
	struct worker worker;
	const int16_t *out;

	UNUSED(state);
	recording_init(&one, 1, SOUND_WRITE_WAV);
	recording_init(&three, 3, SOUND_WRITE_WAV);
	worker_init(&worker, "audio_decode channels=2 dtype=int16");
	assert_int_equal(worker.stepper.schema.fields[0].type.shape.dims[1], 2);
	out = worker_ok(&worker, buf_span(&one.file))->data;
	for (size_t i = 0; i < FRAMES; i++) {
		assert_int_equal(out[2 * i], one.samples[i]);
		assert_int_equal(out[2 * i + 1], one.samples[i]);
	}
	test_error_is(worker_decode(&worker, buf_span(&three.file)),
	    &worker.err, "has 3 channels; channels=2 needs 1 or 2");
	worker_release(&worker);
	recording_release(&one);
	recording_release(&three);
}

/* A WAV file of floats: what is over full scale is clipped. */
static void test_floats_become_int16_rounded_and_clipped(void **state)
{
	static const float in[] = { 0, 1, -1, 1.5F, -7, 1.49F / 32768,
		1.51F / 32768, 2.5F / 32768, NAN, INFINITY };
	static const int16_t want[] = { 0, 32767, -32768, 32767, -32768, 1, 2,
		2, 0, 32767 };
	unsigned char file[44 + sizeof(in)] =
	    "RIFF\x4c\0\0\0WAVEfmt \x10\0\0\0\3\0\1\0\x40\x1f\0\0\0\x7d\0\0"
	    "\4\0\x20\0data\x28\0\0\0";
	struct worker worker;

	UNUSED(state);
	memcpy(file + 44, in, sizeof(in));
	worker_init(&worker, "audio_decode dtype=int16 channels=1");
	worker_ok(&worker, (struct span){ file, sizeof(file) });
	assert_int_equal(worker_rate(&worker), 8000);
	assert_int_equal(worker.out.fields[0].shape.dims[0], ARRAY_LEN(want));
	assert_memory_equal(worker.out.fields[0].data, want, sizeof(want));
	worker_release(&worker);
}

/* Signal to noise in dB of what was made lossy; they lie alike. */
static double likeness(const int16_t *was, const int16_t *is, size_t count)
{
	double signal = 0, noise = 1;

	for (size_t i = 0; i < count; i++) {
		const double d = was[i] - is[i];

		signal += (double)was[i] * was[i];
		noise += d * d;
	}
	return 10 * log10(signal / noise);
}

static void test_lossy_files_are_alike(void **state)
{
	static const enum sound_format formats[] = { SOUND_WRITE_OGG,
		SOUND_WRITE_MP3 };

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(formats); i++) {
		const struct sound none = { NULL, 0, 1, RATE };
		struct error err = ERROR_INIT;
		struct buf file = BUF_INIT;
		struct recording r;
		struct worker worker;

		if (sound_write(&none, formats[i], &file, &err))
			continue; /* libsndfile was built without it */
		buf_release(&file);
		recording_init(&r, 1, formats[i]);
		worker_init(&worker, "audio_decode dtype=int16 channels=1");
		worker_ok(&worker, buf_span(&r.file));
		assert_int_equal(worker_rate(&worker), RATE);
		assert_in_range(
		    worker.out.fields[0].shape.dims[0], FRAMES, FRAMES + 2304);
		assert_true(likeness(r.samples, worker.out.fields[0].data,
		                FRAMES) > 15);
		worker_release(&worker);
		recording_release(&r);
	}
}

/* ---- other fields, and buffers ---- */

static void test_other_fields_stay(void **state)
{
	const struct type four = { DTYPE_U8, LAYOUT_PLAIN, { 1, { 4 } }, "" };
	struct schema schema = files();
	struct sample in = { .count = 2 }, out = SAMPLE_INIT;
	struct error err = ERROR_INIT;
	struct stepper stepper;
	struct recording r;

	UNUSED(state);
	recording_init(&r, 1, SOUND_WRITE_WAV);
	test_ok(schema_add(&schema, "more", &four, &err), &err);
	test_ok(stepper_open_sample(
	            &stepper, "audio_decode dtype=int16", &schema, 1, &err),
	    &err);
	assert_int_equal(stepper.schema.count, 3);
	tensor_view_encoded(&in.fields[0], r.file.data, r.file.len, "wav");
	tensor_view(&in.fields[1], DTYPE_U8, &four.shape, "abcd");
	test_ok(stepper_make(&stepper, 1, &in, 0, &out, &err), &err);
	assert_memory_equal(out.fields[1].data, "abcd", 4);
	stepper_close(&stepper);
	sample_release(&out);
	recording_release(&r);
}

static void test_bind_refuses_what_is_no_file(void **state)
{
	const struct type image = { DTYPE_U8, LAYOUT_HWC, { 3, { 4, 4, 3 } },
		"" };
	struct schema schema = { .count = 0 };
	struct error err = ERROR_INIT;
	struct stepper stepper;

	UNUSED(state);
	test_ok(schema_add(&schema, "data", &image, &err), &err);
	test_error_is(
	    stepper_open_sample(&stepper, "audio_decode", &schema, 1, &err),
	    &err, "takes the bytes of a file of sound, not uint8 4x4x3");
	stepper_close(&stepper);
	schema = files();
	test_ok(
	    schema_add(&schema, "more", &schema.fields[0].type, &err), &err);
	test_error_is(
	    stepper_open_sample(&stepper, "audio_decode", &schema, 3, &err),
	    &err, "takes one field, not several");
	stepper_close(&stepper);
}

static void test_buffers_are_recycled(void **state)
{
	const void *data;
	struct recording r;
	struct worker worker;

	UNUSED(state);
	recording_init(&r, 2, SOUND_WRITE_FLAC);
	worker_init(&worker, "audio_decode channels=1 dtype=float32");
	data = worker_ok(&worker, buf_span(&r.file))->data;
	for (unsigned i = 0; i < 5; i++)
		assert_ptr_equal(
		    worker_ok(&worker, buf_span(&r.file))->data, data);
	worker_release(&worker);
	recording_release(&r);
}

/* ---- damage ---- */

static void test_what_is_no_sound_is_named(void **state)
{
	static const char *const texts[] = { "x", "a text, and no sound at all",
		"RIFF....AVI and so on", "ID3",
		"\xff\xd8\xff\xe0 a JPEG file" };
	struct worker worker;

	UNUSED(state);
	worker_init(&worker, "audio_decode");
	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		test_error_is(worker_decode(&worker, span_text(texts[i])),
		    &worker.err,
		    "is not a sound file of a known format: WAV, FLAC, MP3, "
		    "Ogg, AIFF, "
		    "AU, CAF, W64");
	test_error_is(worker_decode(&worker, span_text("")), &worker.err,
	    "the file is empty");
	worker_release(&worker);
}

static void test_a_cut_flac_file_is_an_error(void **state)
{
	struct recording r;
	struct worker worker;
	struct span cut;

	UNUSED(state);
	recording_init(&r, 1, SOUND_WRITE_FLAC);
	worker_init(&worker, "audio_decode");
	for (size_t part = 1; part < 8; part++) {
		cut = buf_span(&r.file);
		cut.len = cut.len * part / 8;
		assert_int_equal(worker_decode(&worker, cut), -1);
		assert_int_equal(worker.err.code, ERROR_DATA);
		test_contains(worker.err.text, "frames");
	}
	worker_ok(&worker, buf_span(&r.file)); /* it can go on */
	worker_release(&worker);
	recording_release(&r);
}

static void test_a_damaged_flac_file_is_an_error(void **state)
{
	struct recording r;
	struct worker worker;

	UNUSED(state);
	recording_init(&r, 1, SOUND_WRITE_FLAC);
	worker_init(&worker, "audio_decode");
	r.file.data[r.file.len / 2] ^= 0x10;
	assert_int_equal(worker_decode(&worker, buf_span(&r.file)), -1);
	test_contains(worker.err.text, "after ");
	worker_release(&worker);
	recording_release(&r);
}

/* STREAMINFO says 2^36 - 1 samples: no such memory is asked for. */
static void test_a_claimed_length_is_not_believed(void **state)
{
	struct recording r;
	struct worker worker;

	UNUSED(state);
	recording_init(&r, 1, SOUND_WRITE_FLAC);
	worker_init(&worker, "audio_decode dtype=int16 channels=1");
	r.file.data[8 + 13] |= 0x0f;
	memset(r.file.data + 8 + 14, 0xff, 4);
	test_error_is(worker_decode(&worker, buf_span(&r.file)), &worker.err,
	    "ends after 20000 of 68719476735 frames");
	assert_true(worker.out.fields[0].capacity < 1 << 20);
	worker_release(&worker);
	recording_release(&r);
}

static void test_an_unknown_length_is_found(void **state)
{
	struct recording r;
	struct worker worker;

	UNUSED(state);
	recording_init(&r, 2, SOUND_WRITE_FLAC);
	worker_init(&worker, "audio_decode dtype=int16");
	r.file.data[8 + 13] &= 0xf0;
	memset(r.file.data + 8 + 14, 0, 4);
	assert_int_equal(
	    worker_ok(&worker, buf_span(&r.file))->shape.dims[0], FRAMES);
	assert_memory_equal(worker.out.fields[0].data, r.samples, FRAMES * 4);
	worker_release(&worker);
	recording_release(&r);
}

static void test_what_is_too_long_is_refused(void **state)
{
	const struct pcm_wish wish = { DTYPE_I16, 0, FRAMES };
	struct error err = ERROR_INIT;
	struct sound_decoder *decoder = sound_decoder_new(&wish, &err);
	struct tensor out = TENSOR_INIT;
	struct recording one, two;
	unsigned rate;

	UNUSED(state);
	assert_non_null(decoder);
	recording_init(&one, 1, SOUND_WRITE_WAV);
	recording_init(&two, 2, SOUND_WRITE_WAV);
	test_ok(sound_decode(decoder, buf_span(&one.file), &out, &rate, &err),
	    &err);
	test_error_is(
	    sound_decode(decoder, buf_span(&two.file), &out, &rate, &err), &err,
	    "is longer than 20000 values of sound");
	assert_int_equal(err.code, ERROR_DATA);
	sound_decoder_free(decoder);
	tensor_release(&out);
	recording_release(&one);
	recording_release(&two);
}

/* ---- MPEG without help ---- */

/* Bytes of the frame of layer III at `b`, MPEG-2, and of its neighbours. */
static size_t frame_bytes(const unsigned char *b)
{
	static const unsigned kbits[16] = { 0, 8, 16, 24, 32, 40, 48, 56, 64,
		80, 96, 112, 128, 144, 160, 0 };

	assert_true(b[0] == 0xff && b[1] >> 4 == 0xf);
	return 72 * 1000 * kbits[b[2] >> 4] / RATE + (b[2] >> 1 & 1);
}

/* Frames without what tells their number: all of them are decoded. */
static void test_mp3_without_a_length_is_read_to_its_end(void **state)
{
	const struct sound none = { NULL, 0, 1, RATE };
	struct error err = ERROR_INIT;
	struct buf file = BUF_INIT;
	struct worker worker;
	struct recording r;
	size_t first, tag = 0;
	struct span bare;

	UNUSED(state);
	if (sound_write(&none, SOUND_WRITE_MP3, &file, &err)) {
		buf_release(&file);
		skip();
	}
	buf_release(&file);
	recording_init(&r, 1, SOUND_WRITE_MP3);
	worker_init(&worker, "audio_decode dtype=int16 channels=1");
	while (r.file.data[tag] != 0xff)
		tag++;
	first = frame_bytes(r.file.data + tag);
	bare = (struct span){ r.file.data + tag + first,
		r.file.len - tag - first };
	assert_in_range(
	    worker_ok(&worker, bare)->shape.dims[0], FRAMES, FRAMES + 4 * 1152);
	bare.len = frame_bytes(bare.data); /* one frame alone */
	assert_in_range(worker_ok(&worker, bare)->shape.dims[0], 1, 576);
	bare.len = 20;
	test_error_is(worker_decode(&worker, bare), &worker.err,
	    "MPEG audio: there is no whole frame");
	worker_release(&worker);
	recording_release(&r);
}

/* ---- real files ---- */

typedef void file_check(const char *name, struct span file);

struct visit {
	char dir[512];
	const char *suffix;
	file_check *check;
	unsigned count;
};

static int visit_file(
    void *arg, const char *name, uint64_t bytes, struct error *err)
{
	struct visit *visit = arg;
	const size_t len = strlen(name), tail = strlen(visit->suffix);
	struct buf file = BUF_INIT;
	char *path;

	UNUSED(bytes);
	if (len < tail || strcmp(name + len - tail, visit->suffix) != 0)
		return 0;
	path = test_path(visit->dir, name);
	test_ok(path_read(path, 1 << 24, &file, err), err);
	visit->check(path, buf_span(&file));
	visit->count++;
	buf_release(&file);
	free(path);
	return 0;
}

static void each_file(const char *folder, const char *suffix, file_check *check)
{
	const char *data = getenv("PRESTO_TEST_DATA");
	struct visit visit = { .suffix = suffix, .check = check };
	struct error err = ERROR_INIT;

	snprintf(visit.dir, sizeof(visit.dir), "%s/audio/%s",
	    data ? data : "../shared/data", folder);
	if (!path_exists(visit.dir))
		skip();
	test_ok(path_each(visit.dir, visit_file, &visit, &err), &err);
	assert_true(visit.count > 0);
}

/* Of samples in so many bits, little endian, in whole bytes. */
static void digest_of(
    const struct tensor *floats, unsigned bits, unsigned char digest[MD5_BYTES])
{
	const size_t bytes = (bits + 7) / 8, count = floats->bytes / 4;
	unsigned char *packed = malloc(count * bytes + 1);
	const float *in = floats->data;

	assert_non_null(packed);
	for (size_t i = 0; i < count; i++) {
		const int32_t value =
		    (int32_t)((double)in[i] * (double)(1 << (bits - 1)));

		for (size_t b = 0; b < bytes; b++)
			packed[i * bytes + b] =
			    (unsigned char)((uint32_t)value >> (8 * b));
	}
	md5(packed, count * bytes, digest);
	free(packed);
}

/* float32 holds 24 bits: all of what a FLAC file may have here. */
static void check_digest(const char *name, struct span file)
{
	const unsigned char *info = file.data + 8;
	const unsigned bits = ((info[12] & 1u) << 4 | info[13] >> 4) + 1;
	unsigned char digest[MD5_BYTES];
	struct worker worker;

	assert_memory_equal(file.data, "fLaC", 4);
	worker_init(&worker, "audio_decode");
	if (bits == 12) { /* neither has libsndfile a name for it */
		test_error_is(worker_decode(&worker, file), &worker.err,
		    "libsndfile cannot decode its encoding or its bits per "
		    "sample");
		worker_release(&worker);
		return;
	}
	digest_of(worker_ok(&worker, file), bits, digest);
	if (memcmp(digest, info + 18, MD5_BYTES) != 0)
		fail_msg("%s: another digest", name);
	worker_release(&worker);
	if (bits != 16)
		return;
	worker_init(&worker, "audio_decode dtype=int16");
	worker_ok(&worker, file);
	md5(worker.out.fields[0].data, worker.out.fields[0].bytes, digest);
	assert_memory_equal(digest, info + 18, MD5_BYTES);
	worker_release(&worker);
}

static void test_flac_files_have_their_digest(void **state)
{
	UNUSED(state);
	each_file("flac", ".flac", check_digest);
}

static void test_odd_flac_files_have_their_digest(void **state)
{
	UNUSED(state);
	each_file("flac_odd/subset", ".flac", check_digest);
}

/* Files without a frame, or of which decoders say different things. */
static bool has_reference(const char *name)
{
	return !strstr(name, "nonstandard-compl") && !strstr(name, "vbrtag") &&
	       !strstr(name, "id3v2-only") && !strstr(name, "sideinfo-size") &&
	       !strstr(name, "small");
}

/*
 * ISO 11172-4: full accuracy is a difference of less than 2^-15 / sqrt(12) in
 * the mean of squares, and 2^-14 at most, of full scale 1.
 */
static void check_conformance(const char *name, struct span file)
{
	struct buf reference = BUF_INIT;
	struct error err = ERROR_INIT;
	const int16_t *want, *is;
	char *path = strdup(name);
	struct worker worker;
	double squares = 0;
	size_t count;

	assert_non_null(path);
	memcpy(path + strlen(path) - 3, "pcm", 3);
	if (has_reference(name)) {
		test_ok(path_read(path, 1 << 24, &reference, &err), &err);
		worker_init(&worker, "audio_decode dtype=int16");
		is = worker_ok(&worker, file)->data;
		want = (const int16_t *)(const void *)reference.data;
		count = reference.len < worker.out.fields[0].bytes
		            ? reference.len / 2
		            : worker.out.fields[0].bytes / 2;
		for (size_t i = 0; i < count; i++) {
			const double d = (is[i] - want[i]) / 32768.0;

			assert_true(fabs(d) <= 1.0 / (1 << 14));
			squares += d * d;
		}
		if (sqrt(squares / (double)count) * sqrt(12) > 1.0 / (1 << 15))
			fail_msg("%s: not of full accuracy", name);
		worker_release(&worker);
	}
	buf_release(&reference);
	free(path);
}

static void test_mpeg_files_are_as_accurate_as_the_standard(void **state)
{
	UNUSED(state);
	each_file("mp3_odd/minimp3", ".bit", check_conformance);
}

/* Whatever comes: sound, or words. */
static void check_survives(const char *name, struct span file)
{
	static const char *const words[] = {
		"audio_decode dtype=int16 channels=1",
		"audio_decode",
	};

	UNUSED(name);
	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		struct worker worker;

		worker_init(&worker, words[i]);
		for (size_t part = 1; part <= 4; part++) {
			const struct span cut = { file.data,
				file.len * part / 4 };

			if (worker_decode(&worker, cut))
				assert_true(worker.err.text[0] != '\0');
		}
		worker_release(&worker);
	}
}

static void test_odd_files_do_no_harm(void **state)
{
	UNUSED(state);
	each_file("flac_odd", ".flac", check_survives);
	each_file("wav_odd", ".wav", check_survives);
	each_file("mp3_odd", "", check_survives);
}

/* The Xing header of these says how many frames there are. */
static void check_without_xing(const char *name, struct span file)
{
	struct worker worker;
	int64_t with;
	size_t at = 0;

	if (!strstr(name, "v4_44k"))
		return;
	worker_init(&worker, "audio_decode dtype=int16 channels=1");
	with = worker_ok(&worker, file)->shape.dims[0];
	while (file.data[at] != 0xff || file.data[at + 1] != 0xfb)
		at++;
	at += 182; /* the frame that has the header, of 56 kbit/s */
	assert_int_equal(file.data[at], 0xff);
	file = (struct span){ file.data + at, file.len - at };
	assert_in_range(
	    worker_ok(&worker, file)->shape.dims[0], with, with + 4 * 1152);
	worker_release(&worker);
}

static void test_vbr_without_its_header_is_whole(void **state)
{
	UNUSED(state);
	each_file("mp3/librispeech-mp3", ".mp3", check_without_xing);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lossless_files_come_as_they_were),
		cmocka_unit_test(test_floats_are_of_full_scale),
		cmocka_unit_test(test_mono_is_the_mean_of_all),
		cmocka_unit_test(test_one_channel_becomes_as_many_as_asked),
		cmocka_unit_test(test_floats_become_int16_rounded_and_clipped),
		cmocka_unit_test(test_lossy_files_are_alike),
		cmocka_unit_test(test_other_fields_stay),
		cmocka_unit_test(test_bind_refuses_what_is_no_file),
		cmocka_unit_test(test_buffers_are_recycled),
		cmocka_unit_test(test_what_is_no_sound_is_named),
		cmocka_unit_test(test_a_cut_flac_file_is_an_error),
		cmocka_unit_test(test_a_damaged_flac_file_is_an_error),
		cmocka_unit_test(test_a_claimed_length_is_not_believed),
		cmocka_unit_test(test_an_unknown_length_is_found),
		cmocka_unit_test(test_what_is_too_long_is_refused),
		cmocka_unit_test(test_mp3_without_a_length_is_read_to_its_end),
		cmocka_unit_test(test_flac_files_have_their_digest),
		cmocka_unit_test(test_odd_flac_files_have_their_digest),
		cmocka_unit_test(
		    test_mpeg_files_are_as_accurate_as_the_standard),
		cmocka_unit_test(test_odd_files_do_no_harm),
		cmocka_unit_test(test_vbr_without_its_header_is_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
