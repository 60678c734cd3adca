/*
 * test_cold.c - data that is dropped, seen, and judged cold or not.  The linker
 * leads the calls below to their wrappers here.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/files/path_tree.h"
#include "lib/measure/storage/cold.h"
#include "lib/measure/storage/layers.h"
#include "lib/measure/storage/page_cache.h"
#include "lib/measure/storage/residency.h"
#include "lib/measure/system.h"
#include "lib/sample/reader.h"
#include "test/unit/test.h"

enum { LARGE = 4 << 20 };

enum seen_layers { LAYERS_ARE_SEEN, LAYERS_HAVE_NAMES, LAYERS_HAVE_NONE };

static struct {
	bool hides;            /* file systems show no pages */
	ino_t written;         /* the file that was last written out */
	unsigned drops, early; /* early: its data was not written out */
	unsigned names;        /* how often all names were dropped */
	enum seen_layers layers;
} seen;

int __real_sync_file_range(int fd, off_t at, off_t bytes, unsigned flags);
int __wrap_sync_file_range(int fd, off_t at, off_t bytes, unsigned flags);
int __real_fdatasync(int fd);
int __wrap_fdatasync(int fd);
int __real_posix_fadvise(int fd, off_t at, off_t bytes, int advice);
int __wrap_posix_fadvise(int fd, off_t at, off_t bytes, int advice);
bool __real_page_cache_shows(int fd, bool stacked);
bool __wrap_page_cache_shows(int fd, bool stacked);
bool __wrap_page_cache_drop_names(void);
void __real_layers_add(struct layers *layers, const struct mount *mount);
void __wrap_layers_add(struct layers *layers, const struct mount *mount);

int __wrap_sync_file_range(int fd, off_t at, off_t bytes, unsigned flags)
{
	struct stat status;

	if (fstat(fd, &status) == 0)
		seen.written = status.st_ino;
	return __real_sync_file_range(fd, at, bytes, flags);
}

int __wrap_fdatasync(int fd)
{
	struct stat status;

	if (fstat(fd, &status) == 0)
		seen.written = status.st_ino;
	return __real_fdatasync(fd);
}

int __wrap_posix_fadvise(int fd, off_t at, off_t bytes, int advice)
{
	struct stat status;

	if (advice == POSIX_FADV_DONTNEED && fstat(fd, &status) == 0) {
		seen.drops++;
		seen.early += seen.written != status.st_ino;
	}
	return __real_posix_fadvise(fd, at, bytes, advice);
}

bool __wrap_page_cache_shows(int fd, bool stacked)
{
	return !seen.hides && __real_page_cache_shows(fd, stacked);
}

bool __wrap_page_cache_drop_names(void)
{
	seen.names++;
	return true;
}

void __wrap_layers_add(struct layers *layers, const struct mount *mount)
{
	if (seen.layers == LAYERS_ARE_SEEN)
		__real_layers_add(layers, mount);
	else
		layers->names = seen.layers == LAYERS_HAVE_NAMES;
}

struct judged {
	const char *what;
	struct cold_facts facts;
	enum cold cold;
	double percent;
};

static const struct judged judged[] = {
	{ "nothing to read", { .files = 0 }, COLD_YES, 0 },
	{ "few files", { .files = COLD_FEW_FILES, .pages = 100 }, COLD_YES, 0 },
	{ "a page or two", { .files = 1, .pages = 200, .resident = 2 },
	    COLD_YES, 1 },
	{ "names may be warm", { .files = COLD_FEW_FILES + 1, .pages = 100 },
	    COLD_PAGES, 0 },
	{ "names were dropped",
	    { .files = COLD_FEW_FILES + 1,
	        .pages = 100,
	        .names_dropped = true },
	    COLD_YES, 0 },
	{ "more than a page or two",
	    { .files = 1, .pages = 200, .resident = 3 }, COLD_NO, 1.5 },
	{ "more in an image than in its files",
	    { .files = 1, .pages = 200, .resident = 300 }, COLD_NO, 100 },
	{ "pages that cannot be seen",
	    { .files = 1, .pages = 100, .unseen = 100 }, COLD_UNKNOWN, -1 },
	{ "one such file of many", { .files = 200, .pages = 200, .unseen = 1 },
	    COLD_PAGES, 0 },
	{ "a layer that cannot be seen",
	    { .files = 1, .pages = 100, .layer_unseen = true }, COLD_UNKNOWN,
	    -1 },
	{ "the same, but what is seen is warm",
	    { .files = 1, .pages = 100, .resident = 50, .layer_unseen = true },
	    COLD_NO, 50 },
	{ "a device in memory", { .files = 1, .pages = 100, .memory = true },
	    COLD_NO, 100 },
};

static void test_cold_is_judged_by_what_is_known(void **state)
{
	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(judged); i++) {
		const struct judged *j = &judged[i];

		if (cold_judge(&j->facts) != j->cold)
			fail_msg("%s: %s", j->what,
			    cold_name(cold_judge(&j->facts)));
		assert_float_equal(cold_percent(&j->facts), j->percent, 1e-9);
	}
}

static void test_cold_has_a_word_for_each(void **state)
{
	UNUSED(state);
	for (int c = COLD_NONE; c <= COLD_NO; c++)
		assert_int_equal(cold_find(cold_name((enum cold)c)), c);
	assert_int_equal(cold_find("warm"), COLD_NONE);
}

/* Files of /sys are read past the page cache, like some file systems. */
static void test_page_cache_knows_where_it_shows_nothing(void **state)
{
	const int hidden = open("/sys/kernel/mm/transparent_hugepage/enabled",
	    O_RDONLY | O_CLOEXEC);
	char *dir = test_scratch_on_disk(), *path = test_path(dir, "a");
	int shown;

	UNUSED(state);
	test_write(dir, "a", "some text");
	shown = open(path, O_RDONLY | O_CLOEXEC);
	assert_true(page_cache_shows(shown, false));
	assert_true(page_cache_shows(shown, true));
	/* As devices are looked at, where there is no cachestat. */
	assert_int_equal(page_cache_count(shown, 0, true), -1);
	page_cache_sync(shown, false);
	page_cache_drop(shown);
	close(shown);
	if (hidden >= 0) {
		assert_false(page_cache_shows(hidden, false));
		close(hidden);
	}
	free(path);
	test_scratch_remove(dir);
}

/* A file of /sys has 4096 bytes, none of them in the page cache, ever. */
static int visit_hidden(const struct reader *reader, reader_visit *visit,
    void *arg, struct error *err)
{
	UNUSED(reader);
	return visit(
	    arg, "/sys/kernel/mm/transparent_hugepage/enabled", 4096, err);
}

static void test_residency_does_not_call_unseen_data_cold(void **state)
{
	const struct reader_ops ops = { .each_file = visit_hidden };
	const struct reader reader = { .ops = &ops };
	struct error err = ERROR_INIT;
	struct residency found;
	bool drop_failed = false;

	UNUSED(state);
	if (access("/sys/kernel/mm/transparent_hugepage/enabled", R_OK))
		skip();
	test_ok(residency_drop(&reader, &drop_failed, &found, &err), &err);
	assert_int_equal(found.cold, COLD_UNKNOWN);
	assert_true(found.percent < 0);
	assert_true(*found.unseen);
}

static void test_residency_sees_a_folder(void **state)
{
	struct error err = ERROR_INIT;
	char *dir = test_scratch_on_disk();
	struct residency after;
	double before = -1;

	UNUSED(state);
	test_write(dir, "below/a", "some text");
	test_write(dir, "b", "and more");
	test_ok(residency_of_folder(dir, &before, &err), &err);
	test_ok(residency_drop_folder(dir, &after, &err), &err);
	assert_true(before >= 0 && before <= 100);
	assert_true(after.percent <= before + 0.1);
	test_scratch_remove(dir);
}

/* A reader of one file, which `priv` is the path of. */
static int visit_one(const struct reader *reader, reader_visit *visit,
    void *arg, struct error *err)
{
	return visit(arg, reader->priv, LARGE, err);
}

static void test_residency_drops_what_was_just_written(void **state)
{
	const struct reader_ops ops = { .each_file = visit_one };
	struct reader reader = { .ops = &ops };
	struct error err = ERROR_INIT;
	char *dir = test_scratch_on_disk();
	char *text = calloc(1, LARGE + 1);
	char filesystem[128];
	struct residency found;
	double percent = -1;
	bool drop_failed = false;

	UNUSED(state);
	machine_filesystem(dir, filesystem);
	memset(text, 'x', LARGE);
	test_write(dir, "new", text);
	reader.priv = path_join(dir, "new", &err);
	test_ok(residency_percent(&reader, &percent, &err), &err);
	assert_true(percent >= 99);
	test_ok(residency_drop(&reader, &drop_failed, &found, &err), &err);
	if (strncmp(filesystem, "tmpfs", 5) == 0)
		assert_int_equal(found.cold, COLD_NO);
	else
		assert_true(found.cold != COLD_NO && found.percent <= 1);
	free(reader.priv);
	free(text);
	test_scratch_remove(dir);
}

/* Dirty pages are not dropped; root would drop them by other means. */
static void test_residency_writes_out_before_it_drops(void **state)
{
	struct error err = ERROR_INIT;
	char *dir = test_scratch_on_disk();
	struct residency found;

	UNUSED(state);
	test_write(dir, "a", "some text");
	test_write(dir, "b", "and more");
	memset(&seen, 0, sizeof(seen));
	test_ok(residency_drop_folder(dir, &found, &err), &err);
	assert_true(seen.drops >= 2);
	assert_int_equal(seen.early, 0);
	test_scratch_remove(dir);
}

/* All files of the folder that `priv` is the path of. */
static int visit_folder(const struct reader *reader, reader_visit *visit,
    void *arg, struct error *err)
{
	for (unsigned i = 0; i < reader->streams; i++) {
		char path[4096];

		snprintf(path, sizeof(path), "%s/%u", (char *)reader->priv, i);
		if (visit(arg, path, 9, err))
			return -1;
	}
	return 0;
}

/* The names of the whole machine, so only where that makes this data cold. */
static void test_residency_drops_names_of_many_files_only(void **state)
{
	static const struct {
		unsigned files;
		enum seen_layers layers;
		unsigned drops;
	} cases[] = {
		{ COLD_FEW_FILES, LAYERS_HAVE_NAMES, 0 },
		{ COLD_FEW_FILES + 1, LAYERS_HAVE_NAMES, 1 },
		{ COLD_FEW_FILES + 1, LAYERS_HAVE_NONE, 0 },
	};

	const struct reader_ops ops = { .each_file = visit_folder };

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char *dir = test_scratch_on_disk(), name[16];
		const struct reader reader = {
			.ops = &ops, .priv = dir, .streams = cases[i].files
		};
		struct error err = ERROR_INIT;
		struct residency found;
		bool drop_failed = false;

		for (unsigned n = 0; n < cases[i].files; n++) {
			snprintf(name, sizeof(name), "%u", n);
			test_write(dir, name, "some text");
		}
		memset(&seen, 0, sizeof(seen));
		seen.layers = cases[i].layers;
		test_ok(
		    residency_drop(&reader, &drop_failed, &found, &err), &err);
		assert_int_equal(seen.names, cases[i].drops);
		if (cases[i].files > COLD_FEW_FILES)
			assert_true(found.cold !=
			            (cases[i].drops ? COLD_PAGES : COLD_YES));
		test_scratch_remove(dir);
	}
	memset(&seen, 0, sizeof(seen));
}

/* A file system that reads past the page cache never has anything in it. */
static void test_residency_does_not_trust_what_shows_nothing(void **state)
{
	struct error err = ERROR_INIT;
	char *dir = test_scratch_on_disk();
	struct residency found;

	UNUSED(state);
	test_write(dir, "a", "some text");
	seen.hides = true;
	test_ok(residency_drop_folder(dir, &found, &err), &err);
	seen.hides = false;
	if (!residency_is_memory(dir)) {
		assert_int_equal(found.cold, COLD_UNKNOWN);
		assert_true(found.percent < 0);
	}
	test_scratch_remove(dir);
}

/* A file that is in the page cache, clean, as long as nobody drops all. */
static struct reader new_witness(const struct reader_ops *ops, const char *dir)
{
	struct reader witness = { .ops = ops };
	struct error err = ERROR_INIT;
	char *text = calloc(1, LARGE + 1);
	int fd;

	memset(text, 'x', LARGE);
	test_write(dir, "witness", text);
	witness.priv = path_join(dir, "witness", &err);
	fd = open(witness.priv, O_RDWR);
	assert_true(fd >= 0 && fsync(fd) == 0);
	close(fd);
	free(text);
	return witness;
}

static bool is_resident(const struct reader *reader)
{
	struct error err = ERROR_INIT;
	double percent = -1;

	test_ok(residency_percent(reader, &percent, &err), &err);
	return percent >= 50;
}

/* What others have in the page cache is not dropped for nothing. */
static void test_residency_leaves_alone_what_does_not_help(void **state)
{
	const struct reader_ops ops = { .each_file = visit_one };
	char memory[] = "/dev/shm/presto-test-XXXXXX", filesystem[128];
	char *disk;
	struct reader kept, witness;
	struct error err = ERROR_INIT;
	struct residency found;
	bool drop_failed = false;

	UNUSED(state);
	machine_filesystem("/dev/shm", filesystem);
	if (strncmp(filesystem, "tmpfs", 5) != 0 || !mkdtemp(memory))
		skip();
	disk = test_scratch_on_disk();
	kept = new_witness(&ops, memory);
	witness = new_witness(&ops, disk);
	test_ok(residency_drop(&kept, &drop_failed, &found, &err), &err);
	assert_true(found.percent > 99 && !drop_failed);
	assert_int_equal(found.cold, COLD_NO);
	test_ok(residency_drop_folder(memory, &found, &err), &err);
	assert_true(found.percent > 99);
	assert_true(is_resident(&witness));
	free(kept.priv);
	free(witness.priv);
	test_ok(path_remove_tree(memory, &err), &err);
	test_scratch_remove(disk);
}

/* Mapped pages stay: a second drop of everything would not help either. */
static void test_residency_gives_up_after_one_drop_in_vain(void **state)
{
	const struct reader_ops ops = { .each_file = visit_one };
	char *dir = test_scratch_on_disk(), *other = test_scratch_on_disk();
	struct reader mapped = new_witness(&ops, dir), witness;
	const int fd = open(mapped.priv, O_RDONLY);
	char *map = mmap(NULL, LARGE, PROT_READ, MAP_SHARED, fd, 0);
	struct error err = ERROR_INIT;
	struct residency found;
	bool drop_failed = false;
	unsigned sum = 0;

	UNUSED(state);
	assert_true(map != MAP_FAILED);
	for (size_t i = 0; i < LARGE; i += 4096)
		sum += (unsigned char)map[i];
	assert_int_equal(sum, LARGE / 4096 * 'x');
	test_ok(residency_drop(&mapped, &drop_failed, &found, &err), &err);
	if (drop_failed) { /* as root */
		witness = new_witness(&ops, other);
		test_ok(
		    residency_drop(&mapped, &drop_failed, &found, &err), &err);
		assert_true(found.percent > 50 && drop_failed);
		assert_true(is_resident(&witness));
		free(witness.priv);
	}
	munmap(map, LARGE);
	close(fd);
	free(mapped.priv);
	test_scratch_remove(other);
	test_scratch_remove(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cold_is_judged_by_what_is_known),
		cmocka_unit_test(test_cold_has_a_word_for_each),
		cmocka_unit_test(test_page_cache_knows_where_it_shows_nothing),
		cmocka_unit_test(test_residency_does_not_call_unseen_data_cold),
		cmocka_unit_test(test_residency_sees_a_folder),
		cmocka_unit_test(test_residency_drops_what_was_just_written),
		cmocka_unit_test(test_residency_writes_out_before_it_drops),
		cmocka_unit_test(test_residency_drops_names_of_many_files_only),
		cmocka_unit_test(
		    test_residency_does_not_trust_what_shows_nothing),
		cmocka_unit_test(
		    test_residency_leaves_alone_what_does_not_help),
		cmocka_unit_test(
		    test_residency_gives_up_after_one_drop_in_vain),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
