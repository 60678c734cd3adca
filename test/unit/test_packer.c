/*
 * test_packer.c - codecs that cannot be opened end the pilot: a forecast
 * without them would be one of nothing.
 *
 * Linked with --wrap=chain_new (Makefile), which fails where the test says so.
 */
#include "lib/base/error.h"
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_packer_opens_all_codecs_or_fails),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
