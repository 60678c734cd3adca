/* test_mapping.c - reading files without a copy. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/files/mapping.h"
#include "test/unit/test.h"

enum { LEN = 300000 };

/* cmocka takes the signal for itself in front of each test. */
static struct sigaction ours;

static void give_signal_back(void)
{
	assert_int_equal(sigaction(SIGBUS, &ours, NULL), 0);
}

static unsigned char byte_at(size_t i)
{
	return (unsigned char)(i * 31 + i / 251);
}

/* A file of LEN bytes, just written: in the page cache, where there is one. */
static int make_file(char **dir)
{
	unsigned char *bytes = malloc(LEN);
	char *path;
	int fd;

	*dir = test_scratch();
	path = test_path(*dir, "file");
	fd = open(path, O_RDWR | O_CREAT, 0600);
	assert_true(fd >= 0);
	for (size_t i = 0; i < LEN; i++)
		bytes[i] = byte_at(i);
	assert_int_equal(write(fd, bytes, LEN), LEN);
	free(path);
	free(bytes);
	return fd;
}

static struct mapping_file file_of(int fd, const char *path)
{
	struct mapping_file file = MAPPING_FILE_INIT;

	file.fd = fd;
	file.path = path;
	file.size = LEN;
	return file;
}

static void test_mapping_gives_the_bytes_of_a_cached_file(void **state)
{
	static const size_t offsets[] = { 0, 1, 4095, 4096, 70001 };
	char *dir;
	const int fd = make_file(&dir);

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(offsets); i++) {
		struct mapping_file file = file_of(fd, "file");
		struct mapping mapping = { .base = NULL };
		unsigned char *data;
		size_t len = LEN - offsets[i];

		/* Not everywhere: then files are read, which others test. */
		if (!mapping_make(&mapping, &file, offsets[i], len, &data))
			continue;
		mapping_file_release(&file); /* the part stays */
		for (size_t k = 0; k < len; k++)
			assert_int_equal(data[k], byte_at(offsets[i] + k));
		data[0] = (unsigned char)~data[0]; /* for this process only */
		mapping_release(&mapping);
		assert_null(mapping.base);
		assert_int_equal(pread(fd, &data, 1, (off_t)offsets[i]), 1);
		assert_int_equal(*(unsigned char *)&data, byte_at(offsets[i]));
	}
	close(fd);
	test_scratch_remove(dir);
}

/* Neighbours, in any order, share a mapping and are released on their own. */
static void test_mapping_shares_a_window_among_neighbours(void **state)
{
	enum { PART = 70001, PARTS = 4 };
	static const unsigned order[PARTS] = { 1, 0, 3, 2 };
	struct mapping mappings[PARTS] = { { .base = NULL } };
	unsigned char *data[PARTS] = { NULL };
	char *dir;
	const int fd = make_file(&dir);
	struct mapping_file file = file_of(fd, "file");
	bool is_made = true;

	UNUSED(state);
	for (unsigned i = 0; i < PARTS; i++)
		is_made &= mapping_make(&mappings[order[i]], &file,
		    order[i] * PART, PART, &data[order[i]]);
	mapping_file_release(&file);
	for (unsigned i = 0; is_made && i < PARTS; i++) {
		for (size_t k = 0; k < PART; k++)
			assert_int_equal(data[i][k], byte_at(i * PART + k));
		if (i >= 2) /* behind the window's first part */
			assert_ptr_equal(data[i], data[1] + (i - 1) * PART);
		if (i != 1)
			mapping_release(&mappings[i]);
	}
	if (is_made)
		assert_int_equal(data[1][7], byte_at(PART + 7));
	for (unsigned i = 0; i < PARTS; i++)
		mapping_release(&mappings[i]);
	close(fd);
	test_scratch_remove(dir);
}

enum { SHARERS = 4, SHARED_LEN = 20 << 20, SHARED_PART = 100003 };

/* A file that several threads map the parts of, each part once. */
struct shared_file {
	struct mapping_file file;
	atomic_size_t next; /* part */
	atomic_size_t wrong;
};

static void *map_parts(void *arg)
{
	struct shared_file *shared = arg;
	struct mapping last = { .base = NULL };
	size_t part;

	while ((part = atomic_fetch_add(&shared->next, 1)) <
	       SHARED_LEN / SHARED_PART) {
		const size_t at = part * SHARED_PART;
		struct mapping mapping = { .base = NULL };
		unsigned char *data;

		if (!mapping_make(
		        &mapping, &shared->file, at, SHARED_PART, &data))
			continue;
		for (size_t i = 0; i < SHARED_PART; i++) {
			if (data[i] != byte_at(at + i))
				atomic_fetch_add(&shared->wrong, 1);
			data[i] = 0; /* its neighbours do not see it */
		}
		mapping_release(&last);
		last = mapping;
	}
	mapping_release(&last);
	return NULL;
}

static void test_mapping_is_shared_among_threads(void **state)
{
	char *dir = test_scratch(), *path = test_path(dir, "file");
	const int fd = open(path, O_RDWR | O_CREAT, 0600);
	unsigned char *bytes = malloc(SHARED_LEN);
	struct shared_file shared = { .file = file_of(fd, path) };
	pthread_t threads[SHARERS];

	UNUSED(state);
	for (size_t i = 0; i < SHARED_LEN; i++)
		bytes[i] = byte_at(i);
	assert_int_equal(write(fd, bytes, SHARED_LEN), SHARED_LEN);
	shared.file.size = SHARED_LEN;
	for (size_t i = 0; i < SHARERS; i++)
		assert_int_equal(
		    pthread_create(&threads[i], NULL, map_parts, &shared), 0);
	for (size_t i = 0; i < SHARERS; i++)
		pthread_join(threads[i], NULL);
	assert_int_equal(atomic_load(&shared.wrong), 0);
	mapping_file_release(&shared.file);
	free(bytes);
	close(fd);
	free(path);
	test_scratch_remove(dir);
}

static void test_mapping_refuses_what_is_not_there(void **state)
{
	struct mapping mapping = { .base = NULL };
	unsigned char *data;
	char *dir;
	const int fd = make_file(&dir);
	struct mapping_file file = file_of(fd, "file");
	struct mapping_file none = file_of(-1, "file");

	UNUSED(state);
	assert_false(mapping_make(&mapping, &file, 0, LEN + 1, &data));
	assert_false(mapping_make(&mapping, &file, LEN, LEN, &data));
	assert_false(mapping_make(&mapping, &file, 0, 100, &data));
	assert_false(mapping_make(&mapping, &file, 0, SIZE_MAX, &data));
	assert_false(mapping_make(&mapping, &none, 0, LEN, &data));
	mapping_release(&mapping);
	mapping_file_release(&none);
	mapping_file_release(&file);
	close(fd);
	test_scratch_remove(dir);
}

static int map(struct mapping *mapping, int fd, unsigned char **data)
{
	struct mapping_file file = file_of(fd, "dir/shard.tar");
	const bool is_made = mapping_make(mapping, &file, 0, LEN, data);

	mapping_file_release(&file);
	if (is_made)
		return 0;
	/* No such cache here: the other way to map will do. */
	if (!mapping_make_whole(mapping, fd, "dir/shard.tar", LEN))
		return -1;
	*data = mapping->base;
	return 0;
}

/* Each of several threads touches the pages, and sees zeros from then on. */
static void *touch_all(void *arg)
{
	const volatile unsigned char *data = arg;
	size_t sum = 0;

	for (size_t i = LEN; i-- > 0;)
		sum += data[i];
	return sum ? arg : NULL;
}

static void test_mapping_of_a_file_that_shrinks_is_lost_and_named(void **state)
{
	struct mapping mapping = { .base = NULL };
	struct error err = ERROR_INIT;
	pthread_t threads[4];
	unsigned char *data;
	uint64_t losses;
	char *dir;
	const int fd = make_file(&dir);

	UNUSED(state);
	give_signal_back();
	losses = mapping_losses();
	assert_int_equal(map(&mapping, fd, &data), 0);
	assert_int_equal(data[LEN - 1], byte_at(LEN - 1));
	test_ok(mapping_judge(losses, 0, &err), &err);
	test_ok(mapping_check(&mapping, 0, &err), &err);
	assert_int_equal(ftruncate(fd, 0), 0);
	for (size_t i = 0; i < ARRAY_LEN(threads); i++)
		assert_int_equal(
		    pthread_create(&threads[i], NULL, touch_all, data), 0);
	for (size_t i = 0; i < ARRAY_LEN(threads); i++) {
		void *seen = data;

		pthread_join(threads[i], &seen);
		assert_null(seen);
	}
	data[7] = 1; /* it may be written to, as before */
	assert_int_equal(mapping_check(&mapping, 0, &err), -1);
	test_contains(err.text, "dir/shard.tar: another program cut it short");
	assert_int_equal(mapping_judge(losses, 0, &err), -1);
	assert_int_equal(err.code, ERROR_DATA);
	test_contains(err.text, "dir/shard.tar: another program cut it short");
	/* Whoever begins now, and uses it still, learns of it, too. */
	assert_int_equal(mapping_judge(mapping_losses(), 0, &err), -1);
	mapping_release(&mapping);
	assert_int_equal(mapping_judge(losses, 0, &err), -1);
	test_ok(mapping_judge(mapping_losses(), 0, &err), &err);
	close(fd);
	test_scratch_remove(dir);
}

/* A file that presto has not mapped, or a signal that somebody sends. */
static void fault_elsewhere(int fd)
{
	const volatile char *data =
	    mmap(NULL, LEN, PROT_READ, MAP_SHARED, fd, 0);

	if (ftruncate(fd, 0) == 0)
		_exit(data[LEN - 1]);
}

static void send_fault(int fd)
{
	(void)fd;
	raise(SIGBUS);
}

static void test_mapping_leaves_other_faults_alone(void **state)
{
	static void (*const faults[])(int fd) = { fault_elsewhere, send_fault };

	UNUSED(state);
	give_signal_back();
	for (size_t i = 0; i < ARRAY_LEN(faults); i++) {
		struct mapping mapping = { .base = NULL };
		unsigned char *data;
		char *dir;
		const int fd = make_file(&dir);
		pid_t child;
		int status;

		assert_int_equal(map(&mapping, fd, &data), 0);
		child = fork();
		assert_true(child >= 0);
		if (child == 0) {
			/* No words of a sanitizer: it has a handler. */
			dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
			faults[i](fd);
			_exit(0);
		}
		assert_int_equal(waitpid(child, &status, 0), child);
		assert_true(WIFSIGNALED(status) ? WTERMSIG(status) == SIGBUS
		                                : WEXITSTATUS(status) != 0);
		mapping_release(&mapping);
		close(fd);
		test_scratch_remove(dir);
	}
}

/* More than the list has places for: the rest is read. */
static void test_mapping_refuses_more_than_it_can_note(void **state)
{
	enum { MORE = 5000 };
	struct mapping *mappings = calloc(MORE, sizeof(*mappings));
	size_t made = 0;
	char *dir;
	const int fd = make_file(&dir);

	UNUSED(state);
	assert_non_null(mappings);
	while (
	    made < MORE && mapping_make_whole(&mappings[made], fd, "file", LEN))
		made++;
	assert_true(made > 1000 && made < MORE);
	mapping_release(&mappings[3]);
	assert_true(mapping_make_whole(&mappings[3], fd, "file", LEN));
	for (size_t i = 0; i < made; i++)
		mapping_release(&mappings[i]);
	free(mappings);
	close(fd);
	test_scratch_remove(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mapping_gives_the_bytes_of_a_cached_file),
		cmocka_unit_test(test_mapping_shares_a_window_among_neighbours),
		cmocka_unit_test(test_mapping_is_shared_among_threads),
		cmocka_unit_test(test_mapping_refuses_what_is_not_there),
		cmocka_unit_test(
		    test_mapping_of_a_file_that_shrinks_is_lost_and_named),
		cmocka_unit_test(test_mapping_leaves_other_faults_alone),
		cmocka_unit_test(test_mapping_refuses_more_than_it_can_note),
	};

	mapping_guard();
	sigaction(SIGBUS, NULL, &ours);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
