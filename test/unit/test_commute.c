/*
 * test_commute.c - which steps may change places: every pair that is said to
 * commute is run in both orders, on several kinds of data.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/pipeline/commute.h"
#include "lib/sample/difference.h"
#include "lib/steps/step.h"
#include "test/unit/chained.h"
#include "test/unit/stepper.h"
#include "test/unit/test.h"

enum { EPOCHS = 4, LINES = 256 };

/* Rounding twice in place of once costs no more than this. */
static const double least_psnr_db = 45;

/* Steps of all kinds, with options that make a difference. */
static const char *const steps[] = {
	"center",
	"center_crop size=20x24",
	"embed dim=4 tokens=300",
	"gaussian_blur kernel=5",
	"gaussian_blur kernel=7 sigma=1",
	"grayscale",
	"hflip",
	"identity",
	"log",
	"normalize mean=0.5 std=0.25",
	"normalize mean=0.4,0.5,0.6 std=0.1,0.2,0.3",
	"pad length=64 value=3",
	"random_crop size=16",
	"random_crop size=16 padding=4 padding_mode=reflect",
	"random_resized_crop size=16",
	"random_resized_crop size=16 filter=nearest",
	"resize size=24x20",
	"resize size=50x60 filter=box",
	"resize shorter=20 filter=nearest",
	"to_chw",
	"to_float",
	"to_float scale=no",
	"to_half",
	"truncate length=5",
	"vflip",
};

/* ---- data ---- */

struct data {
	struct type type;
	struct tensor tensor;
};

/* Slopes with a little noise: what photographs are like. */
static void fill(struct tensor *tensor)
{
	const size_t count = shape_elements(&tensor->shape);
	unsigned char *bytes = tensor->data;
	float *floats = tensor->data;
	int32_t *tokens = tensor->data;

	for (size_t i = 0; i < count; i++) {
		const unsigned value =
		    (unsigned)((i * 3 / 7 + i * i % 13) % 200 + 20);

		if (tensor->dtype == DTYPE_U8)
			bytes[i] = (unsigned char)value;
		else if (tensor->dtype == DTYPE_F32)
			floats[i] = (float)value / 256;
		else
			tokens[i] = (int32_t)value;
	}
}

static struct data make_data(
    enum dtype dtype, enum layout layout, const struct shape *shape)
{
	struct data data = {
		.type = { .dtype = dtype, .layout = layout, .shape = *shape },
		.tensor = TENSOR_INIT,
	};
	struct error err = ERROR_INIT;

	test_ok(tensor_reshape(&data.tensor, dtype, shape, &err), &err);
	fill(&data.tensor);
	return data;
}

/* ---- both orders ---- */

/* Runs the two steps, exchanged; false: they cannot be bound so. */
static bool run_exchanged(const struct chained *chained,
    const struct data *data, uint32_t epoch, struct sample *out)
{
	static const unsigned char exchanged[PIPELINE_STEPS] = { 1, 0 };
	struct pipeline *pipeline = calloc(1, sizeof(*pipeline));
	struct error err = ERROR_INIT;
	const struct sample in = {
		.key = span_text("key"),
		.label = -1,
		.count = 1,
		.fields = { data->tensor },
	};
	const struct chain_plan plan = { .pipeline = pipeline, .to = 2 };
	struct chain *chain = NULL;
	bool fits;

	assert_non_null(pipeline);
	pipeline_permute(pipeline, &chained->pipeline, exchanged);
	fits =
	    pipeline_bind(pipeline, &chained->pipeline.schemas[0], &err) == 0;
	if (fits) {
		chain = chain_new(&plan, &err);
		test_ok(chain ? 0 : -1, &err);
		chain_set_draw(chain, 7, epoch);
		test_ok(chain_run(chain, &in, out, &err), &err);
	}
	chain_free(chain);
	free(pipeline);
	return fits;
}

static void compare(const char *lines, enum commute how, const struct tensor *a,
    const struct tensor *b)
{
	struct difference difference = { .count = 0 };
	double psnr_db;

	if (difference_add(&difference, a, b))
		fail_msg("%s: exchanged, the output has another form", lines);
	psnr_db = difference_psnr_db(&difference);
	if (how == COMMUTE_EXACT && memcmp(a->data, b->data, a->bytes) != 0)
		fail_msg("%s: not exact, but %.1f dB", lines, psnr_db);
	if (psnr_db < least_psnr_db)
		fail_msg("%s: %.1f dB is no rounding", lines, psnr_db);
}

static enum step_kind kind_of(const struct pipeline_step *step)
{
	return step->ops->find_kind ? step->ops->find_kind(step->options)
	                            : step->ops->kind;
}

/* Kinds that were exchanged by some pair of steps. */
static bool seen[KIND_COUNT][KIND_COUNT];

static void exchange(const char *one, const char *two, const struct data *data)
{
	struct error err = ERROR_INIT;
	struct sample out = SAMPLE_INIT;
	struct chained chained;
	char lines[LINES];
	enum commute how;

	snprintf(lines, sizeof(lines), "a = %s\nb = %s", one, two);
	if (chained_open(&chained, lines, &data->type, NULL, &err))
		goto done; /* the second does not take what the first gives */
	how = commute_steps(
	    &chained.pipeline.steps[0], &chained.pipeline.steps[1]);
	for (uint32_t epoch = 0; how != COMMUTE_NOT && epoch < EPOCHS;
	     epoch++) {
		if (!run_exchanged(&chained, data, epoch, &out))
			goto done;
		chain_set_draw(chained.chain, 7, epoch);
		test_ok(
		    chained_run(&chained, &data->tensor, "key", &err), &err);
		compare(lines, how, &chained.out.fields[0], &out.fields[0]);
		seen[kind_of(&chained.pipeline.steps[0])]
		    [kind_of(&chained.pipeline.steps[1])] = true;
	}
done:
	sample_release(&out);
	chained_close(&chained);
}

static void test_commute_holds_on_data(void **state)
{
	const struct shape image = { 3, { 33, 41, 3 } };
	const struct shape planes = { 3, { 3, 33, 41 } };
	const struct shape table = { 2, { 12, 3 } }, list = { 1, { 9 } };
	struct data data[] = {
		make_data(DTYPE_U8, LAYOUT_HWC, &image),
		make_data(DTYPE_F32, LAYOUT_HWC, &image),
		make_data(DTYPE_U8, LAYOUT_CHW, &planes),
		make_data(DTYPE_F32, LAYOUT_PLAIN, &table),
		make_data(DTYPE_I32, LAYOUT_PLAIN, &list),
	};

	(void)state;
	for (size_t d = 0; d < ARRAY_LEN(data); d++)
		for (size_t i = 0; i < ARRAY_LEN(steps); i++)
			for (size_t k = 0; k < ARRAY_LEN(steps); k++)
				exchange(steps[i], steps[k], &data[d]);
	/* No rule is without an example. */
	for (unsigned a = KIND_CAST; a < KIND_LOOK; a++)
		for (unsigned b = KIND_CAST; b < KIND_LOOK; b++)
			if (commute_kinds((enum step_kind)a,
			        (enum step_kind)b) != COMMUTE_NOT &&
			    !seen[a][b] && !seen[b][a])
				fail_msg(
				    "kinds %u and %u were not tried", a, b);
	for (size_t d = 0; d < ARRAY_LEN(data); d++)
		tensor_release(&data[d].tensor);
}

/* ---- what does not commute ---- */

static enum commute commute_of(const char *one, const char *two)
{
	const struct type pixels = chained_pixels();
	struct error err = ERROR_INIT;
	struct chained chained;
	char lines[LINES];
	enum commute how;

	snprintf(lines, sizeof(lines), "a = %s\nb = %s", one, two);
	test_ok(chained_open(&chained, lines, &pixels, NULL, &err), &err);
	how = commute_steps(
	    &chained.pipeline.steps[0], &chained.pipeline.steps[1]);
	assert_int_equal(how, commute_steps(&chained.pipeline.steps[1],
	                          &chained.pipeline.steps[0]));
	chained_close(&chained);
	return how;
}

static void test_commute_knows_traps(void **state)
{
	static const struct {
		const char *one, *two;
		enum commute how;
	} cases[] = {
		{ "pad length=800", "center", COMMUTE_NOT },
		{ "random_crop size=8 padding=2", "center", COMMUTE_NOT },
		{ "random_crop size=8 padding=2 padding_mode=edge", "center",
		    COMMUTE_EXACT },
		{ "center_crop size=8", "hflip", COMMUTE_NOT },
		{ "random_crop size=8", "hflip chance=1", COMMUTE_NOT },
		{ "resize size=8 filter=nearest", "hflip", COMMUTE_NOT },
		{ "resize size=8", "center_crop size=8", COMMUTE_NOT },
		{ "resize size=8 filter=lanczos", "center", COMMUTE_NOT },
		{ "resize size=8 filter=lanczos", "grayscale", COMMUTE_NOT },
		{ "random_resized_crop size=8", "center", COMMUTE_ROUNDING },
		{ "random_resized_crop size=8", "hflip", COMMUTE_NOT },
		{ "grayscale", "normalize mean=0.5 std=0.5", COMMUTE_ROUNDING },
		{ "color_jitter hue=0.1", "hflip", COMMUTE_NOT },
		{ "hflip", "vflip", COMMUTE_EXACT },
		{ "random_crop size=8", "center", COMMUTE_EXACT },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		if (commute_of(cases[i].one, cases[i].two) != cases[i].how)
			fail_msg("%s, %s", cases[i].one, cases[i].two);
}

static void test_commute_says_it_in_words(void **state)
{
	struct error err = ERROR_INIT;
	struct buf text = BUF_INIT;

	(void)state;
	test_ok(commute_words(KIND_BLEND, &text, &err), &err);
	assert_string_equal((const char *)text.data,
	    "up to rounding: casts, scaling, scaling by channel, grayscale, "
	    "flips");
	text.len = 0;
	test_ok(commute_words(KIND_OTHER, &text, &err), &err);
	assert_int_equal(text.len, 0);
	buf_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_commute_holds_on_data),
		cmocka_unit_test(test_commute_knows_traps),
		cmocka_unit_test(test_commute_says_it_in_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
