/* test_pair.c - two fused steps on whole samples. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/audio/rate.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/random.h"
#include "lib/pipeline/chain.h"
#include "lib/syntax/ini.h"
#include "test/unit/test.h"
#include "test/unit/twins.h"

enum { TEXT = 512, LONGEST = 6000 };

/* What runs as one is traced, too. */
static int open_traced(struct twins *twins, struct chain_trace *trace,
    const char *text, const struct schema *schema)
{
	*trace = (struct chain_trace){ .again = 0 };
	if (twins_open(twins, text, schema, NULL))
		return -1;
	chain_set_trace(twins->together, trace);
	return 0;
}

/* A recording, field 1, its rate, and a text before. */
struct recorded {
	struct schema schema;
	struct sample sample;
	int32_t rate;
	int16_t words[LONGEST];
};

static void record(struct recorded *r)
{
	const struct type data = { .dtype = DTYPE_I16, .shape = { 1, { -1 } } };
	const struct type text = { .dtype = DTYPE_U8, .shape = { 1, { -1 } } };
	struct error err = ERROR_INIT;
	unsigned field;

	memset(r, 0, sizeof(*r));
	for (size_t i = 0; i < LONGEST; i++)
		r->words[i] =
		    (int16_t)lround(9000 * sin(0.3 * (double)i + 0.1));
	test_ok(schema_add(&r->schema, "text", &text, &err), &err);
	test_ok(schema_add(&r->schema, "data", &data, &err), &err);
	test_ok(audio_rate_add(&r->schema, &field, &err), &err);
	r->sample = (struct sample){
		.label = 7,
		.count = r->schema.count,
		.key = span_text("key"),
	};
	tensor_view(
	    &r->sample.fields[0], DTYPE_U8, &(struct shape){ 1, { 3 } }, "abc");
	tensor_view(
	    &r->sample.fields[2], DTYPE_I32, &(struct shape){ 0 }, &r->rate);
}

static void cut(struct recorded *r, size_t count, int32_t rate)
{
	tensor_view(&r->sample.fields[1], DTYPE_I16,
	    &(struct shape){ 1, { (int64_t)count } }, r->words);
	r->rate = rate;
}

static void check_equal(const struct sample *want, const struct sample *got)
{
	assert_int_equal(want->count, got->count);
	assert_int_equal(want->label, got->label);
	for (unsigned f = 0; f < want->count; f++) {
		const struct tensor *w = &want->fields[f];
		const struct tensor *g = &got->fields[f];

		assert_int_equal(w->dtype, g->dtype);
		assert_true(shape_equal(&w->shape, &g->shape));
		assert_memory_equal(w->data, g->data, w->bytes);
	}
}

/* Both give the same, or say the same. */
static int compare(struct twins *twins, const struct sample *in, uint64_t seed)
{
	struct sample want = SAMPLE_INIT, got = SAMPLE_INIT;
	struct error err = ERROR_INIT, paired_err = ERROR_INIT;
	int rc;

	chain_set_draw(twins->alone, seed, 1);
	chain_set_draw(twins->together, seed, 1);
	rc = chain_run(twins->alone, in, &want, &err);
	if (rc) {
		test_error_is(chain_run(twins->together, in, &got, &paired_err),
		    &paired_err, err.text);
	} else {
		test_ok(chain_run(twins->together, in, &got, &err), &err);
		check_equal(&want, &got);
	}
	sample_release(&want);
	sample_release(&got);
	return rc;
}

static unsigned below(struct random *random, unsigned bound)
{
	return random_below(random, bound);
}

static void write_pipeline(struct random *random, char text[TEXT])
{
	static const char *const between[] = { "", "", "", "same = identity\n",
		"same = log\n" };
	static const char *const behind[] = { "", "log = log field=data\n",
		"mask = time_mask field=data max=9\n",
		"mask = freq_mask field=data max=9 count=2\n" };
	static const char *const edges[] = { "pad=no", "pad=yes",
		"center=yes" };
	const unsigned window = 16 + below(random, 300);

	snprintf(text, TEXT,
	    "[pipeline]\n"
	    "stft = spectrogram field=data window=%u hop=%u %s "
	    "power=%u\n%smel = mel field=data bins=%u fmax=%u\n%s",
	    window, 1 + below(random, window), edges[below(random, 3)],
	    1 + below(random, 2), between[below(random, 5)],
	    1 + below(random, 90), below(random, 2) ? 0 : 3000,
	    behind[below(random, 4)]);
}

static void test_pair_gives_the_same_bytes(void **state)
{
	struct random random = random_stream(29, 0, 0, 0);
	struct recorded *r = malloc(sizeof(*r));
	unsigned paired = 0, compared = 0;

	UNUSED(state);
	assert_non_null(r);
	record(r);
	for (unsigned i = 0; i < 400; i++) {
		struct fused_steps group;
		struct chain_trace trace;
		struct twins twins;
		char text[TEXT];

		write_pipeline(&random, text);
		if (open_traced(&twins, &trace, text, &r->schema))
			continue;
		paired += chain_get_fused(twins.together, 0, &group);
		for (unsigned k = 0; k < 5; k++) {
			cut(r, below(&random, LONGEST),
			    8000 + 4000 * (int)below(&random, 4));
			test_ok(compare(&twins, &r->sample, i),
			    &(struct error)ERROR_INIT);
			compared++;
		}
		assert_int_equal(trace.again, 0);
		twins_close(&twins);
	}
	print_message("%u compared, %u pairs\n", compared, paired);
	assert_true(paired > 150);
	assert_true(compared > 1000);
	free(r);
}

static void test_pair_is_told_and_its_time_divided(void **state)
{
	struct recorded *r = malloc(sizeof(*r));
	struct fused_steps group;
	struct stopwatch watch;
	struct chain_trace trace;
	struct twins twins;
	struct sampling pace;

	UNUSED(state);
	assert_non_null(r);
	record(r);
	cut(r, LONGEST, 16000);
	assert_int_equal(
	    open_traced(&twins, &trace,
	        "[pipeline]\nsame = identity\nstft = spectrogram field=data\n"
	        "mel = mel field=data\nlog = log field=data\n",
	        &r->schema),
	    0);
	assert_true(chain_get_fused(twins.together, 0, &group));
	assert_int_equal(group.count, 2);
	assert_int_equal(group.steps[0], 1);
	assert_int_equal(group.steps[1], 2);
	assert_int_equal(group.field, 1);
	assert_true(group.is_fused_pair);
	assert_false(chain_get_fused(twins.together, 1, &group));
	assert_false(chain_get_fused(twins.alone, 0, &group));
	stopwatch_init(&watch, &clock_monotonic, &clock_thread_cpu,
	    random_stream(1, 0, 0, 0));
	sampling_init(&pace);
	trace.watch = &watch;
	for (unsigned i = 0; i < 20; i++) {
		stopwatch_start(&watch, &pace);
		compare(&twins, &r->sample, i);
		stopwatch_stop(&watch);
	}
	assert_true(trace.steps[1].cpu_ns > trace.steps[2].cpu_ns);
	assert_true(trace.steps[2].cpu_ns > 0);
	twins_close(&twins);
	free(r);
}

/* Fields that differ, something in between, another order: no pair. */
static void test_pair_wants_neighbours_on_one_field(void **state)
{
	static const char *const pipelines[] = {
		"stft = spectrogram field=data\nlog = log field=data\n"
		"mel = mel field=data\n",
		"stft = spectrogram field=data\n",
		"stft = spectrogram field=data\nmask = time_mask field=data "
		"max=9\n"
		"mel = mel field=data\n",
	};
	struct recorded *r = malloc(sizeof(*r));

	UNUSED(state);
	assert_non_null(r);
	record(r);
	cut(r, LONGEST, 16000);
	for (size_t i = 0; i < ARRAY_LEN(pipelines); i++) {
		struct fused_steps group;
		struct chain_trace trace;
		struct twins twins;
		char text[TEXT];

		snprintf(text, TEXT, "[pipeline]\n%s", pipelines[i]);
		assert_int_equal(
		    open_traced(&twins, &trace, text, &r->schema), 0);
		assert_false(chain_get_fused(twins.together, 0, &group));
		assert_int_equal(compare(&twins, &r->sample, i), 0);
		twins_close(&twins);
	}
	free(r);
}

/* A rate that the bands do not fit: mel says so, as it would alone. */
static void test_pair_fails_in_the_words_of_its_steps(void **state)
{
	struct recorded *r = malloc(sizeof(*r));
	struct chain_trace trace;
	struct twins twins;

	UNUSED(state);
	assert_non_null(r);
	record(r);
	assert_int_equal(open_traced(&twins, &trace,
	                     "[pipeline]\nstft = spectrogram field=data\n"
	                     "mel = mel field=data fmax=6000\n",
	                     &r->schema),
	    0);
	cut(r, LONGEST, 8000);
	assert_int_equal(compare(&twins, &r->sample, 1), -1);
	cut(r, LONGEST, 0);
	assert_int_equal(compare(&twins, &r->sample, 1), -1);
	cut(r, LONGEST, 16000);
	assert_int_equal(compare(&twins, &r->sample, 1), 0);
	twins_close(&twins);
	free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pair_gives_the_same_bytes),
		cmocka_unit_test(test_pair_is_told_and_its_time_divided),
		cmocka_unit_test(test_pair_wants_neighbours_on_one_field),
		cmocka_unit_test(test_pair_fails_in_the_words_of_its_steps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
