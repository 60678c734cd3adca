/* test_demand.c - what loaders report of a job, and its demand. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/files/path_tree.h"
#include "lib/loader/demand_report.h"
#include "lib/process/process_tree.h"
#include "lib/syntax/ini.h"
#include "strategies/whatif/accelerators.h"
#include "strategies/whatif/demand.h"
#include "test/unit/test.h"

static const uint64_t ms = 1000000;

static void check_near(const char *what, double got, double want, double by)
{
	if (!(fabs(got - want) <= by))
		fail_msg("%s: %.9g, not %.9g", what, got, want);
}

/* ---- reports ---- */

static const struct demand_loader loader = { .pid = 7,
	.batch_size = 128,
	.rank = 1,
	.world_size = 2,
	.begin_ns = 1000,
	.dataset = "my data\n" };

static int read_one(void *arg, const char *name, struct error *err)
{
	struct buf *text = arg;
	char *path = test_path(getenv(DEMAND_FOLDER), name);
	const int rc = path_read(path, 1 << 20, text, err);

	free(path);
	return rc;
}

/* The text of the only report in the folder; owned by `text`. */
static void read_report(struct buf *text)
{
	struct error err = ERROR_INIT;

	test_ok(
	    path_each_name(getenv(DEMAND_FOLDER), read_one, text, &err), &err);
}

static void test_demand_report_has_what_was_called(void **state)
{
	char *dir = test_scratch();
	struct demand_report *report;
	struct demand_stream stream;
	struct error err = ERROR_INIT;
	struct buf text = BUF_INIT;

	UNUSED(state);
	setenv(DEMAND_FOLDER, dir, 1);
	report = demand_report_new(&loader);
	assert_non_null(report);
	demand_report_call(
	    report, &(struct demand_call){ 1 * ms, 0, 3 * ms, 128 });
	demand_report_call(
	    report, &(struct demand_call){ 30 * ms, 20 * ms, 1 * ms, 44 });
	demand_report_call(
	    report, &(struct demand_call){ 40 * ms, 10 * ms, 0, 0 });
	demand_report_call(
	    report, &(struct demand_call){ 90 * ms, 50 * ms, 2 * ms, 128 });
	read_report(&text); /* it is there while the job runs */
	test_ok(
	    demand_stream_parse(&stream, "it", buf_span(&text), &err), &err);
	assert_int_equal(stream.loader.pid, 7);
	assert_int_equal(stream.loader.batch_size, 128);
	assert_int_equal(stream.loader.world_size, 2);
	assert_string_equal(stream.loader.dataset, "my data\\n");
	assert_int_equal(stream.count, 3);
	assert_int_equal(stream.records[0].samples, 128);
	assert_int_equal(stream.records[0].wait_ns, 3 * ms);
	assert_int_equal(stream.records[0].busy_ns, 20 * ms);
	assert_int_equal(stream.records[1].samples, 44);
	assert_int_equal(stream.records[1].busy_ns, 10 * ms);
	assert_int_equal(stream.records[2].batches, 0);
	assert_int_equal(stream.records[2].busy_ns, 50 * ms);
	demand_stream_release(&stream);
	demand_report_free(report);
	buf_release(&text);
	unsetenv(DEMAND_FOLDER);
	test_scratch_remove(dir);
}

static void test_demand_report_sums_up_after_many_batches(void **state)
{
	char *dir = test_scratch();
	struct demand_report *report;
	struct demand_stream stream;
	struct error err = ERROR_INIT;
	struct buf text = BUF_INIT;
	uint64_t batches = 0;

	UNUSED(state);
	setenv(DEMAND_FOLDER, dir, 1);
	report = demand_report_new(&loader);
	for (uint64_t i = 0; i <= 10000; i++)
		demand_report_call(
		    report, &(struct demand_call){ i * ms, i ? ms : 0, 0, 8 });
	/* A child has a copy of what is not written yet, and leaves it. */
	if (fork() == 0) {
		demand_report_free(report);
		_exit(0);
	}
	wait(NULL);
	demand_report_free(report);
	read_report(&text);
	test_ok(
	    demand_stream_parse(&stream, "it", buf_span(&text), &err), &err);
	for (size_t i = 0; i < stream.count; i++)
		batches += stream.records[i].batches;
	assert_int_equal(batches, 10000);
	assert_in_range(stream.count, DEMAND_SINGLE, DEMAND_SINGLE + 12);
	demand_stream_release(&stream);
	buf_release(&text);
	unsetenv(DEMAND_FOLDER);
	test_scratch_remove(dir);
}

static void test_demand_report_is_for_those_who_ask(void **state)
{
	UNUSED(state);
	unsetenv(DEMAND_FOLDER);
	assert_null(demand_report_new(&loader));
	setenv(DEMAND_FOLDER, "/nowhere", 1);
	assert_null(demand_report_new(&loader));
	demand_report_call(NULL, &(struct demand_call){ 0, 0, 0, 1 });
	demand_report_free(NULL);
	unsetenv(DEMAND_FOLDER);
}

static void test_demand_report_of_a_killed_job_may_be_cut(void **state)
{
	static const struct {
		const char *text;
		int rc;
		size_t count;
	} cases[] = {
		{ "", 0, 0 },
		{ "presto-demand 1 7 12", 0, 0 },
		{ "presto-demand 1 7 128 0 1 5 a b\n", 0, 0 },
		{ "presto-demand 1 7 128 0 1 5 a\nb 1 1 128 0 20\nb 2 1 1", 0,
		    1 },
		{ "presto-demand 2 7 128 0 1 5 a\n", -1, 0 },
		{ "presto-demand 1 7 128 0 1 5 a\nb 1 0 128 0 20\n", -1, 0 },
		{ "presto-demand 1 7 128 0 1 5 a\nb 1 1 x\n", -1, 0 },
		{ "something else\n", -1, 0 },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct demand_stream stream;
		struct error err = ERROR_INIT;
		const int rc = demand_stream_parse(
		    &stream, "it", span_text(cases[i].text), &err);

		if (rc != cases[i].rc || stream.count != cases[i].count)
			fail_msg(
			    "'%s' gave %d: %s", cases[i].text, rc, err.text);
		demand_stream_release(&stream);
	}
}

/* ---- the demand ---- */

static void add(struct demand_stream *stream, uint64_t samples,
    uint64_t wait_ns, uint64_t busy_ns)
{
	struct error err = ERROR_INIT;
	struct demand_record *grown = array_grow(stream->records,
	    &stream->capacity, stream->count + 1, sizeof(*grown), &err);
	const uint64_t before_ns = stream->count
	                               ? grown[stream->count - 1].end_ns
	                               : stream->loader.begin_ns;

	assert_non_null(grown);
	stream->records = grown;
	grown[stream->count++] = (struct demand_record){
		.end_ns = before_ns + wait_ns + busy_ns,
		.batches = samples > 0,
		.samples = samples,
		.wait_ns = wait_ns,
		.busy_ns = busy_ns,
	};
}

static struct demand_stream stream_of(uint64_t pid, const char *dataset)
{
	struct demand_stream stream = {
		.loader = { .pid = pid, .batch_size = 128, .begin_ns = pid },
	};

	snprintf(stream.loader.dataset, DEMAND_DATASET, "%s", dataset);
	return stream;
}

/* Releases the streams. */
static struct demand demand_of(struct demand_stream *streams, size_t count)
{
	struct error err = ERROR_INIT;
	struct demand demand;

	if (demand_of_loaders(&demand, streams, count, &err) != 1)
		fail_msg("no demand: %s", err.text);
	for (size_t i = 0; i < count; i++)
		demand_stream_release(&streams[i]);
	return demand;
}

static void test_demand_is_that_of_a_job_that_never_waits(void **state)
{
	struct demand_stream stream = stream_of(7, "train");
	struct demand demand;

	UNUSED(state);
	for (int epoch = 0; epoch < 10; epoch++) {
		for (int i = 0; i < 20; i++) /* the first step is compiled */
			add(&stream, 128, 60 * ms,
			    epoch + i == 0 ? 9000 * ms : 20 * ms);
		add(&stream, 0, 0, 5000 * ms); /* a validation */
	}
	demand = demand_of(&stream, 1);
	check_near("demand", demand.samples_per_s, 6400, 1e-6);
	check_near("low", demand.low, 6400, 1e-6);
	check_near("taken", demand.taken_per_s, 1600, 1e-6);
	check_near("waited", demand.waited, 0.75, 1e-6);
	check_near("between epochs", demand.pause_s, 50, 1e-6);
	assert_int_equal(demand.batches, 200);
	assert_int_equal(demand.left_out, 25);
	assert_int_equal(demand.processes, 1);
	assert_int_equal(demand.batch, 128);
}

/* What an accelerator needs is told of full batches: accelerators.h. */
static void test_demand_is_that_of_full_batches(void **state)
{
	struct demand_stream stream = stream_of(7, "train");
	struct demand demand;

	UNUSED(state);
	for (int i = 0; i < 20; i++)
		add(&stream, i % 4 == 3 ? 16 : 128, 0, 20 * ms);
	demand = demand_of(&stream, 1);
	check_near("demand", demand.samples_per_s, 6400, 1e-6);
	assert_int_equal(demand.batches, 20);
	for (int batches = 1; batches < 40; batches++) { /* none is full */
		stream = stream_of(7, "train");
		for (int i = 0; i < batches; i++)
			add(&stream, 16, 0, 20 * ms);
		demand = demand_of(&stream, 1);
		check_near("demand", demand.samples_per_s, 800, 1e-6);
	}
}

/* Nine batches are only queued for the device; the tenth waits for all. */
static void test_demand_of_a_job_that_looks_at_every_tenth_step(void **state)
{
	struct demand_stream stream = stream_of(7, "train");
	struct demand demand;

	UNUSED(state);
	for (int i = 0; i < 400; i++)
		add(&stream, 128, 0, i % 10 == 9 ? 199 * ms : ms / 9);
	demand = demand_of(&stream, 1);
	check_near("demand", demand.samples_per_s, 6400, 320);
}

static void test_demand_of_a_checkpoint_is_left_out(void **state)
{
	struct demand_stream stream = stream_of(7, "train");
	struct demand demand;

	UNUSED(state);
	for (int i = 0; i < 800; i++)
		add(&stream, 128, 0, i % 300 == 50 ? 30000 * ms : 20 * ms);
	demand = demand_of(&stream, 1);
	check_near("demand", demand.samples_per_s, 6400, 1e-6);
	assert_true(demand.taken_per_s < 2000);
}

static void test_demand_of_ranks_is_their_sum(void **state)
{
	struct demand_stream streams[4];
	struct demand demand;

	UNUSED(state);
	for (unsigned rank = 0; rank < 4; rank++) {
		streams[rank] = stream_of(rank < 2 ? 1 : 10 + rank, "train");
		streams[rank].loader.rank = rank;
		for (int i = 0; i < 30; i++)
			add(&streams[rank], 128, ms, 20 * ms);
	}
	demand = demand_of(streams, 4);
	check_near("demand", demand.samples_per_s, 4 * 6400, 1e-6);
	assert_int_equal(demand.processes, 4);
	assert_int_equal(demand.batch, 512);
	assert_int_equal(demand.samples, 4 * 30 * 128);
}

static void test_demand_of_jobs_in_a_row_is_not_added_up(void **state)
{
	struct demand_stream streams[2] = { stream_of(10, "train"),
		stream_of(20, "train") };
	struct demand demand;

	UNUSED(state);
	streams[1].loader.begin_ns = 10000 * ms;
	for (int i = 0; i < 30; i++) {
		add(&streams[0], 128, ms, 40 * ms);
		add(&streams[1], 128, ms, 20 * ms);
	}
	demand = demand_of(streams, 2);
	check_near("demand", demand.samples_per_s, 6400, 1e-6);
	assert_int_equal(demand.processes, 1);
}

/* A loader for each epoch, and one for the validation. */
static void test_demand_joins_the_loaders_of_a_process(void **state)
{
	struct demand_stream streams[6];
	struct demand demand;

	UNUSED(state);
	for (unsigned i = 0; i < 6; i++) {
		streams[i] = stream_of(7, i % 2 ? "val" : "train");
		streams[i].loader.begin_ns = i * 1000 * ms;
		for (int n = 0; n < (i % 2 ? 5 : 20); n++)
			add(&streams[i], 128, ms, i % 2 ? 5 * ms : 20 * ms);
	}
	demand = demand_of(streams, 6);
	check_near("demand", demand.samples_per_s, 6400, 1e-6);
	assert_int_equal(demand.batches, 60);
	assert_int_equal(demand.epochs, 3);
	assert_int_equal(demand.others, 1);
}

static void test_demand_of_a_few_batches(void **state)
{
	UNUSED(state);
	for (int batches = 1; batches <= 40; batches++) {
		struct demand_stream stream = stream_of(7, "train");
		struct demand demand;

		for (int i = 0; i < batches; i++)
			add(&stream, 128, 0, 20 * ms);
		demand = demand_of(&stream, 1);
		check_near("demand", demand.samples_per_s, 6400, 1e-6);
	}
}

static void test_demand_of_no_batch_is_none(void **state)
{
	struct demand_stream stream = stream_of(7, "train");
	struct error err = ERROR_INIT;
	struct demand demand;

	UNUSED(state);
	assert_int_equal(demand_of_loaders(&demand, NULL, 0, &err), 0);
	assert_int_equal(demand_of_loaders(&demand, &stream, 1, &err), 0);
}

static void test_demand_of_more_batches_than_lines(void **state)
{
	struct demand_stream stream = stream_of(7, "train");
	struct demand demand;

	UNUSED(state);
	add(&stream, 128000, 0, 20000 * ms);
	stream.records[0].batches = 1000;
	demand = demand_of(&stream, 1);
	check_near("demand", demand.samples_per_s, 6400, 1e-6);
	check_near("taken", demand.taken_per_s, 6400, 1e-6);
}

/* ---- from the outside ---- */

static void test_demand_of_processes_has_bounds(void **state)
{
	struct process_tree_figures figures = {
		.time_ns = 10000 * ms, .readers = 2, .active_ns = 5000 * ms
	};
	struct demand_bounds bounds;

	UNUSED(state);
	demand_of_processes(&bounds, &figures, 10000, 20);
	check_near("low", bounds.low, 500, 1e-9);
	check_near("high", bounds.high, 2000, 1e-9);
	figures.active_ns = 9900 * ms;
	demand_of_processes(&bounds, &figures, 10000, 20);
	assert_true(isinf(bounds.high));
	figures.active_ns = 5000 * ms;
	figures.blocked_is_unknown = true;
	demand_of_processes(&bounds, &figures, 10000, 20);
	assert_true(isinf(bounds.high));
	figures = (struct process_tree_figures){ .time_ns = 0 };
	demand_of_processes(&bounds, &figures, 10000, 20);
	assert_true(isinf(bounds.high));
}

/* ---- the file ---- */

/* What recommend --accelerators makes of the file. */
static void check_file(double wanted, uint64_t batch, unsigned processes)
{
	struct accelerators *accelerators = calloc(1, sizeof(*accelerators));
	struct error err = ERROR_INIT;
	struct ini ini = INI_INIT;
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	assert_non_null(accelerators);
	assert_non_null(out);
	demand_print(wanted, batch, processes, out);
	fclose(out);
	test_ok(ini_parse_text(&ini, "a.conf", text, len, &err), &err);
	test_ok(accelerators_parse(accelerators, &ini, &err), &err);
	test_ok(accelerators_solve(accelerators, &err), &err);
	check_near("required", accelerators->samples_per_s / wanted, 1, 1e-5);
	assert_int_equal(accelerators->warning_count, 0);
	assert_int_equal(accelerators->left_out_count, 0);
	ini_release(&ini);
	free(text);
	free(accelerators);
}

static void test_demand_file_says_the_same_to_recommend(void **state)
{
	UNUSED(state);
	check_file(6400, 128, 1);
	check_file(25600, 512, 4);
	check_file(0.0123, 1, 1);
	check_file(3e9, 1 << 20, 8);
	check_file(100, 77, 3);
	check_file(100, (uint64_t)1 << 40, 2);
	check_file(1000, 9000, 9000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_demand_report_has_what_was_called),
		cmocka_unit_test(test_demand_report_sums_up_after_many_batches),
		cmocka_unit_test(test_demand_report_is_for_those_who_ask),
		cmocka_unit_test(test_demand_report_of_a_killed_job_may_be_cut),
		cmocka_unit_test(test_demand_is_that_of_a_job_that_never_waits),
		cmocka_unit_test(test_demand_is_that_of_full_batches),
		cmocka_unit_test(
		    test_demand_of_a_job_that_looks_at_every_tenth_step),
		cmocka_unit_test(test_demand_of_a_checkpoint_is_left_out),
		cmocka_unit_test(test_demand_of_ranks_is_their_sum),
		cmocka_unit_test(test_demand_of_jobs_in_a_row_is_not_added_up),
		cmocka_unit_test(test_demand_joins_the_loaders_of_a_process),
		cmocka_unit_test(test_demand_of_a_few_batches),
		cmocka_unit_test(test_demand_of_no_batch_is_none),
		cmocka_unit_test(test_demand_of_more_batches_than_lines),
		cmocka_unit_test(test_demand_of_processes_has_bounds),
		cmocka_unit_test(test_demand_file_says_the_same_to_recommend),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
