/* test_sidecars.c - indexes beside shards, for other readers, are correct. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/files/path.h"
#include "test/unit/stored.h"
#include "test/unit/test.h"

enum { LIMIT = 64 << 20, SAMPLES = 30 };

/* The file as a text; the buffer is the caller's. */
static const char *read_text(
    const char *dir, const char *name, struct buf *bytes)
{
	struct error err = ERROR_INIT;
	char *path = test_path(dir, name);

	bytes->len = 0;
	test_ok(path_read(path, LIMIT, bytes, &err), &err);
	test_ok(buf_append(bytes, "", 1, &err), &err);
	free(path);
	return (const char *)bytes->data;
}

/* Every member that a line of the index tells of. */
static unsigned check_line(char *line, const struct buf *shard)
{
	char *rest = NULL, *ext = strtok_r(line, " ", &rest);
	unsigned members = 0;

	for (; ext; ext = strtok_r(NULL, " ", &rest)) {
		const char *at = strtok_r(NULL, " ", &rest);
		const char *size = strtok_r(NULL, " ", &rest);
		const char *name = strtok_r(NULL, " ", &rest);
		const size_t offset = (size_t)strtoull(at, NULL, 10);
		const char *header;

		assert_non_null(name);
		assert_int_equal(offset % 512, 0);
		assert_true(offset + strtoull(size, NULL, 10) < shard->len);
		header = (const char *)shard->data + offset - 512;
		assert_memory_equal(header + 257, "ustar", 5);
		assert_int_equal(
		    strtoull(header + 124, NULL, 8), strtoull(size, NULL, 10));
		assert_memory_equal(
		    header, name, strlen(name) < 100 ? strlen(name) : 0);
		assert_string_equal(name + strlen(name) - strlen(ext), ext);
		members++;
	}
	return members;
}

static void test_sidecar_of_tar_says_where_members_are(void **state)
{
	const struct store_form form =
	    stored_form("tar", "none", STORED_FIELDS);
	char *dir = test_scratch(), *text, *line, *rest = NULL;
	struct buf idx = BUF_INIT, shard = BUF_INIT;
	unsigned samples = 0;

	UNUSED(state);
	stored_write_shard(dir, &form, STORED_FIELDS, 0, 0, SAMPLES);
	read_text(dir, "shard-000000.tar", &shard);
	text = strdup(read_text(dir, "shard-000000.idx", &idx));
	assert_non_null(text);
	assert_string_equal(strtok_r(text, "\n", &rest), "v1.2 30");
	while ((line = strtok_r(NULL, "\n", &rest))) {
		/* Fields, and the label of most. */
		assert_int_equal(check_line(line, &shard),
		    form.schema.count + (samples % 4 ? 1 : 0));
		samples++;
	}
	assert_int_equal(samples, SAMPLES);
	free(text);
	buf_release(&idx);
	buf_release(&shard);
	test_scratch_remove(dir);
}

static void test_sidecar_of_tar_is_as_python_sees_it(void **state)
{
	static const char script[] =
	    "import sys, tarfile\n"
	    "lines = open(sys.argv[1] + '.idx', encoding='latin-1')\n"
	    "print(next(lines).strip())\n"
	    "said = []\n"
	    "for line in lines:\n"
	    "    w = line.split()\n"
	    "    said += [(int(w[i + 1]), int(w[i + 2]), w[i + 3])\n"
	    "             for i in range(0, len(w), 4)]\n"
	    "t = tarfile.open(sys.argv[1] + '.tar', encoding='latin-1')\n"
	    "is_ = [(m.offset_data, m.size,\n"
	    "        m.name.encode('utf-8' if 'path' in m.pax_headers\n"
	    "                      else 'latin-1').decode('latin-1'))\n"
	    "       for m in t]\n"
	    "print('same' if is_ == said else [\n"
	    "    p for p in zip(is_, said) if p[0] != p[1]][:3])\n";
	const struct store_form form =
	    stored_form("tar", "none", STORED_ENCODED);
	char *dir = test_scratch();
	struct buf out = BUF_INIT;
	char command[4096];

	UNUSED(state);
	test_write(dir, "compare.py", script);
	stored_write_shard(dir, &form, STORED_ENCODED, 0, 0, SAMPLES);
	snprintf(command, sizeof(command),
	    "if command -v python3 >/dev/null; then python3 %s/compare.py "
	    "%s/shard-000000; else echo same; fi >%s/out 2>&1",
	    dir, dir, dir);
	assert_int_equal(system(command), 0);
	test_contains(read_text(dir, "out", &out), "same");
	buf_release(&out);
	test_scratch_remove(dir);
}

static void test_sidecar_of_tfrecord_counts_records(void **state)
{
	const struct store_form form =
	    stored_form("tfrecord", "none", STORED_FIELDS);
	struct buf idx = BUF_INIT, shard = BUF_INIT;
	char *dir = test_scratch();
	const char *at;
	uint64_t offset, size, end = 0;
	unsigned samples = 0;
	int used;

	UNUSED(state);
	stored_write_shard(dir, &form, STORED_FIELDS, 0, 0, SAMPLES);
	read_text(dir, "shard-000000.tfrecord", &shard);
	at = read_text(dir, "shard-000000.idx", &idx);
	for (; sscanf(at, "%" SCNu64 " %" SCNu64 "\n%n", &offset, &size,
	           &used) == 2;
	     at += used) {
		uint64_t len;

		assert_int_equal(offset, end);
		memcpy(&len, shard.data + offset, sizeof(len));
		assert_int_equal(size, len + 16);
		end = offset + size;
		samples++;
	}
	assert_int_equal(samples, SAMPLES);
	assert_int_equal(end, shard.len - 1); /* read_text adds one */
	buf_release(&idx);
	buf_release(&shard);
	test_scratch_remove(dir);
}

static void test_sidecar_lists_the_shards_of_webdataset(void **state)
{
	const struct store_form form =
	    stored_form("tar", "none", STORED_ENCODED);
	const struct manifest_note note = { .strategy = "a/b/c",
		.fingerprint = "0" };
	struct error err = ERROR_INIT;
	struct buf text = BUF_INIT;
	char *dir = test_scratch();

	UNUSED(state);
	stored_write_shard(dir, &form, STORED_ENCODED, 0, 0, 0);
	stored_write_shard(dir, &form, STORED_ENCODED, 1, 1, 1);
	test_ok(stored_write_manifest(dir, &form, 2, &note, &err), &err);
	assert_string_equal(read_text(dir, "shardindex.json", &text),
	    "{\n  \"__kind__\": \"wids-shard-index-v1\",\n"
	    "  \"wids_version\": 1,\n  \"shardlist\": [\n"
	    "    { \"url\": \"shard-000000.tar\", \"nsamples\": 0, "
	    "\"filesize\": 1024 },\n"
	    "    { \"url\": \"shard-000001.tar\", \"nsamples\": 0, "
	    "\"filesize\": 1024 }\n  ]\n}\n");
	buf_release(&text);
	test_scratch_remove(dir);
}

static void test_sidecars_are_not_beside_what_is_compressed(void **state)
{
	static const char *const stores[] = { "tar", "tfrecord" };

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(stores); i++) {
		const struct store_form form =
		    stored_form(stores[i], "gzip:1", STORED_ENCODED);
		char *dir = test_scratch();
		char *idx = test_path(dir, "shard-000000.idx");
		char *list = test_path(dir, "shardindex.json");

		stored_write(dir, &form, STORED_ENCODED);
		assert_false(path_exists(idx));
		assert_false(path_exists(list));
		free(list);
		free(idx);
		test_scratch_remove(dir);
	}
}

/* It is made again with its shard; who only reads can do without. */
static void test_sidecar_that_is_gone_makes_a_shard_incomplete(void **state)
{
	const struct store_form form =
	    stored_form("tar", "none", STORED_ENCODED);
	struct error err = ERROR_INIT;
	char *dir = test_scratch();
	char *idx = test_path(dir, "shard-000001.idx");

	UNUSED(state);
	stored_write(dir, &form, STORED_ENCODED);
	assert_true(stored_is_complete(dir, &form, 1));
	remove(idx);
	assert_false(stored_is_complete(dir, &form, 1));
	test_ok(stored_read(dir, NULL, NULL, &err), &err);
	free(idx);
	test_scratch_remove(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sidecar_of_tar_says_where_members_are),
		cmocka_unit_test(test_sidecar_of_tar_is_as_python_sees_it),
		cmocka_unit_test(test_sidecar_of_tfrecord_counts_records),
		cmocka_unit_test(test_sidecar_lists_the_shards_of_webdataset),
		cmocka_unit_test(
		    test_sidecars_are_not_beside_what_is_compressed),
		cmocka_unit_test(
		    test_sidecar_that_is_gone_makes_a_shard_incomplete),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
