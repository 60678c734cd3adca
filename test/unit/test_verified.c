/*
 * test_verified.c - what a session compares, and what it says about that: a
 * store that lies, a codec that lies in one frame, and both under threads.
 *
 * Linked with --wrap (Makefile): the reader of one strategy's data is an honest
 * one that gives other bytes where the lie says so, and memory may be short.
 */
#define _GNU_SOURCE /* memmem */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/db/grid.h"
#include "lib/db/results.h"
#include "lib/db/results_read.h"
#include "lib/media/medium.h"
#include "lib/stores/store.h"
#include "strategies/session/measured_strategy.h"
#include "strategies/session/memory_room.h"
#include "strategies/session/session.h"
#include "test/unit/fake_reader.h"
#include "test/unit/planned.h"
#include "test/unit/test.h"

enum { STREAMS = 8, PER_STREAM = 6, SAMPLES = STREAMS * PER_STREAM };

/* ---- lies ---- */

enum lie {
	LIE_NONE,
	LIE_FIRST_SHARD, /* one sample of the first shard is another one */
	LIE_SECOND_SHARD,
	LIE_FRAME,   /* a byte of one frame is unpacked as another one */
	LIE_THREADS, /* all samples, where several threads unpack */
	LIE_ALWAYS,  /* all samples */
	LIE_AGAIN,   /* all samples, from the second reading on */
	LIE_NOTHING, /* no sample any more, from the second reading on */
};

static struct {
	const char *folder; /* part of the name of the folder that it is in */
	enum lie lie;
	const struct reader_ops *honest;
	struct reader_ops ops;
	atomic_uint unpackers, given; /* unpackers there are; samples given */
} lying;

struct reader *__real_store_open(
    struct medium *medium, const char *dir, struct error *err);
struct reader *__wrap_store_open(
    struct medium *medium, const char *dir, struct error *err);

static void *count_unpacker(const struct reader *reader, struct error *err)
{
	atomic_fetch_add(&lying.unpackers, 1);
	return lying.honest->unpacker_new(reader, err);
}

static void drop_unpacker(void *unpacker)
{
	atomic_fetch_sub(&lying.unpackers, 1);
	lying.honest->unpacker_free(unpacker);
}

/* Changes a pixel of sample 7 (fake_reader.h) in the frame that has it. */
static int unpack_wrong(const struct reader *reader, void *unpacker,
    struct chunk *chunk, struct error *err)
{
	unsigned char pixels[24], *at;

	if (lying.honest->unpack(reader, unpacker, chunk, err))
		return -1;
	for (unsigned b = 0; b < sizeof(pixels); b++)
		pixels[b] = (unsigned char)(7 ^ (b * 31));
	if (!chunk->unpacked.len)
		return 0;
	at = memmem(
	    chunk->unpacked.data, chunk->unpacked.len, pixels, sizeof(pixels));
	if (lying.lie == LIE_FRAME && at)
		at[20] ^= 1;
	return 0;
}

static bool lies_about(const struct chunk *chunk, bool is_chosen)
{
	switch (lying.lie) {
	case LIE_FIRST_SHARD:
	case LIE_SECOND_SHARD:
		return is_chosen &&
		       chunk->stream == (lying.lie == LIE_SECOND_SHARD);
	case LIE_THREADS:
		return atomic_load(&lying.unpackers) > 1;
	case LIE_ALWAYS:
		return true;
	case LIE_AGAIN:
		return atomic_load(&lying.given) > SAMPLES;
	default:
		return false;
	}
}

static int next_wrong(const struct reader *reader, struct chunk *chunk,
    struct sample *sample, struct error *err)
{
	static _Thread_local unsigned char pixels[1024];
	struct tensor *field = &sample->fields[0];
	int got = lying.honest->next(reader, chunk, sample, err);

	if (got <= 0)
		return got;
	atomic_fetch_add(&lying.given, 1);
	if (lying.lie == LIE_NOTHING && atomic_load(&lying.given) > SAMPLES)
		return 0;
	if (lies_about(chunk, sample->label % PER_STREAM == 0)) {
		assert_true(field->bytes <= sizeof(pixels));
		memcpy(pixels, field->data, field->bytes);
		pixels[field->bytes / 2] ^= 1;
		tensor_view(field, field->dtype, &field->shape, pixels);
	}
	return got;
}

struct reader *__wrap_store_open(
    struct medium *medium, const char *dir, struct error *err)
{
	struct reader *reader = __real_store_open(medium, dir, err);

	if (!reader || lying.lie == LIE_NONE || !strstr(dir, lying.folder))
		return reader;
	lying.honest = reader->ops;
	lying.ops = *reader->ops;
	atomic_store(&lying.unpackers, 0);
	atomic_store(&lying.given, 0);
	lying.ops.next = next_wrong;
	if (lying.ops.unpacker_new) {
		lying.ops.unpacker_new = count_unpacker;
		lying.ops.unpacker_free = drop_unpacker;
	}
	if (lying.ops.unpack)
		lying.ops.unpack = unpack_wrong;
	reader->ops = &lying.ops;
	return reader;
}

/* ---- memory ---- */

/* The strategy that has memory for one thread only; NULL: there is none. */
static const char *short_of_memory;

int __real_memory_room_check_load(const struct measured_strategy *measured,
    struct trial_mode mode, struct error *err);
int __wrap_memory_room_check_load(const struct measured_strategy *measured,
    struct trial_mode mode, struct error *err);

int __wrap_memory_room_check_load(const struct measured_strategy *measured,
    struct trial_mode mode, struct error *err)
{
	if (short_of_memory && mode.threads > 1 &&
	    strcmp(measured->strategy->label, short_of_memory) == 0)
		return error_set(err, ERROR_LIMIT, "there is no memory");
	return __real_memory_room_check_load(measured, mode, err);
}

/* ---- sessions ---- */

static const char text[] = "[pipeline]\n"
                           "large = resize size=12x10\n"
                           "centered = center\n"
                           "[strategies]\n"
                           "split = raw, large\n"
                           "store = tar\n"
                           "codec = none, gzip:6, zlib:6\n"
                           "shards = 2\n"
                           "[load]\nthreads = 1, 2\ncache = none\n"
                           "[measure]\nruns = 1\nmin_run_time = 0\n"
                           "probe = no\n";

struct setup {
	struct planned planned;
	struct fake fake;
	struct medium *medium;
	struct model *model;
	char *scratch, *db;
	struct results *results;
	struct grid rows;
	char warnings[4096];
};

static int set_up(void **state)
{
	struct setup *s = calloc(1, sizeof(*s));
	struct error err = ERROR_INIT;

	fake_init(&s->fake, STREAMS, PER_STREAM);
	s->fake.varied = true;
	test_ok(planned_read(&s->planned, text, &s->fake.reader.schema, &err),
	    &err);
	s->medium = medium_new_local(&err);
	s->scratch = test_scratch();
	s->db = test_path(s->scratch, "presto.db");
	s->results = results_open(s->db, true, &err);
	assert_non_null(s->results);
	s->model = planned_model(&s->planned, &s->fake.reader, 100);
	*state = s;
	return 0;
}

static int tear_down(void **state)
{
	struct setup *s = *state;

	lying.lie = LIE_NONE;
	short_of_memory = NULL;
	grid_release(&s->rows);
	results_close(s->results);
	test_scratch_remove(s->scratch);
	medium_free(s->medium);
	planned_release(&s->planned);
	free(s->model);
	free(s->db);
	free(s);
	return 0;
}

static void note_warning(void *arg, const char *warning)
{
	struct setup *s = arg;

	strncat(s->warnings, warning,
	    sizeof(s->warnings) - strlen(s->warnings) - 1);
}

/* Measures all; steps are said to take so many seconds a sample. */
static void run(struct setup *s, double seconds)
{
	const struct session_plan plan = {
		.plan = &s->planned.plan,
		.pipeline = &s->planned.pipeline,
		.strategies = &s->planned.strategies,
		.model = s->model,
		.source = &s->fake.reader,
		.medium = s->medium,
		.name = "fake",
		.dataset.path = "fake",
		.work_dir = s->scratch,
		.callbacks = { .warn = note_warning, .arg = s },
	};
	struct error err = ERROR_INIT;
	int64_t id;

	for (unsigned i = 0; i < s->planned.pipeline.count; i++)
		s->model->online_s[i] = seconds;
	s->warnings[0] = '\0';
	grid_release(&s->rows);
	s->rows = (struct grid)GRID_INIT;
	test_ok(session_run(&plan, s->results, &id, &err), &err);
	test_ok(
	    results_read(s->results, RESULTS_TRIALS, id, &s->rows, &err), &err);
	/* Each strategy with 1 and with 2 threads. */
	assert_int_equal(s->rows.row_count, 2 * (1 + 2 * 3));
}

/* Fails unless both rows of a strategy say this. */
static void check_row(const struct setup *s, const char *strategy,
    const char *column, const char *wanted)
{
	unsigned found = 0;

	for (size_t r = 0; r < s->rows.row_count; r++) {
		const char *got = grid_text(&s->rows, r, column);

		if (strcmp(grid_text(&s->rows, r, "strategy"), strategy) != 0)
			continue;
		found++;
		if (strcmp(got, wanted) != 0)
			fail_msg("%s: %s is '%s', not '%s'", strategy, column,
			    got, wanted);
	}
	assert_int_equal(found, 2);
}

static const char *const stored[] = { "raw/tar/none", "raw/tar/gzip:6",
	"raw/tar/zlib:6", "large/tar/none", "large/tar/gzip:6",
	"large/tar/zlib:6" };

/* Steps that take long, so that an epoch is, too; and others. */
static const double slow_s = 1, quick_s = 1e-6;

static void test_verified_tells_how_much_was_compared(void **state)
{
	struct setup *s = *state;

	run(s, quick_s);
	check_row(s, "unprocessed", "verified", "");
	for (size_t i = 0; i < ARRAY_LEN(stored); i++)
		check_row(s, stored[i], "verified", "all");
	run(s, slow_s);
	check_row(s, "unprocessed", "verified", "");
	check_row(s, "raw/tar/none", "verified", "part");
	check_row(s, "raw/tar/gzip:6", "verified", "part");
	check_row(s, "raw/tar/zlib:6", "verified", "part");
	/* The first of a split has nothing to compare stored samples with. */
	check_row(s, "large/tar/none", "verified", "all");
	check_row(s, "large/tar/zlib:6", "verified", "part");
	s->planned.plan.measure.verify_all = true;
	run(s, slow_s);
	check_row(s, "unprocessed", "verified", "");
	for (size_t i = 0; i < ARRAY_LEN(stored); i++) {
		check_row(s, stored[i], "verified", "all");
		check_row(s, stored[i], "equivalent", "yes");
	}
	assert_null(strstr(s->warnings, "the same samples"));
}

/* Each lie is found, whether steps are slow, and whatever is compared. */
static void check_caught(struct setup *s, const char *folder,
    const char *strategy, enum lie lie, double seconds)
{
	lying.folder = folder;
	lying.lie = lie;
	run(s, seconds);
	for (size_t i = 0; i < ARRAY_LEN(stored); i++)
		check_row(s, stored[i], "equivalent",
		    strcmp(stored[i], strategy) == 0 ? "no" : "yes");
	check_row(s, "unprocessed", "equivalent", "yes");
	test_contains(s->warnings, strategy);
	test_contains(s->warnings, "does not give the same samples");
}

static void check_caught_always(
    struct setup *s, const char *folder, const char *strategy, enum lie lie)
{
	check_caught(s, folder, strategy, lie, quick_s);
	check_caught(s, folder, strategy, lie, slow_s);
	s->planned.plan.measure.verify_all = true;
	check_caught(s, folder, strategy, lie, slow_s);
	s->planned.plan.measure.verify_all = false;
}

/* Also where the part of the output that is compared is right. */
static void test_store_that_lies_is_caught(void **state)
{
	struct setup *s = *state;

	check_caught_always(s, "raw-tar-none", "raw/tar/none", LIE_FIRST_SHARD);
	check_caught_always(
	    s, "raw-tar-none", "raw/tar/none", LIE_SECOND_SHARD);
	check_caught_always(
	    s, "large-tar-gzip", "large/tar/gzip:6", LIE_SECOND_SHARD);
}

static void test_codec_that_lies_in_one_frame_is_caught(void **state)
{
	struct setup *s = *state;

	check_caught_always(s, "raw-tar-gzip_6", "raw/tar/gzip:6", LIE_FRAME);
	check_caught_always(s, "raw-tar-zlib_6", "raw/tar/zlib:6", LIE_FRAME);
}

static void test_codec_that_lies_under_threads_is_caught(void **state)
{
	struct setup *s = *state;

	check_caught_always(s, "raw-tar-zlib_6", "raw/tar/zlib:6", LIE_THREADS);
	test_contains(s->warnings, "loaded by 2 threads");
	check_caught_always(
	    s, "large-tar-gzip_6", "large/tar/gzip:6", LIE_THREADS);
}

/* Its stored samples were right when they were hashed. */
static void test_store_that_lies_later_is_caught_by_a_part(void **state)
{
	struct setup *s = *state;

	check_caught(s, "raw-tar-none", "raw/tar/none", LIE_AGAIN, slow_s);
	check_row(s, "raw/tar/none", "verified", "part");
	check_caught(s, "raw-tar-gzip_6", "raw/tar/gzip:6", LIE_AGAIN, slow_s);
	check_row(s, "raw/tar/gzip:6", "verified", "part");
}

/* Its frames are right, and no more of it is looked at than these and a part.
 */
static void test_store_of_other_frames_is_caught_by_a_part(void **state)
{
	struct setup *s = *state;

	check_caught(s, "raw-tar-zlib_6", "raw/tar/zlib:6", LIE_ALWAYS, slow_s);
	check_row(s, "raw/tar/zlib:6", "verified", "part");
}

/* The trial that would deliver all of its output does not fit into memory. */
static void test_store_that_lies_is_caught_by_fewer_threads(void **state)
{
	struct setup *s = *state;

	short_of_memory = "large/tar/none";
	check_caught(
	    s, "large-tar-none", "large/tar/none", LIE_SECOND_SHARD, slow_s);
	check_row(s, "large/tar/none", "verified", "all");
}

/* The part delivers nothing: then only the stored samples were compared. */
static void test_verified_tells_that_no_output_was_compared(void **state)
{
	struct setup *s = *state;

	lying.folder = "raw-tar-gzip_6";
	lying.lie = LIE_NOTHING;
	run(s, slow_s);
	check_row(s, "raw/tar/gzip:6", "verified", "stored");
	check_row(s, "raw/tar/none", "verified", "part");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_verified_tells_how_much_was_compared),
		TEST(test_store_that_lies_is_caught),
		TEST(test_codec_that_lies_in_one_frame_is_caught),
		TEST(test_codec_that_lies_under_threads_is_caught),
		TEST(test_store_that_lies_later_is_caught_by_a_part),
		TEST(test_store_of_other_frames_is_caught_by_a_part),
		TEST(test_store_that_lies_is_caught_by_fewer_threads),
		TEST(test_verified_tells_that_no_output_was_compared),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
