/* test_process_memory.c - memory of a process and its children. */
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/process/process_memory.h"
#include "test/unit/test.h"

enum { BYTES = 32 << 20 };

static char touched[BYTES];

/* A child counts with what it has alone, and no longer when it has ended. */
static void test_process_memory_counts_children(void **state)
{
	const uint64_t alone = process_memory(getpid());
	int go[2], made[2];
	pid_t child;
	char byte = 0;

	UNUSED(state);
	assert_true(alone > 0);
	assert_int_equal(pipe(go), 0);
	assert_int_equal(pipe(made), 0);
	child = fork();
	if (child == 0) {
		memset(touched, 1, sizeof(touched));
		if (write(made[1], &byte, 1) != 1 || read(go[0], &byte, 1) < 0)
			_exit(1);
		_exit(0);
	}
	assert_true(child > 0);
	assert_int_equal(read(made[0], &byte, 1), 1);
	assert_true(process_memory(getpid()) >= alone + BYTES);
	assert_int_equal(write(go[1], &byte, 1), 1);
	assert_int_equal(waitpid(child, NULL, 0), child);
	assert_true(process_memory(getpid()) < alone + BYTES);
	for (int i = 0; i < 2; i++) {
		close(go[i]);
		close(made[i]);
	}
}

static void test_process_memory_knows_nothing_of_others(void **state)
{
	UNUSED(state);
	assert_int_equal(process_memory(0x7ffffffe), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_process_memory_counts_children),
		cmocka_unit_test(test_process_memory_knows_nothing_of_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
