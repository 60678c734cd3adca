/* test_jpeg_window.c - decoding a part of a photograph equals cropping it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/random.h"
#include "lib/image/window.h"
#include "lib/steps/step.h"
#include "test/unit/jpeg_maker.h"
#include "test/unit/stepper.h"
#include "test/unit/test.h"

static const struct type file_type = { DTYPE_U8, LAYOUT_ENCODED, { 1, { -1 } },
	"jpg" };

/* A photograph, and how it decodes as a whole. */
struct photo {
	struct stepper stepper;
	struct jpeg_wish wish;
	struct tensor pixels; /* encoded */
	struct buf file;
	struct tensor in, whole, memory;
	unsigned parts; /* windows that were less than all */
};

static void make_photo(struct photo *photo, struct jpeg_wish wish)
{
	const unsigned char *pixels;
	struct error err = ERROR_INIT;

	stepper_noise(&photo->pixels, DTYPE_U8, wish.height, wish.width, 4);
	pixels = photo->pixels.data;
	wish.pixels = pixels;
	photo->wish = wish;
	jpeg_make(&wish, &photo->file);
	tensor_view_encoded(
	    &photo->in, photo->file.data, photo->file.len, "jpg");
	test_ok(
	    stepper_run(&photo->stepper, 1, &photo->in, &photo->whole, &err),
	    &err);
}

static void tell(const struct photo *photo, const struct box *box, size_t y)
{
	const struct jpeg_wish *w = &photo->wish;

	fail_msg("kind %d, %ux%u, sampling %ux%u, mixed %d, progressive %d, "
	         "scans %d, "
	         "restart %u, orientation %u: box %zu,%zu %zux%zu differs in "
	         "row %zu",
	    (int)w->kind, w->height, w->width, w->down, w->across, w->is_mixed,
	    w->is_progressive, w->in_scans, w->restart, w->orientation,
	    box->top, box->left, box->height, box->width, y);
}

static void check_window(struct photo *photo, const struct box *box)
{
	const struct window_ops *ops = photo->stepper.ops->window;
	const size_t channels = (size_t)photo->whole.shape.dims[2];
	const size_t stride = (size_t)photo->whole.shape.dims[1] * channels;
	struct error err = ERROR_INIT;
	struct window window;

	test_ok(ops->look(photo->stepper.priv, &photo->in, &window.frame, &err),
	    &err);
	assert_int_equal(window.frame.size.height, photo->whole.shape.dims[0]);
	assert_int_equal(window.frame.size.width, photo->whole.shape.dims[1]);
	test_ok(ops->load(photo->stepper.priv, &photo->in, box, &photo->memory,
	            &window, &err),
	    &err);
	photo->parts += photo->memory.bytes < photo->whole.bytes;
	assert_true(window.box.top <= box->top);
	assert_true(window.box.left <= box->left);
	assert_true(
	    window.box.top + window.box.height >= box->top + box->height);
	assert_true(
	    window.box.left + window.box.width >= box->left + box->width);
	window_narrow(&window, box);
	for (size_t y = 0; y < box->height; y++)
		if (memcmp(window.data + y * window.stride,
		        (unsigned char *)photo->whole.data +
		            (box->top + y) * stride + box->left * channels,
		        box->width * channels) != 0)
			tell(photo, box, y);
}

static size_t at_most(struct random *random, size_t most)
{
	return random_below(random, (uint32_t)most + 1);
}

/* A box somewhere, often at an edge, often small. */
static struct box draw_box(struct random *random, size_t height, size_t width)
{
	struct box box = {
		.height = 1 + at_most(random, height - 1),
		.width = 1 + at_most(random, width - 1),
	};
	const unsigned place = random_below(random, 16);

	if (place & 4)
		box.height = (box.height + 7) / 8;
	if (place & 8)
		box.width = (box.width + 7) / 8;
	box.top = at_most(random, height - box.height);
	box.left = at_most(random, width - box.width);
	if ((place & 3) == 1)
		box.top = 0;
	if ((place & 3) == 2)
		box.left = 0;
	if ((place & 3) == 3) {
		box.top = height - box.height;
		box.left = width - box.width;
	}
	return box;
}

static void check_photo(
    struct photo *photo, struct jpeg_wish wish, struct random *random)
{
	make_photo(photo, wish);
	for (unsigned i = 0; i < 12; i++) {
		const struct box box =
		    draw_box(random, (size_t)photo->whole.shape.dims[0],
		        (size_t)photo->whole.shape.dims[1]);

		check_window(photo, &box);
	}
}

static struct jpeg_wish draw_wish(struct random *random, unsigned side)
{
	static const enum jpeg_kind kinds[] = { JPEG_YCC, JPEG_YCC, JPEG_YCC,
		JPEG_GREY, JPEG_RGB, JPEG_CMYK, JPEG_YCCK };
	static const unsigned samplings[][2] = { { 1, 1 }, { 1, 2 }, { 2, 1 },
		{ 2, 2 }, { 1, 4 }, { 4, 1 }, { 2, 4 }, { 4, 2 }, { 1, 3 },
		{ 3, 1 }, { 2, 2 }, { 1, 2 } };
	const unsigned *sampling =
	    samplings[random_below(random, ARRAY_LEN(samplings))];
	struct jpeg_wish wish = {
		.kind = kinds[random_below(random, ARRAY_LEN(kinds))],
		.height = 1 + random_below(random, side),
		.width = 1 + random_below(random, side),
		.down = sampling[0],
		.across = sampling[1],
		.quality = 20 + random_below(random, 81),
	};

	if (wish.kind == JPEG_CMYK || wish.kind == JPEG_YCCK)
		wish.down = wish.across = 1;
	if (wish.kind == JPEG_GREY)
		wish.down = wish.across = 1 + random_below(random, 2);
	wish.is_progressive = random_below(random, 8) == 0;
	wish.in_scans = !wish.is_progressive && wish.kind == JPEG_YCC &&
	                random_below(random, 8) == 0;
	wish.is_mixed = wish.kind == JPEG_YCC && wish.down <= 2 &&
	                wish.across <= 2 && random_below(random, 6) == 0;
	if (random_below(random, 3) == 0)
		wish.restart = 1 + random_below(random, 5);
	if (random_below(random, 6) == 0)
		wish.orientation = 1 + random_below(random, 8);
	return wish;
}

static void check_mode(const char *words, unsigned count)
{
	struct photo photo = { .file = BUF_INIT };
	struct random random = random_stream(23, 0, count, 0);
	struct error err = ERROR_INIT;

	test_ok(stepper_open(&photo.stepper, words, &file_type, &err), &err);
	for (unsigned i = 0; i < count; i++)
		check_photo(
		    &photo, draw_wish(&random, i % 8 ? 70 : 200), &random);
	print_message("%s: %u windows of less than all\n", words, photo.parts);
	assert_true(photo.parts > count);
	stepper_close(&photo.stepper);
	tensor_release(&photo.pixels);
	tensor_release(&photo.whole);
	tensor_release(&photo.memory);
	buf_release(&photo.file);
}

static void test_jpeg_part_is_that_of_the_whole(void **state)
{
	UNUSED(state);
	check_mode("jpeg_decode", 1000);
	check_mode("jpeg_decode mode=grey", 500);
	check_mode("image_decode mode=unchanged", 300);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_jpeg_part_is_that_of_the_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
