/*
 * test_views.c - batches of the ordered loader that are views of stored rows:
 * what they hold, who sees what is written into them, how long they live.
 */
#include <stdio.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/loader/ordered/ordered.h"
#include "lib/media/medium.h"
#include "lib/sample/batch.h"
#include "lib/sample/batch_home.h"
#include "lib/stores/store.h"
#include "test/unit/planned.h"
#include "test/unit/stored.h"
#include "test/unit/test.h"

/* A batch of 8 has 1 MiB, and 5 shards end within batches. */
enum { SHARDS = 5, SAMPLES = 51, ROW = 128 << 10, BATCH = 8 };

static const char same[] = "[pipeline]\nsame = identity\n"
                           "[strategies]\nstore = npy\ncodec = none\n";

struct setup {
	struct planned planned;
	struct store_form form;
	struct medium *medium;
	struct reader *reader;
	char *dir;
	struct ordered_plan plan;
};

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
		const unsigned number = shard * SAMPLES + i;
		struct sample sample = { .count = 1, .label = number };
		char key[16];

		snprintf(key, sizeof(key), "%u", number);
		sample.key = span_text(key);
		memset(row, value_of(number), ROW);
		tensor_view(&sample.fields[0], DTYPE_U8,
		    &s->form.schema.fields[0].type.shape, row);
		test_ok(shard_writer_add(writer, &sample, &err), &err);
	}
	test_ok(shard_writer_commit(writer, &err), &err);
	shard_writer_free(writer);
}

static void set_up(struct setup *s, const char *text)
{
	const struct codec none = { .ops = codec_find("none") };
	struct schema schema = { .count = 1 };
	struct error err = ERROR_INIT;

	*s = (struct setup){ .dir = test_scratch_on_disk() };
	snprintf(schema.fields[0].name, sizeof(schema.fields[0].name), "data");
	schema.fields[0].type = (struct type){ .dtype = DTYPE_U8,
		.shape = { .count = 1, .dims = { ROW } } };
	test_ok(
	    store_form_init(&s->form, store_find("npy"), &none, &schema, &err),
	    &err);
	s->medium = medium_new_local(&err);
	for (unsigned i = 0; i < SHARDS; i++)
		write_shard(s, i);
	test_ok(stored_write_manifest(s->dir, &s->form, SHARDS,
	            &(struct manifest_note){
	                .strategy = "same/npy/none", .fingerprint = "f" },
	            &err),
	    &err);
	s->reader = store_open(s->medium, s->dir, &err);
	test_ok(s->reader ? 0 : -1, &err);
	test_ok(
	    planned_read(&s->planned, text, &s->reader->schema, &err), &err);
	s->plan = (struct ordered_plan){ .reader = s->reader,
		.pipeline = &s->planned.pipeline,
		.medium = s->medium,
		.to = 1,
		.threads = 2,
		.batch = BATCH,
		.world_size = 1 };
}

static void tear_down(struct setup *s)
{
	planned_release(&s->planned);
	reader_free(s->reader);
	medium_free(s->medium);
	test_scratch_remove(s->dir);
}

static struct ordered_loader *new_loader(const struct setup *s)
{
	struct error err = ERROR_INIT;
	struct ordered_loader *loader = ordered_loader_new(&s->plan, &err);

	test_ok(loader ? 0 : -1, &err);
	return loader;
}

static bool is_view(const struct batch *batch)
{
	return batch->view.entry != NULL;
}

/* Are all rows behind each other, and as they were stored? */
static void check_rows(const struct batch *batch)
{
	for (unsigned i = 0; i < batch->count; i++) {
		const struct sample *sample = &batch->slots[i];
		const unsigned char *row = sample->fields[0].data;

		assert_ptr_equal(
		    row, (unsigned char *)batch->blocks[0] + i * ROW);
		assert_int_equal(sample->fields[0].bytes, ROW);
		for (size_t k = 0; k < ROW; k++)
			if (row[k] != value_of((unsigned)sample->label))
				fail_msg("sample %d is not what was stored",
				    (int)sample->label);
	}
}

/* Runs epochs; keeps all batches of the last one.  Returns the views. */
static unsigned run(const struct setup *s, unsigned epochs, struct batch **kept,
    unsigned *count)
{
	struct ordered_loader *loader = new_loader(s);
	struct error err = ERROR_INIT;
	struct batch *batch;
	unsigned views = 0;

	*count = 0;
	for (unsigned epoch = 1; epoch <= epochs; epoch++) {
		unsigned samples = 0;
		int got;

		while (
		    (got = ordered_loader_next(loader, 0, &batch, &err)) > 0) {
			check_rows(batch);
			samples += batch->count;
			views += is_view(batch);
			if (epoch == epochs) {
				kept[(*count)++] = batch;
				continue;
			}
			memset(batch->blocks[0], 0, batch->count * ROW);
			batch_give(batch);
		}
		test_ok(got, &err);
		assert_int_equal(samples, SHARDS * SAMPLES);
	}
	ordered_loader_free(loader);
	return views;
}

static void check_views(const char *text, bool shuffle, bool may_view)
{
	struct batch *kept[SHARDS * SAMPLES];
	unsigned count, views;
	struct setup s;

	set_up(&s, text);
	s.plan.shuffle = shuffle;
	views = run(&s, 3, kept, &count);
	if (may_view && views == 0)
		print_message("nothing can be mapped here\n");
	assert_true(may_view || views == 0);
	/* Those across two shards are copies. */
	assert_true(views <= 3 * (count - (SHARDS - 1)));
	tear_down(&s);
	for (unsigned i = 0; i < count; i++) {
		check_rows(kept[i]); /* they outlive loader and file */
		batch_give(kept[i]);
	}
}

static void test_views_have_what_was_stored(void **state)
{
	UNUSED(state);
	check_views(same, false, true);
}

static void test_views_are_given_in_the_stored_order_only(void **state)
{
	UNUSED(state);
	check_views(same, true, false);
}

/* A batch that was a view is used again as a copy, and the other way round. */
static void test_views_take_turns_with_copies(void **state)
{
	struct batch *kept[SHARDS * SAMPLES];
	unsigned count;
	struct setup s;

	UNUSED(state);
	set_up(&s, same);
	for (unsigned batch = 7; batch <= 30; batch += 23) {
		s.plan.batch = batch;
		run(&s, 2, kept, &count);
		for (unsigned i = 0; i < count; i++)
			batch_give(kept[i]);
	}
	tear_down(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_views_have_what_was_stored),
		cmocka_unit_test(test_views_are_given_in_the_stored_order_only),
		cmocka_unit_test(test_views_take_turns_with_copies),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
