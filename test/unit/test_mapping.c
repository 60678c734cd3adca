/* test_mapping.c - files without a copy. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/mapping.h"
#include "test/unit/test.h"

enum { LEN = 300000 };

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

static void test_mapping_gives_the_bytes_of_a_cached_file(void **state)
{
	static const size_t offsets[] = { 0, 1, 4095, 4096, 70001 };
	char *dir;
	const int fd = make_file(&dir);

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(offsets); i++) {
		struct mapping mapping = { .base = NULL };
		unsigned char *data;
		size_t len = LEN - offsets[i];

		/* Not everywhere: then files are read, which others test. */
		if (!mapping_make(&mapping, fd, offsets[i], len, &data))
			continue;
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

static void test_mapping_refuses_what_is_not_there(void **state)
{
	struct mapping mapping = { .base = NULL };
	unsigned char *data;
	char *dir;
	const int fd = make_file(&dir);

	UNUSED(state);
	assert_false(mapping_make(&mapping, fd, 0, LEN + 1, &data));
	assert_false(mapping_make(&mapping, fd, LEN, LEN, &data));
	assert_false(mapping_make(&mapping, fd, 0, 100, &data));
	assert_false(mapping_make(&mapping, fd, 0, SIZE_MAX, &data));
	assert_false(mapping_make(&mapping, -1, 0, LEN, &data));
	mapping_release(&mapping);
	close(fd);
	test_scratch_remove(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mapping_gives_the_bytes_of_a_cached_file),
		cmocka_unit_test(test_mapping_refuses_what_is_not_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
