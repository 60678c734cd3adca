/* test_disk_cache.c - parts of far objects that are kept on a local disk. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/files/path_tree.h"
#include "lib/media/disk/disk_cache.h"
#include "lib/media/disk/disk_files.h"
#include "test/unit/test.h"

enum { PART = 10000, MOST = 200000 };

static unsigned char bytes[MOST / 10 + 1]; /* more than is ever kept */

static struct span part_of(unsigned seed)
{
	for (size_t i = 0; i < PART; i++)
		bytes[i] = (unsigned char)(i * 7 + seed);
	return (struct span){ bytes, PART };
}

static struct disk_cache *open_cache(const char *dir, uint64_t most)
{
	struct error err = ERROR_INIT;
	struct disk_cache *cache = disk_cache_open(dir, most, &err);

	test_ok(cache ? 0 : -1, &err);
	return cache;
}

/* Is the part kept, with just these bytes? */
static bool has(
    struct disk_cache *cache, const struct disk_key *key, unsigned part)
{
	const int fd = disk_cache_find(cache, key, part, PART, false);
	unsigned char is[PART];
	bool same;

	if (fd < 0)
		return false;
	assert_int_equal(pread(fd, is, PART, 0), PART);
	close(fd);
	same = memcmp(is, part_of(part).data, PART) == 0;
	assert_true(same);
	return true;
}

static void test_disk_cache_finds_what_was_put(void **state)
{
	char *dir = test_scratch();
	struct disk_cache *cache = open_cache(dir, MOST);
	const struct disk_key key = disk_key("s3://a/b", "\"1\"");
	const struct disk_key newer = disk_key("s3://a/b", "\"2\"");
	const struct disk_key other = disk_key("s3://a/c", "\"1\"");
	uint64_t size;

	(void)state;
	assert_false(has(cache, &key, 3));
	assert_true(disk_cache_put(cache, &key, 3, part_of(3)));
	assert_true(has(cache, &key, 3));
	assert_false(has(cache, &key, 4));
	assert_false(has(cache, &newer, 3));
	assert_false(has(cache, &other, 3));
	assert_int_equal(disk_cache_find(cache, &key, 3, PART - 1, false), -1);
	assert_false(disk_cache_recall(cache, key.url, &size));
	disk_cache_remember(cache, key.url, 77);
	disk_cache_free(cache);
	cache = open_cache(dir, MOST);
	assert_true(disk_cache_recall(cache, key.url, &size));
	assert_int_equal(size, 77);
	assert_false(disk_cache_recall(cache, other.url, &size));
	disk_cache_free(cache);
	test_scratch_remove(dir);
}

/* Any byte of the file that is another one is found out, and the file goes. */
static void test_disk_cache_finds_damage(void **state)
{
	char *dir = test_scratch(), *path, name[DISK_NAME], whole[128];
	struct disk_cache *cache = open_cache(dir, MOST);
	const struct disk_key key = disk_key("https://a/b", "v");
	static const long places[] = { 0, PART - 1, PART, PART + 8, PART + 31 };

	(void)state;
	disk_part_name(&key, 0, name);
	snprintf(whole, sizeof(whole), "presto-cache/%s", name);
	path = test_path(dir, whole);
	for (size_t i = 0; i < ARRAY_LEN(places); i++) {
		FILE *file;
		int c;

		assert_true(disk_cache_put(cache, &key, 0, part_of(0)));
		file = fopen(path, "r+b");
		assert_non_null(file);
		fseek(file, places[i], SEEK_SET);
		c = fgetc(file);
		fseek(file, places[i], SEEK_SET);
		fputc(c ^ 1, file);
		fclose(file);
		assert_false(has(cache, &key, 0));
		assert_false(path_exists(path));
	}
	assert_int_equal(disk_cache_held(cache), 0);
	free(path);
	disk_cache_free(cache);
	test_scratch_remove(dir);
}

static void set_age(const char *dir, const struct disk_key *key, unsigned part)
{
	char name[DISK_NAME], whole[128], *path;
	struct timeval times[2] = { { .tv_sec = 1000000 + part } };

	disk_part_name(key, part, name);
	snprintf(whole, sizeof(whole), "presto-cache/%s", name);
	path = test_path(dir, whole);
	times[1] = times[0];
	assert_int_equal(utimes(path, times), 0);
	free(path);
}

/* The oldest go, the newest stay, and so do files of other programs. */
static void test_disk_cache_is_bounded(void **state)
{
	char *dir = test_scratch(), *mine;
	struct disk_cache *cache = open_cache(dir, MOST);
	const struct disk_key key = disk_key("s3://a/b", "v");
	uint64_t held;
	unsigned kept = 0;

	(void)state;
	test_write(dir, "presto-cache/00/mine", "of the user");
	for (unsigned part = 0; part < 50; part++) {
		assert_true(disk_cache_put(cache, &key, part, part_of(part)));
		assert_true(disk_cache_held(cache) <= MOST);
		set_age(dir, &key, part);
	}
	assert_true(has(cache, &key, 49));
	assert_false(has(cache, &key, 0));
	for (unsigned part = 0; part < 50; part++)
		kept += has(cache, &key, part);
	assert_in_range(kept, MOST / PART * 8 / 10 - 1, MOST / PART);
	held = disk_cache_held(cache);
	assert_true(held >= (uint64_t)kept * PART);
	assert_false(disk_cache_put(
	    cache, &key, 60, (struct span){ bytes, MOST / 10 + 1 }));
	disk_cache_free(cache);
	mine = test_path(dir, "presto-cache/00/mine");
	test_reads(mine, "of the user");
	free(mine);
	test_scratch_remove(dir);
}

/* What has been used lately is not the oldest any more. */
static void test_disk_cache_keeps_what_is_used(void **state)
{
	char *dir = test_scratch();
	struct disk_cache *cache = open_cache(dir, MOST);
	const struct disk_key key = disk_key("s3://a/b", "v");

	(void)state;
	for (unsigned part = 0; part < 15; part++) {
		disk_cache_put(cache, &key, part, part_of(part));
		set_age(dir, &key, part);
	}
	assert_true(has(cache, &key, 0));
	for (unsigned part = 15; part < 25; part++)
		disk_cache_put(cache, &key, part, part_of(part));
	assert_true(has(cache, &key, 0));
	assert_false(has(cache, &key, 1));
	disk_cache_free(cache);
	test_scratch_remove(dir);
}

/* The count of a killed process may be too high: counting anew ends that. */
static void test_disk_cache_counts_anew(void **state)
{
	char *dir = test_scratch();
	const struct disk_key key = disk_key("s3://a/b", "v");
	struct disk_cache *cache;

	(void)state;
	for (unsigned i = 0; i < 6; i++) {
		const pid_t child = fork();

		if (child == 0) {
			cache = open_cache(dir, MOST);
			for (unsigned part = 0;; part = (part + 1) % 40)
				disk_cache_put(
				    cache, &key, part, part_of(part));
		}
		clock_sleep_until(clock_now(&clock_monotonic) + 20000000);
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
	}
	cache = open_cache(dir, MOST);
	for (unsigned part = 0; part < 40; part++)
		has(cache, &key, part);
	for (unsigned part = 100; part < 140; part++)
		disk_cache_put(cache, &key, part, part_of(part));
	assert_true(has(cache, &key, 139));
	disk_cache_free(cache);
	test_scratch_remove(dir);
}

static void test_disk_cache_refuses_other_folders(void **state)
{
	char *dir = test_scratch();
	struct error err = ERROR_INIT;

	(void)state;
	test_write(dir, "presto-cache/photo.jpg", "x");
	assert_null(disk_cache_open(dir, MOST, &err));
	test_contains(err.text, "is no cache of presto");
	test_scratch_remove(dir);
}

static void test_disk_files_know_their_names(void **state)
{
	static const struct {
		const char *name;
		bool is;
	} cases[] = {
		{ "0123456789abcdef0123456789abcdef", true },
		{ "0123456789abcdef0123456789abcdef-0123456789abcdef-00000001",
		    true },
		{ "0123456789abcdef0123456789abcdef-0123456789abcdef-0000001",
		    false },
		{ "0123456789abcdef0123456789abcdef-0123456789abcdef", false },
		{ "0123456789abcdef0123456789abcdeg", false },
		{ "0123456789abcdef0123456789abcdef0", false },
		{ "CACHEDIR.TAG", false },
		{ "", false },
	};
	const struct disk_key key = disk_key("s3://a/b", "v");
	char name[DISK_NAME];

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		if (disk_is_name(cases[i].name) != cases[i].is)
			fail_msg("%s", cases[i].name);
	disk_part_name(&key, UINT32_MAX, name);
	assert_true(disk_is_name(name + 3));
	disk_url_name(key.url, name);
	assert_true(disk_is_name(name + 3));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_disk_cache_finds_what_was_put),
		cmocka_unit_test(test_disk_cache_finds_damage),
		cmocka_unit_test(test_disk_cache_is_bounded),
		cmocka_unit_test(test_disk_cache_keeps_what_is_used),
		cmocka_unit_test(test_disk_cache_counts_anew),
		cmocka_unit_test(test_disk_cache_refuses_other_folders),
		cmocka_unit_test(test_disk_files_know_their_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
