/* test_several.c - a step that takes several samples at a time, in a chain. */
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/pipeline/chain.h"
#include "lib/steps/step.h"
#include "lib/syntax/ini.h"
#include "test/unit/test.h"

enum { SAMPLES = 6, TOGETHER = 5, BYTES = 12, MARKED = 99 };

/* ---- a step that doubles bytes, and refuses a sample that is marked ---- */

struct doubling {
	unsigned runs, put;
	unsigned char bytes[SEVERAL_MOST][BYTES];
	bool is_marked[SEVERAL_MOST];
};

static unsigned runs_of_several; /* by all instances */
static int held;

static int doubling_bind(void *priv, const void *options, const struct type *in,
    struct type *out, struct error *err)
{
	UNUSED(priv);
	UNUSED(options);
	UNUSED(err);
	*out = *in;
	return 0;
}

static int double_bytes(
    const struct tensor *in, unsigned char *out, struct error *err)
{
	const unsigned char *bytes = in->data;

	for (size_t i = 0; i < in->bytes; i++)
		out[i] = (unsigned char)(2 * bytes[i]);
	return bytes[0] == MARKED ? error_set(err, ERROR_DATA, "is marked") : 0;
}

static int doubling_run(void *priv, struct random *random,
    const struct tensor *in, struct tensor *out, struct error *err)
{
	UNUSED(priv);
	UNUSED(random);
	if (tensor_reshape(out, DTYPE_U8, &in->shape, err))
		return -1;
	return double_bytes(in, out->data, err);
}

static unsigned doubling_count(const void *priv)
{
	UNUSED(priv);
	return TOGETHER;
}

static int doubling_put(void *priv, unsigned i, struct random *random,
    const struct tensor *in, struct error *err)
{
	struct doubling *doubling = priv;
	struct error ignored = ERROR_INIT;

	UNUSED(random);
	UNUSED(err);
	assert_int_equal(i, i == 0 ? 0 : doubling->put);
	assert_int_equal(in->bytes, BYTES);
	doubling->put = i + 1;
	doubling->is_marked[i] =
	    double_bytes(in, doubling->bytes[i], &ignored) != 0;
	return 0;
}

static int doubling_run_all(void *priv, unsigned count, struct error *err)
{
	const struct doubling *doubling = priv;

	UNUSED(err);
	assert_int_equal(count, doubling->put);
	runs_of_several++;
	return 0;
}

static int doubling_take(
    void *priv, unsigned i, struct tensor *out, struct error *err)
{
	const struct shape shape = { 3, { 2, 2, 3 } };
	struct doubling *doubling = priv;

	if (doubling->is_marked[i])
		return error_set(err, ERROR_DATA, "is marked");
	tensor_view(out, DTYPE_U8, &shape, doubling->bytes[i]);
	return 0;
}

static int doubling_hold(void *priv, struct error *err)
{
	UNUSED(priv);
	UNUSED(err);
	held++;
	return 0;
}

static void doubling_rest(void *priv)
{
	UNUSED(priv);
	held--;
}

static const struct several_ops doubling_several = {
	.count = doubling_count,
	.put = doubling_put,
	.run_all = doubling_run_all,
	.take = doubling_take,
	.hold = doubling_hold,
	.rest = doubling_rest,
};

static const struct step_ops doubling_ops = {
	.name = "doubling",
	.priv_size = sizeof(struct doubling),
	.bind = doubling_bind,
	.run = doubling_run,
	.several = &doubling_several,
};

/* ---- chains with it ---- */

struct setup {
	struct ini ini;
	struct pipeline pipeline;
	struct sample samples[SAMPLES];
	unsigned char bytes[SAMPLES][4 * 4 * 3];
	char keys[SAMPLES][8];
};

/* Sample 2 is too small to be cropped, and the step refuses sample 3. */
static void set_up(struct setup *s)
{
	static const char text[] = "[pipeline]\n"
	                           "cropped = center_crop size=2\n"
	                           "doubled = identity\n"
	                           "floats = to_float\n";
	static const struct schema images = {
		.count = 1,
		.fields = { { "data",
		    { .layout = LAYOUT_HWC, .shape = { 3, { -1, -1, 3 } } } } },
	};
	struct error err = ERROR_INIT;

	memset(s, 0, sizeof(*s));
	test_ok(ini_parse_text(&s->ini, "test.conf", text, strlen(text), &err),
	    &err);
	test_ok(pipeline_read(&s->pipeline, &s->ini, &err), &err);
	s->pipeline.steps[1].ops = &doubling_ops;
	test_ok(pipeline_bind(&s->pipeline, &images, &err), &err);
	for (int i = 0; i < SAMPLES; i++) {
		const int64_t side = i == 2 ? 1 : 4;
		const struct shape shape = { 3, { side, side, 3 } };

		s->samples[i] = (struct sample){ .label = i, .count = 1 };
		memset(s->bytes[i], i == 3 ? MARKED : i, sizeof(s->bytes[i]));
		s->bytes[i][16] = (unsigned char)(i == 3 ? MARKED : 40 + i);
		tensor_view(
		    &s->samples[i].fields[0], DTYPE_U8, &shape, s->bytes[i]);
		s->keys[i][0] = (char)('a' + i);
		s->samples[i].key = span_text(s->keys[i]);
	}
}

static void tear_down(struct setup *s)
{
	pipeline_release(&s->pipeline);
	ini_release(&s->ini);
}

static struct chain *open_chain(const struct setup *s, unsigned to)
{
	const struct chain_plan plan = { .pipeline = &s->pipeline, .to = to };
	struct error err = ERROR_INIT;
	struct chain *chain = chain_new(&plan, &err);

	test_ok(chain ? 0 : -1, &err);
	return chain;
}

/* Runs a sample in both chains, which must agree. */
static void compare(struct chain *prepared, struct chain *alone,
    const struct sample *in, bool fails)
{
	struct sample got = SAMPLE_INIT, want = SAMPLE_INIT;
	struct error got_err = ERROR_INIT, want_err = ERROR_INIT;

	assert_int_equal(
	    chain_run(prepared, in, &got, &got_err), fails ? -1 : 0);
	assert_int_equal(
	    chain_run(alone, in, &want, &want_err), fails ? -1 : 0);
	assert_string_equal(got_err.text, want_err.text);
	if (!fails) {
		assert_int_equal(got.label, want.label);
		assert_true(span_equal(got.key, want.key));
		assert_int_equal(got.fields[0].bytes, want.fields[0].bytes);
		assert_memory_equal(got.fields[0].data, want.fields[0].data,
		    want.fields[0].bytes);
	}
	sample_release(&got);
	sample_release(&want);
}

static void test_samples_come_out_as_one_by_one(void **state)
{
	struct setup s;
	struct error err = ERROR_INIT;

	UNUSED(state);
	set_up(&s);
	for (unsigned to = 2; to <= 3; to++) {
		struct chain *prepared = open_chain(&s, to);
		struct chain *alone = open_chain(&s, to);
		struct chain_trace trace = { .watch = NULL };

		chain_set_trace(prepared, &trace);
		assert_int_equal(chain_several(prepared), TOGETHER);
		runs_of_several = 0;
		test_ok(
		    chain_prepare(prepared, s.samples, TOGETHER, &err), &err);
		assert_int_equal(runs_of_several, 1);
		for (unsigned i = 0; i < SAMPLES; i++)
			compare(
			    prepared, alone, &s.samples[i], i == 2 || i == 3);
		assert_int_equal(runs_of_several, 1);
		assert_int_equal(trace.steps[1].calls, SAMPLES - 1);
		assert_int_equal(
		    trace.steps[1].bytes_in, (SAMPLES - 1) * BYTES);
		chain_free(prepared);
		chain_free(alone);
	}
	tear_down(&s);
}

static void test_a_new_epoch_forgets_what_was_prepared(void **state)
{
	struct setup s;
	struct chain *prepared, *alone;
	struct error err = ERROR_INIT;

	UNUSED(state);
	set_up(&s);
	prepared = open_chain(&s, 3);
	alone = open_chain(&s, 3);
	test_ok(chain_prepare(prepared, s.samples, 2, &err), &err);
	compare(prepared, alone, &s.samples[0], false);
	chain_set_draw(prepared, 1, 2);
	compare(prepared, alone, &s.samples[5], false);
	test_ok(chain_hold(prepared, &err), &err);
	assert_int_equal(held, 1);
	test_ok(chain_prepare(prepared, s.samples, 2, &err), &err);
	chain_rest(prepared);
	assert_int_equal(held, 0);
	compare(prepared, alone, &s.samples[4], false);
	chain_free(prepared);
	chain_free(alone);
	tear_down(&s);
}

static void test_other_chains_take_one_at_a_time(void **state)
{
	struct setup s;
	struct chain *chain;

	UNUSED(state);
	set_up(&s);
	chain = open_chain(&s, 1);
	assert_int_equal(chain_several(chain), 1);
	chain_free(chain);
	tear_down(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_samples_come_out_as_one_by_one),
		cmocka_unit_test(test_a_new_epoch_forgets_what_was_prepared),
		cmocka_unit_test(test_other_chains_take_one_at_a_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
