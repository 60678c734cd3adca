/*
 * test_parts.c - a dataset written in parts: the bytes of one process, whatever
 * the order of the parts, and words for what is missing or differs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/files/path_tree.h"
#include "lib/files/path_write.h"
#include "lib/media/medium.h"
#include "lib/process/part.h"
#include "strategies/parts/job.h"
#include "strategies/parts/part_file.h"
#include "strategies/parts/parts.h"
#include "strategies/parts/place.h"
#include "strategies/prepare/materialize.h"
#include "test/unit/fake_reader.h"
#include "test/unit/planned.h"
#include "test/unit/test.h"

enum { STREAMS = 9, PER_STREAM = 6, SHARDS = 4 };

static const struct materialize_needs little = { .disk_bytes = 1000 };

static const char text[] = "[pipeline]\n"
                           "large = resize size=12x10\n"
                           "grey = grayscale\n"
                           "cut = random_crop size=4\n"
                           "[strategies]\n"
                           "store = files, tar, tfrecord, npy\n"
                           "codec = none, zstd\n";

struct setup {
	struct planned planned;
	struct fake fake;
	struct medium *medium;
	char *scratch, *whole, *dir; /* by one process, and in parts */
};

static int set_up(void **state)
{
	struct setup *s = calloc(1, sizeof(*s));
	struct error err = ERROR_INIT;

	fake_init(&s->fake, STREAMS, PER_STREAM);
	fake_offer_picks(&s->fake);
	test_ok(planned_read(&s->planned, text, &s->fake.reader.schema, &err),
	    &err);
	s->medium = medium_new_local(&err);
	s->scratch = test_scratch();
	s->whole = test_path(s->scratch, "whole");
	s->dir = test_path(s->scratch, "parts");
	*state = s;
	return 0;
}

static int tear_down(void **state)
{
	struct setup *s = *state;

	free(s->whole);
	free(s->dir);
	test_scratch_remove(s->scratch);
	medium_free(s->medium);
	planned_release(&s->planned);
	free(s);
	return 0;
}

static struct prepare_plan plan_of(
    struct setup *s, const struct strategy *strategy, const char *dir)
{
	return (struct prepare_plan){
		.source = &s->fake.reader,
		.pipeline = &s->planned.pipeline,
		.strategy = strategy,
		.order = { .shuffled = true, .seed = 7 },
		.medium = s->medium,
		.folder.dir = dir,
		.threads = 2,
		.shards = SHARDS,
		.seed = 11,
		.skip_errors = true,
	};
}

static const struct strategy *first_strategy(struct setup *s)
{
	return &s->planned.strategies.list[1];
}

static int run_part(const struct prepare_plan *plan, unsigned index,
    unsigned count, struct part_result *result, struct error *err)
{
	const struct part part = { index, count, NULL };
	struct job none = JOB_INIT;

	return parts_run(plan, &little, &part, &none, result, err);
}

static void must_run(const struct prepare_plan *plan, unsigned index,
    unsigned count, struct part_result *result)
{
	struct error err = ERROR_INIT;

	test_ok(run_part(plan, index, count, result, &err), &err);
}

static int finish(
    const struct prepare_plan *plan, struct joined *joined, struct error *err)
{
	struct job job = JOB_INIT;

	if (job_read(&job, plan->medium, plan->folder.dir, err) <= 0)
		return -1;
	return parts_finish(plan, true, &job, joined, err);
}

static void write_whole(struct setup *s, const struct strategy *strategy)
{
	const struct prepare_plan plan = plan_of(s, strategy, s->whole);
	struct materialized done;
	struct error err = ERROR_INIT;

	test_ok(materialize_run(&plan, &little, false, &done, &err), &err);
	materialized_release(&done);
}

/* ---- folders ---- */

/* Compares each file of one folder with that of the other. */
static int compare_file(
    void *arg, const char *name, uint64_t bytes, struct error *err)
{
	struct setup *s = arg;
	struct buf a = BUF_INIT, b = BUF_INIT;
	char *one = test_path(s->whole, name);
	char *other = test_path(s->dir, name);

	test_ok(path_read(one, bytes + 1, &a, err), err);
	test_ok(path_read(other, bytes + 1, &b, err), err);
	if (!span_equal(buf_span(&a), buf_span(&b)))
		fail_msg("%s differs", name);
	buf_release(&a);
	buf_release(&b);
	free(one);
	free(other);
	return 0;
}

static int count_file(
    void *arg, const char *name, uint64_t bytes, struct error *err)
{
	UNUSED(name);
	UNUSED(bytes);
	UNUSED(err);
	++*(unsigned *)arg;
	return 0;
}

static unsigned files_in(const char *dir)
{
	struct error err = ERROR_INIT;
	unsigned files = 0;

	test_ok(path_each(dir, count_file, &files, &err), &err);
	return files;
}

static void folders_are_equal(struct setup *s)
{
	struct error err = ERROR_INIT;

	test_ok(path_each(s->whole, compare_file, s, &err), &err);
	assert_int_equal(files_in(s->whole), files_in(s->dir));
}

static void remove_folders(struct setup *s)
{
	struct error err = ERROR_INIT;

	test_ok(path_remove_tree(s->whole, &err), &err);
	test_ok(path_remove_tree(s->dir, &err), &err);
}

/* ---- tests ---- */

static void test_parts_give_the_bytes_of_one_process(void **state)
{
	static const unsigned counts[] = { 2, 3, 4, 7 };
	struct setup *s = *state;

	for (size_t i = 1; i < s->planned.strategies.count; i++) {
		const struct strategy *strategy =
		    &s->planned.strategies.list[i];
		const struct prepare_plan plan = plan_of(s, strategy, s->dir);
		const unsigned count = counts[i % ARRAY_LEN(counts)];
		struct part_result result;

		write_whole(s, strategy);
		/* in another order than they are counted */
		for (unsigned k = 0; k < count; k++) {
			const unsigned part = (k * 5 + 1) % count;

			must_run(&plan, count % 5 ? part : k, count, &result);
			assert_int_equal(result.joined.state,
			    k + 1 == count ? JOIN_DONE : JOIN_WAITS);
		}
		assert_int_equal(result.joined.samples, STREAMS * PER_STREAM);
		folders_are_equal(s);
		remove_folders(s);
	}
}

static void test_parts_are_run_again(void **state)
{
	struct setup *s = *state;
	const struct prepare_plan plan = plan_of(s, first_strategy(s), s->dir);
	struct part_result result;

	write_whole(s, first_strategy(s));
	must_run(&plan, 1, 2, &result);
	assert_false(result.was_complete);
	assert_int_equal(result.made.samples, STREAMS * PER_STREAM / 2);
	must_run(&plan, 1, 2, &result);
	assert_true(result.was_complete);
	assert_int_equal(result.made.samples, 0);
	assert_int_equal(result.joined.complete, 1);
	assert_int_equal(result.joined.missing, 0);
	must_run(&plan, 0, 2, &result);
	assert_int_equal(result.joined.state, JOIN_DONE);
	must_run(&plan, 0, 2, &result);
	assert_int_equal(result.joined.state, JOIN_COMPLETE);
	folders_are_equal(s);
}

/* A process that died left shards, and notes of them, and no manifest. */
static void test_parts_keep_what_was_noted(void **state)
{
	struct setup *s = *state;
	const struct prepare_plan plan = plan_of(s, first_strategy(s), s->dir);
	struct part_result result;
	char name[PART_FILE_NAME], *path;

	write_whole(s, first_strategy(s));
	must_run(&plan, 0, 2, &result);
	part_file_name(0, name);
	path = test_path(s->dir, name);
	assert_int_equal(unlink(path), 0);
	must_run(&plan, 0, 2, &result);
	assert_false(result.was_complete);
	assert_int_equal(result.made.samples, 0);
	assert_int_equal(result.samples, STREAMS * PER_STREAM / 2);
	must_run(&plan, 1, 2, &result);
	folders_are_equal(s);
	free(path);
}

static void test_parts_that_are_missing_are_named(void **state)
{
	struct setup *s = *state;
	const struct prepare_plan plan = plan_of(s, first_strategy(s), s->dir);
	struct part_result result;
	struct joined joined;
	struct error err = ERROR_INIT;

	must_run(&plan, 0, 4, &result);
	must_run(&plan, 2, 4, &result);
	assert_int_equal(finish(&plan, &joined, &err), -1);
	test_contains(err.text, "part 1/4 (and 1 other) is missing");
	assert_int_equal(joined.missing, 1);
	assert_int_equal(err.code, ERROR_DATA);
	must_run(&plan, 1, 4, &result);
	assert_int_equal(finish(&plan, &joined, &err), -1);
	test_contains(err.text, "part 3/4 is missing");
}

/* Bytes are flipped: sizes and indexes stay as they were. */
static void damage(const char *dir, const char *name)
{
	struct error err = ERROR_INIT;
	struct buf bytes = BUF_INIT;
	char *path = test_path(dir, name);

	test_ok(path_read(path, 1 << 20, &bytes, &err), &err);
	bytes.data[bytes.len / 2] ^= 0x55;
	test_ok(path_write(path, buf_span(&bytes), &err), &err);
	buf_release(&bytes);
	free(path);
}

static const struct strategy *find_strategy(struct setup *s, const char *label)
{
	for (size_t i = 1; i < s->planned.strategies.count; i++)
		if (strcmp(s->planned.strategies.list[i].label, label) == 0)
			return &s->planned.strategies.list[i];
	fail_msg("no strategy %s", label);
	return NULL;
}

/*
 * The part that is last finds a shard that has gone; --finish finds flipped
 * bytes, too. Run again, the part mends them.
 */
static void test_parts_that_were_damaged_are_found(void **state)
{
	struct setup *s = *state;
	const struct strategy *strategy = find_strategy(s, "large/tar/none");
	const struct prepare_plan plan = plan_of(s, strategy, s->dir);
	struct part_result result;
	struct joined joined;
	struct error err = ERROR_INIT;
	char *path = test_path(s->dir, "shard-000002.tar");
	char *last = test_path(s->dir, "presto.part-000000");
	char *aside = test_path(s->scratch, "aside");

	write_whole(s, strategy);
	must_run(&plan, 1, 2, &result);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(run_part(&plan, 0, 2, &result, &err), -1);
	test_contains(err.text, "shard 000002 of part 1/2 is missing");
	must_run(&plan, 1, 2, &result);
	assert_int_equal(result.joined.state, JOIN_DONE);
	folders_are_equal(s);

	test_ok(path_remove_tree(s->dir, &err), &err);
	must_run(&plan, 0, 2, &result);
	test_ok(path_rename(last, aside, &err), &err);
	must_run(&plan, 1, 2, &result);
	test_ok(path_rename(aside, last, &err), &err);
	damage(s->dir, "shard-000002.tar");
	assert_int_equal(finish(&plan, &joined, &err), -1);
	assert_int_equal(err.code, ERROR_DATA);
	assert_int_equal(joined.missing, 1);
	must_run(&plan, 1, 2, &result);
	assert_int_equal(result.mended, 1);
	assert_int_equal(result.joined.state, JOIN_DONE);
	folders_are_equal(s);
	free(path);
	free(last);
	free(aside);
}

static void test_parts_that_differ_are_refused(void **state)
{
	struct setup *s = *state;
	struct prepare_plan plan = plan_of(s, first_strategy(s), s->dir);
	struct part_result result;
	struct error err = ERROR_INIT;

	must_run(&plan, 0, 2, &result);
	assert_int_equal(run_part(&plan, 1, 4, &result, &err), -1);
	test_contains(err.text, "the number of parts 2, and this one has 4");
	assert_int_equal(err.code, ERROR_USAGE);
	plan.shards = 8;
	assert_int_equal(run_part(&plan, 1, 2, &result, &err), -1);
	test_contains(err.text, "the number of shards 4, and this one has 8");
	plan.shards = SHARDS;
	plan.order.seed = 8;
	assert_int_equal(run_part(&plan, 1, 2, &result, &err), -1);
	test_contains(err.text, "--shuffle 7, and this one has 8");
	plan.order.seed = 7;
	plan.seed = 12;
	assert_int_equal(run_part(&plan, 1, 2, &result, &err), -1);
	test_contains(err.text, "--seed 11, and this one has 12");
	plan.seed = 11;
	plan.strategy = &s->planned.strategies.list[2];
	assert_int_equal(run_part(&plan, 1, 2, &result, &err), -1);
	test_contains(err.text, plan.strategy->label);
	plan.strategy = first_strategy(s);
	plan.skip_errors = false;
	assert_int_equal(run_part(&plan, 1, 2, &result, &err), -1);
	test_contains(err.text, "another pipeline");
}

/* One process does not write where parts do, nor parts where one does. */
static void test_parts_and_one_process_keep_apart(void **state)
{
	struct setup *s = *state;
	struct prepare_plan plan = plan_of(s, first_strategy(s), s->dir);
	struct part_result result;
	struct materialized done;
	struct error err = ERROR_INIT;

	must_run(&plan, 0, 2, &result);
	assert_int_equal(
	    materialize_run(&plan, &little, false, &done, &err), -1);
	materialized_release(&done);
	test_contains(err.text, "is being written in parts");
	test_write(s->whole, "notes.txt", "mine");
	plan.folder.dir = s->whole;
	assert_int_equal(run_part(&plan, 0, 2, &result, &err), -1);
	test_contains(err.text, "holds something else ('notes.txt')");
	assert_int_equal(files_in(s->whole), 1);
}

static void test_parts_divide_all_shards(void **state)
{
	UNUSED(state);
	for (unsigned shards = 1; shards < 40; shards++)
		for (unsigned parts = 1; parts < 50; parts++) {
			const struct job job = { .shards = shards,
				.parts = parts };
			unsigned next = 0, first, end;

			for (unsigned i = 0; i < parts; i++) {
				job_range(&job, i, &first, &end);
				assert_int_equal(first, next);
				assert_true(end - first <=
				            (shards + parts - 1) / parts);
				next = end;
			}
			assert_int_equal(next, shards);
		}
}

/* ---- the files ---- */

static void test_job_is_read_as_it_was_written(void **state)
{
	struct job job = JOB_INIT, back = JOB_INIT;
	struct buf bytes = BUF_INIT;
	struct error err = ERROR_INIT;

	UNUSED(state);
	snprintf(job.strategy, sizeof(job.strategy), "large/tar/none");
	snprintf(job.fingerprint, sizeof(job.fingerprint), "0011223344556677");
	snprintf(job.settings, sizeof(job.settings), "8899aabbccddeeff");
	snprintf(job.option_seed, sizeof(job.option_seed), "5");
	job.shards = 8;
	job.parts = 3;
	job.samples = 12345678901;
	job.seed = 5;
	test_ok(job_print(&job, &bytes, &err), &err);
	test_ok(job_parse(&back, "job", buf_span(&bytes), &err), &err);
	assert_string_equal(back.strategy, job.strategy);
	assert_string_equal(back.fingerprint, job.fingerprint);
	assert_int_equal(back.samples, job.samples);
	assert_false(back.order.shuffled);
	assert_string_equal(back.option_shuffle, "");
	assert_string_equal(back.option_seed, "5");
	job_release(&back);
	/* no byte can change, and none be missing */
	for (size_t i = 0; i < bytes.len; i++) {
		bytes.data[i] ^= 1;
		assert_int_equal(
		    job_parse(&back, "job", buf_span(&bytes), &err), -1);
		job_release(&back);
		bytes.data[i] ^= 1;
		assert_int_equal(job_parse(&back, "job",
		                     (struct span){ bytes.data, i }, &err),
		    -1);
		job_release(&back);
	}
	buf_release(&bytes);
}

static void test_a_file_that_no_part_could_read_is_not_written(void **state)
{
	const struct setup *s = *state;
	const struct span large = { (const unsigned char *)"",
		((size_t)1 << 30) + 1 };
	struct error err = ERROR_INIT;

	assert_int_equal(
	    place_write(s->medium, s->scratch, "presto.job", large, &err), -1);
	assert_int_equal(err.code, ERROR_LIMIT);
	test_contains(err.text, "presto.job would have 1073741825 bytes");
	assert_int_equal(
	    place_write_new(s->medium, s->scratch, "presto.job", large, &err),
	    -1);
	assert_int_equal(err.code, ERROR_LIMIT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
		    test_parts_give_the_bytes_of_one_process, set_up,
		    tear_down),
		cmocka_unit_test_setup_teardown(
		    test_parts_are_run_again, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
		    test_a_file_that_no_part_could_read_is_not_written, set_up,
		    tear_down),
		cmocka_unit_test_setup_teardown(
		    test_parts_keep_what_was_noted, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
		    test_parts_that_are_missing_are_named, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
		    test_parts_that_were_damaged_are_found, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
		    test_parts_that_differ_are_refused, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
		    test_parts_and_one_process_keep_apart, set_up, tear_down),
		cmocka_unit_test(test_parts_divide_all_shards),
		cmocka_unit_test(test_job_is_read_as_it_was_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
