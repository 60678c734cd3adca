/*
 * test_npz_source.c - .npy and .npz files of other programs: one sample per
 * file, or per row.
 */
#include <stdio.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/sample/npy.h"
#include "lib/sample/reader.h"
#include "test/unit/dataset.h"
#include "test/unit/pack.h"
#include "test/unit/test.h"

/* A .npy file of numbers that go up from `first`. */
static void make_array(
    struct buf *out, enum dtype dtype, const struct shape *shape, int first)
{
	unsigned char header[NPY_HEADER_MAX];
	const size_t len = npy_header(dtype, shape, header);
	struct error err = ERROR_INIT;

	out->len = 0;
	test_ok(buf_append(out, header, len, &err), &err);
	for (size_t i = 0; i < shape_elements(shape); i++) {
		const float f = (float)(first + (int)i);
		const int64_t n = first + (int64_t)i;

		test_ok(buf_append(out,
		            dtype == DTYPE_F32 ? (const void *)&f
		                               : (const void *)&n,
		            dtype_bytes(dtype), &err),
		    &err);
	}
}

static void write_array(const char *dir, const char *name, enum dtype dtype,
    const struct shape *shape, int first)
{
	struct buf file = BUF_INIT;

	make_array(&file, dtype, shape, first);
	test_write_file(dir, name, buf_span(&file));
	buf_release(&file);
}

static void pack_array(struct pack *pack, const char *name, enum dtype dtype,
    const struct shape *shape, int first)
{
	struct buf file = BUF_INIT;

	make_array(&file, dtype, shape, first);
	pack_add(pack, name, file.data, file.len);
	buf_release(&file);
}

/* Three parts, of 4 rows of 5 numbers and 4 labels. */
static void write_parts(const char *dir, bool as_npz)
{
	static const struct shape x = { 2, { 4, 5 } }, y = { 1, { 4 } };

	for (int i = 0; i < 3; i++) {
		char name[64], path[600];
		struct pack *pack;

		snprintf(name, sizeof(name), "part-%d.%s", i,
		    as_npz ? "npz" : "npy");
		if (!as_npz) {
			write_array(dir, name, DTYPE_F32, &x, 20 * i);
			continue;
		}
		snprintf(path, sizeof(path), "%s/%s", dir, name);
		pack = pack_new(path, PACK_ZIP);
		pack_array(pack, "x.npy", DTYPE_F32, &x, 20 * i);
		pack_array(pack, "y.npy", DTYPE_I64, &y, 4 * i);
		pack_close(pack);
	}
}

struct array_case {
	const char *section;
	bool as_npz;
	size_t count;
	uint64_t bytes; /* of a sample */
	const char *key;
	int64_t label; /* of that */
};

static void test_arrays_are_samples_or_their_rows_are(void **state)
{
	static const struct array_case cases[] = {
		{ "source = npy\npath = .", false, 3, 80, "part-1", -1 },
		{ "source = npy\npath = .\nsample = row", false, 12, 20,
		    "part-1-3", -1 },
		{ "source = npy\npath = part-1.npy", false, 4, 20, "part-1-3",
		    -1 },
		{ "source = npy\npath = part-1.npy\nsample = file", false, 1,
		    80, "part-1", -1 },
		{ "source = npy\npath = part-{0..1}.npy", false, 2, 80,
		    "part-1", -1 },
		{ "source = npz\npath = .", true, 3, 112, "part-1", -1 },
		{ "source = npz\npath = .\nsample = row", true, 12, 28,
		    "part-1-3", -1 },
		{ "source = npz\npath = part-1.npz\nlabel = y", true, 4, 20,
		    "part-1-3", 7 },
		{ "source = npz\npath = .\nfields = data:y,image:x", true, 3,
		    112, "part-1", -1 },
		{ "source = npz\npath = .\nfields = x\nlabel = y\n"
		  "sample = row",
		    true, 12, 20, "part-1-0", 4 },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct array_case *c = &cases[i];
		char *dir = test_scratch();
		struct opened opened;
		size_t at = 0;

		write_parts(dir, c->as_npz);
		opened_all(&opened, dir, c->section, 0);
		assert_int_equal(opened.count, c->count);
		while (at < opened.count &&
		       strcmp(opened.seen[at].key, c->key) != 0)
			at++;
		assert_true(at < opened.count);
		assert_int_equal(opened.seen[at].fields, c->bytes);
		assert_int_equal(opened.seen[at].label, c->label);
		opened_close(&opened);
		test_scratch_remove(dir);
	}
}

/* The rows of a file are what the file is. */
static void test_arrays_rows_are_the_values(void **state)
{
	static const struct shape rows = { 2, { 3, 2 } }, row = { 1, { 2 } };
	char *dir = test_scratch();
	struct opened opened;
	uint64_t hash;

	UNUSED(state);
	write_array(dir, "all.npy", DTYPE_F32, &rows, 0);
	write_array(dir, "all-1.npy", DTYPE_F32, &row, 2);
	opened_all(&opened, dir, "source = npy\npath = all.npy", 0);
	assert_int_equal(opened.count, 3);
	assert_string_equal(opened.seen[1].key, "all-1");
	hash = opened.seen[1].hash;
	opened_close(&opened);
	opened_all(
	    &opened, dir, "source = npy\npath = all-1.npy\nsample = file", 0);
	assert_true(opened.seen[0].hash == hash);
	opened_close(&opened);
	test_scratch_remove(dir);
}

/* The words as a header, and 8 bytes behind it. */
static void make_file(struct buf *file, const char *words)
{
	struct error err = ERROR_INIT;
	const size_t len = strlen(words) + 1;
	const unsigned char head[] = { 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0,
		(unsigned char)len, 0 };

	test_ok(buf_append(file, head, sizeof(head), &err), &err);
	test_ok(buf_append(file, words, len - 1, &err), &err);
	test_ok(buf_append(file, "\n12345678", 9, &err), &err);
}

static void write_header(const char *dir, const char *name, const char *words)
{
	struct buf file = BUF_INIT;

	make_file(&file, words);
	test_write_file(dir, name, buf_span(&file));
	buf_release(&file);
}

static void test_arrays_say_what_is_wrong(void **state)
{
	static const struct shape rows = { 2, { 3, 2 } },
	                          other = { 2, { 3, 3 } };
	static const struct {
		const char *section, *words;
	} cases[] = {
		{ "source = npy\npath = big.npy", "big.npy: .npy file has "
		                                  "elements of type '>f4', "
		                                  "which is big-endian: save" },
		{ "source = npy\npath = objects.npy",
		    "type '|O', which are objects of Python: save arrays of "
		    "numbers" },
		{ "source = npy\npath = truths.npy",
		    "which are truth values: save the array as "
		    "array.astype('uint8')" },
		{ "source = npy\npath = complex.npy",
		    "type '<c8', which presto does not take: save the array "
		    "as array.astype('float32')" },
		{ "source = npy\npath = fortran.npy",
		    "is in Fortran order: save the array as "
		    "numpy.ascontiguousarray(array)" },
		{ "source = npy\npath = short.npy",
		    "short.npy: .npy file is cut short: 8 bytes for 4 rows" },
		{ "source = npy\npath = one.npy",
		    "one.npy: holds one number and no rows" },
		{ "source = npy\npath = empty.npy",
		    "empty.npy: has empty rows: 'sample = file'" },
		{ "source = npz\npath = c.npz",
		    "c.npz: array 'x': .npy file is cut short: 8 bytes for "
		    "999999999999 rows" },
		{ "source = npy\npath = .\nmatch = rows-*.npy\nsample = row",
		    "rows-b.npy: a row: is 3, expected 2" },
		{ "source = npy\npath = .\nmatch = none*",
		    "no file matches 'none*'" },
		{ "source = npz\npath = a.npz\nfields = z",
		    "a.npz: there is no array 'z'" },
		{ "source = npz\npath = b.npz\nlabel = x",
		    "b.npz: array 'x': labels are whole numbers, not float32" },
		{ "source = npz\npath = a.npz\nfields = x y:x",
		    "fields 'x y:x': " },
		{ "source = npz\npath = b.npz",
		    "b.npz: array 'y': has 3 rows, and another array 2: "
		    "'sample = file' takes the file as a sample" },
		{ "source = npz\npath = rows-a.npy", "rows-a.npy: " },
	};
	char *dir = test_scratch();
	struct buf file = BUF_INIT;
	struct pack *pack;
	char path[600];

	UNUSED(state);
	write_header(dir, "big.npy",
	    "{'descr': '>f4', 'fortran_order': False, 'shape': (2,), }");
	write_header(dir, "objects.npy",
	    "{'descr': '|O', 'fortran_order': False, 'shape': (2,), }");
	write_header(dir, "truths.npy",
	    "{'descr': '|b1', 'fortran_order': False, 'shape': (2,), }");
	write_header(dir, "complex.npy",
	    "{'descr': '<c8', 'fortran_order': False, 'shape': (2,), }");
	write_header(dir, "fortran.npy",
	    "{'descr': '<f4', 'fortran_order': True, 'shape': (1, 2), }");
	write_header(dir, "short.npy",
	    "{'descr': '<f4', 'fortran_order': False, 'shape': (4,), }");
	write_header(dir, "one.npy",
	    "{'descr': '<f8', 'fortran_order': False, 'shape': (), }");
	write_header(dir, "empty.npy",
	    "{'descr': '<f4', 'fortran_order': False, "
	    "'shape': (999999999999, 0), }");
	write_array(dir, "rows-a.npy", DTYPE_F32, &rows, 0);
	write_array(dir, "rows-b.npy", DTYPE_F32, &other, 0);
	snprintf(path, sizeof(path), "%s/a.npz", dir);
	pack = pack_new(path, PACK_ZIP);
	pack_array(pack, "x.npy", DTYPE_F32, &rows, 0);
	pack_close(pack);
	snprintf(path, sizeof(path), "%s/b.npz", dir);
	pack = pack_new(path, PACK_ZIP);
	pack_array(pack, "x.npy", DTYPE_F32, &(struct shape){ 1, { 2 } }, 0);
	pack_array(pack, "y.npy", DTYPE_F32, &(struct shape){ 1, { 3 } }, 0);
	pack_close(pack);
	snprintf(path, sizeof(path), "%s/c.npz", dir);
	pack = pack_new(path, PACK_ZIP);
	make_file(&file, "{'descr': '<f4', 'fortran_order': False, "
	                 "'shape': (999999999999, 2), }");
	pack_add(pack, "x.npy", file.data, file.len);
	pack_close(pack);
	buf_release(&file);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		opened_fails(dir, cases[i].section, cases[i].words);
	test_scratch_remove(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_arrays_are_samples_or_their_rows_are),
		cmocka_unit_test(test_arrays_rows_are_the_values),
		cmocka_unit_test(test_arrays_say_what_is_wrong),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
