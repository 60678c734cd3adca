/* test_tar_source.c - samples from the members of archives. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/random.h"
#include "lib/files/path.h"
#include "lib/files/path_write.h"
#include "lib/media/medium.h"
#include "lib/sample/npy.h"
#include "lib/sample/reader.h"
#include "test/unit/dataset.h"
#include "test/unit/pack.h"
#include "test/unit/test.h"

/* Of MANY samples, a plain archive is read in several streams. */
enum { MANY = 120, FEW = 20, IMAGE_BYTES = 40000 };

/* "shards" + suffix in the folder; owned. */
static char *archive_path(
    const char *dir, const char *stem, enum pack_form form)
{
	char name[64];

	snprintf(name, sizeof(name), "%s%s", stem, pack_suffix(form));
	return test_path(dir, name);
}

static size_t make_npy(unsigned char *bytes, int64_t count)
{
	const struct shape shape = { .count = 1, .dims = { count } };
	const size_t len = npy_header(DTYPE_I16, &shape, bytes);

	memset(bytes + len, (int)count, (size_t)count * 2);
	return len + (size_t)count * 2;
}

/* Samples first .. first+count-1: an image, a mask, an array and a label. */
static void add_samples(struct pack *pack, int first, int count)
{
	unsigned char *image = malloc(IMAGE_BYTES);
	unsigned char npy[NPY_HEADER_MAX + 1024];

	for (int i = first; i < first + count; i++) {
		struct random random = random_stream(1, 0, (uint64_t)i, 0);
		const size_t len = IMAGE_BYTES - (size_t)i * 7;
		char name[64], text[32];

		random_fill(&random, image, len);
		snprintf(name, sizeof(name), "train/%05d.jpg", i);
		pack_add(pack, name, image, len);
		snprintf(name, sizeof(name), "train/%05d.mask.png", i);
		pack_add(pack, name, image + 100, 100 + (size_t)i);
		snprintf(name, sizeof(name), "train/%05d.cls", i);
		snprintf(text, sizeof(text), "%d\n", i % 10);
		pack_add_text(pack, name, text);
		snprintf(name, sizeof(name), "train/%05d.wave.npy", i);
		pack_add(pack, name, npy, make_npy(npy, i % 50 + 1));
	}
	free(image);
}

static void make_archive(const char *dir, const char *stem, enum pack_form form,
    int first, int count)
{
	char *path = archive_path(dir, stem, form);
	struct pack *pack = pack_new(path, form);

	add_samples(pack, first, count);
	pack_close(pack);
	free(path);
}

static void check_sample(const struct opened *opened, int i)
{
	const struct seen *seen = &opened->seen[i];
	char key[32];

	snprintf(key, sizeof(key), "train/%05d", i);
	assert_string_equal(seen->key, key);
	assert_int_equal(seen->label, i % 10);
	assert_int_equal(seen->fields,
	    (size_t)(IMAGE_BYTES - i * 7 + 100 + i + 2 * (i % 50 + 1)));
}

static void test_tar_source_reads_every_form_alike(void **state)
{
	char *dir = test_scratch(), section[128];
	struct opened opened;
	struct seen *expected = NULL;

	UNUSED(state);
	for (enum pack_form form = 0; form < PACK_FORMS; form++) {
		const bool is_plain = form <= PACK_PAX;
		const int count = is_plain ? MANY : FEW;

		make_archive(dir, "s", form, 0, count);
		snprintf(section, sizeof(section), "source = tar\npath = s%s",
		    pack_suffix(form));
		opened_all(&opened, dir, section, 0);
		assert_int_equal(opened.count, count);
		for (int i = 0; i < count; i++)
			check_sample(&opened, i);
		if (is_plain)
			assert_true(opened.reader->streams > 3);
		else
			assert_int_equal(opened.reader->streams, 1);
		if (!expected) {
			expected = opened.seen;
			opened.seen = NULL;
		}
		for (int i = 0; opened.seen && i < count; i++)
			assert_int_equal(opened.seen[i].hash, expected[i].hash);
		opened_close(&opened);
	}
	free(expected);
	test_scratch_remove(dir);
}

static void test_tar_source_takes_the_schema_of_the_first_sample(void **state)
{
	char *dir = test_scratch();
	struct opened opened;
	const struct field *fields;

	UNUSED(state);
	make_archive(dir, "s", PACK_TAR, 0, 3);
	opened_all(&opened, dir, "source = tar\npath = s.tar", 0);
	fields = opened.reader->schema.fields;
	assert_int_equal(opened.reader->schema.count, 3);
	assert_string_equal(fields[0].name, "data");
	assert_string_equal(fields[0].type.suffix, "jpg");
	assert_string_equal(fields[1].name, "mask");
	assert_string_equal(fields[1].type.suffix, "png");
	assert_string_equal(fields[2].name, "wave");
	assert_int_equal(fields[2].type.dtype, DTYPE_I16);
	assert_int_equal(fields[2].type.shape.count, 1);
	assert_int_equal(fields[2].type.shape.dims[0], -1);
	opened_close(&opened);
	test_scratch_remove(dir);
}

static void test_tar_source_guesses_fields(void **state)
{
	static const struct {
		const char *members[4];
		const char *fields;
	} cases[] = {
		{ { "a.txt" }, "data" },
		{ { "a.cls", "a.jpeg" }, "data" },
		{ { "a.json", "a.png" }, "data json" },
		{ { "a.txt", "a.json" }, "data json" },
		{ { "a.one.npz", "a.two.npz" }, "one two" },
		{ { "a.mask.npz", "a.data.npz" }, "data mask" },
		{ { "a.seg-map.png", "a.jpg", "a.JSON" }, "data seg_map json" },
		{ { "a.v2.final.jpg" }, "data" },
	};
	char *dir = test_scratch(), *path = test_path(dir, "x.tar");
	struct opened opened;

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct pack *pack = pack_new(path, PACK_TAR);
		char names[128] = "";

		for (size_t m = 0; m < 4 && cases[i].members[m]; m++)
			pack_add_text(pack, cases[i].members[m], "1");
		pack_close(pack);
		opened_all(&opened, dir, "source = tar\npath = x.tar", 0);
		for (unsigned f = 0; f < opened.reader->schema.count; f++) {
			strncat(names, f ? " " : "", sizeof(names) - 1);
			strncat(names, opened.reader->schema.fields[f].name,
			    FIELD_NAME);
		}
		assert_string_equal(names, cases[i].fields);
		opened_close(&opened);
	}
	free(path);
	test_scratch_remove(dir);
}

static void test_tar_source_keys_and_what_is_left_out(void **state)
{
	static const char *const names[] = { "./a/one.TXT", "./._one.txt",
		"__meta__", "__m.txt__", "noextension", ".hidden.txt",
		".git/x.txt", "__MACOSX/._two.txt", "a%2Eb/two%2E5%20x.txt",
		"a/three%41%25.txt", "tail%.txt", "b.c/four.txt" };
	static const char *const keys[] = { "a%2Eb/two.5 x", "a/one",
		"a/three%41%", "b.c/four", "tail%" };
	char *dir = test_scratch(), *path = test_path(dir, "x.tar");
	struct pack *pack = pack_new(path, PACK_TAR);
	struct opened opened;

	UNUSED(state);
	pack_add_folder(pack, "a");
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		pack_add_text(pack, names[i], names[i]);
	pack_add_link(pack, "link.txt", "../../etc/passwd");
	pack_close(pack);
	opened_all(&opened, dir, "source = tar\npath = x.tar", 0);
	assert_int_equal(opened.count, ARRAY_LEN(keys));
	for (size_t i = 0; i < ARRAY_LEN(keys); i++)
		assert_string_equal(opened.seen[i].key, keys[i]);
	opened_close(&opened);
	free(path);
	test_scratch_remove(dir);
}

static void test_tar_source_fields_option(void **state)
{
	const char *section = "source = tar\npath = s.tar\nlabel = none\n"
	                      "fields = mask:mask.png, image:jpg|png";
	char *dir = test_scratch();
	struct opened opened;

	UNUSED(state);
	make_archive(dir, "s", PACK_TAR, 0, 4);
	opened_all(&opened, dir, section, 0);
	assert_int_equal(opened.reader->schema.count, 2);
	assert_string_equal(opened.reader->schema.fields[0].name, "mask");
	assert_int_equal(opened.seen[3].fields, IMAGE_BYTES - 21 + 103);
	assert_int_equal(opened.seen[3].label, -1);
	opened_close(&opened);
	opened_fails(dir,
	    "source = tar\npath = s.tar\nfields = data:jpg,text:txt",
	    "sample 'train/00000': has no member for the field 'text'");
	opened_fails(dir,
	    "source = tar\npath = s.tar\nfields = data:train/*.jpg",
	    "stand side by side in an archive; give endings");
	test_scratch_remove(dir);
}

static void test_tar_source_paths(void **state)
{
	static const struct {
		const char *section;
		size_t count;
	} cases[] = {
		{ "path = s-0.tar", 10 },
		{ "path = .", 30 },
		{ "path = s-[01].tar*", 20 },
		{ "path = s-{0..0}.tar", 10 },
		{ "path = {s-1.tar.gz,s-[0]*.tar,deep}", 30 },
		{ "path = .\nmatch = *.gz", 10 },
		{ "path = .\nmatch = s-0.tar, deep/*.tar", 20 },
	};
	char *dir = test_scratch(), section[128];
	struct opened opened;

	UNUSED(state);
	make_archive(dir, "s-0", PACK_TAR, 0, 10);
	make_archive(dir, "s-1", PACK_TAR_GZ, 10, 10);
	test_write(dir, "deep/note.txt", "");
	make_archive(dir, "deep/s-2", PACK_TAR, 20, 10);
	test_write(dir, "s-9.tar.tmp", "unfinished");
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		snprintf(section, sizeof(section), "source = tar\n%s",
		    cases[i].section);
		opened_all(&opened, dir, section, 0);
		assert_int_equal(opened.count, cases[i].count);
		opened_close(&opened);
	}
	opened_fails(dir, "source = tar\npath = none.tar",
	    "none.tar: no such archive or folder");
	opened_fails(dir, "source = tar\npath = s-{0..3}.tar",
	    "s-1.tar does not exist (3 of the 4 paths are missing)");
	opened_fails(dir, "source = tar\npath = .\nmatch = *.rar",
	    "no file matches '*.rar'");
	test_scratch_remove(dir);
}

static void test_tar_source_spreads_what_it_selects(void **state)
{
	char *dir = test_scratch();
	struct opened opened;
	uint64_t all;

	UNUSED(state);
	make_archive(dir, "s-0", PACK_TAR, 0, MANY);
	make_archive(dir, "s-1", PACK_TAR_GZ, MANY, 10);
	opened_all(&opened, dir, "source = tar\npath = .", 0);
	all = opened.reader->bytes;
	opened_close(&opened);
	for (uint64_t limit = 1; limit < MANY + 20; limit += 13) {
		opened_all(&opened, dir, "source = tar\npath = .", limit);
		assert_int_equal(
		    opened.count, limit < MANY + 10 ? limit : MANY + 10);
		assert_int_equal(opened.reader->total_samples, MANY + 10);
		assert_true(opened.reader->bytes <= all);
		assert_string_equal(opened.seen[0].key, "train/00000");
		if (limit == 66)
			assert_true(
			    strcmp(opened.seen[65].key, "train/00090") > 0);
		opened_close(&opened);
	}
	test_scratch_remove(dir);
}

static void pack_two(
    const char *dir, const char *name, const char *text, const char *other_name)
{
	char *path = test_path(dir, "x.tar");
	struct pack *pack = pack_new(path, PACK_TAR);

	pack_add_text(pack, "a.txt", "first");
	pack_add_text(pack, name, text);
	if (other_name)
		pack_add_text(pack, other_name, text);
	pack_close(pack);
	free(path);
}

static void test_tar_source_says_what_is_wrong(void **state)
{
	static const struct {
		const char *name, *other;
		const char *words;
	} cases[] = {
		{ "a.cls", NULL,
		    "x.tar: sample 'a': its .cls is no whole number: 'x'" },
		{ "a.txt", NULL, "x.tar: sample 'a': has two members .txt" },
		{ "b.jpg", NULL,
		    "x.tar: sample 'b': has no member for the field 'data'" },
		{ "b.txt", "b.TXT", "x.tar: sample 'b': has two members for" },
		{ "a.x.data", "a.y.data",
		    NULL }, /* fine: three fields, data x y */
		{ "a.data.x", "a.data.y", "would be a second field 'data'" },
	};
	char *dir = test_scratch();

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct opened opened;

		pack_two(dir, cases[i].name, "x", cases[i].other);
		if (cases[i].words) {
			opened_fails(
			    dir, "source = tar\npath = x.tar", cases[i].words);
			continue;
		}
		opened_all(&opened, dir, "source = tar\npath = x.tar", 0);
		opened_close(&opened);
	}
	test_write(dir, "x.tar", "");
	opened_fails(dir, "source = tar\npath = x.tar", "x.tar: is empty");
	test_write(dir, "x.tar", "this is a text, and not an archive at all");
	opened_fails(dir, "source = tar\npath = x.tar", "x.tar: ");
	test_scratch_remove(dir);
}

/* Writes DIR/cut with the first `len` bytes. */
static void write_cut(const char *dir, struct span bytes, size_t len)
{
	char *path = test_path(dir, "cut");
	struct error err = ERROR_INIT;

	bytes.len = len;
	test_ok(path_write(path, bytes, &err), &err);
	free(path);
}

static void test_tar_source_archives_that_are_cut(void **state)
{
	char *dir = test_scratch();
	struct error err = ERROR_INIT;

	UNUSED(state);
	for (enum pack_form form = 0; form < PACK_FORMS; form++) {
		char *path = archive_path(dir, "s", form);
		struct buf bytes = BUF_INIT;

		make_archive(dir, "s", form, 0, 20);
		test_ok(path_read(path, 1 << 30, &bytes, &err), &err);
		for (size_t i = 1; i < 8; i++) {
			write_cut(
			    dir, buf_span(&bytes), bytes.len * i / 8 + i * 11);
			opened_fails(dir, "source = tar\npath = cut", "/cut: ");
		}
		buf_release(&bytes);
		free(path);
	}
	test_scratch_remove(dir);
}

static void test_tar_source_archive_that_changes(void **state)
{
	char *dir = test_scratch(), *path = test_path(dir, "s.tar");
	struct opened opened;

	UNUSED(state);
	make_archive(dir, "s", PACK_TAR, 0, MANY);
	test_ok(opened_open(&opened, dir, "source = tar\npath = s.tar", 0),
	    &opened.err);
	make_archive(dir, "s", PACK_TAR, 0, MANY / 2);
	assert_int_equal(opened_read(&opened, 0), -1);
	test_contains(opened.err.text, "s.tar: ");
	opened_close(&opened);
	free(path);
	test_scratch_remove(dir);
}

/* A header that claims a size far beyond the archive. */
static void test_tar_source_does_not_believe_sizes(void **state)
{
	char *dir = test_scratch(), *path = test_path(dir, "s.tar");
	struct buf bytes = BUF_INIT;
	struct error err = ERROR_INIT;
	struct sample sample = SAMPLE_INIT;
	struct chunk chunk = CHUNK_INIT;
	struct opened opened;
	void *stream;
	unsigned sum = 0;

	UNUSED(state);
	make_archive(dir, "s", PACK_TAR, 0, 1);
	test_ok(path_read(path, 1 << 30, &bytes, &err), &err);
	memcpy(bytes.data + 124, "20000000001", 12); /* 2 GiB and 1 */
	memset(bytes.data + 148, ' ', 8);
	for (size_t i = 0; i < 512; i++)
		sum += bytes.data[i];
	snprintf((char *)bytes.data + 148, 8, "%06o", sum);
	test_ok(path_write(path, buf_span(&bytes), &err), &err);
	opened_fails(dir, "source = tar\npath = s.tar", "s.tar: Truncated");
	assert_int_equal(truncate(path, INT64_C(2200000000)), 0);
	test_ok(opened_open(&opened, dir, "source = tar\npath = s.tar", 0),
	    &opened.err);
	stream = opened.reader->ops->stream_open(opened.reader, 0, &err);
	assert_non_null(stream);
	assert_int_equal(
	    opened.reader->ops->stream_fetch(stream, &chunk, &err), 1);
	assert_true(chunk.stored.cap < 1 << 20);
	assert_int_equal(
	    opened.reader->ops->next(opened.reader, &chunk, &sample, &err), 1);
	test_error_is(sample_check_room(&sample, 1000000000, &err), &err,
	    "a field in the source takes 2.15 GB, and a sample may take "
	    "1 GB: raise limits.sample");
	chunk_release(&chunk);
	opened.reader->ops->stream_close(stream);
	opened_close(&opened);
	buf_release(&bytes);
	free(path);
	test_scratch_remove(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tar_source_reads_every_form_alike),
		cmocka_unit_test(
		    test_tar_source_takes_the_schema_of_the_first_sample),
		cmocka_unit_test(test_tar_source_guesses_fields),
		cmocka_unit_test(test_tar_source_keys_and_what_is_left_out),
		cmocka_unit_test(test_tar_source_fields_option),
		cmocka_unit_test(test_tar_source_paths),
		cmocka_unit_test(test_tar_source_spreads_what_it_selects),
		cmocka_unit_test(test_tar_source_says_what_is_wrong),
		cmocka_unit_test(test_tar_source_archives_that_are_cut),
		cmocka_unit_test(test_tar_source_archive_that_changes),
		cmocka_unit_test(test_tar_source_does_not_believe_sizes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
