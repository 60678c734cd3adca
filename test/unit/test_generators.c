/* test_generators.c - datasets made from a seed. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

#include "datasets/generator.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/files/path_tree.h"
#include "lib/image/png.h"
#include "lib/sample/reader.h"
#include "lib/syntax/ini.h"
#include "lib/syntax/option.h"
#include "test/unit/dataset.h"
#include "test/unit/test.h"

enum { PHOTOS = 20, PNG_PHOTOS = 5 };

static char *run_photos(struct generate_plan plan)
{
	struct error err = ERROR_INIT;

	plan.dir = test_scratch();
	test_ok(generator_photos.run(&plan, &err), &err);
	return (char *)(uintptr_t)plan.dir;
}

static char *generate(uint64_t seed, unsigned threads, uint64_t count)
{
	return run_photos((struct generate_plan){
	    .count = count, .seed = seed, .threads = threads });
}

/* In another format, so wide; the options are freed by the caller. */
static void *photo_options(const char *format, const char *width)
{
	struct error err = ERROR_INIT;
	void *options = calloc(1, generator_photos.options_size);

	assert_non_null(options);
	test_ok(option_set(
	            generator_photos.options, options, "format", format, &err),
	    &err);
	if (width)
		test_ok(option_set(generator_photos.options, options, "width",
		            width, &err),
		    &err);
	return options;
}

static void read_photos(struct opened *opened, const char *dir)
{
	opened_all(opened, dir,
	    "source = folder\npath = .\nmatch = *.jpg\nlabel = directory", 0);
}

static void test_generators_table_is_in_order(void **state)
{
	const struct generator_ops *ops;

	UNUSED(state);
	for (size_t i = 0; (ops = generator_at(i)); i++) {
		assert_ptr_equal(generator_find(ops->name), ops);
		if (ops->needs)
			continue;
		assert_true(ops->default_count > 0);
		assert_true(strlen(ops->summary) > 0);
		assert_int_not_equal(
		    ops->summary[strlen(ops->summary) - 1], '.');
		if (i > 0)
			assert_true(
			    strcmp(generator_at(i - 1)->name, ops->name) < 0);
	}
	assert_null(generator_find("nothing"));
}

static void test_photos_depend_on_the_seed_only(void **state)
{
	static const struct {
		uint64_t seed;
		unsigned threads;
		bool same;
	} cases[] = { { 1, 3, true }, { 1, 1, true }, { 2, 3, false } };
	struct seen first[PHOTOS];

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char *dir = generate(cases[i].seed, cases[i].threads, PHOTOS);
		struct opened opened;

		read_photos(&opened, dir);
		assert_int_equal(opened.count, PHOTOS);
		if (i == 0)
			memcpy(first, opened.seen, sizeof(first));
		for (size_t k = 0; k < PHOTOS; k++) {
			assert_string_equal(opened.seen[k].key, first[k].key);
			assert_int_equal(opened.seen[k].hash == first[k].hash,
			    cases[i].same);
		}
		opened_close(&opened);
		test_scratch_remove(dir);
	}
}

struct count {
	uint64_t photos, upright, grey, full_chroma, bytes, pixels;
	const char *dir;
};

static int look_at_photo(
    void *arg, const char *name, uint64_t bytes, struct error *err)
{
	struct count *count = arg;
	struct jpeg_decompress_struct jpeg;
	struct jpeg_error_mgr errors;
	struct buf file = BUF_INIT;
	char *path;

	if (!strstr(name, ".jpg"))
		return 0;
	path = test_path(count->dir, name);
	test_ok(path_read(path, 1 << 24, &file, err), err);
	jpeg.err = jpeg_std_error(&errors);
	jpeg_create_decompress(&jpeg);
	jpeg_mem_src(&jpeg, file.data, file.len);
	assert_int_equal(jpeg_read_header(&jpeg, TRUE), JPEG_HEADER_OK);
	count->photos++;
	count->upright += jpeg.image_height > jpeg.image_width;
	count->grey += jpeg.num_components == 1;
	count->full_chroma +=
	    jpeg.num_components == 3 && jpeg.comp_info[0].h_samp_factor == 1;
	count->bytes += bytes;
	count->pixels += (uint64_t)jpeg.image_width * jpeg.image_height;
	jpeg_destroy_decompress(&jpeg);
	buf_release(&file);
	free(path);
	return 0;
}

/* What 200 have, or under a sanitizer as many parts less of it. */
static void test_photos_are_like_those_of_imagenet(void **state)
{
	enum { COUNT = TEST_TIMES(200), PARTS = 200 / COUNT };
	char *dir = generate(7, 2, COUNT);
	struct count count = { .dir = dir };
	struct error err = ERROR_INIT;

	UNUSED(state);
	test_ok(path_each(dir, look_at_photo, &count, &err), &err);
	assert_int_equal(count.photos, COUNT);
	assert_in_range(count.bytes / COUNT, 95000, 125000);
	assert_in_range(count.pixels / COUNT, 160000, 220000);
	assert_in_range(count.upright, 20 / PARTS, 80 / PARTS);
	assert_in_range(count.full_chroma, 50 / PARTS, 120 / PARTS);
	assert_in_range(count.grey, 1 / PARTS, 15 / PARTS);
	test_scratch_remove(dir);
}

static void test_photos_come_with_a_pipeline(void **state)
{
	char *dir = generate(3, 1, 20), *path = test_path(dir, "photos.conf");
	struct ini ini = INI_INIT;
	struct error err = ERROR_INIT;
	struct opened opened;

	UNUSED(state);
	test_ok(ini_read(&ini, path, &err), &err);
	assert_string_equal(
	    ini_entry(ini_section(&ini, "dataset"), "path")->value, ".");
	assert_string_equal(
	    ini_entry(ini_section(&ini, "measure"), "samples")->value, "20");
	assert_int_equal(ini_section(&ini, "pipeline")->count, 4);
	ini_release(&ini);
	read_photos(&opened, dir);
	assert_string_equal(opened.seen[0].key, "beach/IMG_000000");
	assert_int_equal(opened.seen[0].label, 0);
	assert_string_equal(opened.seen[19].key, "street/IMG_000019");
	assert_int_equal(opened.seen[19].label, 9);
	opened_close(&opened);
	free(path);
	test_scratch_remove(dir);
}

struct png_count {
	const char *dir;
	struct png_reader *reader;
	struct shape shape;
	unsigned depth;
	uint64_t photos, bytes;
};

static int look_at_png(
    void *arg, const char *name, uint64_t bytes, struct error *err)
{
	static const struct png_form form = { .mode = IMAGE_UNCHANGED };
	struct png_count *count = arg;
	struct buf file = BUF_INIT;

	if (!strstr(name, ".png"))
		return 0;
	test_read_file(count->dir, name, &file);
	test_ok(png_reader_look(
	            count->reader, buf_span(&file), &form, &count->shape, err),
	    err);
	count->depth = file.data[24];
	count->photos++;
	count->bytes += bytes;
	buf_release(&file);
	return 0;
}

/*
 * The PNG files of Cube++ have 16 bits, 17.42 MB of 2592x1728 points: 3.9
 * bytes a point.
 */
static void test_photos_are_png_files_like_those_of_cubepp(void **state)
{
	static const struct {
		const char *format;
		unsigned depth;
		uint64_t least, most; /* hundredths of a byte a point */
	} cases[] = { { "png16", 16, 350, 440 }, { "png", 8, 80, 240 } };

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		void *options = photo_options(cases[i].format, "648");
		char *dir =
		    run_photos((struct generate_plan){ .count = PNG_PHOTOS,
		        .seed = 7,
		        .threads = 2,
		        .options = options });
		struct error err = ERROR_INIT;
		struct png_count count = { .dir = dir,
			.reader = png_reader_new(&err) };

		test_ok(path_each(dir, look_at_png, &count, &err), &err);
		assert_int_equal(count.photos, PNG_PHOTOS);
		assert_int_equal(count.depth, cases[i].depth);
		assert_int_equal(count.shape.dims[0], 432);
		assert_int_equal(count.shape.dims[1], 648);
		assert_int_equal(count.shape.dims[2], 3);
		assert_in_range(count.bytes * 100 / PNG_PHOTOS / (648 * 432),
		    cases[i].least, cases[i].most);
		png_reader_free(count.reader);
		free(options);
		test_scratch_remove(dir);
	}
}

static void test_photos_are_fewer_when_they_are_large(void **state)
{
	static const struct {
		const char *format, *width;
		uint64_t count;
	} cases[] = { { "jpeg", NULL, 400 }, { "png", NULL, 30 },
		{ "png16", "2592", 10 }, { "png", "64", 400 },
		{ "jpeg", "1296", 30 } };

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		void *options = photo_options(cases[i].format, cases[i].width);

		assert_int_equal(
		    generator_photos.count_of(options), cases[i].count);
		free(options);
	}
}

struct progress {
	uint64_t calls, last;
};

static void note_progress(void *arg, uint64_t done, uint64_t count)
{
	struct progress *progress = arg;

	assert_true(done > progress->last);
	assert_true(done <= count);
	progress->last = done;
	progress->calls++;
}

static void test_photos_report_progress_and_errors(void **state)
{
	char *dir = test_scratch();
	struct progress progress = { .calls = 0 };
	struct generate_plan plan = {
		.dir = dir,
		.count = 5,
		.threads = 1,
		.progress = note_progress,
		.arg = &progress,
	};
	struct error err = ERROR_INIT;

	UNUSED(state);
	test_ok(generator_photos.run(&plan, &err), &err);
	assert_int_equal(progress.calls, 5);
	assert_int_equal(progress.last, 5);
	plan.dir = "/dev/null";
	assert_int_equal(generator_photos.run(&plan, &err), -1);
	test_contains(err.text, "/dev/null");
	test_scratch_remove(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_generators_table_is_in_order),
		cmocka_unit_test(test_photos_depend_on_the_seed_only),
		cmocka_unit_test(test_photos_are_like_those_of_imagenet),
		cmocka_unit_test(test_photos_come_with_a_pipeline),
		cmocka_unit_test(
		    test_photos_are_png_files_like_those_of_cubepp),
		cmocka_unit_test(test_photos_are_fewer_when_they_are_large),
		cmocka_unit_test(test_photos_report_progress_and_errors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
