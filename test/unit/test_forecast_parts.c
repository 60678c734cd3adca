/*
 * test_forecast_parts.c - parts of forecasts: which samples are chosen, mean
 * sizes, samples stored in memory, intervals, and files of machines.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/media/medium.h"
#include "lib/sample/stream_list.h"
#include "strategies/forecast/choice.h"
#include "strategies/forecast/held.h"
#include "strategies/forecast/machine_file.h"
#include "strategies/forecast/memory_store.h"
#include "strategies/forecast/models/accuracy.h"
#include "strategies/forecast/models/sizes.h"
#include "strategies/forecast/pilot.h"
#include "strategies/forecast/predict.h"
#include "strategies/forecast/rehearsal_store.h"
#include "test/unit/dataset.h"
#include "test/unit/fake_reader.h"
#include "test/unit/planned.h"
#include "test/unit/test.h"

/* ---- choosing ---- */

enum { FILES = 400, RARE = 40, CHOSEN = 40 };

/* Every tenth file is a hundred times as large. */
static void write_files(const char *dir)
{
	for (unsigned i = 0; i < FILES; i++) {
		const size_t len = i % (FILES / RARE) ? 10 + i % 7 : 1000;
		char name[32], *bytes = calloc(len + 1, 1);

		assert_non_null(bytes);
		memset(bytes, 'x', len);
		snprintf(name, sizeof(name), "a/%03u.txt", i);
		test_write(dir, name, bytes);
		free(bytes);
	}
}

static void test_choice_sees_rare_large_samples_in_proportion(void **state)
{
	struct choice choice, again;
	struct error err = ERROR_INIT;
	struct opened opened;
	char *dir = test_scratch();
	double large = 0, sum = 0;

	UNUSED(state);
	write_files(dir);
	test_ok(opened_open(&opened, dir, "source = folder\npath = a", 0),
	    &opened.err);
	test_ok(choice_make(&choice, opened.reader, CHOSEN, 7, &err), &err);
	assert_int_equal(choice.count, CHOSEN);
	for (size_t i = 0; i < choice.count; i++) {
		large += choice.bytes[i] == 1000;
		sum += choice.bytes[i];
		for (size_t k = 0; k < i; k++)
			assert_true(choice.numbers[i] != choice.numbers[k]);
	}
	assert_true(large == CHOSEN * RARE / FILES);
	assert_true(fabs(choice.mean_bytes -
	                 (double)opened.reader->bytes / FILES) < 1e-6);
	assert_true(fabs(sum / CHOSEN / choice.mean_bytes - 1) < 0.02);
	test_ok(choice_make(&again, opened.reader, CHOSEN, 7, &err), &err);
	assert_memory_equal(
	    again.numbers, choice.numbers, CHOSEN * sizeof(*choice.numbers));
	choice_release(&again);
	choice_release(&choice);
	opened_close(&opened);
	test_scratch_remove(dir);
}

/* ---- sizes ---- */

static void test_sizes_are_corrected_by_what_is_known_of_all(void **state)
{
	static double bytes[PIPELINE_STEPS + 1];
	struct sizes *sizes = calloc(1, sizeof(*sizes));
	struct size_mean mean;

	UNUSED(state);
	assert_non_null(sizes);
	sizes->mean_source = 150;
	for (unsigned i = 0; i < SIZES_MOST; i++) {
		bytes[0] = 10 + 3.0 * i; /* grows with the file */
		bytes[1] = i % 2 ? 90 : 110;
		sizes_add(sizes, i, bytes);
	}
	mean = sizes_mean(sizes, 0, 1000000);
	assert_true(fabs(mean.mean - 460) < 1e-9 && mean.error < 1e-9);
	/* What does not: 10 of 100 scattered, by the root of 96. */
	mean = sizes_mean(sizes, 1, 1000000);
	assert_true(fabs(mean.mean - 100) < 15);
	assert_true(mean.error > 0.008 && mean.error < 0.014);
	/* All samples were seen. */
	assert_true(sizes_mean(sizes, 1, SIZES_MOST).error == 0);
	free(sizes);
}

/* ---- in memory ---- */

static void test_memory_keeps_files_by_their_names(void **state)
{
	struct error err = ERROR_INIT;
	struct medium *medium = medium_new_memory(NULL, &err);
	struct medium_file *file;
	char text[8] = "";

	UNUSED(state);
	if (!medium)
		skip(); /* the kernel has no memfd_create */
	for (int i = 0; i < 200; i++) {
		char path[32];

		snprintf(path, sizeof(path), "/no/such/%d", i);
		file = medium_begin(medium, path, &err);
		assert_non_null(file);
		test_ok(medium_write(file, "abXdef", 6, &err), &err);
		test_ok(medium_write_at(file, 2, "c", 1, &err), &err);
		assert_false(medium_exists(medium, path));
		test_ok(medium_publish(file, &err), &err);
		medium_close(file);
		assert_true(medium_exists(medium, path));
	}
	assert_int_equal(medium_bytes_held(medium), 1200);
	test_ok(medium_rename(medium, "/no/such", "/other", &err), &err);
	assert_false(medium_exists(medium, "/no/such/77"));
	file = medium_open(medium, "/other/77", &err);
	assert_non_null(file);
	assert_int_equal(medium_size(file), 6);
	assert_int_equal(medium_read(file, 1, text, 8, &err), 5);
	assert_string_equal(text, "bcdef");
	medium_close(file);
	assert_null(medium_open(medium, "/no/such/77", &err));
	test_contains(err.text, "/no/such/77 is not in memory");
	medium_free(medium);
}

static void test_stream_list_repeats_streams(void **state)
{
	static const size_t streams[] = { 3, 1 };
	struct error err = ERROR_INIT;
	struct fake fake;
	struct reader *reader;
	struct chunk chunk = CHUNK_INIT;
	struct sample sample = SAMPLE_INIT;
	void *stream;

	UNUSED(state);
	fake_init(&fake, 4, 5);
	reader = stream_list_open(&(struct stream_list){ &fake.reader, streams,
	                              ARRAY_LEN(streams), 3, 0 },
	    &err);
	assert_non_null(reader);
	assert_int_equal(reader->streams, 6);
	assert_int_equal(reader->samples, 30);
	stream = reader->ops->stream_open(reader, 2, &err);
	assert_int_equal(reader->ops->stream_fetch(stream, &chunk, &err), 1);
	chunk.stream = 2;
	test_ok(reader_unpack(reader, NULL, &chunk, &err), &err);
	assert_int_equal(reader->ops->next(reader, &chunk, &sample, &err), 1);
	/* the first sample of the fourth stream */
	assert_int_equal(*(const unsigned char *)sample.fields[0].data, 15);
	reader->ops->stream_close(stream);
	chunk_release(&chunk);
	reader_free(reader);
}

static void hold_images(struct held_rep *held, struct sample *samples,
    unsigned char pixels[][192], size_t count)
{
	static const struct shape shape = { 3, { 8, 8, 3 } };
	static const char *const keys[] = { "a", "b", "c" };

	for (size_t i = 0; i < count; i++) {
		samples[i] = (struct sample)SAMPLE_INIT;
		samples[i].count = 1;
		samples[i].key = span_text(keys[i]);
		memset(pixels[i], (int)i, 192);
		tensor_view(&samples[i].fields[0], DTYPE_U8, &shape, pixels[i]);
	}
	*held = (struct held_rep){ .list = samples, .count = count };
}

/* In each store: what is read back is what was held, in turn. */
static void test_memory_store_is_read_like_a_folder(void **state)
{
	static unsigned char pixels[3][192];
	struct sample samples[3];
	struct held_rep held;
	struct planned planned;
	struct error err = ERROR_INIT;
	struct fake fake;

	UNUSED(state);
	fake_init(&fake, 4, 5);
	test_ok(planned_read(&planned, "[pipeline]\nsame = identity\n",
	            &fake.reader.schema, &err),
	    &err);
	hold_images(&held, samples, pixels, 3);
	for (size_t i = 0; store_at(i); i++) {
		const struct codec none = { .ops = &codec_none };
		const struct memory_store_plan plan = {
			.pipeline = &planned.pipeline,
			.store = store_at(i),
			.codec = &none,
			.held = &held,
			.samples = 10,
			.shards = 3,
		};
		struct memory_store made;

		test_ok(memory_store_make(&made, &plan, &err), &err);
		assert_int_equal(made.reader->samples, 10);
		assert_int_equal(made.reader->streams, 3);
		assert_true(made.bytes > 10 * 192);
		memory_store_release(&made);
	}
	planned_release(&planned);
}

/*
 * A rehearsal of samples that take long has few of them: in one shard, as many
 * as a shard of the session has, they would be one thread's work.
 */
static void test_rehearsal_has_work_for_each_thread(void **state)
{
	static const struct {
		double sample_s;
		size_t streams; /* one of them would hold all samples */
	} cases[] = {
		{ 10e-3, 8 }, /* one a sample */
		{ 3e-3, 8 },  /* four a thread */
		{ 10e-6, 4 }, /* all samples, as the session has them */
	};
	static unsigned char pixels[3][192];
	const struct rehearsed what = { .threads = 2 };
	struct rehearsal_store store;
	struct sample samples[3];
	struct rehearsal rehearsal = { .samples = 4000, .room = 1e9 };
	struct pilot_plan how = { .work_dir = NULL };
	struct held held = { .reps[0].count = 0 };
	struct planned planned;
	struct error err = ERROR_INIT;
	struct fake fake;

	UNUSED(state);
	fake_init(&fake, 4, 1000);
	test_ok(planned_read(&planned,
	            "[pipeline]\nsame = identity\n[strategies]\n"
	            "store = tar\ncodec = none\n[load]\nthreads = 1, 2\n",
	            &fake.reader.schema, &err),
	    &err);
	hold_images(&held.reps[0], samples, pixels, 3);
	held.reps[0].bytes = sizeof(pixels);
	rehearsal.model = planned_model(&planned, &fake.reader, 192);
	rehearsal.how = &how;
	rehearsal.held = &held;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		rehearsal.model->online_s[0] = cases[i].sample_s;
		test_ok(rehearsal_store_open(
		            &store, &rehearsal, &what, 1 << 20, 0, &err),
		    &err);
		assert_int_equal(store.stage.list.count, cases[i].streams);
		rehearsal_store_close(&store);
	}
	free(rehearsal.model);
	planned_release(&planned);
}

/* ---- intervals and machines ---- */

static void test_accuracy_ranges_hold_both_errors(void **state)
{
	const struct accuracy_part part = { .spread = 0.1 };
	struct accuracy_range range = accuracy_range(&part, 100, 0);

	UNUSED(state);
	assert_true(fabs(range.low - 100 * exp(-0.1)) < 1e-9);
	assert_true(fabs(range.high - 100 * exp(0.1)) < 1e-9);
	range = accuracy_range(&part, 100, 0.2);
	assert_true(range.low < 67 && range.high > 150);
	range = accuracy_range(&(struct accuracy_part){ .spread = 0 }, 100, 1);
	assert_true(range.high == 0);
}

static void test_machine_file_gives_what_was_written(void **state)
{
	const struct machine_file file = { .cores = 8,
		.speed = 0.5,
		.reference_s = 1.5e-3,
		.memory = 4000000000,
		.storage = { .bandwidth = 910e6,
		    .stream = 219e6,
		    .open = 80e-6,
		    .opens = 5000 },
		.sync_s = 2e-3,
		.has_storage = true };
	struct error err = ERROR_INIT;
	struct machine_file read;
	char *dir = test_scratch(), *path = test_path(dir, "m.conf");
	FILE *out = fopen(path, "w");

	UNUSED(state);
	assert_non_null(out);
	machine_file_print(&file, "AMD EPYC", out);
	fclose(out);
	test_ok(machine_file_read(&read, path, &err), &err);
	assert_int_equal(read.cores, 8);
	assert_int_equal(read.memory, 4000000000);
	assert_true(read.speed == 0.5 && read.has_storage);
	assert_true(fabs(read.reference_s - 1.5e-3) < 1e-9);
	assert_true(fabs(read.storage.stream - 219e6) < 1);
	assert_true(fabs(read.storage.open - 80e-6) < 1e-9);
	assert_true(fabs(read.sync_s - 2e-3) < 1e-9);
	test_write(dir, "m.conf", "[machine]\nspeed = fast\n");
	assert_int_equal(machine_file_read(&read, path, &err), -1);
	test_contains(err.text, "m.conf:2");
	test_write(dir, "m.conf", "[storage]\nopens = 5\n");
	assert_int_equal(machine_file_read(&read, path, &err), -1);
	test_contains(err.text, "has no section [machine]");
	free(path);
	test_scratch_remove(dir);
}

/* Nothing of this machine is left in the forecast for another one. */
static void test_machine_file_brings_its_own_syncs_and_cache(void **state)
{
	static struct plan plan;
	static struct model model, other;
	struct machine_file file = { .cores = 8,
		.speed = 1,
		.memory = 4000000000,
		.storage = { .bandwidth = 1e9, .open = 1e-4 },
		.sync_s = 5e-3,
		.has_storage = true };
	struct error err = ERROR_INIT;

	UNUSED(state);
	model = (struct model){ .plan = &plan,
		.machine.cache_budget = 7,
		.sync = { .file_s = 9, .byte_s = 9 },
		.next = &other };
	other = (struct model){ .plan = &plan, .machine.cache_budget = 7 };
	test_ok(machine_file_apply(&file, &model, &err), &err);
	assert_true(model.machine.cache_budget == 2000000000);
	assert_true(other.machine.cache_budget == 2000000000);
	assert_true(model.sync.file_s == 5e-3 && model.sync.byte_s == 1e-9);
	assert_true(model.sync.alone.file_s == 1e-4);
	/* A budget that was asked for holds there, too. */
	plan.load.cache_budget = model.machine.cache_budget =
	    other.machine.cache_budget = 7;
	file.sync_s = 0;
	test_ok(machine_file_apply(&file, &model, &err), &err);
	assert_true(
	    model.machine.cache_budget == 7 && model.sync.file_s == 1e-3);
	/* Of its storage nothing is known: as it was probed here. */
	file.has_storage = false;
	model.sync.file_s = 9;
	test_ok(machine_file_apply(&file, &model, &err), &err);
	assert_true(model.sync.file_s == 9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    test_choice_sees_rare_large_samples_in_proportion),
		cmocka_unit_test(
		    test_sizes_are_corrected_by_what_is_known_of_all),
		cmocka_unit_test(test_memory_keeps_files_by_their_names),
		cmocka_unit_test(test_stream_list_repeats_streams),
		cmocka_unit_test(test_memory_store_is_read_like_a_folder),
		cmocka_unit_test(test_rehearsal_has_work_for_each_thread),
		cmocka_unit_test(test_accuracy_ranges_hold_both_errors),
		cmocka_unit_test(
		    test_machine_file_brings_its_own_syncs_and_cache),
		cmocka_unit_test(test_machine_file_gives_what_was_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
