/*
 * test_sync_time.c - what a sync takes is measured as stores sync, in little
 * time, and nothing is left in the folder.
 *
 * fsync stands in for that of the C library.
 */
#include <dirent.h>
#include <pthread.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/clock.h"
#include "lib/files/temporary.h"
#include "strategies/forecast/models/sync_time.h"
#include "test/unit/test.h"

static struct {
	pthread_mutex_t lock;
	const char *dir;
	uint64_t sleep_ns;
	unsigned files, folders; /* that were synced */
	unsigned unknown;        /* names that no sweep would remove */
} syncs = { .lock = PTHREAD_MUTEX_INITIALIZER };

static unsigned count_unknown(void)
{
	DIR *dir = opendir(syncs.dir);
	const struct dirent *entry;
	unsigned count = 0;

	while (dir && (entry = readdir(dir)))
		count += *entry->d_name != '.' ||
		         (strlen(entry->d_name) > 2 &&
		             !temporary_is_name(entry->d_name));
	if (dir)
		closedir(dir);
	return count;
}

__attribute__((visibility("default"))) int fsync(int fd)
{
	struct stat status;

	if (syncs.sleep_ns)
		clock_sleep_until(clock_now(&clock_monotonic) + syncs.sleep_ns);
	pthread_mutex_lock(&syncs.lock);
	if (fstat(fd, &status) == 0 && S_ISDIR(status.st_mode))
		syncs.folders++;
	else
		syncs.files++;
	syncs.unknown += count_unknown();
	pthread_mutex_unlock(&syncs.lock);
	return 0;
}

static struct sync_cost measure(char *dir, uint64_t sleep_ns, unsigned threads)
{
	struct sync_cost cost;

	syncs.dir = dir;
	syncs.sleep_ns = sleep_ns;
	syncs.files = syncs.folders = syncs.unknown = 0;
	cost = sync_cost_measure(dir, threads);
	test_is_empty(dir);
	test_scratch_remove(dir);
	return cost;
}

static void test_sync_time_is_that_of_a_file_and_its_folder(void **state)
{
	const struct sync_cost cost = measure(test_scratch(), 1000000, 2);

	UNUSED(state);
	assert_true(syncs.files > 0);
	assert_int_equal(syncs.folders, syncs.files);
	assert_int_equal(syncs.unknown, 0);
	/* Both take a millisecond at least. */
	assert_true(cost.file_s >= 2e-3);
	assert_true(cost.byte_s > 0);
}

/* Two files take longer than what is enough. */
static void test_sync_time_of_a_slow_storage_takes_few_files(void **state)
{
	const struct sync_cost cost = measure(test_scratch(), 300000000, 8);

	UNUSED(state);
	assert_true(syncs.files <= 4);
	assert_true(cost.file_s >= 0.6);
	assert_true(cost.byte_s > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    test_sync_time_is_that_of_a_file_and_its_folder),
		cmocka_unit_test(
		    test_sync_time_of_a_slow_storage_takes_few_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
