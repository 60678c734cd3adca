/* test_chain.c - steps on whole samples, several samples of one, split work. */
#include <stdio.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/loader/loader.h"
#include "lib/pipeline/chain.h"
#include "lib/steps/step.h"
#include "lib/steps/whole.h"
#include "lib/syntax/ini.h"
#include "test/unit/fake_reader.h"
#include "test/unit/test.h"

enum { SIDE = 8, SAMPLES_MOST = 20000 };

/* An image gives its rows, and with each a field `place`: its number. */
struct rows_options {
	int64_t times; /* so often each */
	int64_t bad;   /* this one fails; -1: none */
};

static const struct rows_options once = { .times = 1, .bad = -1 };

struct rows {
	struct rows_options options;
};

static int rows_bind(void *priv, const void *options, const struct schema *in,
    unsigned fields, struct schema *out, struct error *err)
{
	const struct type place = { .dtype = DTYPE_I64 };
	struct rows *rows = priv;

	assert_int_equal(fields, 1);
	rows->options = *(const struct rows_options *)options;
	out->fields[0].type.layout = LAYOUT_PLAIN;
	out->fields[0].type.shape =
	    (struct shape){ in->fields[0].type.shape.count - 1, { -1, -1 } };
	if (schema_find(in, "place") < 0)
		return schema_add(out, "place", &place, err);
	return 0;
}

static int rows_begin(void *priv, struct random *random,
    const struct sample *in, uint64_t *count, struct error *err)
{
	const struct rows *rows = priv;

	(void)random;
	(void)err;
	*count = (uint64_t)(in->fields[0].shape.dims[0] * rows->options.times);
	return 0;
}

static int rows_make(void *priv, struct random *random, const struct sample *in,
    uint64_t i, struct sample *out, struct error *err)
{
	const struct rows *rows = priv;
	const struct tensor *data = &in->fields[0];
	const size_t row = (size_t)i / (size_t)rows->options.times;
	struct shape shape = { data->shape.count - 1, { 0 } };
	size_t bytes = 1;

	if (rows->options.bad == (int64_t)i)
		return error_set(err, ERROR_DATA, "row %d is bad", (int)i);
	for (unsigned d = 0; d < shape.count; d++) {
		shape.dims[d] = data->shape.dims[d + 1];
		bytes *= (size_t)shape.dims[d];
	}
	tensor_view(&out->fields[0], DTYPE_U8, &shape,
	    (const unsigned char *)data->data + row * bytes);
	if (tensor_reshape(
	        &out->fields[1], DTYPE_I64, &(struct shape){ 0 }, err))
		return -1;
	*(int64_t *)out->fields[1].data =
	    (int64_t)i + (int64_t)(random_u64(random) % 1000) * 1000000;
	return 0;
}

static const struct sample_ops rows_sample = {
	.many = true,
	.bind = rows_bind,
	.begin = rows_begin,
	.make = rows_make,
};

static const struct step_ops rows_ops = {
	.name = "rows",
	.priv_size = sizeof(struct rows),
	.random = true,
	.sample = &rows_sample,
};

/* A copy of the first field; then its front, and all of it, as views. */
static int copy_bind(void *priv, const void *options, const struct schema *in,
    unsigned fields, struct schema *out, struct error *err)
{
	(void)priv;
	(void)options;
	(void)in;
	(void)fields;
	(void)out;
	(void)err;
	return 0;
}

static int copy_make(void *priv, struct random *random, const struct sample *in,
    uint64_t i, struct sample *out, struct error *err)
{
	(void)priv;
	(void)random;
	(void)i;
	return tensor_copy(&out->fields[0], &in->fields[0], err);
}

static int views_bind(void *priv, const void *options, const struct schema *in,
    unsigned fields, struct schema *out, struct error *err)
{
	(void)priv;
	(void)options;
	(void)fields;
	return schema_add(out, "all", &in->fields[0].type, err);
}

static int views_make(void *priv, struct random *random,
    const struct sample *in, uint64_t i, struct sample *out, struct error *err)
{
	const struct tensor *data = &in->fields[0];
	struct shape front = data->shape;

	(void)priv;
	(void)random;
	(void)i;
	(void)err;
	front.dims[0] = 1;
	tensor_view(&out->fields[0], data->dtype, &front, data->data);
	tensor_view(&out->fields[1], data->dtype, &data->shape, data->data);
	return 0;
}

static const struct sample_ops copy_sample = {
	.bind = copy_bind,
	.begin = whole_begin,
	.make = copy_make,
};

static const struct sample_ops views_sample = {
	.bind = views_bind,
	.begin = whole_begin,
	.make = views_make,
};

static const struct step_ops copy_ops = {
	.name = "copy",
	.sample = &copy_sample,
};

static const struct step_ops views_ops = {
	.name = "views",
	.sample = &views_sample,
};

struct setup {
	struct ini ini;
	struct rows_options options[2];
	struct pipeline pipeline;
	struct fake fake;
};

/* Rows of images, and pixels of rows when there are `steps` of them. */
static void set_up(struct setup *s, unsigned steps)
{
	struct error err = ERROR_INIT;
	static const char text[] = "[pipeline]\n";

	*s = (struct setup){ .options = { once, once } };
	test_ok(
	    ini_parse_text(&s->ini, "test.conf", text, sizeof(text) - 1, &err),
	    &err);
	s->pipeline.ini = &s->ini;
	for (unsigned i = 0; i < steps; i++)
		s->pipeline.steps[i] = (struct pipeline_step){
			.name = i ? "pixels" : "rows",
			.ops = &rows_ops,
			.options = &s->options[i],
			.random = true,
			.given = i,
		};
	s->pipeline.count = steps;
	fake_init(&s->fake, 1, 1);
	test_ok(
	    pipeline_bind(&s->pipeline, &s->fake.reader.schema, &err), &err);
}

static void tear_down(struct setup *s)
{
	ini_release(&s->ini);
}

static struct chain *open_chain(const struct setup *s)
{
	const struct chain_plan plan = {
		.pipeline = &s->pipeline,
		.to = s->pipeline.count,
	};
	struct error err = ERROR_INIT;
	struct chain *chain = chain_new(&plan, &err);

	assert_non_null(chain);
	return chain;
}

/* An image whose bytes are their places. */
static struct sample image(unsigned char bytes[SIDE * SIDE * 3], int64_t height)
{
	const struct shape shape = { 3, { height, SIDE, 3 } };
	struct sample sample = SAMPLE_INIT;

	for (int i = 0; i < SIDE * SIDE * 3; i++)
		bytes[i] = (unsigned char)i;
	sample.key = (struct span){ (const unsigned char *)"cat", 3 };
	sample.label = 7;
	sample.count = 1;
	tensor_view(&sample.fields[0], DTYPE_U8, &shape, bytes);
	return sample;
}

static void test_chain_gives_several_of_one(void **state)
{
	struct setup s;
	unsigned char bytes[SIDE * SIDE * 3];
	const struct sample in = image(bytes, SIDE);
	struct sample out = SAMPLE_INIT;
	struct error err = ERROR_INIT;
	struct chain *chain;
	char key[32];

	(void)state;
	set_up(&s, 1);
	chain = open_chain(&s);
	test_ok(chain_begin(chain, &in, &err), &err);
	assert_int_equal(chain_count(chain), SIDE);
	for (int i = 0; i < SIDE; i++) {
		assert_true(chain_more(chain));
		assert_int_equal(chain_next(chain, &out, &err), 1);
		snprintf(key, sizeof(key), "cat-%06d", i);
		assert_int_equal(out.key.len, 10);
		assert_memory_equal(out.key.data, key, 10);
		assert_int_equal(out.label, 7);
		assert_int_equal(out.count, 2);
		assert_int_equal(out.fields[0].bytes, SIDE * 3);
		assert_memory_equal(
		    out.fields[0].data, bytes + i * SIDE * 3, SIDE * 3);
		assert_int_equal(*(int64_t *)out.fields[1].data % 1000000, i);
	}
	assert_false(chain_more(chain));
	assert_int_equal(chain_next(chain, &out, &err), 0);
	chain_free(chain);
	sample_release(&out);
	tear_down(&s);
}

static void test_chain_gives_several_of_several(void **state)
{
	struct setup s;
	unsigned char bytes[SIDE * SIDE * 3];
	const struct sample in = image(bytes, SIDE);
	struct sample out = SAMPLE_INIT;
	struct error err = ERROR_INIT;
	struct chain *chain;

	(void)state;
	set_up(&s, 2);
	chain = open_chain(&s);
	for (int again = 0; again < 2; again++) {
		test_ok(chain_begin(chain, &in, &err), &err);
		for (int i = 0; i < SIDE * SIDE; i++) {
			assert_int_equal(chain_next(chain, &out, &err), 1);
			assert_int_equal(out.fields[0].bytes, 3);
			assert_memory_equal(
			    out.fields[0].data, bytes + i * 3, 3);
		}
		assert_memory_equal(out.key.data, "cat-000007-000007", 17);
		assert_int_equal(chain_next(chain, &out, &err), 0);
	}
	chain_free(chain);
	sample_release(&out);
	tear_down(&s);
}

static void test_chain_gives_nothing_of_nothing(void **state)
{
	struct setup s;
	unsigned char bytes[SIDE * SIDE * 3];
	const struct sample in = image(bytes, 0);
	struct sample out = SAMPLE_INIT;
	struct error err = ERROR_INIT;
	struct chain *chain;

	(void)state;
	set_up(&s, 1);
	chain = open_chain(&s);
	test_ok(chain_begin(chain, &in, &err), &err);
	assert_false(chain_more(chain));
	assert_int_equal(chain_next(chain, &out, &err), 0);
	test_error_is(chain_run(chain, &in, &out, &err), &err,
	    "the steps made no sample of it");
	chain_free(chain);
	sample_release(&out);
	tear_down(&s);
}

static void check_admitted(struct chain *chain, const struct sample *in)
{
	struct error run_err = ERROR_INIT, err = ERROR_INIT;
	struct sample out = SAMPLE_INIT;
	const int rc = chain_run(chain, in, &out, &run_err);

	assert_int_equal(chain_admit(chain, in, &err), rc);
	assert_string_equal(err.text, run_err.text);
	assert_int_equal(err.code, run_err.code);
	sample_release(&out);
}

/* The samples that it refuses are those that fail when they run. */
static void test_chain_that_only_copies_admits_samples(void **state)
{
	unsigned char bytes[SIDE * SIDE * 3];
	struct sample in = image(bytes, SIDE);
	struct chain *chain;
	struct setup s;

	(void)state;
	set_up(&s, 0);
	s.pipeline.limits.sample = sizeof(bytes);
	chain = open_chain(&s);
	assert_true(chain_only_copies(chain));
	check_admitted(chain, &in);
	in.fields[0].dtype = DTYPE_I8;
	check_admitted(chain, &in);
	in = image(bytes, SIDE);
	in.count = 2;
	check_admitted(chain, &in);
	chain_free(chain);
	in.count = 1;
	s.pipeline.limits.sample = sizeof(bytes) - 1;
	chain = open_chain(&s);
	check_admitted(chain, &in);
	chain_free(chain);
	tear_down(&s);
}

static void test_chain_goes_on_behind_one_that_fails(void **state)
{
	struct setup s;
	unsigned char bytes[SIDE * SIDE * 3];
	const struct sample in = image(bytes, SIDE);
	struct sample out = SAMPLE_INIT;
	struct error err = ERROR_INIT;
	struct chain *chain;
	int made = 0, failed = 0;

	(void)state;
	set_up(&s, 2);
	s.options[1].bad = 3;
	chain = open_chain(&s);
	test_ok(chain_begin(chain, &in, &err), &err);
	while (chain_more(chain)) {
		const int got = chain_next(chain, &out, &err);

		made += got > 0;
		if (got < 0)
			test_error_is(got, &err, "step rows: row 3 is bad");
		failed += got < 0;
	}
	assert_int_equal(failed, SIDE);
	assert_int_equal(made, SIDE * SIDE - SIDE);
	chain_free(chain);
	sample_release(&out);
	tear_down(&s);
}

/* Memory is exchanged with the output, of which two fields are views. */
static void test_chain_gives_two_views_of_one_memory(void **state)
{
	struct setup s;
	unsigned char bytes[SIDE * SIDE * 3];
	const struct sample in = image(bytes, SIDE);
	struct sample out[2] = { SAMPLE_INIT, SAMPLE_INIT };
	struct error err = ERROR_INIT;
	struct chain *chain;

	(void)state;
	set_up(&s, 2);
	s.pipeline.steps[0].ops = &copy_ops;
	s.pipeline.steps[1].ops = &views_ops;
	test_ok(pipeline_bind(&s.pipeline, &s.fake.reader.schema, &err), &err);
	chain = open_chain(&s);
	for (int again = 0; again < 6; again++) {
		struct sample *to = &out[again % 2];

		test_ok(chain_run(chain, &in, to, &err), &err);
		assert_int_equal(to->fields[0].bytes, SIDE * 3);
		assert_int_equal(to->fields[1].bytes, sizeof(bytes));
		assert_memory_equal(to->fields[0].data, bytes, SIDE * 3);
		assert_memory_equal(to->fields[1].data, bytes, sizeof(bytes));
	}
	chain_free(chain);
	sample_release(&out[0]);
	sample_release(&out[1]);
	tear_down(&s);
}

static void test_chains_share_what_comes_of_one(void **state)
{
	struct setup s;
	unsigned char bytes[SIDE * SIDE * 3];
	const struct sample in = image(bytes, SIDE);
	struct sample out = SAMPLE_INIT;
	struct error err = ERROR_INIT;
	struct chain *chains[2];
	struct chain_split split;
	unsigned seen[SIDE] = { 0 };

	(void)state;
	set_up(&s, 1);
	chains[0] = open_chain(&s);
	chains[1] = open_chain(&s);
	test_ok(chain_begin(chains[0], &in, &err), &err);
	chain_offer(chains[0], &split);
	test_ok(chain_join(chains[1], &split, &err), &err);
	for (int i = 0; i < SIDE; i++) {
		assert_int_equal(chain_next(chains[i % 2], &out, &err), 1);
		seen[*(int64_t *)out.fields[1].data % 1000000]++;
	}
	for (int i = 0; i < SIDE; i++)
		assert_int_equal(seen[i], 1);
	for (int i = 0; i < 2; i++) {
		assert_false(chain_more(chains[i]));
		chain_free(chains[i]);
	}
	sample_release(&out);
	tear_down(&s);
}

/* Both chains make any numbers, in any order, as often as they are asked. */
static void test_chain_makes_the_numbers_of_a_range(void **state)
{
	static const unsigned ranges[][2] = { { 0, 3 }, { 5, 6 }, { 2, 2 },
		{ 3, SIDE }, { 0, SIDE } };
	struct setup s;
	unsigned char bytes[SIDE * SIDE * 3];
	const struct sample in = image(bytes, SIDE);
	struct sample out = SAMPLE_INIT;
	struct error err = ERROR_INIT;
	struct chain *chains[2];
	struct chain_split split;
	int64_t numbers[SIDE];

	(void)state;
	set_up(&s, 1);
	chains[0] = open_chain(&s);
	chains[1] = open_chain(&s);
	test_ok(chain_begin(chains[0], &in, &err), &err);
	for (int i = 0; i < SIDE; i++) {
		assert_int_equal(chain_next(chains[0], &out, &err), 1);
		numbers[i] = *(int64_t *)out.fields[1].data;
	}
	test_ok(chain_begin(chains[0], &in, &err), &err);
	chain_offer(chains[0], &split);
	test_ok(chain_join(chains[1], &split, &err), &err);
	for (size_t r = 0; r < 2 * ARRAY_LEN(ranges); r++) {
		const unsigned *range = ranges[r / 2];
		struct chain *chain = chains[r % 2];

		chain_set_range(chain, range[0], range[1]);
		for (unsigned i = range[0]; i < range[1]; i++) {
			assert_true(chain_more(chain));
			assert_int_equal(chain_next(chain, &out, &err), 1);
			assert_int_equal(
			    *(int64_t *)out.fields[1].data, numbers[i]);
		}
		assert_false(chain_more(chain));
	}
	/* Limits end with the sample. */
	test_ok(chain_begin(chains[0], &in, &err), &err);
	for (int i = 0; i < SIDE; i++)
		assert_int_equal(chain_next(chains[0], &out, &err), 1);
	assert_int_equal(chain_next(chains[0], &out, &err), 0);
	chain_free(chains[0]);
	chain_free(chains[1]);
	sample_release(&out);
	tear_down(&s);
}

/* Sums the hashes of an epoch; counts how many came. */
static uint64_t run_epoch(
    const struct setup *s, struct loader *loader, unsigned *count)
{
	const struct schema *schema = &s->pipeline.schemas[s->pipeline.count];
	struct batch *batch;
	uint64_t sum = 0;

	*count = 0;
	loader_begin(loader, 3, true);
	while ((batch = loader_next(loader)))
		for (unsigned i = 0; i < batch->count; i++) {
			const struct sample *sample = &batch->slots[i];

			sum += sample_hash(sample, schema) ^
			       sample_id(sample->key);
			++*count;
		}
	return sum;
}

static void test_workers_share_one_sample(void **state)
{
	static const unsigned threads[] = { 1, 2, 5 };
	struct setup s;
	struct error err = ERROR_INIT;
	uint64_t first = 0;

	(void)state;
	set_up(&s, 2);
	s.options[0].times = 100;
	for (unsigned t = 0; t < 3; t++)
		for (unsigned streams = 1; streams < 4; streams++) {
			const struct loader_plan plan = {
				.reader = &s.fake.reader,
				.pipeline = &s.pipeline,
				.to = 2,
				.threads = threads[t],
				.batch = 16,
				.seed = 5,
			};
			struct loader *loader;
			unsigned count;
			uint64_t sum;

			fake_init(&s.fake, streams, 1);
			loader = loader_new(&plan, &err);
			assert_non_null(loader);
			for (int e = 0; e < 5; e++) {
				sum = run_epoch(&s, loader, &count);
				test_ok(loader_end(loader, &err), &err);
				assert_int_equal(
				    count, streams * SIDE * SIDE * 100);
				if (streams > 1)
					continue;
				if (first == 0)
					first = sum;
				assert_true(sum == first);
			}
			loader_free(loader);
		}
	tear_down(&s);
}

static void test_workers_skip_and_stop_while_they_share(void **state)
{
	struct setup s;
	struct error err = ERROR_INIT;
	unsigned count;

	(void)state;
	set_up(&s, 1);
	s.options[0] = (struct rows_options){ .times = 500, .bad = 1000 };
	for (int skip = 0; skip < 2; skip++) {
		const struct loader_plan plan = {
			.reader = &s.fake.reader,
			.pipeline = &s.pipeline,
			.to = 1,
			.threads = 3,
			.batch = 4,
			.skip_errors = skip,
		};
		struct loader *loader = loader_new(&plan, &err);

		assert_non_null(loader);
		for (int e = 0; e < 20; e++) {
			run_epoch(&s, loader, &count);
			if (skip) {
				test_ok(loader_end(loader, &err), &err);
				assert_int_equal(count, SIDE * 500 - 1);
				assert_int_equal(loader_skipped(loader), 1);
			} else {
				test_error_is(loader_end(loader, &err), &err,
				    "sample 00000000: step rows: row 1000 is "
				    "bad");
			}
			/* And ended early, with others at work. */
			loader_begin(loader, 1, false);
			loader_next(loader);
			loader_end(loader, &err);
			err = (struct error)ERROR_INIT;
		}
		loader_free(loader);
	}
	tear_down(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_chain_gives_several_of_one),
		cmocka_unit_test(test_chain_gives_several_of_several),
		cmocka_unit_test(test_chain_gives_nothing_of_nothing),
		cmocka_unit_test(test_chain_that_only_copies_admits_samples),
		cmocka_unit_test(test_chain_goes_on_behind_one_that_fails),
		cmocka_unit_test(test_chain_gives_two_views_of_one_memory),
		cmocka_unit_test(test_chains_share_what_comes_of_one),
		cmocka_unit_test(test_chain_makes_the_numbers_of_a_range),
		cmocka_unit_test(test_workers_share_one_sample),
		cmocka_unit_test(test_workers_skip_and_stop_while_they_share),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
