/*
 * test_shrunk.c - stored shards that another program truncates while they are
 * read: an error in words, and no sample of the missing part.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/files/mapping.h"
#include "lib/files/path.h"
#include "lib/files/path_tree.h"
#include "lib/loader/loader.h"
#include "lib/loader/ordered/ordered.h"
#include "lib/media/medium.h"
#include "lib/sample/batch.h"
#include "lib/sample/batch_home.h"
#include "lib/stores/store.h"
#include "strategies/prepare/prepare.h"
#include "test/unit/planned.h"
#include "test/unit/stored.h"
#include "test/unit/test.h"

/*
 * Far more samples than a loader holds at a time: where files cannot be mapped,
 * such as in /dev/shm, only those are missing that it has not read yet.
 */
enum { SHARDS = 2, SAMPLES = 128, ROW = 64 << 10, KEPT = 4096 };

/* cmocka takes the signal for itself in front of each test. */
static struct sigaction ours;

static void give_signal_back(void)
{
	assert_int_equal(sigaction(SIGBUS, &ours, NULL), 0);
}

static const char text[] = "[pipeline]\n"
                           "same = identity\n"
                           "[strategies]\n"
                           "store = tar\n"
                           "codec = none\n";

struct setup {
	struct planned planned;
	struct store_form form;
	struct medium *medium;
	struct reader *reader;
	char *dir;
};

/* No byte of it is 0. */
static unsigned char value_of(unsigned sample)
{
	return (unsigned char)(1 + sample % 250);
}

static void write_shard(const struct setup *s, unsigned shard)
{
	static unsigned char row[ROW];
	struct error err = ERROR_INIT;
	struct shard_writer *writer =
	    shard_writer_new(s->medium, s->dir, &s->form, shard, &err);

	test_ok(writer ? 0 : -1, &err);
	for (unsigned i = 0; i < SAMPLES; i++) {
		struct sample sample = { .count = 1, .label = 0 };
		char key[16];

		snprintf(key, sizeof(key), "%u-%u", shard, i);
		sample.key = span_text(key);
		memset(row, value_of(i), ROW);
		tensor_view(&sample.fields[0], DTYPE_U8,
		    &s->form.schema.fields[0].type.shape, row);
		test_ok(shard_writer_add(writer, &sample, &err), &err);
	}
	test_ok(shard_writer_commit(writer, &err), &err);
	shard_writer_free(writer);
}

static void set_up(struct setup *s, const char *store)
{
	const struct codec none = { .ops = codec_find("none") };
	struct schema schema = { .count = 1 };
	struct error err = ERROR_INIT;

	*s = (struct setup){ .dir = test_scratch_on_disk() };
	snprintf(schema.fields[0].name, sizeof(schema.fields[0].name), "data");
	schema.fields[0].type = (struct type){ .dtype = DTYPE_U8,
		.shape = { .count = 1, .dims = { ROW } } };
	test_ok(
	    store_form_init(&s->form, store_find(store), &none, &schema, &err),
	    &err);
	s->medium = medium_new_local(&err);
	for (unsigned i = 0; i < SHARDS; i++)
		write_shard(s, i);
	test_ok(stored_write_manifest(s->dir, &s->form, SHARDS,
	            &(struct manifest_note){
	                .strategy = "same/tar/none", .fingerprint = "f" },
	            &err),
	    &err);
	s->reader = store_open(s->medium, s->dir, &err);
	test_ok(s->reader ? 0 : -1, &err);
	test_ok(
	    planned_read(&s->planned, text, &s->reader->schema, &err), &err);
}

static void tear_down(struct setup *s)
{
	planned_release(&s->planned);
	reader_free(s->reader);
	medium_free(s->medium);
	test_scratch_remove(s->dir);
}

static int cut(void *arg, const char *name, uint64_t bytes, struct error *err)
{
	char *path = test_path(arg, name);

	UNUSED(err);
	if (bytes > ROW)
		assert_int_equal(truncate(path, KEPT), 0);
	free(path);
	return 0;
}

static void cut_all(const struct setup *s)
{
	struct error err = ERROR_INIT;

	test_ok(path_each(s->dir, cut, s->dir, &err), &err);
}

static void check_batch(const struct batch *batch)
{
	for (unsigned i = 0; i < batch->count; i++) {
		const struct sample *sample = &batch->slots[i];
		unsigned shard, number;
		char key[16] = "";

		assert_true(sample->key.len < sizeof(key));
		memcpy(key, sample->key.data, sample->key.len);
		assert_int_equal(sscanf(key, "%u-%u", &shard, &number), 2);
		for (size_t k = 0; k < ROW; k++)
			if (((const unsigned char *)sample->fields[0]
			            .data)[k] != value_of(number))
				fail_msg(
				    "sample %s is not what was stored", key);
	}
}

/* An epoch, of which the shards are cut short after `whole` batches. */
static int load(struct setup *s, unsigned whole, struct error *err)
{
	const struct loader_plan plan = { .reader = s->reader,
		.pipeline = &s->planned.pipeline,
		.medium = s->medium,
		.to = 1,
		.threads = 2,
		.read_ahead = 1,
		.batch = 3,
		.shuffle = 12,
		.skip_errors = true };
	struct loader *loader = loader_new(&plan, err);
	const struct batch *batch;
	unsigned batches = 0;
	int rc;

	test_ok(loader ? 0 : -1, err);
	loader_begin(loader, 0, false);
	while ((batch = loader_next(loader))) {
		check_batch(batch);
		if (++batches == whole)
			cut_all(s);
	}
	rc = loader_end(loader, err);
	loader_free(loader);
	return rc;
}

static void test_shrunk_shards_end_an_epoch_in_words(void **state)
{
	static const char *const stores[] = { "npy", "tar", "tfrecord" };

	UNUSED(state);
	give_signal_back();
	for (size_t i = 0; i < ARRAY_LEN(stores); i++) {
		struct error err = ERROR_INIT;
		struct setup s, sound;

		set_up(&s, stores[i]);
		test_ok(load(&s, 0, &err), &err);
		assert_int_equal(load(&s, 4, &err), -1);
		assert_int_equal(err.code, ERROR_DATA);
		test_contains(err.text, "shard-00000");
		/* Others that are read then are as good as before. */
		set_up(&sound, stores[i]);
		test_ok(load(&sound, 0, &err), &err);
		tear_down(&sound);
		tear_down(&s);
	}
}

static struct ordered_loader *begin_ordered(const struct setup *s)
{
	const struct ordered_plan plan = { .reader = s->reader,
		.pipeline = &s->planned.pipeline,
		.medium = s->medium,
		.to = 1,
		.threads = 2,
		.batch = 3,
		.world_size = 1,
		.skip_errors = true };
	struct error err = ERROR_INIT;
	struct ordered_loader *loader = ordered_loader_new(&plan, &err);

	test_ok(loader ? 0 : -1, &err);
	return loader;
}

/* Takes up to so many batches; as ordered_loader_next. */
static int take_ordered(
    struct ordered_loader *loader, unsigned most, struct error *err)
{
	struct batch *batch;
	int got = 1;

	for (unsigned i = 0; got > 0 && i < most; i++) {
		got = ordered_loader_next(loader, 0, &batch, err);
		if (got > 0) {
			check_batch(batch);
			batch_give(batch);
		}
	}
	return got;
}

/* Another loader is in the middle of its epoch, and goes on. */
static void test_shrunk_shards_fail_their_loader_only(void **state)
{
	static const char *const stores[] = { "npy", "tar", "tfrecord" };

	UNUSED(state);
	give_signal_back();
	for (size_t i = 0; i < ARRAY_LEN(stores); i++) {
		struct ordered_loader *cut_loader, *sound_loader;
		struct error err = ERROR_INIT;
		struct setup s, sound;

		set_up(&s, stores[i]);
		set_up(&sound, stores[i]);
		cut_loader = begin_ordered(&s);
		sound_loader = begin_ordered(&sound);
		assert_int_equal(take_ordered(sound_loader, 2, &err), 1);
		assert_int_equal(take_ordered(cut_loader, 2, &err), 1);
		cut_all(&s);
		assert_int_equal(take_ordered(cut_loader, 1000, &err), -1);
		assert_int_equal(err.code, ERROR_DATA);
		test_contains(err.text, "shard-00000");
		err = (struct error)ERROR_INIT;
		test_ok(take_ordered(sound_loader, 1000, &err), &err);
		ordered_loader_free(sound_loader);
		ordered_loader_free(cut_loader);
		tear_down(&sound);
		tear_down(&s);
	}
}

struct cutting {
	struct setup *setup;
	atomic_uint samples;
};

static void cut_soon(void *arg, uint64_t samples)
{
	struct cutting *cutting = arg;

	if (atomic_fetch_add(&cutting->samples, (unsigned)samples) == 4)
		cut_all(cutting->setup);
}

static void test_shrunk_shards_are_not_stored_anew(void **state)
{
	struct error err = ERROR_INIT;
	struct prepared prepared;
	struct strategy strategy;
	struct cutting cutting;
	struct setup s;
	char *out;
	struct prepare_plan plan = { .threads = 2,
		.shards = SHARDS,
		.folder.fingerprint = "g",
		.skip_errors = true,
		.progress = cut_soon };

	UNUSED(state);
	give_signal_back();
	set_up(&s, "tar");
	atomic_init(&cutting.samples, 0);
	cutting.setup = &s;
	out = test_scratch();
	test_ok(strategy_parse(
	            &strategy, "same/tfrecord/none", &s.planned.pipeline, &err),
	    &err);
	plan.source = s.reader;
	plan.pipeline = &s.planned.pipeline;
	plan.strategy = &strategy;
	plan.medium = s.medium;
	plan.folder.dir = out;
	plan.arg = &cutting;
	assert_int_equal(prepare_run(&plan, &prepared, &err), -1);
	test_contains(err.text, "shard-00000");
	assert_null(store_open(s.medium, out, &err));
	test_scratch_remove(out);
	tear_down(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shrunk_shards_end_an_epoch_in_words),
		cmocka_unit_test(test_shrunk_shards_fail_their_loader_only),
		cmocka_unit_test(test_shrunk_shards_are_not_stored_anew),
	};

	mapping_guard();
	sigaction(SIGBUS, NULL, &ours);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
