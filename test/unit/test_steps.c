/* test_steps.c - rules for every step of the table. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/steps/step.h"
#include "lib/syntax/option.h"
#include "test/unit/jpeg_maker.h"
#include "test/unit/png_maker.h"
#include "test/unit/stepper.h"
#include "test/unit/test.h"
#include "test/unit/vocabulary_maker.h"

static char bpe_words[512]; /* with the vocabulary of this run */

/* Options without which a step cannot be bound. */
static const struct {
	const char *step, *words;
} needed[] = {
	{ "bpe", bpe_words },
	{ "center_crop", "center_crop size=9x11" },
	{ "color_jitter", "color_jitter brightness=0.4 contrast=0.3 hue=0.2" },
	{ "freq_mask", "freq_mask max=5" },
	{ "gaussian_blur", "gaussian_blur kernel=5" },
	{ "embed", "embed dim=5 tokens=256" },
	{ "hdf5", "hdf5 datasets=/v,/i" },
	{ "normalize", "normalize mean=0.5 std=0.2" },
	{ "pad", "pad length=50 value=1" },
	{ "random_crop", "random_crop size=9x11" },
	{ "random_resized_crop", "random_resized_crop size=9x11" },
	{ "resize", "resize shorter=13" },
	{ "rms", "rms period=7" },
	{ "time_mask", "time_mask max=5" },
	{ "truncate", "truncate length=20" },
	{ "utf8", "utf8 invalid=replace" },
};

static const char *words_for(const struct step_ops *ops)
{
	for (size_t i = 0; i < ARRAY_LEN(needed); i++)
		if (strcmp(needed[i].step, ops->name) == 0)
			return needed[i].words;
	return ops->name;
}

/* Types, one of which each step of the table takes, with a tensor of it. */
struct offer {
	struct type type;
	struct tensor tensor;
};

enum { OFFERS = 14, TOKENS = 30 };

/* Steps that read files of one format: what its offer's suffix is. */
static const struct {
	const char *step, *suffix;
} formats[] = {
	{ "features", "features" },
	{ "aggregate", "mains" },
	{ "csv", "csv" },
	{ "hdf5", "hdf5" },
	{ "image_decode", "jpg" },
	{ "jpeg_decode", "jpg" },
	{ "parse_edges", "edges" },
	{ "parse_labels", "labels" },
	{ "png_decode", "png" },
};

/* Is it of another format, which is only seen when it runs? */
static bool is_foreign(const struct step_ops *ops, const struct offer *offer)
{
	for (size_t i = 0; i < ARRAY_LEN(formats); i++)
		if (strcmp(formats[i].step, ops->name) == 0 &&
		    strcmp(formats[i].suffix, offer->type.suffix) != 0)
			return true;
	return false;
}

/* A JPEG file that owns its bytes. */
static void make_photograph(struct tensor *tensor)
{
	struct tensor pixels = TENSOR_INIT, view = TENSOR_INIT;
	struct jpeg_wish wish = { .kind = JPEG_YCC, .height = 30, .width = 20 };
	struct error err = ERROR_INIT;
	struct buf file = BUF_INIT;

	stepper_noise(&pixels, DTYPE_U8, 30, 20, 3);
	wish.pixels = pixels.data;
	wish.orientation = 6;
	jpeg_make(&wish, &file);
	tensor_view_encoded(&view, file.data, file.len, "jpg");
	test_ok(tensor_copy(tensor, &view, &err), &err);
	buf_release(&file);
	tensor_release(&pixels);
}

/* The same of PNG. */
static void make_picture(struct tensor *tensor)
{
	const struct png_wish wish = {
		.kind = PNG_RGBA,
		.depth = 8,
		.height = 20,
		.width = 30,
	};
	struct tensor view = TENSOR_INIT;
	struct error err = ERROR_INIT;
	struct buf file = BUF_INIT;
	uint16_t *pixels;

	png_make(&wish, &file, &pixels);
	tensor_view_encoded(&view, file.data, file.len, "png");
	test_ok(tensor_copy(tensor, &view, &err), &err);
	buf_release(&file);
	free(pixels);
}

static void make_tokens(struct offer *offer)
{
	const struct shape shape = { 1, { TOKENS } };
	struct error err = ERROR_INIT;

	offer->type.dtype = DTYPE_I32;
	offer->type.shape = (struct shape){ 1, { -1 } };
	test_ok(tensor_reshape(&offer->tensor, DTYPE_I32, &shape, &err), &err);
	for (int32_t i = 0; i < TOKENS; i++)
		((int32_t *)offer->tensor.data)[i] = i * 37 % 256;
}

static void make_text(struct offer *offer, const char *suffix, const char *text)
{
	struct tensor view = TENSOR_INIT;
	struct error err = ERROR_INIT;

	offer->type.layout = LAYOUT_ENCODED;
	offer->type.shape = (struct shape){ 1, { -1 } };
	memcpy(offer->type.suffix, suffix, strlen(suffix) + 1);
	tensor_view_encoded(&view, text, strlen(text), suffix);
	test_ok(tensor_copy(&offer->tensor, &view, &err), &err);
}

/* The edges of a graph. */
static void make_pairs(struct offer *offer)
{
	static const int32_t pairs[] = { 0, 1, 1, 2, 2, 0, 1, 0, 4, 4 };
	const struct shape shape = { 2, { 5, 2 } };
	struct tensor view = TENSOR_INIT;
	struct error err = ERROR_INIT;

	offer->type.dtype = DTYPE_I32;
	offer->type.shape = (struct shape){ 2, { -1, 2 } };
	tensor_view(&view, DTYPE_I32, &shape, pairs);
	test_ok(tensor_copy(&offer->tensor, &view, &err), &err);
}

/* A file that a test or a fuzzer has. */
static void make_file(struct offer *offer, const char *dir, const char *name)
{
	struct tensor view = TENSOR_INIT;
	struct error err = ERROR_INIT;
	struct buf file = BUF_INIT;

	test_read_file(dir, name, &file);
	tensor_view_encoded(&view, file.data, file.len, strchr(name, '.') + 1);
	test_ok(tensor_copy(&offer->tensor, &view, &err), &err);
	buf_release(&file);
	offer->type.layout = LAYOUT_ENCODED;
	offer->type.shape = (struct shape){ 1, { -1 } };
	memcpy(offer->type.suffix, view.suffix, sizeof(view.suffix));
}

/* Voltage and current. */
static void make_signals(struct offer *offer)
{
	offer->type = (struct type){
		.dtype = DTYPE_F32,
		.shape = { .count = 2, .dims = { 2, -1 } },
		.suffix = "mains", /* no file's, but others are told apart */
	};
	stepper_noise(&offer->tensor, DTYPE_F32, 2, 1000, 1);
	offer->tensor.shape.count = 2;
}

static void make_offers(struct offer offers[OFFERS])
{
	memset(offers, 0, OFFERS * sizeof(*offers));
	offers[0].type = stepper_image_type(DTYPE_U8, 3);
	stepper_noise(&offers[0].tensor, DTYPE_U8, 40, 50, 3);
	offers[1].type = stepper_image_type(DTYPE_F32, 3);
	stepper_noise(&offers[1].tensor, DTYPE_F32, 40, 50, 3);
	offers[2].type.layout = LAYOUT_ENCODED;
	offers[2].type.shape = (struct shape){ 1, { -1 } };
	memcpy(offers[2].type.suffix, "jpg", sizeof("jpg"));
	make_photograph(&offers[2].tensor);
	offers[3].type = stepper_planes_type(DTYPE_U8, 3);
	stepper_noise(&offers[3].tensor, DTYPE_U8, 3, 40, 50);
	offers[4].type = offers[2].type;
	memcpy(offers[4].type.suffix, "png", sizeof("png"));
	make_picture(&offers[4].tensor);
	make_tokens(&offers[5]);
	offers[6].type.dtype = DTYPE_F32;
	offers[6].type.shape = (struct shape){ 2, { -1, 50 } };
	stepper_noise(&offers[6].tensor, DTYPE_F32, 40, 50, 1);
	offers[6].tensor.shape.count = 2;
	make_text(&offers[7], "edges", "# comment\n0 1\n\n1 2\n7 3");
	make_text(&offers[8], "features", "# 4 9\n0 1:1 8:0.5\n3 0:2\n");
	make_pairs(&offers[9]);
	make_signals(&offers[10]);
	make_file(&offers[11], "test/data", "small.hdf5");
	make_text(&offers[13], "labels", "# of nodes\n1 7\n0 2\n2 0\n");
	make_file(&offers[12], "test/fuzz/corpus/csv", "names.csv");
}

static void release_offers(struct offer offers[OFFERS])
{
	for (size_t i = 0; i < OFFERS; i++)
		tensor_release(&offers[i].tensor);
}

/* Works on one tensor, in this build: others have tests of their own. */
static bool is_on_tensors(const struct step_ops *ops)
{
	return ops->bind != NULL && !ops->own;
}

/* Calls `check` for each step with each offer that it takes. */
typedef void step_check(struct stepper *stepper, const struct offer *offer);

static void each_step(step_check *check)
{
	const struct step_ops *ops;
	struct offer offers[OFFERS];

	make_offers(offers);
	for (size_t i = 0; (ops = step_at(i)) != NULL; i++) {
		unsigned taken = 0;

		if (!is_on_tensors(ops))
			continue;
		for (size_t k = 0; k < OFFERS; k++) {
			struct error err = ERROR_INIT;
			struct stepper stepper;

			if (stepper_open(&stepper, words_for(ops),
			        &offers[k].type, &err) == 0 &&
			    !is_foreign(ops, &offers[k])) {
				check(&stepper, &offers[k]);
				taken++;
			}
			stepper_close(&stepper);
		}
		if (!taken)
			fail_msg("%s takes none of the types", ops->name);
	}
	release_offers(offers);
}

static bool is_word(const char *text)
{
	return *text && strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_") ==
	                    strlen(text);
}

static bool is_phrase(const char *text)
{
	const size_t len = text ? strlen(text) : 0;

	return len > 0 && text[len - 1] != '.' && !strchr(text, '\n');
}

static void test_steps_table_is_in_order_and_in_words(void **state)
{
	const struct step_ops *before = NULL, *ops;

	UNUSED(state);
	for (size_t i = 0; (ops = step_at(i)) != NULL; before = ops, i++) {
		assert_true(is_word(ops->name));
		assert_ptr_equal(step_find(ops->name), ops);
		if (before)
			assert_true(strcmp(before->name, ops->name) < 0);
		if (ops->needs)
			continue;
		assert_true(!ops->bind == !!ops->sample);
		if (!is_phrase(ops->summary) || !is_phrase(ops->in) ||
		    !is_phrase(ops->out) || isupper(ops->summary[0]))
			fail_msg("words of %s", ops->name);
	}
	assert_null(step_find("jpg_decode"));
	assert_null(step_find(""));
}

static void test_steps_options_are_in_order_and_in_words(void **state)
{
	const struct step_ops *ops;

	UNUSED(state);
	for (size_t i = 0; (ops = step_at(i)) != NULL; i++) {
		const struct option *o = ops->options;

		assert_int_equal(!o, !ops->options_size);
		for (; o && o->type != OPTION_END; o++) {
			assert_true(is_word(o->name));
			assert_true(is_phrase(o->help));
			assert_true(is_phrase(o->arg));
			assert_true(o->offset < ops->options_size);
			if (o > ops->options)
				assert_true(strcmp(o[-1].name, o->name) < 0);
		}
	}
}

/* Options that only the reader of pipelines knows. */
static void test_steps_leave_reserved_options_alone(void **state)
{
	static const char *const reserved[] = { "after", "field", "fixed",
		"lossy", "random" };
	const struct step_ops *ops;

	UNUSED(state);
	for (size_t i = 0; (ops = step_at(i)) != NULL; i++)
		for (size_t k = 0; k < ARRAY_LEN(reserved); k++)
			assert_true(!ops->options ||
			            !option_find(ops->options, reserved[k]));
}

static void test_steps_refuse_in_words(void **state)
{
	struct offer offers[OFFERS];
	const struct step_ops *ops;

	UNUSED(state);
	make_offers(offers);
	for (size_t i = 0; (ops = step_at(i)) != NULL; i++)
		for (size_t k = 0; is_on_tensors(ops) && k < OFFERS; k++) {
			struct error err = ERROR_INIT;
			struct stepper stepper;

			if (stepper_open(&stepper, words_for(ops),
			        &offers[k].type, &err)) {
				assert_int_equal(err.code, ERROR_USAGE);
				test_contains(err.text, "takes ");
				test_contains(err.text, "not ");
			}
			stepper_close(&stepper);
		}
	release_offers(offers);
}

static void test_steps_on_images_refuse_files(void **state)
{
	static const struct type file = { DTYPE_U8, LAYOUT_ENCODED,
		{ 1, { -1 } }, "jpg" };
	static const char *const images[] = { "center_crop size=1", "grayscale",
		"hflip", "random_crop size=1", "random_resized_crop size=1",
		"resize size=1", "to_chw", "normalize mean=1,2 std=1" };

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(images); i++) {
		struct error err = ERROR_INIT;
		struct stepper stepper;

		assert_int_equal(
		    stepper_open(&stepper, images[i], &file, &err), -1);
		test_contains(err.text, "not jpg bytes");
		stepper_close(&stepper);
	}
}

/* stepper_run checks it. */
static void check_promise(struct stepper *stepper, const struct offer *offer)
{
	struct error err = ERROR_INIT;
	struct tensor out = TENSOR_INIT;

	for (uint64_t seed = 0; seed < 8; seed++)
		test_ok(stepper_run(stepper, seed, &offer->tensor, &out, &err),
		    &err);
	tensor_release(&out);
}

static void test_steps_give_what_bind_promised(void **state)
{
	UNUSED(state);
	each_step(check_promise);
}

static bool is_same(const struct tensor *a, const struct tensor *b)
{
	return a->dtype == b->dtype && shape_equal(&a->shape, &b->shape) &&
	       memcmp(a->data, b->data, a->bytes) == 0;
}

static void check_repeats(struct stepper *stepper, const struct offer *offer)
{
	struct error err = ERROR_INIT;
	struct tensor first = TENSOR_INIT, out = TENSOR_INIT;
	unsigned different = 0;

	test_ok(stepper_run(stepper, 0, &offer->tensor, &first, &err), &err);
	for (uint64_t seed = 1; seed < 20; seed++) {
		test_ok(stepper_run(stepper, seed, &offer->tensor, &out, &err),
		    &err);
		different += !is_same(&first, &out);
	}
	test_ok(stepper_run(stepper, 0, &offer->tensor, &out, &err), &err);
	assert_true(is_same(&first, &out));
	if (step_draws(stepper->ops, stepper->options) != (different > 0))
		fail_msg("%s: random, but is not, or the other way round",
		    stepper->ops->name);
	tensor_release(&first);
	tensor_release(&out);
}

static void test_steps_give_the_same_for_the_same_draw(void **state)
{
	UNUSED(state);
	each_step(check_repeats);
}

/* Options that leave nothing to chance, and some that nearly do. */
static const struct {
	const char *words;
	bool is_certain;
} chances[] = {
	{ "hflip chance=1", true },
	{ "hflip chance=0", true },
	{ "hflip chance=0.999", false },
	{ "vflip chance=1", true },
	{ "vflip chance=0", true },
	{ "vflip", false },
	{ "gaussian_blur kernel=5 sigma=1", true },
	{ "gaussian_blur kernel=5 sigma=1,1", true },
	{ "gaussian_blur kernel=5 sigma=1,1.5", false },
	{ "color_jitter brightness=0", true },
	{ "color_jitter contrast=0.5,0.5", true },
	{ "color_jitter hue=0.2,0.2", true },
	{ "color_jitter brightness=0 contrast=0 saturation=0", true },
	/* Their order is drawn. */
	{ "color_jitter brightness=1.5,1.5 contrast=0.5,0.5", false },
	{ "color_jitter hue=0.1", false },
	{ "random_erasing chance=0", true },
	{ "random_erasing chance=1", false },
	{ "random_crop size=9", false },
};

static void check_chance(
    struct stepper *stepper, const struct tensor *in, bool is_certain)
{
	struct tensor first = TENSOR_INIT, out = TENSOR_INIT;
	struct error err = ERROR_INIT;
	unsigned different = 0;

	assert_true(stepper->ops->random);
	assert_int_equal(
	    step_draws(stepper->ops, stepper->options), !is_certain);
	test_ok(stepper_run(stepper, 0, in, &first, &err), &err);
	for (uint64_t seed = 1; seed < 50; seed++) {
		test_ok(stepper_run(stepper, seed, in, &out, &err), &err);
		different += !is_same(&first, &out);
	}
	if (is_certain)
		assert_int_equal(different, 0);
	tensor_release(&first);
	tensor_release(&out);
}

static void test_steps_whose_options_leave_nothing_to_chance(void **state)
{
	static const enum dtype dtypes[] = { DTYPE_U8, DTYPE_F32 };
	struct tensor in = TENSOR_INIT;

	UNUSED(state);
	for (size_t i = 0; i < 2 * ARRAY_LEN(chances); i++) {
		const enum dtype dtype = dtypes[i % 2];
		const struct type type = stepper_image_type(dtype, 3);
		struct error err = ERROR_INIT;
		struct stepper stepper;

		stepper_noise(&in, dtype, 30, 20, 3);
		test_ok(
		    stepper_open(&stepper, chances[i / 2].words, &type, &err),
		    &err);
		check_chance(&stepper, &in, chances[i / 2].is_certain);
		stepper_close(&stepper);
	}
	tensor_release(&in);
}

/* Into a slot of just the size, with a guard behind. */
static void check_slot(struct stepper *stepper, const struct offer *offer)
{
	struct error err = ERROR_INIT;
	struct tensor want = TENSOR_INIT, out = TENSOR_INIT;
	unsigned char *slot;

	test_ok(stepper_run(stepper, 3, &offer->tensor, &want, &err), &err);
	slot = malloc(want.bytes + 64);
	assert_non_null(slot);
	memset(slot, 0xa5, want.bytes + 64);
	tensor_place(&out, slot, want.bytes);
	test_ok(stepper_run(stepper, 3, &offer->tensor, &out, &err), &err);
	assert_ptr_equal(out.data, slot);
	assert_true(is_same(&want, &out));
	for (size_t i = 0; i < 64; i++)
		assert_int_equal(slot[want.bytes + i], 0xa5);
	free(slot);
	tensor_release(&want);
}

static void test_steps_write_no_byte_behind_their_slot(void **state)
{
	UNUSED(state);
	each_step(check_slot);
}

/* The input ends where its memory ends: sanitizers see more reads. */
static void check_reads(struct stepper *stepper, const struct offer *offer)
{
	struct error err = ERROR_INIT;
	struct tensor in = TENSOR_INIT, out = TENSOR_INIT;
	void *bytes = malloc(offer->tensor.bytes);

	assert_non_null(bytes);
	memcpy(bytes, offer->tensor.data, offer->tensor.bytes);
	tensor_view(&in, offer->tensor.dtype, &offer->tensor.shape, bytes);
	test_ok(stepper_run(stepper, 5, &in, &out, &err), &err);
	assert_memory_equal(bytes, offer->tensor.data, in.bytes);
	free(bytes);
	tensor_release(&out);
}

static void test_steps_read_no_byte_behind_their_input(void **state)
{
	UNUSED(state);
	each_step(check_reads);
}

static void check_recycles(struct stepper *stepper, const struct offer *offer)
{
	struct error err = ERROR_INIT;
	struct tensor out = TENSOR_INIT;
	const void *data;

	test_ok(stepper_run(stepper, 1, &offer->tensor, &out, &err), &err);
	data = out.data;
	for (uint64_t seed = 0; seed < 5; seed++) {
		test_ok(stepper_run(stepper, seed, &offer->tensor, &out, &err),
		    &err);
		assert_ptr_equal(out.data, data);
	}
	tensor_release(&out);
}

static void test_steps_recycle_the_output(void **state)
{
	UNUSED(state);
	each_step(check_recycles);
}

static int make_vocabulary(void **state)
{
	static const char *const merges[] = { "a b", "ab a", NULL };
	char *dir = test_scratch();

	vocabulary_write(dir, merges);
	snprintf(bpe_words, sizeof(bpe_words), "bpe vocab=%s", dir);
	*state = dir;
	return 0;
}

static int remove_vocabulary(void **state)
{
	test_scratch_remove(*state);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_steps_table_is_in_order_and_in_words),
		cmocka_unit_test(test_steps_options_are_in_order_and_in_words),
		cmocka_unit_test(test_steps_leave_reserved_options_alone),
		cmocka_unit_test(test_steps_refuse_in_words),
		cmocka_unit_test(test_steps_on_images_refuse_files),
		cmocka_unit_test(test_steps_give_what_bind_promised),
		cmocka_unit_test(test_steps_give_the_same_for_the_same_draw),
		cmocka_unit_test(
		    test_steps_whose_options_leave_nothing_to_chance),
		cmocka_unit_test(test_steps_write_no_byte_behind_their_slot),
		cmocka_unit_test(test_steps_read_no_byte_behind_their_input),
		cmocka_unit_test(test_steps_recycle_the_output),
	};

	return cmocka_run_group_tests(
	    tests, make_vocabulary, remove_vocabulary);
}
