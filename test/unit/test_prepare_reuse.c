/*
 * test_prepare_reuse.c - a strategy made from stored data of others has the
 * same bytes, takes less time, and is charged the time from the source.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/files/path_tree.h"
#include "lib/media/medium.h"
#include "lib/stores/frames.h"
#include "lib/stores/store.h"
#include "strategies/forecast/predict.h"
#include "strategies/forecast/reuse.h"
#include "strategies/prepare/costs.h"
#include "strategies/prepare/prepare.h"
#include "test/unit/fake_reader.h"
#include "test/unit/planned.h"
#include "test/unit/test.h"

enum { STREAMS = 8, SHARDS = 4, PER_STREAM = 6, THREADS = 2 };

static const char text[] = "[pipeline]\n"
                           "large = resize size=12x10\n"
                           "centered = center\n"
                           "[strategies]\n"
                           "store = files, tar, tfrecord, npy\n"
                           "codec = none, gzip:6, zlib:6, zlib:9, zstd, "
                           "delta+zstd:1, png\n";

struct setup {
	struct planned planned;
	struct fake fake;
	struct medium *medium;
	struct stored_order order;
	char *scratch;
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
	*state = s;
	return 0;
}

static int tear_down(void **state)
{
	struct setup *s = *state;

	test_scratch_remove(s->scratch);
	medium_free(s->medium);
	planned_release(&s->planned);
	free(s);
	return 0;
}

/* A strategy on disk, and what it cost. */
struct kept {
	struct strategy strategy;
	struct shard_cost costs[SHARDS];
	struct frame_sums sums[SHARDS];
	struct prepared made;
	double took_s; /* in truth */
	struct reader *reader;
	struct prepare_other other;
	char *dir;
};

static int try_prepare(struct setup *s, struct kept *kept, const char *label,
    const struct kept *samples, const struct kept *frames, struct error *err)
{
	struct prepare_plan plan = {
		.source = &s->fake.reader,
		.pipeline = &s->planned.pipeline,
		.strategy = &kept->strategy,
		.order = s->order,
		.samples = samples ? &samples->other : NULL,
		.frames = frames ? &frames->other : NULL,
		.medium = s->medium,
		.threads = THREADS,
		.shards = SHARDS,
		.skip_errors = true,
		.folder.fingerprint = "f",
		.costs = kept->costs,
		.sums = kept->sums,
	};
	char name[64];
	uint64_t start;
	int rc;

	test_ok(
	    strategy_parse(&kept->strategy, label, &s->planned.pipeline, err),
	    err);
	snprintf(name, sizeof(name), "%p", (void *)kept);
	kept->dir = test_path(s->scratch, name);
	kept->reader = NULL;
	plan.folder.dir = kept->dir;
	test_ok(path_make_dirs(plan.folder.dir, err), err);
	start = clock_now(&clock_monotonic);
	rc = prepare_run(&plan, &kept->made, err);
	kept->took_s = (double)(clock_now(&clock_monotonic) - start) / 1e9;
	return rc;
}

static void prepare(struct setup *s, struct kept *kept, const char *label,
    const struct kept *samples, const struct kept *frames)
{
	struct error err = ERROR_INIT;

	test_ok(try_prepare(s, kept, label, samples, frames, &err), &err);
	kept->reader = store_open(s->medium, kept->dir, &err);
	if (!kept->reader)
		fail_msg("%s: %s", label, err.text);
	kept->other = (struct prepare_other){
		.stored = kept->reader,
		.split = kept->strategy.split,
		.costs = kept->costs,
		.sums = kept->sums,
		.bytes_read = kept->made.bytes_read,
		.skipped = kept->made.skipped,
	};
}

static void drop(struct kept *kept)
{
	struct error err = ERROR_INIT;

	reader_free(kept->reader);
	test_ok(path_remove_tree(kept->dir, &err), &err);
	free(kept->dir);
}

/* ---- the same bytes ---- */

static int compare_file(
    void *arg, const char *name, uint64_t bytes, struct error *err)
{
	const char *const *dirs = arg;
	struct buf a = BUF_INIT, b = BUF_INIT;

	(void)bytes;
	(void)err;
	test_read_file(dirs[0], name, &a);
	test_read_file(dirs[1], name, &b);
	if (!span_equal(buf_span(&a), buf_span(&b)))
		fail_msg("%s differs", name);
	buf_release(&a);
	buf_release(&b);
	return 0;
}

static void same_folders(const struct kept *a, const struct kept *b)
{
	const char *dirs[] = { a->dir, b->dir };
	struct error err = ERROR_INIT;
	uint64_t bytes = 0, others = 0;

	test_ok(path_each(a->dir, compare_file, dirs, &err), &err);
	test_ok(path_bytes(a->dir, &bytes, &err), &err);
	test_ok(path_bytes(b->dir, &others, &err), &err);
	assert_int_equal(bytes, others);
}

static void check_label(
    struct setup *s, const char *label, const char *from, const char *frames)
{
	struct kept direct, samples, framed, made;

	prepare(s, &direct, label, NULL, NULL);
	prepare(s, &samples, from, NULL, NULL);
	if (frames)
		prepare(s, &framed, frames, NULL, NULL);
	prepare(s, &made, label, &samples, frames ? &framed : NULL);
	same_folders(&direct, &made);
	assert_int_equal(made.made.samples, direct.made.samples);
	assert_int_equal(made.made.skipped, direct.made.skipped);
	assert_int_equal(made.made.bytes_read, direct.made.bytes_read);
	drop(&made);
	if (frames)
		drop(&framed);
	drop(&samples);
	drop(&direct);
}

static void test_reuse_gives_the_same_bytes(void **state)
{
	static const struct {
		const char *label, *from, *frames;
	} cases[] = {
		{ "raw/tfrecord/gzip:6", "raw/tfrecord/none", NULL },
		{ "large/tfrecord/zstd", "large/tar/none", NULL },
		{ "large/tar/delta+zstd:1", "large/files/none", NULL },
		{ "large/tar/png", "large/npy/none", NULL },
		{ "centered/npy/gzip:6", "centered/npy/none", NULL },
		{ "centered/files/none", "centered/tar/none", NULL },
		{ "centered/tfrecord/none", "large/tfrecord/none", NULL },
		{ "centered/npy/zstd", "large/tar/none", NULL },
		{ "centered/tar/gzip:6", "raw/files/none", NULL },
		{ "large/tar/png", "raw/tfrecord/none", NULL },
		{ "large/tar/zlib:6", "large/tar/none", "large/tar/gzip:6" },
		{ "large/tar/gzip:6", "large/tar/none", "large/tar/zlib:6" },
		{ "centered/tfrecord/gzip:6", "centered/tfrecord/none",
		    "centered/tfrecord/zlib:6" },
	};
	struct setup *s = *state;

	/* As the dataset is; within windows; and permuted as a whole. */
	for (unsigned way = 0; way < 3; way++) {
		s->order.shuffled = way > 0;
		if (way == 2)
			fake_offer_picks(&s->fake);
		for (size_t i = 0; i < ARRAY_LEN(cases); i++)
			check_label(
			    s, cases[i].label, cases[i].from, cases[i].frames);
	}
}

/* With several blocks a shard, and with samples left out. */
static void test_reuse_of_many_blocks_and_of_bad_samples(void **state)
{
	struct setup *s = *state;

	fake_init(&s->fake, STREAMS, 3000);
	s->fake.varied = true;
	check_label(s, "large/tfrecord/zlib:6", "large/tfrecord/none",
	    "large/tfrecord/gzip:6");
	fake_init(&s->fake, STREAMS, PER_STREAM);
	s->fake.bad = 7;
	check_label(
	    s, "large/tar/zlib:6", "large/tar/none", "large/tar/gzip:6");
	s->order.shuffled = true;
	check_label(s, "centered/tar/none", "large/tar/none", NULL);
	fake_offer_picks(&s->fake);
	check_label(s, "centered/tar/none", "large/tar/none", NULL);
}

static void test_near(double is, double expected)
{
	if (fabs(is - expected) > 1e-9)
		fail_msg("%g, not %g", is, expected);
}

static bool shared(struct setup *s, const char *a, const char *b)
{
	struct kept first, second;
	bool are;

	prepare(s, &first, a, NULL, NULL);
	prepare(s, &second, b, NULL, NULL);
	are = frames_are_shared(
	    store_form(first.reader), store_form(second.reader));
	drop(&first);
	drop(&second);
	return are;
}

static void test_frames_are_those_of_the_same_deflate(void **state)
{
	struct setup *s = *state;

	assert_true(shared(s, "raw/tar/gzip:6", "raw/tar/zlib:6"));
	assert_false(shared(s, "raw/tar/gzip:6", "raw/tar/zlib:9"));
	assert_false(shared(s, "raw/tar/gzip:6", "raw/tfrecord/zlib:6"));
	assert_false(shared(s, "raw/files/gzip:6", "raw/files/zlib:6"));
	assert_false(shared(s, "raw/tar/gzip:6", "raw/tar/zstd"));
	assert_false(shared(s, "raw/tar/none", "raw/tar/none"));
}

static struct strategy parse(struct setup *s, const char *label)
{
	struct strategy strategy;
	struct error err = ERROR_INIT;

	test_ok(
	    strategy_parse(&strategy, label, &s->planned.pipeline, &err), &err);
	return strategy;
}

static void test_reuse_knows_what_a_strategy_gives(void **state)
{
	static const struct {
		const char *of, *to;
		bool samples, frames;
	} cases[] = {
		{ "large/tar/none", "large/tar/gzip:6", true, false },
		{ "large/tar/none", "large/tfrecord/none", true, false },
		{ "large/tar/none", "centered/tar/none", true, false },
		{ "centered/tar/none", "large/tar/none", false, false },
		{ "large/tar/gzip:6", "centered/tar/none", false, false },
		{ "large/tar/gzip:6", "large/tar/zlib:6", false, true },
		{ "large/tar/gzip:6", "centered/tar/zlib:6", false, false },
		{ "large/tar/png", "large/tar/zstd", false, false },
		{ "large/tar/delta+zstd:1", "large/tar/zstd:1", false, false },
		{ "unprocessed", "raw/tar/gzip:6", false, false },
	};
	struct setup *s = *state;

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct strategy of = parse(s, cases[i].of),
		                      to = parse(s, cases[i].to);

		if (reuse_gives_samples(&s->planned.pipeline, &of, &to) !=
		        cases[i].samples ||
		    reuse_gives_frames(&s->planned.pipeline, &of, &to) !=
		        cases[i].frames)
			fail_msg("%s to %s", cases[i].of, cases[i].to);
	}
}

/* 100 samples, 1 and then 2 ms of steps a sample, 0.5 MB. */
static void test_reuse_saves_steps_and_costs_reading(void **state)
{
	struct setup *s = *state;
	struct model *model = planned_model(&s->planned, &s->fake.reader, 0);
	const struct load load = { .samples = 100, .threads = 2 };
	const struct strategy raw = parse(s, "raw/tar/none"),
	                      large = parse(s, "large/tar/none"),
	                      gzip = parse(s, "large/tar/gzip:6"),
	                      centered = parse(s, "centered/tar/none");

	model->machine.copy_bytes_per_s = 2e9;
	model->step_s[0] = 0.001;
	model->step_s[1] = 0.002;
	for (unsigned r = 0; r < 3; r++)
		for (unsigned i = 0; i < s->planned.plan.strategies.store_count;
		     i++)
			model->packing[r][i][0].bytes = 0.5e6;
	/* The same split: what its steps take on two threads. */
	test_near(reuse_saves_s(model, &large, &gzip, &load), 0.05);
	test_near(reuse_saves_s(model, &raw, &raw, &load), 0);
	/* 50 MB, 1 GB/s, two threads */
	test_near(reuse_saves_s(model, &large, &centered, &load), 0.05 - 0.025);
	assert_true(reuse_saves_s(model, &raw, &centered, &load) < 0);
	free(model);
}

/* ---- frames that are not these ---- */

static void check_refused(
    struct setup *s, const struct kept *gzip, const char *why)
{
	struct error err = ERROR_INIT;
	struct kept zlib;

	assert_int_equal(
	    try_prepare(s, &zlib, "raw/tar/zlib:6", NULL, gzip, &err), -1);
	assert_int_equal(err.code, ERROR_DATA);
	test_contains(err.text, why);
	test_contains(err.text, "shard-000002.tar.gz");
	drop(&zlib);
}

static void test_frames_of_other_bytes_are_refused(void **state)
{
	struct setup *s = *state;
	struct kept gzip;
	struct buf shard = BUF_INIT;

	prepare(s, &gzip, "raw/tar/gzip:6", NULL, NULL);
	for (size_t i = 0; i < FRAME_SUMS; i++)
		gzip.sums[2].of[i] ^= 1;
	check_refused(s, &gzip, "are not of these bytes");
	for (size_t i = 0; i < FRAME_SUMS; i++)
		gzip.sums[2].of[i] ^= 1;
	test_read_file(gzip.dir, "shard-000002.tar.gz", &shard);
	shard.data[shard.len / 2] ^= 1;
	test_write_file(gzip.dir, "shard-000002.tar.gz", buf_span(&shard));
	check_refused(s, &gzip, "checksum of a frame differs");
	buf_release(&shard);
	drop(&gzip);
}

/* Who takes frames over can give them to others. */
static void test_frames_are_handed_on(void **state)
{
	struct setup *s = *state;
	struct kept zlib, gzip, again;

	prepare(s, &zlib, "raw/tar/zlib:6", NULL, NULL);
	prepare(s, &gzip, "raw/tar/gzip:6", NULL, &zlib);
	prepare(s, &again, "raw/tar/zlib:6", NULL, &gzip);
	same_folders(&zlib, &again);
	assert_int_equal(again.made.samples, STREAMS * PER_STREAM);
	assert_int_equal(again.made.bytes_read, zlib.made.bytes_read);
	assert_memory_equal(again.sums, zlib.sums, sizeof(zlib.sums));
	drop(&again);
	drop(&gzip);
	drop(&zlib);
}

/* ---- the frames of two datasets ---- */

static bool have_equal_frames(const struct kept *a, const struct kept *b)
{
	struct error err = ERROR_INIT;
	bool equal = false;

	test_ok(frames_compare(a->reader, b->reader, &equal, &err), &err);
	return equal;
}

static void test_frames_of_two_datasets_are_compared(void **state)
{
	struct setup *s = *state;
	struct kept gzip, zlib, large, fewer;

	prepare(s, &gzip, "raw/tar/gzip:6", NULL, NULL);
	prepare(s, &zlib, "raw/tar/zlib:6", NULL, &gzip);
	assert_true(have_equal_frames(&gzip, &zlib));
	prepare(s, &large, "large/tar/zlib:6", NULL, NULL);
	assert_false(have_equal_frames(&gzip, &large));
	s->fake.reader.streams = STREAMS - 1;
	s->fake.reader.samples -= PER_STREAM;
	prepare(s, &fewer, "raw/tar/zlib:6", NULL, NULL);
	assert_false(have_equal_frames(&gzip, &fewer));
	assert_false(have_equal_frames(&fewer, &gzip));
	drop(&fewer);
	drop(&large);
	drop(&zlib);
	drop(&gzip);
}

static void test_comparing_frames_finds_damage(void **state)
{
	struct setup *s = *state;
	struct error err = ERROR_INIT;
	struct buf shard = BUF_INIT;
	struct kept gzip, zlib;
	bool equal;

	prepare(s, &gzip, "raw/tar/gzip:6", NULL, NULL);
	prepare(s, &zlib, "raw/tar/zlib:6", NULL, &gzip);
	test_read_file(zlib.dir, "shard-000002.tar.zz", &shard);
	shard.data[shard.len / 2] ^= 1;
	test_write_file(zlib.dir, "shard-000002.tar.zz", buf_span(&shard));
	assert_int_equal(
	    frames_compare(gzip.reader, zlib.reader, &equal, &err), -1);
	assert_int_equal(err.code, ERROR_DATA);
	test_contains(err.text, "shard-000002.tar.zz: the checksum of a frame");
	buf_release(&shard);
	drop(&zlib);
	drop(&gzip);
}

/* ---- what it is charged ---- */

/* What a chunk and a sample of the slow source take. */
enum { SLOW_NS = 4000000 };

static const struct reader_ops *fast;

static int slow_next(const struct reader *reader, struct chunk *chunk,
    struct sample *sample, struct error *err)
{
	clock_sleep_until(clock_now(&clock_monotonic) + SLOW_NS);
	return fast->next(reader, chunk, sample, err);
}

static int slow_fetch(void *stream, struct chunk *chunk, struct error *err)
{
	clock_sleep_until(clock_now(&clock_monotonic) + SLOW_NS);
	return fast->stream_fetch(stream, chunk, err);
}

static double seconds(const struct kept *kept)
{
	return (double)kept->made.wall_ns / 1e9;
}

static double share(uint64_t a, uint64_t b)
{
	return (double)a / (double)b;
}

/* How far what was charged is from what it takes; the smaller, the better. */
static double off_by(double charged, double direct)
{
	return charged > direct ? charged / direct - 1 : direct / charged - 1;
}

/* A slow source is charged to each, and read once. */
static void test_reuse_is_charged_what_the_source_takes(void **state)
{
	struct setup *s = *state;
	struct reader_ops slow = *s->fake.reader.ops;
	double best = 1, took = 1;

	fast = s->fake.reader.ops;
	slow.next = slow_next;
	slow.stream_fetch = slow_fetch;
	s->fake.reader.ops = &slow;
	for (int i = 0; i < 40 && (best > 0.1 || took > 0.5); i++) {
		struct kept none, direct, made;
		double off;

		prepare(s, &none, "large/tar/none", NULL, NULL);
		prepare(s, &direct, "large/tar/gzip:6", NULL, NULL);
		prepare(s, &made, "large/tar/gzip:6", &none, NULL);
		assert_true(made.made.cost.read_ns == none.made.cost.read_ns);
		if (made.took_s < took * direct.took_s)
			took = made.took_s / direct.took_s;
		assert_true(made.made.wall_ns >
		            (uint64_t)STREAMS * PER_STREAM * SLOW_NS / THREADS);
		off = off_by(seconds(&made), seconds(&direct));
		if (off < best)
			best = off;
		drop(&made);
		drop(&direct);
		drop(&none);
	}
	s->fake.reader.ops = fast;
	if (best > 0.1 || took > 0.5)
		fail_msg("charged %.0f %% off, in %.0f %% of the time",
		    100 * best, 100 * took);
}

/* How far the charged time and CPU time are from those of all the work. */
struct off {
	double wall, cpu;
};

static void note_off(
    struct off *least, const struct kept *made, const struct kept *direct)
{
	double off = off_by(share(made->made.wall_ns, direct->made.wall_ns), 1);

	if (off < least->wall)
		least->wall = off;
	off = off_by(share(made->made.cpu_ns, direct->made.cpu_ns), 1);
	if (off < least->cpu)
		least->cpu = off;
}

/* Reading and writing take some of the CPU time, and steps some. */
static void check_cpu_parts(const struct kept *kept)
{
	for (unsigned i = 0; i < SHARDS; i++) {
		const struct shard_cost *cost = &kept->costs[i];

		assert_true(cost->read_cpu_ns > 0 && cost->output_cpu_ns > 0);
		assert_true(
		    cost->read_cpu_ns + cost->output_cpu_ns < cost->cpu_ns);
	}
}

static bool is_far(const struct off *off)
{
	return off->wall > 0.15 || off->cpu > 0.15;
}

static void check_off(const struct off *off)
{
	if (is_far(off))
		fail_msg("charged %.0f %% of the time, %.0f %% of the CPU time "
		         "off",
		    100 * off->wall, 100 * off->cpu);
}

/* Steps, compression, checksums: against who really does all of it. */
static void test_reuse_is_charged_what_the_work_takes(void **state)
{
	struct setup *s = *state;
	struct off off = { 1, 1 };

	fake_init(&s->fake, STREAMS, 500);
	s->fake.varied = true;
	for (int i = 0; i < 60 && is_far(&off); i++) {
		struct kept none, gzip, direct, made;

		prepare(s, &none, "large/tar/none", NULL, NULL);
		prepare(s, &gzip, "large/tar/gzip:6", &none, NULL);
		prepare(s, &made, "large/tar/zlib:6", &none, &gzip);
		prepare(s, &direct, "large/tar/zlib:6", NULL, NULL);
		assert_true(
		    made.made.cost.compress_ns == gzip.made.cost.compress_ns);
		check_cpu_parts(&none);
		check_cpu_parts(&direct);
		note_off(&off, &made, &direct);
		drop(&made);
		drop(&direct);
		drop(&gzip);
		drop(&none);
	}
	check_off(&off);
}

/*
 * A thread that waits for a slow storage takes no CPU time: none of that of the
 * steps is taken for it.
 */
static void test_reuse_is_charged_cpu_time_beside_a_slow_storage(void **state)
{
	const struct storage_limits limits = { .bandwidth = 20e6 };
	struct setup *s = *state;
	struct error err = ERROR_INIT;
	double off = 1;

	fake_init(&s->fake, STREAMS, 2000);
	s->fake.varied = true;
	medium_free(s->medium);
	s->medium = medium_new_emulated(&limits, &err);
	assert_non_null(s->medium);
	for (int i = 0; i < 60 && off > 0.15; i++) {
		struct kept none, direct, made;

		prepare(s, &none, "large/tar/none", NULL, NULL);
		prepare(s, &made, "large/tfrecord/none", &none, NULL);
		prepare(s, &direct, "large/tfrecord/none", NULL, NULL);
		off = fmin(off,
		    off_by(share(made.made.cpu_ns, direct.made.cpu_ns), 1));
		drop(&made);
		drop(&direct);
		drop(&none);
	}
	if (off > 0.15)
		fail_msg("the CPU time is %.0f %% off", 100 * off);
}

/* Steps of an earlier split, and those behind it; handed on to a codec. */
static void test_reuse_of_an_earlier_split_is_charged_all_steps(void **state)
{
	struct setup *s = *state;
	struct off none_off = { 1, 1 }, zstd_off = { 1, 1 };

	fake_init(&s->fake, STREAMS, 500);
	s->fake.varied = true;
	for (int i = 0; i < 60 && (is_far(&none_off) || is_far(&zstd_off));
	     i++) {
		struct kept large, none, zstd, none_direct, zstd_direct;

		prepare(s, &large, "large/tfrecord/none", NULL, NULL);
		prepare(s, &none, "centered/tfrecord/none", &large, NULL);
		prepare(s, &zstd, "centered/tfrecord/zstd", &none, NULL);
		prepare(s, &none_direct, "centered/tfrecord/none", NULL, NULL);
		prepare(s, &zstd_direct, "centered/tfrecord/zstd", NULL, NULL);
		assert_true(none.made.cost.read_ns == large.made.cost.read_ns);
		assert_true(zstd.made.cost.read_ns == large.made.cost.read_ns);
		note_off(&none_off, &none, &none_direct);
		note_off(&zstd_off, &zstd, &zstd_direct);
		drop(&zstd_direct);
		drop(&none_direct);
		drop(&zstd);
		drop(&none);
		drop(&large);
	}
	check_off(&none_off);
	check_off(&zstd_off);
}

static void test_costs_are_those_of_who_did_the_work(void **state)
{
	const struct shard_cost own = { .cpu_ns = 20,
		.read_cpu_ns = 2,
		.output_cpu_ns = 6,
		.read_ns = 1,
		.make_ns = 3,
		.store_ns = 4,
		.compress_ns = 5,
		.write_ns = 6,
		.sync_ns = 7 };
	/* Reading, writing and syncing wait for the storage most of the time.
	 */
	const struct shard_cost made = { 200, 20, 60, 1000, 30, 40, 50, 6000,
		7000 };
	const struct shard_cost framed = { 204, 20, 61, 1100, 31, 41, 51, 6100,
		7100 };
	struct shard_cost cost = shard_cost_of_samples(&own, &made, false);

	(void)state;
	assert_int_equal(shard_cost_ns(&own), 1 + 3 + 4 + 5 + 6 + 7);
	assert_int_equal(shard_cost_ns(&cost), 1000 + 30 + 4 + 5 + 6 + 7);
	assert_int_equal(cost.read_cpu_ns, 20);
	assert_int_equal(cost.output_cpu_ns, 6);
	/* 3 of 12 of 12 less; 30 of 120 of 120 more. */
	assert_int_equal(cost.cpu_ns, 20 - 2 - 3 + 20 + 30);
	cost = shard_cost_of_samples(&own, &made, true);
	assert_int_equal(shard_cost_ns(&cost), 1000 + 30 + 3 + 4 + 5 + 6 + 7);
	assert_int_equal(cost.cpu_ns, 20 - 2 + 20 + 30);
	cost = shard_cost_of_frames(&own, &framed);
	assert_int_equal(shard_cost_ns(&cost), 1100 + 31 + 41 + 51 + 6 + 7);
	assert_int_equal(cost.read_cpu_ns, 20);
	assert_int_equal(cost.output_cpu_ns, 6);
	assert_int_equal(cost.cpu_ns, 204 - 61 + 6);
	cost = own;
	shard_cost_add(&cost, &own);
	assert_int_equal(shard_cost_ns(&cost), 2 * shard_cost_ns(&own));
	assert_int_equal(cost.output_cpu_ns, 12);
}

static void test_costs_span_as_threads_take_shards(void **state)
{
	const struct shard_cost costs[] = { { .make_ns = 5 }, { .make_ns = 1 },
		{ .make_ns = 2 }, { .make_ns = 4 } };
	static const unsigned one_by_one[] = { 1, 2, 3, 0 },
	                      longest_first[] = { 0, 3, 2, 1 };
	struct error err = ERROR_INIT;
	unsigned order[4];

	(void)state;
	assert_int_equal(shard_costs_span(costs, 4, NULL, 1), 12);
	/* 5; 1, 2, and 4 more */
	assert_int_equal(shard_costs_span(costs, 4, NULL, 2), 7);
	assert_int_equal(shard_costs_span(costs, 4, NULL, 3), 5);
	assert_int_equal(shard_costs_span(costs, 4, NULL, 100), 5);
	assert_int_equal(shard_costs_span(costs, 0, NULL, 2), 0);
	/* 1, 4; 2, 5 */
	assert_int_equal(shard_costs_span(costs, 4, one_by_one, 2), 7);
	/* 5, 1; 4, 2 */
	test_ok(shard_costs_order(costs, 4, order, &err), &err);
	assert_memory_equal(order, longest_first, sizeof(order));
	assert_int_equal(shard_costs_span(costs, 4, order, 2), 6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
		    test_reuse_gives_the_same_bytes, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
		    test_reuse_of_many_blocks_and_of_bad_samples, set_up,
		    tear_down),
		cmocka_unit_test_setup_teardown(
		    test_frames_are_those_of_the_same_deflate, set_up,
		    tear_down),
		cmocka_unit_test_setup_teardown(
		    test_reuse_knows_what_a_strategy_gives, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
		    test_reuse_saves_steps_and_costs_reading, set_up,
		    tear_down),
		cmocka_unit_test_setup_teardown(
		    test_frames_of_other_bytes_are_refused, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
		    test_frames_are_handed_on, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
		    test_frames_of_two_datasets_are_compared, set_up,
		    tear_down),
		cmocka_unit_test_setup_teardown(
		    test_comparing_frames_finds_damage, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
		    test_reuse_is_charged_what_the_source_takes, set_up,
		    tear_down),
		cmocka_unit_test_setup_teardown(
		    test_reuse_is_charged_what_the_work_takes, set_up,
		    tear_down),
		cmocka_unit_test_setup_teardown(
		    test_reuse_of_an_earlier_split_is_charged_all_steps, set_up,
		    tear_down),
		cmocka_unit_test_setup_teardown(
		    test_reuse_is_charged_cpu_time_beside_a_slow_storage,
		    set_up, tear_down),
		cmocka_unit_test(test_costs_are_those_of_who_did_the_work),
		cmocka_unit_test(test_costs_span_as_threads_take_shards),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
