/*
 * test_ordered_spans.c - loaders that share an epoch by spans of batches
 * deliver what one loader does.
 */
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/sample/batch.h"
#include "lib/sample/batch_home.h"
#include "test/unit/served.h"
#include "test/unit/test.h"

enum { LOADERS = 2, BATCHES_MOST = 256 };

static const char simple[] = "[pipeline]\ncut = random_crop size=4\n";
static const char many[] = "[pipeline]\na = window length=1\nb = identity\n";

static uint64_t take_hash(const struct served *served, struct batch *batch)
{
	uint64_t hash = batch->count;

	for (unsigned i = 0; i < batch->count; i++)
		hash = hash * 31 +
		       sample_hash(&batch->slots[i], &served->facts.schema);
	batch_give(batch);
	return hash;
}

static struct ordered_loader *open_loader(
    const struct served *served, bool by_spans)
{
	struct error err = ERROR_INIT;
	struct ordered_plan plan = served->plan;
	struct ordered_loader *loader;

	plan.by_spans = by_spans;
	loader = ordered_loader_new(&plan, &err);
	test_ok(loader ? 0 : -1, &err);
	return loader;
}

/* Hashes of the batches until the end of an epoch, or of a span. */
static unsigned take_all(const struct served *served,
    struct ordered_loader *loader, uint64_t *hashes)
{
	struct error err = ERROR_INIT;
	struct batch *batch;
	unsigned count = 0;
	int got;

	while ((got = ordered_loader_next(loader, 0, &batch, &err)) > 0) {
		assert_true(count < BATCHES_MOST);
		hashes[count++] = take_hash(served, batch);
	}
	test_ok(got, &err);
	return count;
}

static void ask(struct ordered_loader *loader, struct ordered_span span)
{
	struct error err = ERROR_INIT;

	test_ok(ordered_loader_ask(loader, span, &err), &err);
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Loaders take turns, spans of `length` batches; two are always asked for. */
static void check_turns(struct served *served, uint64_t length)
{
	struct ordered_loader *whole = open_loader(served, false);
	struct ordered_loader *loaders[LOADERS];
	const uint64_t batches = ordered_loader_batches(whole);

	for (unsigned i = 0; i < LOADERS; i++)
		loaders[i] = open_loader(served, true);
	for (uint32_t epoch = 0; epoch < 2; epoch++) {
		uint64_t wanted[BATCHES_MOST], found[BATCHES_MOST];
		const unsigned count = take_all(served, whole, wanted);
		unsigned turn = 0;

		assert_int_equal(count, batches);
		for (uint64_t at = 0; at < batches; at += length)
			ask(loaders[turn++ % LOADERS],
			    (struct ordered_span){
			        epoch, at, least(at + length, batches) });
		turn = 0;
		for (uint64_t at = 0; at < batches; at += length)
			assert_int_equal(
			    take_all(
			        served, loaders[turn++ % LOADERS], found + at),
			    least(length, batches - at));
		for (unsigned i = 0; i < count; i++)
			assert_true(wanted[i] == found[i]);
	}
	for (unsigned i = 0; i < LOADERS; i++)
		ordered_loader_free(loaders[i]);
	ordered_loader_free(whole);
}

static void test_spans_of_all_loaders_are_the_epoch(void **state)
{
	UNUSED(state);
	for (unsigned way = 0; way < SERVED_WAYS; way++)
		for (unsigned shuffle = 0; shuffle < 2; shuffle++) {
			struct served served;

			served_init(&served, simple, (enum served_way)way);
			served.plan.shuffle = shuffle;
			check_turns(&served, 1);
			check_turns(&served, 3);
			check_turns(&served, 5);
			served.plan.rank = 1;
			served.plan.world_size = 2;
			check_turns(&served, 2);
			served_release(&served);
		}
}

static void test_spans_that_are_forgotten_do_not_come(void **state)
{
	uint64_t wanted[BATCHES_MOST], found[BATCHES_MOST];
	struct ordered_loader *whole, *loader;
	struct error err = ERROR_INIT;
	struct served served;
	struct batch *batch;

	UNUSED(state);
	served_init(&served, simple, SERVED_CHUNKS);
	whole = open_loader(&served, false);
	loader = open_loader(&served, true);
	take_all(&served, whole, wanted);
	assert_int_equal(ordered_loader_next(loader, 0, &batch, &err), -1);
	test_contains(err.text, "no batches were asked for");
	ask(loader, (struct ordered_span){ 0, 0, 8 });
	ask(loader, (struct ordered_span){ 0, 8, 16 });
	assert_int_equal(ordered_loader_next(loader, 0, &batch, &err), 1);
	assert_true(take_hash(&served, batch) == wanted[0]);
	ordered_loader_forget(loader);
	ask(loader, (struct ordered_span){ 0, 11, 13 });
	assert_int_equal(take_all(&served, loader, found), 2);
	assert_true(found[0] == wanted[11] && found[1] == wanted[12]);
	assert_int_equal(ordered_loader_position(loader).batch, 13);
	ordered_loader_free(loader);
	ordered_loader_free(whole);
	served_release(&served);
}

static void test_spans_of_many_go_to_the_end(void **state)
{
	uint64_t wanted[BATCHES_MOST], found[BATCHES_MOST];
	struct ordered_loader *whole, *loader;
	struct error err = ERROR_INIT;
	struct served served;
	unsigned count;

	UNUSED(state);
	served_init(&served, many, SERVED_CHUNKS);
	served.plan.batch = 16;
	whole = open_loader(&served, false);
	loader = open_loader(&served, true);
	assert_int_equal(ordered_loader_unit(loader), 0);
	count = take_all(&served, whole, wanted);
	assert_int_equal(
	    ordered_loader_ask(loader, (struct ordered_span){ 0, 0, 4 }, &err),
	    -1);
	ask(loader, (struct ordered_span){ 0, 5, UINT64_MAX });
	assert_int_equal(take_all(&served, loader, found), count - 5);
	for (unsigned i = 5; i < count; i++)
		assert_true(wanted[i] == found[i - 5]);
	ordered_loader_free(loader);
	ordered_loader_free(whole);
	served_release(&served);
}

static void test_too_many_spans_are_refused(void **state)
{
	struct ordered_loader *loader;
	struct error err = ERROR_INIT;
	struct served served;

	UNUSED(state);
	served_init(&served, simple, SERVED_PICKS);
	loader = open_loader(&served, true);
	for (uint64_t i = 0; i < ORDERED_SPANS; i++)
		ask(loader, (struct ordered_span){ 0, i, i + 1 });
	assert_int_equal(
	    ordered_loader_ask(loader, (struct ordered_span){ 0, 0, 1 }, &err),
	    -1);
	test_contains(err.text, "too many spans");
	ordered_loader_free(loader);
	served_release(&served);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_spans_of_all_loaders_are_the_epoch),
		cmocka_unit_test(test_spans_that_are_forgotten_do_not_come),
		cmocka_unit_test(test_spans_of_many_go_to_the_end),
		cmocka_unit_test(test_too_many_spans_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
