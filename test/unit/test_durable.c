/*
 * test_durable.c - a file of a store is synced before it gets its name, and
 * the folder behind that: after a crash of the machine, a name that is there
 * has its bytes.
 *
 * Linked with --wrap of the three functions below (Makefile), which note what
 * happened to which inode.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/files/path_tree.h"
#include "lib/files/temporary.h"
#include "test/unit/stored.h"
#include "test/unit/test.h"

enum { INODES = 4096 };

static struct {
	struct {
		ino_t inode;
		off_t bytes; /* when it was synced */
	} synced[INODES];
	size_t count;
	unsigned named;    /* files and folders that got their names */
	char folder[4096]; /* of the last name; "": was synced since */
} seen;

int __real_fsync(int fd);
int __wrap_fsync(int fd);
int __real_temporary_publish(struct temporary *temporary, struct error *err);
int __wrap_temporary_publish(struct temporary *temporary, struct error *err);
int __real_path_rename(const char *from, const char *to, struct error *err);
int __wrap_path_rename(const char *from, const char *to, struct error *err);

static bool is_synced(const struct stat *status)
{
	for (size_t i = seen.count; i-- > 0;)
		if (seen.synced[i].inode == status->st_ino)
			return seen.synced[i].bytes == status->st_size;
	return false;
}

int __wrap_fsync(int fd)
{
	struct stat status, folder;

	assert_int_equal(fstat(fd, &status), 0);
	assert_true(seen.count < INODES);
	seen.synced[seen.count].inode = status.st_ino;
	seen.synced[seen.count++].bytes = status.st_size;
	if (S_ISDIR(status.st_mode) && seen.folder[0] &&
	    stat(seen.folder, &folder) == 0 && folder.st_ino == status.st_ino)
		seen.folder[0] = '\0';
	return __real_fsync(fd);
}

static void note_name(const char *path)
{
	struct error err = ERROR_INIT;
	char *dir = path_dir(path, &err);

	seen.named++;
	snprintf(seen.folder, sizeof(seen.folder), "%s", dir);
	free(dir);
}

int __wrap_temporary_publish(struct temporary *temporary, struct error *err)
{
	struct stat status;

	assert_int_equal(fstat(temporary->fd, &status), 0);
	if (!is_synced(&status))
		fail_msg(
		    "%s gets its name before it is synced", temporary->path);
	note_name(temporary->path);
	return __real_temporary_publish(temporary, err);
}

static int check_file(
    void *arg, const char *name, uint64_t bytes, struct error *err)
{
	char *path = path_join(arg, name, err);
	struct stat status;

	UNUSED(bytes);
	assert_int_equal(stat(path, &status), 0);
	if (!is_synced(&status))
		fail_msg(
		    "the folder of %s gets its name before it is synced", path);
	free(path);
	return 0;
}

int __wrap_path_rename(const char *from, const char *to, struct error *err)
{
	struct stat status;

	assert_int_equal(stat(from, &status), 0);
	assert_true(is_synced(&status));
	test_ok(path_each(from, check_file, (void *)(uintptr_t)from, err), err);
	note_name(to);
	return __real_path_rename(from, to, err);
}

static void check_store(const char *store, const char *codec, void *arg)
{
	const enum stored_kind kind = stored_nearest(store, STORED_TENSOR);
	const struct store_form form = stored_form(store, codec, kind);
	char *dir = test_scratch();

	UNUSED(arg);
	seen.count = seen.named = 0;
	stored_write(dir, &form, kind);
	/* The shards and their indexes, and the manifest. */
	assert_true(seen.named >= 2 * STORED_SHARDS + 1);
	if (seen.folder[0])
		fail_msg("%s/%s: the folder was not synced", store, codec);
	test_scratch_remove(dir);
}

static void test_stores_sync_what_gets_a_name(void **state)
{
	UNUSED(state);
	stored_each(check_store, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stores_sync_what_gets_a_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
