/*
 * test_api.c - presto.h: pipeline files and folders are opened, batches are
 * kept, positions are saved; what is wrong is said.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/presto.h"
#include "api/project.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/hash.h"
#include "lib/steps/step.h"
#include "strategies/orders/orders.h"
#include "strategies/plan/strategy.h"
#include "strategies/prepare/materialize.h"
#include "test/unit/jpeg_maker.h"
#include "test/unit/test.h"

enum { SAMPLES = 23, BATCH = 5, BATCHES = 5, CROP = 4 * 4 * 3 };

static const char text[] = "[dataset]\n"
                           "source = synthetic\n"
                           "count = 23\n"
                           "shape = 8x8x3\n"
                           "classes = 3\n"
                           "[pipeline]\n"
                           "middle = center_crop size=6\n"
                           "cropped = random_crop size=4\n"
                           "[measure]\n"
                           "seed = 7\n"
                           "[storage]\n"
                           "open = 1h\n";

/* ---- helpers ---- */

static char *write_conf(const char *dir, const char *conf)
{
	test_write(dir, "test.conf", conf);
	return test_path(dir, "test.conf");
}

/* As presto materialize does. */
static void materialize(const char *conf, const char *strategy, char *out)
{
	static const struct materialize_needs little = { .disk_bytes = 1000 };
	static const struct project_settings none = { .count = 0 };
	struct error err = ERROR_INIT;
	struct project *project = project_new(&err);
	struct materialized done;
	struct strategy chosen;
	struct orders *orders;
	struct prepare_plan plan;

	assert_non_null(project);
	test_ok(project_read(project, conf, &none, &err), &err);
	test_ok(project_open(project, 0, false, &err), &err);
	orders = orders_new(&project->pipeline, &err);
	assert_non_null(orders);
	test_ok(strategy_parse_ordered(&chosen, strategy, orders, &err), &err);
	plan = (struct prepare_plan){
		.source = project->source,
		.pipeline = strategy_pipeline(&chosen, &project->pipeline),
		.strategy = &chosen,
		.order = project->plan.strategies.order,
		.medium = project->medium,
		.folder.dir = out,
		.threads = 2,
		.shards = 2,
		.seed = project->plan.measure.seed,
		.skip_errors = project->dataset.skip_errors,
	};
	test_ok(materialize_run(&plan, &little, false, &done, &err), &err);
	materialized_release(&done);
	orders_free(orders);
	project_free(project);
}

static struct presto_dataset *open_with(
    const char *path, const char *const *settings)
{
	struct presto_open_options options = PRESTO_OPEN_OPTIONS_INIT;
	struct presto_error err;
	struct presto_dataset *data;

	options.settings = settings;
	data = presto_open(path, &options, &err);
	if (!data)
		fail_msg("%s", err.text);
	return data;
}

/* The local machine, without the storage that the file asks for. */
static struct presto_dataset *open_quickly(const char *path)
{
	static const char *const settings[] = { "storage.open=0", NULL };

	return open_with(path, settings);
}

static void open_fails(
    const char *path, const char *const *settings, const char *words)
{
	struct presto_open_options options = PRESTO_OPEN_OPTIONS_INIT;
	struct presto_error err = { PRESTO_OK, "" };

	options.settings = settings;
	assert_null(presto_open(path, &options, &err));
	assert_int_equal(err.code, PRESTO_USAGE);
	test_contains(err.text, words);
}

static struct presto_loader *load(const struct presto_dataset *data,
    const struct presto_loader_options *options)
{
	struct presto_error err;
	struct presto_loader *loader = presto_loader_new(data, options, &err);

	if (!loader)
		fail_msg("%s", err.text);
	return loader;
}

static struct presto_loader_options shuffled(void)
{
	struct presto_loader_options options = PRESTO_LOADER_OPTIONS_INIT;

	options.batch_size = BATCH;
	options.shuffle = true;
	options.seed = 3;
	options.threads = 2;
	return options;
}

static struct presto_batch *next(struct presto_loader *loader)
{
	struct presto_batch *batch;
	struct presto_error err;
	const int got = presto_loader_next(loader, &batch, &err);

	if (got < 0)
		fail_msg("%s", err.text);
	assert_true(got == (batch != NULL));
	return batch;
}

/* Hashes what a batch has, as the caller sees it. */
static uint64_t hash_of(const struct presto_batch *batch)
{
	const size_t count = presto_batch_samples(batch);
	struct presto_tensor x;
	uint64_t hash = count;

	for (size_t i = 0; i < count; i++) {
		size_t len;
		const char *key = presto_batch_key(batch, i, &len);

		assert_int_equal(presto_batch_sample(batch, i, 0, &x), 0);
		hash = hash_bytes(key, len, hash);
		hash = hash_bytes(x.data, x.bytes, hash);
		hash = hash_bytes(
		    &presto_batch_labels(batch)[i], sizeof(int64_t), hash);
	}
	return hash;
}

/* Hashes the rest of an epoch, batch by batch; returns their number. */
static unsigned hash_epoch(
    struct presto_loader *loader, uint64_t hashes[BATCHES])
{
	struct presto_batch *batch;
	unsigned count = 0;

	while ((batch = next(loader))) {
		assert_true(count < BATCHES);
		hashes[count++] = hash_of(batch);
		presto_batch_free(batch);
	}
	return count;
}

/* The sum of the hashes of single samples: whatever their order is. */
static uint64_t sum_epoch(
    const struct presto_dataset *data, unsigned batch, uint64_t seed)
{
	struct presto_loader_options options = shuffled();
	struct presto_loader *loader;
	struct presto_batch *one;
	uint64_t sum = 0;

	options.batch_size = batch;
	options.seed = seed;
	loader = load(data, &options);
	while ((one = next(loader))) {
		assert_int_equal(presto_batch_samples(one), batch);
		sum += hash_of(one);
		presto_batch_free(one);
	}
	presto_loader_free(loader);
	return sum;
}

/* ---- datasets ---- */

static void test_api_says_what_a_loader_delivers(void **state)
{
	char *dir = test_scratch(), *conf = write_conf(dir, text);
	struct presto_dataset *data = open_quickly(conf);
	struct presto_type type;
	const char *name;

	UNUSED(state);
	assert_true(presto_samples(data) == SAMPLES);
	assert_true(presto_seed(data) == 7);
	assert_true(presto_dataset_version(data) == 0);
	assert_int_equal(presto_field_count(data), 1);
	assert_int_equal(presto_field(data, 0, &name, &type), 0);
	assert_string_equal(name, "data");
	assert_int_equal(type.dtype, PRESTO_U8);
	assert_int_equal(type.rank, 3);
	assert_true(type.dims[0] == 4 && type.dims[2] == 3);
	assert_int_equal(presto_field(data, 1, &name, &type), -1);
	assert_null(presto_class_name(data, 0));
	presto_close(data);
	free(conf);
	test_scratch_remove(dir);
}

static void test_api_lists_the_steps_of_the_build(void **state)
{
	struct presto_step_info info = PRESTO_STEP_INFO_INIT;
	const struct step_ops *step;
	unsigned i;

	UNUSED(state);
	for (i = 0; (step = step_at(i)); i++) {
		assert_int_equal(presto_step_at(i, &info), 0);
		assert_string_equal(info.name, step->name);
		assert_int_equal(info.random, step->random);
		assert_true(info.size == sizeof(info));
	}
	assert_int_equal(presto_step_at(i, &info), -1);
	assert_string_equal(presto_version(), PRESTO_VERSION);
}

static void test_api_delivers_each_sample_once_with_its_label(void **state)
{
	char *dir = test_scratch(), *conf = write_conf(dir, text);
	struct presto_dataset *data = open_quickly(conf);
	struct presto_loader_options options = shuffled();
	struct presto_loader *loader = load(data, &options);
	struct presto_statistics sums = PRESTO_STATISTICS_INIT;
	unsigned seen[SAMPLES] = { 0 };
	struct presto_batch *batch;

	UNUSED(state);
	assert_true(presto_loader_batches(loader) == BATCHES);
	while ((batch = next(loader))) {
		const size_t count = presto_batch_samples(batch);
		struct presto_tensor all, one;

		assert_int_equal(presto_batch_field(batch, 0, &all), 0);
		assert_int_equal(all.type.rank, 4);
		assert_true(all.type.dims[0] == (int64_t)count);
		assert_true(all.bytes == count * CROP);
		for (size_t i = 0; i < count; i++) {
			size_t len;
			const char *key = presto_batch_key(batch, i, &len);
			char number[9] = "";

			assert_int_equal(len, 8);
			memcpy(number, key, len);
			assert_true(atoi(number) < SAMPLES);
			seen[atoi(number)]++;
			assert_true(
			    presto_batch_labels(batch)[i] == atoi(number) % 3);
			assert_int_equal(
			    presto_batch_sample(batch, i, 0, &one), 0);
			assert_ptr_equal(one.data, (char *)all.data + i * CROP);
		}
		assert_int_equal(
		    presto_batch_sample(batch, count, 0, &one), -1);
		assert_int_equal(presto_batch_field(batch, 1, &all), -1);
		presto_batch_free(batch);
	}
	for (unsigned i = 0; i < SAMPLES; i++)
		assert_int_equal(seen[i], 1);
	presto_loader_statistics(loader, &sums);
	assert_true(sums.samples == SAMPLES && sums.batches == BATCHES);
	assert_true(sums.bytes == SAMPLES * CROP && sums.skipped == 0);
	presto_loader_free(loader);
	presto_close(data);
	free(conf);
	test_scratch_remove(dir);
}

static void test_api_runs_the_steps_that_remain_of_a_folder(void **state)
{
	static const char *const strategies[] = { "raw/tar/none",
		"middle/npy/none", "middle/tar/delta+zstd:1" };
	char *dir = test_scratch(), *conf = write_conf(dir, text);
	struct presto_dataset *data = open_quickly(conf);
	const uint64_t wanted = sum_epoch(data, 1, 11);

	UNUSED(state);
	assert_true(sum_epoch(data, 1, 12) != wanted);
	presto_close(data);
	for (size_t i = 0; i < ARRAY_LEN(strategies); i++) {
		char name[16], *folder;

		snprintf(name, sizeof(name), "folder%zu", i);
		folder = test_path(dir, name);
		materialize(conf, strategies[i], folder);
		/* [storage] of the file does not slow it down. */
		data = open_with(folder, NULL);
		assert_true(presto_samples(data) == SAMPLES);
		assert_true(presto_seed(data) == 7);
		assert_true(presto_dataset_version(data) == 1);
		assert_true(sum_epoch(data, 1, 11) == wanted);
		presto_close(data);
		free(folder);
	}
	free(conf);
	test_scratch_remove(dir);
}

static void test_api_runs_the_steps_of_a_folder_in_its_order(void **state)
{
	/* Behind the crop, centered could not be kept in a cache. */
	static const char moved[] =
	    "[dataset]\nsource = synthetic\ncount = 23\nshape = 8x8x3\n"
	    "[pipeline]\nmiddle = center_crop size=6\ncentered = center\n"
	    "cropped = random_crop size=4\n"
	    "[load]\ncache = application:centered\n";
	static const char *const added[] = { "pipeline.half=to_half", NULL };
	static const char *const early[] = { "pipeline.middle=identity", NULL };
	static const char *const late[] = { "pipeline.centered=identity",
		NULL };
	char *dir = test_scratch(), *folder = test_path(dir, "folder");
	char *conf = write_conf(dir, moved);
	struct presto_dataset *data = open_with(conf, NULL);
	const uint64_t wanted = sum_epoch(data, 1, 11);
	struct presto_type type;
	const char *name;

	UNUSED(state);
	presto_close(data);
	/* middle, cropped, centered */
	materialize(conf, "o1:middle/tar/none", folder);
	data = open_with(folder, NULL);
	assert_true(sum_epoch(data, 1, 11) == wanted);
	presto_close(data);
	/* A step that is added runs last. */
	data = open_with(folder, added);
	assert_int_equal(presto_field(data, 0, &name, &type), 0);
	assert_int_equal(type.dtype, PRESTO_F16);
	presto_close(data);
	data = open_with(folder, late);
	assert_int_equal(presto_field(data, 0, &name, &type), 0);
	assert_int_equal(type.dtype, PRESTO_U8);
	presto_close(data);
	open_fails(folder, early, "ran before the data was stored");
	free(folder);
	free(conf);
	test_scratch_remove(dir);
}

static const char table[] =
    "\x93NUMPY\x01\x00\x46\x00"
    "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }          \n"
    "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\200?\0\0\200?\0\0\200?";

static void test_api_finds_files_of_steps_from_any_folder(void **state)
{
	char *dir = test_scratch(), *folder = test_path(dir, "folder"), *conf;
	struct presto_batch *batch;
	struct presto_dataset *data;
	struct presto_loader *loader;
	struct presto_tensor x;

	UNUSED(state);
	conf = write_conf(dir,
	    "[dataset]\nsource = synthetic\ncount = 2\nshape = 5\n"
	    "dtype = int32\nfill = zero\n"
	    "[pipeline]\nvectors = embed table=table.npy\n");
	test_write_file(dir, "table.npy",
	    (struct span){ (const unsigned char *)table, sizeof(table) - 1 });
	materialize(conf, "raw/npy/none", folder);
	data = open_with(folder, NULL);
	loader = load(data, NULL);
	batch = next(loader);
	assert_int_equal(presto_batch_field(batch, 0, &x), 0);
	assert_int_equal(x.type.dtype, PRESTO_F32);
	assert_int_equal(x.type.rank, 3);
	presto_batch_free(batch);
	presto_loader_free(loader);
	presto_close(data);
	free(folder);
	free(conf);
	test_scratch_remove(dir);
}

static void test_api_reads_on_when_the_program_changes_its_folder(void **state)
{
	static const char *const settings[] = { "dataset.match=*.txt", NULL };
	char *dir = test_scratch(), *before = getcwd(NULL, 0);
	struct presto_dataset *data;
	struct presto_loader *loader;

	UNUSED(state);
	free(write_conf(dir, "[dataset]\nsource = folder\npath = in\n"
	                     "[pipeline]\nsame = identity\n"));
	test_write(dir, "in/a.txt", "abc");
	assert_int_equal(chdir(dir), 0);
	data = open_with("test.conf", settings);
	loader = load(data, NULL);
	assert_int_equal(chdir("/"), 0);
	presto_batch_free(next(loader));
	presto_loader_free(loader);
	presto_close(data);
	assert_int_equal(chdir(before), 0);
	free(before);
	test_scratch_remove(dir);
}

static void test_api_takes_settings(void **state)
{
	static const char *const crop[] = { "storage.open=0",
		"pipeline.cropped=center_crop size=2", "pipeline.last=hflip",
		NULL };
	static const char *const early[] = { "pipeline.middle=identity", NULL };
	static const char *const other[] = { "dataset.path=elsewhere", NULL };
	static const char *const none[] = { "pipeline.cropped=nothing", NULL };
	char *dir = test_scratch(), *folder = test_path(dir, "folder");
	char *conf = write_conf(dir, text);
	struct presto_dataset *data = open_with(conf, crop);
	struct presto_type type;
	const char *name;

	UNUSED(state);
	assert_int_equal(presto_field(data, 0, &name, &type), 0);
	assert_true(type.dims[0] == 2);
	presto_close(data);
	materialize(conf, "middle/npy/none", folder);
	data = open_with(folder, crop);
	assert_int_equal(presto_field(data, 0, &name, &type), 0);
	assert_true(type.dims[0] == 2);
	presto_close(data);
	open_fails(folder, early, "ran before the data was stored");
	open_fails(folder, other, "the dataset is the folder");
	open_fails(folder, none, "settings: pipeline.cropped: no step");
	open_fails(conf, none, "settings: pipeline.cropped: no step");
	free(folder);
	free(conf);
	test_scratch_remove(dir);
}

static void test_api_refuses_what_it_cannot_open(void **state)
{
	char *dir = test_scratch(), *conf = write_conf(dir, "[dataset]\n");
	struct presto_error err;

	UNUSED(state);
	open_fails("", NULL, "no path");
	open_fails(conf, NULL, "source");
	assert_null(presto_open("/nowhere.conf", NULL, NULL));
	assert_null(presto_open(dir, NULL, &err));
	assert_int_equal(err.code, PRESTO_FAILED);
	test_contains(err.text, "presto.manifest");
	free(conf);
	test_scratch_remove(dir);
}

static void test_api_checks_the_size_of_structs(void **state)
{
	struct {
		struct presto_loader_options known;
		uint64_t later;
	} wide = { PRESTO_LOADER_OPTIONS_INIT, 0 };
	char *dir = test_scratch(), *conf = write_conf(dir, text);
	struct presto_dataset *data = open_quickly(conf);
	struct presto_error err;

	UNUSED(state);
	wide.known.size = sizeof(wide);
	presto_loader_free(load(data, &wide.known));
	wide.later = 1;
	assert_null(presto_loader_new(data, &wide.known, &err));
	test_contains(err.text, "install a later one");
	/* What an earlier presto.h had, which ended with batch_size. */
	wide.known.size = offsetof(struct presto_loader_options, shuffle);
	presto_loader_free(load(data, &wide.known));
	wide.known.size = 0;
	assert_null(presto_loader_new(data, &wide.known, &err));
	test_contains(err.text, "its size is not set");
	presto_close(data);
	free(conf);
	test_scratch_remove(dir);
}

static void test_api_refuses_options_that_make_no_sense(void **state)
{
	struct presto_loader_options options = PRESTO_LOADER_OPTIONS_INIT;
	char *dir = test_scratch(), *conf = write_conf(dir, text);
	struct presto_dataset *data = open_quickly(conf);
	struct presto_error err;

	UNUSED(state);
	options.batch_size = 0;
	assert_null(presto_loader_new(data, &options, &err));
	assert_int_equal(err.code, PRESTO_USAGE);
	test_contains(err.text, "batch_size");
	options.batch_size = 1;
	options.rank = 2;
	options.world_size = 2;
	assert_null(presto_loader_new(data, &options, &err));
	test_contains(err.text, "rank 2 of 2");
	options.rank = 0;
	options.threads = 100000;
	assert_null(presto_loader_new(data, &options, &err));
	test_contains(err.text, "threads");
	presto_close(data);
	free(conf);
	test_scratch_remove(dir);
}

/* ---- steps of the program ---- */

struct adder {
	const struct presto_host *host;
	unsigned char by;
};

static void *add_create(const struct presto_host *host,
    const char *const *values, const struct presto_type *in,
    struct presto_type *out)
{
	struct adder *adder;

	if (in->dtype != PRESTO_U8) {
		(host->fail)(host->self, "adds to uint8 only");
		return NULL;
	}
	adder = malloc(sizeof(*adder));
	assert_non_null(adder);
	adder->host = host;
	adder->by = (unsigned char)atoi(values[0]);
	*out = *in;
	return adder;
}

static int add_run(
    void *instance, const struct presto_tensor *in, struct presto_tensor *out)
{
	const struct adder *adder = instance;
	const unsigned char *from = in->data;
	unsigned char *to;

	if (adder->host->reshape(adder->host->self, out, &in->type))
		return -1;
	to = out->data;
	for (size_t i = 0; i < in->bytes; i++)
		to[i] = (unsigned char)(from[i] + adder->by);
	return 0;
}

static const char *const add_options[] = { "by=1", NULL };
static const struct presto_step brought[] = {
	{
	    .size = sizeof(brought[0]),
	    .abi = PRESTO_STEP_ABI,
	    .name = "add",
	    .summary = "add a number",
	    .takes = "uint8",
	    .gives = "the same",
	    .version = "1",
	    .options = add_options,
	    .create = add_create,
	    .run = add_run,
	    .destroy = free,
	},
	{ .size = 0 },
};

/* The first byte of the first sample. */
static unsigned first_byte(
    const char *conf, const char *setting, const struct presto_step *steps)
{
	const char *const settings[] = { "storage.open=0", setting, NULL };
	struct presto_open_options options = PRESTO_OPEN_OPTIONS_INIT;
	struct presto_dataset *data;
	struct presto_loader *loader;
	struct presto_batch *batch;
	struct presto_tensor x;
	struct presto_error err;
	unsigned byte;

	options.settings = settings;
	options.steps = steps;
	data = presto_open(conf, &options, &err);
	if (!data)
		fail_msg("%s", err.text);
	loader = load(data, NULL);
	batch = next(loader);
	assert_int_equal(presto_batch_sample(batch, 0, 0, &x), 0);
	byte = *(const unsigned char *)x.data;
	presto_batch_free(batch);
	presto_loader_free(loader);
	presto_close(data);
	return byte;
}

static void test_api_runs_steps_that_the_program_brings(void **state)
{
	static const char *const setting[] = { "pipeline.last=add", NULL };
	char *dir = test_scratch(), *conf = write_conf(dir, text);
	const unsigned before =
	    first_byte(conf, "pipeline.last=identity", NULL);

	UNUSED(state);
	assert_int_equal(
	    first_byte(conf, "pipeline.last=add", brought), (before + 1) % 256);
	assert_int_equal(first_byte(conf, "pipeline.last=add by=7", brought),
	    (before + 7) % 256);
	open_fails(conf, setting, "no step 'add'");
	free(conf);
	test_scratch_remove(dir);
}

/* ---- positions ---- */

static void test_api_goes_on_where_a_state_was_saved(void **state)
{
	char *dir = test_scratch(), *conf = write_conf(dir, text);
	struct presto_dataset *data = open_quickly(conf);
	struct presto_loader_options options = shuffled();
	uint64_t first[BATCHES], second[BATCHES], again[BATCHES];
	struct presto_loader *loader = load(data, &options), *other;
	struct presto_error err;

	UNUSED(state);
	assert_int_equal(hash_epoch(loader, first), BATCHES);
	assert_int_equal(hash_epoch(loader, second), BATCHES);
	assert_memory_not_equal(first, second, sizeof(first));
	for (unsigned taken = 0; taken <= BATCHES; taken++) {
		struct presto_state at = PRESTO_STATE_INIT;

		assert_int_equal(presto_loader_seek(loader, 0, &err), 0);
		for (unsigned i = 0; i < taken; i++)
			presto_batch_free(next(loader));
		presto_loader_save(loader, &at);
		assert_true(at.epoch == 0 && at.position == taken);
		other = load(data, &options);
		assert_int_equal(presto_loader_restore(other, &at, &err), 0);
		assert_int_equal(hash_epoch(other, again), BATCHES - taken);
		assert_memory_equal(
		    again, first + taken, (BATCHES - taken) * sizeof(first[0]));
		assert_int_equal(hash_epoch(other, again), BATCHES);
		assert_memory_equal(again, second, sizeof(second));
		presto_loader_free(other);
	}
	presto_loader_free(loader);
	presto_close(data);
	free(conf);
	test_scratch_remove(dir);
}

static void test_api_refuses_the_state_of_another_order(void **state)
{
	static const char *const fewer[] = { "storage.open=0",
		"dataset.count=22", NULL };
	char *dir = test_scratch(), *conf = write_conf(dir, text);
	struct presto_dataset *data = open_quickly(conf);
	struct presto_dataset *small = open_with(conf, fewer);
	struct presto_loader_options options = shuffled();
	struct presto_loader *loader = load(data, &options), *other;
	struct presto_state at = PRESTO_STATE_INIT;
	struct presto_error err;

	UNUSED(state);
	presto_loader_save(loader, &at);
	presto_loader_free(loader);
	other = load(small, &options);
	assert_int_equal(presto_loader_restore(other, &at, &err), -1);
	assert_int_equal(err.code, PRESTO_USAGE);
	test_contains(err.text, "another order");
	presto_loader_free(other);
	options.batch_size++;
	other = load(data, &options);
	assert_int_equal(presto_loader_restore(other, &at, &err), -1);
	presto_loader_free(other);
	options.batch_size--;
	options.threads = 1;
	other = load(data, &options);
	assert_int_equal(presto_loader_restore(other, &at, &err), 0);
	presto_loader_free(other);
	presto_close(small);
	presto_close(data);
	free(conf);
	test_scratch_remove(dir);
}

static void test_api_interrupts_and_goes_on(void **state)
{
	char *dir = test_scratch(), *conf = write_conf(dir, text);
	struct presto_dataset *data = open_quickly(conf);
	struct presto_loader_options options = shuffled();
	struct presto_loader *loader = load(data, &options);
	uint64_t wanted[BATCHES], got[BATCHES];
	struct presto_batch *batch;
	struct presto_error err;

	UNUSED(state);
	assert_int_equal(hash_epoch(loader, wanted), BATCHES);
	assert_int_equal(presto_loader_seek(loader, 0, &err), 0);
	presto_loader_interrupt(loader);
	assert_int_equal(presto_loader_next(loader, &batch, &err), -1);
	assert_int_equal(err.code, PRESTO_INTERRUPTED);
	assert_null(batch);
	assert_int_equal(hash_epoch(loader, got), BATCHES);
	assert_memory_equal(got, wanted, sizeof(got));
	presto_loader_free(loader);
	presto_close(data);
	free(conf);
	test_scratch_remove(dir);
}

/* The folder's own file says that to open a file takes an hour. */
static void test_api_waits_no_longer_than_it_is_told(void **state)
{
	char *dir = test_scratch(), *conf;
	struct presto_loader_options options = shuffled();
	struct presto_dataset *data;
	struct presto_loader *loader;
	struct presto_batch *batch;
	struct presto_error err;

	UNUSED(state);
	conf = write_conf(dir,
	    "[dataset]\nsource = folder\npath = .\nmatch = *.txt\n"
	    "[pipeline]\nsame = identity\n[storage]\nopen = 1h\n");
	test_write(dir, "a.txt", "a");
	data = open_with(conf, NULL);
	options.wait_ms = 1;
	loader = load(data, &options);
	assert_int_equal(presto_loader_next(loader, &batch, &err), -1);
	assert_int_equal(err.code, PRESTO_INTERRUPTED);
	presto_loader_free(loader);
	presto_close(data);
	free(conf);
	test_scratch_remove(dir);
}

/* ---- batches ---- */

static void test_api_batches_outlive_loader_and_dataset(void **state)
{
	char *dir = test_scratch(), *conf = write_conf(dir, text);
	struct presto_dataset *data = open_quickly(conf);
	struct presto_loader_options options = shuffled();
	struct presto_loader *loader = load(data, &options);
	struct presto_batch *kept[BATCHES];
	uint64_t wanted[BATCHES];
	struct presto_error err;

	UNUSED(state);
	assert_int_equal(hash_epoch(loader, wanted), BATCHES);
	assert_int_equal(presto_loader_seek(loader, 0, &err), 0);
	for (unsigned i = 0; i < BATCHES; i++)
		kept[i] = next(loader);
	presto_loader_free(loader);
	presto_close(data);
	for (unsigned i = 0; i < BATCHES; i++) {
		assert_true(hash_of(kept[i]) == wanted[i]);
		presto_batch_free(kept[i]);
	}
	presto_batch_free(NULL);
	free(conf);
	test_scratch_remove(dir);
}

static void *join_field(void *arg)
{
	struct presto_tensor x;

	assert_int_equal(presto_batch_field(arg, 0, &x), 0);
	return x.data;
}

static void test_api_joins_a_field_whose_samples_agree(void **state)
{
	char *dir = test_scratch(), *conf;
	struct presto_loader_options options = PRESTO_LOADER_OPTIONS_INIT;
	struct presto_dataset *data;
	struct presto_loader *loader;
	struct presto_batch *batch;
	struct presto_tensor x;
	pthread_t thread;
	void *other;

	UNUSED(state);
	conf = write_conf(dir,
	    "[dataset]\nsource = folder\npath = .\nmatch = *.txt\n"
	    "[pipeline]\nsame = identity\n");
	test_write(dir, "a.txt", "abc");
	test_write(dir, "b.txt", "def");
	test_write(dir, "c.txt", "longer");
	options.batch_size = 2;
	data = open_with(conf, NULL);
	loader = load(data, &options);
	batch = next(loader);
	assert_int_equal(pthread_create(&thread, NULL, join_field, batch), 0);
	assert_int_equal(presto_batch_field(batch, 0, &x), 0);
	pthread_join(thread, &other);
	assert_ptr_equal(other, x.data);
	assert_int_equal(x.type.rank, 2);
	assert_true(x.type.dims[0] == 2 && x.type.dims[1] == 3);
	assert_memory_equal(x.data, "abcdef", 6);
	presto_batch_free(batch);
	presto_loader_free(loader);
	options.batch_size = 3;
	loader = load(data, &options);
	batch = next(loader);
	assert_int_equal(presto_batch_field(batch, 0, &x), -1);
	assert_int_equal(presto_batch_sample(batch, 2, 0, &x), 0);
	assert_memory_equal(x.data, "longer", 6);
	presto_batch_free(batch);
	presto_loader_free(loader);
	presto_close(data);
	free(conf);
	test_scratch_remove(dir);
}

/* ---- samples that a step refuses ---- */

enum { PHOTOS = 6, WRONG = 2 };

/* Six photographs in two classes; number 2 is none. */
static char *write_photos(const char *dir)
{
	static const unsigned char pixels[16 * 16 * 3];
	const struct jpeg_wish wish = {
		.kind = JPEG_YCC, .height = 16, .width = 16, .pixels = pixels
	};
	struct buf jpeg = BUF_INIT;

	jpeg_make(&wish, &jpeg);
	for (int i = 0; i < PHOTOS; i++) {
		char name[32];

		snprintf(
		    name, sizeof(name), "%s/%d.jpg", i % 2 ? "dog" : "cat", i);
		test_write(dir, name, "no photograph");
		if (i != WRONG)
			test_write_file(dir, name, buf_span(&jpeg));
	}
	buf_release(&jpeg);
	return write_conf(dir,
	    "[dataset]\nsource = folder\npath = .\nmatch = **/*.jpg\n"
	    "label = directory\n[pipeline]\ndecoded = jpeg_decode\n"
	    "small = center_crop size=8\n");
}

static void test_api_names_a_sample_that_a_step_refuses(void **state)
{
	char *dir = test_scratch(), *conf = write_photos(dir);
	struct presto_loader_options options = PRESTO_LOADER_OPTIONS_INIT;
	struct presto_dataset *data = open_with(conf, NULL);
	struct presto_error err;
	struct presto_loader *loader;
	struct presto_batch *batch;
	int got;

	UNUSED(state);
	options.batch_size = 2;
	loader = load(data, &options);
	while ((got = presto_loader_next(loader, &batch, &err)) > 0)
		presto_batch_free(batch);
	assert_int_equal(got, -1);
	assert_int_equal(err.code, PRESTO_FAILED);
	test_contains(err.text, "2.jpg");
	test_contains(err.text, "on_error = skip");
	presto_loader_free(loader);
	presto_close(data);
	free(conf);
	test_scratch_remove(dir);
}

static void test_api_skips_samples_that_a_step_refuses(void **state)
{
	static const char *const skip[] = { "dataset.on_error=skip", NULL };
	char *dir = test_scratch(), *conf = write_photos(dir);
	struct presto_loader_options options = PRESTO_LOADER_OPTIONS_INIT;
	struct presto_statistics sums = PRESTO_STATISTICS_INIT;
	struct presto_dataset *data = open_with(conf, skip);
	struct presto_loader *loader;
	struct presto_batch *batch;
	unsigned samples = 0;

	UNUSED(state);
	assert_true(presto_samples(data) == PHOTOS);
	assert_string_equal(presto_class_name(data, 0), "cat");
	assert_string_equal(presto_class_name(data, 1), "dog");
	assert_null(presto_class_name(data, 2));
	options.batch_size = 2;
	loader = load(data, &options);
	while ((batch = next(loader))) {
		samples += (unsigned)presto_batch_samples(batch);
		presto_batch_free(batch);
	}
	assert_int_equal(samples, PHOTOS - 1);
	presto_loader_statistics(loader, &sums);
	assert_true(sums.samples == PHOTOS - 1 && sums.skipped == 1);
	presto_loader_free(loader);
	presto_close(data);
	free(conf);
	test_scratch_remove(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_api_says_what_a_loader_delivers),
		cmocka_unit_test(test_api_lists_the_steps_of_the_build),
		cmocka_unit_test(
		    test_api_delivers_each_sample_once_with_its_label),
		cmocka_unit_test(
		    test_api_runs_the_steps_that_remain_of_a_folder),
		cmocka_unit_test(
		    test_api_runs_the_steps_of_a_folder_in_its_order),
		cmocka_unit_test(test_api_finds_files_of_steps_from_any_folder),
		cmocka_unit_test(
		    test_api_reads_on_when_the_program_changes_its_folder),
		cmocka_unit_test(test_api_takes_settings),
		cmocka_unit_test(test_api_refuses_what_it_cannot_open),
		cmocka_unit_test(test_api_checks_the_size_of_structs),
		cmocka_unit_test(test_api_refuses_options_that_make_no_sense),
		cmocka_unit_test(test_api_runs_steps_that_the_program_brings),
		cmocka_unit_test(test_api_goes_on_where_a_state_was_saved),
		cmocka_unit_test(test_api_refuses_the_state_of_another_order),
		cmocka_unit_test(test_api_interrupts_and_goes_on),
		cmocka_unit_test(test_api_waits_no_longer_than_it_is_told),
		cmocka_unit_test(test_api_batches_outlive_loader_and_dataset),
		cmocka_unit_test(test_api_joins_a_field_whose_samples_agree),
		cmocka_unit_test(test_api_names_a_sample_that_a_step_refuses),
		cmocka_unit_test(test_api_skips_samples_that_a_step_refuses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
