/* test_tar.c - the tar store to the byte, and read by other tools. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/formats/name.h"
#include "lib/formats/tar_member.h"
#include "test/unit/stored.h"
#include "test/unit/test.h"

static const struct type encoded = {
	.dtype = DTYPE_U8,
	.layout = LAYOUT_ENCODED,
	.shape = { 1, { -1 } },
};

/* A sample of one field, appended to a block. */
static void append(struct buf *block, const char *key, const char *bytes,
    const char *suffix, int64_t label)
{
	struct schema schema = { .count = 0 };
	struct sample sample = SAMPLE_INIT;
	struct error err = ERROR_INIT;

	test_ok(schema_add(&schema, "data", &encoded, &err), &err);
	sample.key = span_text(key);
	sample.label = label;
	sample.count = 1;
	tensor_view_encoded(&sample.fields[0], bytes, strlen(bytes), suffix);
	test_ok(store_tar.append(&schema, &sample, block, &err), &err);
}

static void test_tar_header_is_ustar_without_owner_and_time(void **state)
{
	struct buf block = BUF_INIT;
	struct error err = ERROR_INIT;
	const char *header;
	unsigned sum = 0;

	UNUSED(state);
	append(&block, "img_1", "JPEG", "jpg", 7);
	test_ok(store_tar.end(&block, &err), &err);
	assert_int_equal(block.len, 4 * 512 + 1024);
	header = (const char *)block.data;
	assert_string_equal(header, "img_1.jpg");
	assert_string_equal(header + 100, "0000644");
	assert_string_equal(header + 108, "0000000");
	assert_string_equal(header + 116, "0000000");
	assert_string_equal(header + 124, "00000000004");
	assert_string_equal(header + 136, "00000000000");
	assert_int_equal(header[156], '0');
	assert_memory_equal(header + 257,
	    "ustar\0"
	    "00",
	    8);
	for (size_t i = 0; i < 512; i++)
		sum += i >= 148 && i < 156 ? ' ' : block.data[i];
	assert_int_equal(strtoul(header + 148, NULL, 8), sum);
	assert_memory_equal(header + 512, "JPEG\0\0\0", 7);
	assert_string_equal(header + 1024, "img_1.cls");
	assert_memory_equal(header + 1536, "7\0", 2);
	for (size_t i = 2048; i < block.len; i++)
		assert_int_equal(block.data[i], 0);
	buf_release(&block);
}

static void test_tar_names_members_as_webdataset_does(void **state)
{
	static const struct {
		const char *key, *suffix, *name;
	} cases[] = {
		{ "img_1", "jpg", "img_1.jpg" },
		{ "a/b/img", "png", "a/b/img.png" },
		{ "img_1.jpg", "jpg", "img_1%2Ejpg.jpg" },
		{ "v1.0/img", "jpg", "v1.0/img.jpg" },
		{ "a b/c d", "jpg", "a%20b/c%20d.jpg" },
		{ "100%", "jpg", "100%25.jpg" },
		{ "x\ny", "txt", "x%0Ay.txt" },
		{ "/etc/passwd", "bin", "%2Fetc/passwd.bin" },
		{ "../../x", "jpg", "%2E%2E/%2E%2E/x.jpg" },
		{ "a/../x", "jpg", "a/%2E%2E/x.jpg" },
		{ "..a/x", "jpg", "..a/x.jpg" },
		{ "./x", "jpg", "./x.jpg" },
		{ "\xc3\xbc", "jpg", "\xc3\xbc.jpg" },
		{ "x", "", "x.bin" },
		{ "x", "j/pg", "x.bin" },
		{ "x", ".hid", "x.bin" },
		{ "x", "cls", "x.data.cls" },
		{ "x", "CLS", "x.data.CLS" },
		{ "x", "data.jpg", "x.data.data.jpg" },
		{ "x", "seg.png", "x.seg.png" },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct buf block = BUF_INIT;

		append(&block, cases[i].key, "x", cases[i].suffix, -1);
		assert_string_equal((const char *)block.data, cases[i].name);
		assert_int_equal(block.len, 1024);
		buf_release(&block);
	}
}

static void test_tar_names_fields_behind_the_key(void **state)
{
	static const struct field fields[] = {
		{ "data", { DTYPE_U8, LAYOUT_ENCODED, { 1, { -1 } }, "" } },
		{ "data", { DTYPE_U8, LAYOUT_HWC, { 3, { 1, 1, 1 } }, "" } },
		{ "mask", { DTYPE_U8, LAYOUT_ENCODED, { 1, { -1 } }, "" } },
		{ "mask", { DTYPE_U8, LAYOUT_HWC, { 3, { 1, 1, 1 } }, "" } },
	};
	static const char *const names[] = { "png", "npy", "mask.png",
		"mask.npy" };

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(fields); i++) {
		char ext[NAME_EXT], suffix[SUFFIX_MAX] = "?";

		assert_string_equal(name_ext(&fields[i], "png", ext), names[i]);
		assert_true(name_is_of(&fields[i], span_text(ext), suffix));
		assert_string_equal(suffix, i % 2 ? "" : "png");
	}
	assert_false(
	    name_is_of(&fields[2], span_text("png"), (char[SUFFIX_MAX]){ "" }));
	assert_false(
	    name_is_of(&fields[1], span_text("jpg"), (char[SUFFIX_MAX]){ "" }));
}

/* 100 bytes fit into a header; one more needs a pax header. */
static void test_tar_gives_long_names_a_pax_header(void **state)
{
	struct buf block = BUF_INIT;
	struct tar_member member;
	struct error err = ERROR_INIT;
	char key[161];

	UNUSED(state);
	memset(key, 'k', sizeof(key));
	key[96] = '\0';
	append(&block, key, "x", "jpg", -1);
	assert_int_equal(block.len, 1024);
	assert_int_equal(block.data[99], 'g');
	assert_int_equal(block.data[156], '0');
	key[96] = 'k';
	key[160] = '\0';
	append(&block, key, "x", "jpg", -1);
	assert_int_equal(block.len, 1024 + 2048);
	assert_int_equal(block.data[1024 + 156], 'x');
	assert_memory_equal(block.data + 1024 + 512, "174 path=kkkk", 13);
	assert_int_equal(block.data[1024 + 512 + 173], '\n');
	assert_int_equal(tar_view_member((struct span){ block.data, 3072 },
	                     1024, &member, &err),
	    1);
	assert_int_equal(member.name.len, 164);
	assert_int_equal(member.next, 3072);
	buf_release(&block);
}

static void test_tar_puts_elements_at_multiples_of_64(void **state)
{
	struct schema schema;
	struct stored_sample stored;
	struct buf block = BUF_INIT;
	struct tar_member member;
	struct error err = ERROR_INIT;

	UNUSED(state);
	stored_schema(STORED_TENSOR, &schema);
	stored_sample_init(&stored, STORED_TENSOR, 1);
	test_ok(store_tar.append(&schema, &stored.sample, &block, &err), &err);
	assert_int_equal(
	    tar_view_member(buf_span(&block), 0, &member, &err), 1);
	assert_memory_equal(member.data.data, "\x93NUMPY\1\0", 8);
	assert_int_equal(
	    (member.data.len - stored.sample.fields[0].bytes) % 64, 0);
	stored_sample_release(&stored);
	buf_release(&block);
}

/* ---- damage that no checksum was there to find ---- */

static int read_block(struct buf *block, struct error *err)
{
	struct schema schema = { .count = 0 };
	struct chunk chunk = { .stored = *block, .bytes = buf_span(block) };
	struct sample sample = SAMPLE_INIT;
	int got;

	test_ok(schema_add(&schema, "data", &encoded, err), err);
	while ((got = store_tar.next(&schema, &chunk, &sample, err)) > 0)
		continue;
	return got;
}

static void test_tar_says_what_is_damaged(void **state)
{
	static const struct {
		size_t at;
		const char *bytes, *message;
	} cases[] = {
		{ 257, "xstar", "tar member at byte 0: not a ustar header" },
		{ 124, "9", "tar member at byte 0: its size is no number" },
		{ 124, "7", "tar member at byte 0: longer than what is there" },
		{ 156, "5", "tar member at byte 0: not a regular file" },
		{ 345, "a", "tar member at byte 0: its name has a prefix" },
		{ 156, "x", "tar member at byte 0: a pax header without path" },
		{ 5, "_", "tar member 'img_1_jpg' has no extension" },
		{ 0, ".", "field data is missing" },
		{ 1536, "x", "the label is no number" },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct buf block = BUF_INIT;
		struct error err = ERROR_INIT;

		append(&block, "img_1", "JPEG", "jpg", 7);
		memcpy(block.data + cases[i].at, cases[i].bytes,
		    strlen(cases[i].bytes));
		if (strcmp(cases[i].message, "field data is missing") == 0)
			assert_int_equal(read_block(&block, &err), -1);
		else
			test_error_is(
			    read_block(&block, &err), &err, cases[i].message);
		assert_int_equal(err.code, ERROR_DATA);
		buf_release(&block);
	}
}

static void test_tar_finds_a_block_that_is_cut(void **state)
{
	struct buf block = BUF_INIT;

	UNUSED(state);
	append(&block, "img_1", "JPEG", "jpg", 7);
	for (size_t len = 1; len < block.len; len++) {
		struct buf cut = { block.data, len, block.cap };
		struct error err = ERROR_INIT;
		const int rc = read_block(&cut, &err);

		if (len != 1024) /* there ends a sample that has no label */
			assert_int_equal(err.code, ERROR_DATA);
		assert_int_equal(rc, len == 1024 ? 0 : -1);
	}
	buf_release(&block);
}

/* ---- other tools ---- */

/* The output of a shell command, or NULL when the tool is not there. */
static char *run(const char *tool, const char *command)
{
	char line[4096];
	size_t len;
	char *out;
	FILE *pipe;

	snprintf(line, sizeof(line), "command -v %s >/dev/null", tool);
	if (system(line)) {
		print_message("skipped: no %s\n", tool);
		return NULL;
	}
	pipe = popen(command, "r");
	assert_non_null(pipe);
	out = calloc(1, 1 << 16);
	assert_non_null(out);
	len = fread(out, 1, (1 << 16) - 1, pipe);
	out[len] = '\0';
	if (pclose(pipe))
		fail_msg("'%s' failed: %s", command, out);
	return out;
}

/* The lines that stand for members: one a file, in their order. */
static void check_listing(const char *out, unsigned first, unsigned end)
{
	unsigned files = 0, lines = 0;

	for (unsigned i = first; i < end; i++) {
		struct stored_sample stored;

		stored_sample_init(&stored, STORED_ENCODED, i);
		files += stored.sample.label >= 0 ? 2 : 1;
		stored_sample_release(&stored);
	}
	for (; *out; out++)
		lines += *out == '\n';
	assert_int_equal(lines, files);
}

static void check_stock_tar(const char *codec, const char *tool)
{
	const struct store_form form =
	    stored_form("tar", codec, STORED_ENCODED);
	const char *suffix = form.codec.ops->suffix;
	char *dir = test_scratch(), *out;
	char command[4096];

	stored_write_shard(dir, &form, STORED_ENCODED, 0, 0, 30);
	snprintf(command, sizeof(command),
	    "%s -dc <%s/shard-000000.tar%s | tar -tf - 2>&1", tool, dir,
	    suffix);
	if (!*suffix)
		snprintf(command, sizeof(command),
		    "tar -tf %s/shard-000000.tar 2>&1", dir);
	out = run(*tool ? tool : "tar", command);
	if (out) {
		check_listing(out, 0, 30);
		test_contains(out, "n01440764/img_1.JPEG\n"
		                   "n01440764/img_1.cls\n");
		test_contains(out, "%2541");
	}
	free(out);
	test_scratch_remove(dir);
}

static void test_tar_is_listed_by_stock_tar(void **state)
{
	UNUSED(state);
	check_stock_tar("none", "");
	check_stock_tar("gzip", "gzip");
	check_stock_tar("zstd", "zstd");
	check_stock_tar("lz4", "lz4");
}

static void test_tar_is_read_by_python(void **state)
{
	static const char script[] =
	    "import sys, tarfile\n"
	    "t = tarfile.open(sys.argv[1], 'r|*')\n"
	    "for m in t:\n"
	    "    assert m.isfile() and m.mtime == m.uid == 0, m\n"
	    "    print(ascii(m.name), len(t.extractfile(m).read()))\n";
	const struct store_form form =
	    stored_form("tar", "gzip", STORED_ENCODED);
	char *dir = test_scratch(), *out;
	char command[4096];

	UNUSED(state);
	test_write(dir, "list.py", script);
	stored_write_shard(dir, &form, STORED_ENCODED, 0, 0, 30);
	snprintf(command, sizeof(command),
	    "python3 %s/list.py %s/shard-000000.tar.gz 2>&1", dir, dir);
	out = run("python3", command);
	if (out) {
		check_listing(out, 0, 30);
		test_contains(out, "3000000\n");
	}
	free(out);
	test_scratch_remove(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    test_tar_header_is_ustar_without_owner_and_time),
		cmocka_unit_test(test_tar_names_members_as_webdataset_does),
		cmocka_unit_test(test_tar_names_fields_behind_the_key),
		cmocka_unit_test(test_tar_gives_long_names_a_pax_header),
		cmocka_unit_test(test_tar_puts_elements_at_multiples_of_64),
		cmocka_unit_test(test_tar_says_what_is_damaged),
		cmocka_unit_test(test_tar_finds_a_block_that_is_cut),
		cmocka_unit_test(test_tar_is_listed_by_stock_tar),
		cmocka_unit_test(test_tar_is_read_by_python),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
