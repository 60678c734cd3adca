/*
 * test_packer.c - codecs that cannot be opened end the pilot: a forecast
 * without them would be one of nothing.  Slow codecs do not hold it up.
 *
 * Linked with --wrap=chain_new (Makefile), which fails where the test says so.
 */
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/random.h"
#include "lib/pipeline/chain.h"
#include "strategies/forecast/packer.h"
#include "test/unit/fake_reader.h"
#include "test/unit/planned.h"
#include "test/unit/test.h"

struct chain *__real_chain_new(
    const struct chain_plan *plan, struct error *err);
struct chain *__wrap_chain_new(
    const struct chain_plan *plan, struct error *err);

static unsigned opened, fails; /* chains; the one that fails, from 1 */

struct chain *__wrap_chain_new(const struct chain_plan *plan, struct error *err)
{
	if (++opened != fails)
		return __real_chain_new(plan, err);
	error_set(err, ERROR_SYSTEM, "chain %u was not opened", opened);
	return NULL;
}

static void test_packer_opens_all_codecs_or_fails(void **state)
{
	static const char text[] = "[pipeline]\nlarge = resize size=12x10\n"
	                           "[strategies]\nstore = tar\n"
	                           "codec = none, png, jpeg\n";
	struct error err = ERROR_INIT;
	struct planned planned;
	struct packer *packer;
	struct fake fake;
	unsigned all;

	(void)state;
	fake_init(&fake, 4, 6);
	test_ok(planned_read(&planned, text, &fake.reader.schema, &err), &err);
	packer = packer_new(&planned.plan, &planned.pipeline, true, &err);
	test_ok(packer ? 0 : -1, &err);
	packer_free(packer);
	all = opened;
	/* To and from each of two formats, in two representations. */
	assert_int_equal(all, 2 * 2 * 2);
	for (fails = 1; fails <= all; fails++) {
		opened = 0;
		packer =
		    packer_new(&planned.plan, &planned.pipeline, true, &err);
		assert_null(packer);
		test_contains(err.text, "was not opened");
		err = (struct error)ERROR_INIT;
	}
	planned_release(&planned);
}

/* ---- the limit of time ---- */

static unsigned packed; /* frames */

static int count_frame(
    void *state, struct span in, struct buf *out, struct error *err)
{
	packed++;
	return codec_find("gzip")->encode(state, in, out, err);
}

/* An image whose bytes have two bits of information each. */
static void fill_image(struct sample *sample, uint64_t number)
{
	const struct shape shape = { .count = 3, .dims = { 400, 400, 3 } };
	struct random random = random_stream(1, 0, number, 0);
	struct error err = ERROR_INIT;
	unsigned char *bytes;

	sample->count = 1;
	sample->key = (struct span){ .data = (const void *)"image", .len = 5 };
	test_ok(
	    tensor_reshape(&sample->fields[0], DTYPE_U8, &shape, &err), &err);
	bytes = sample->fields[0].data;
	for (size_t i = 0; i < sample->fields[0].bytes; i++)
		bytes[i] = (unsigned char)random_below(&random, 4);
}

static void test_a_slow_codec_packs_one_frame_at_least(void **state)
{
	static const char text[] = "[pipeline]\nlarge = resize size=12x10\n"
	                           "[strategies]\nstore = tar\n"
	                           "codec = gzip:1\n";
	struct codec_ops counting = *codec_find("gzip");
	struct sample sample = SAMPLE_INIT;
	struct error err = ERROR_INIT;
	struct packing whole, part;
	struct planned planned;
	struct packer *packer;
	struct fake fake;

	UNUSED(state);
	fails = 0;
	fake_init(&fake, 4, 6);
	test_ok(planned_read(&planned, text, &fake.reader.schema, &err), &err);
	counting.encode = count_frame;
	planned.plan.strategies.codecs[0].ops = &counting;
	packer = packer_new(&planned.plan, &planned.pipeline, false, &err);
	test_ok(packer ? 0 : -1, &err);
	for (uint64_t i = 0; i < 24; i++) {
		fill_image(&sample, i);
		test_ok(packer_add(packer, 0, &sample, &err), &err);
	}
	packer_limit(packer, 1e9);
	test_ok(packer_try(packer, 0, 0, 0, 0, &whole, &err), &err);
	assert_true(packed >= 3);
	packed = 0;
	packer_limit(packer, 0);
	test_ok(packer_try(packer, 0, 0, 0, 0, &part, &err), &err);
	assert_int_equal(packed, 1);
	/* The frames that were left out are like the first one. */
	assert_true(part.bytes > 0.98 * whole.bytes);
	assert_true(part.bytes < 1.02 * whole.bytes);
	sample_release(&sample);
	packer_free(packer);
	planned_release(&planned);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_packer_opens_all_codecs_or_fails),
		cmocka_unit_test(test_a_slow_codec_packs_one_frame_at_least),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
