/* test_memory.c - memory limits of cgroups, from the kernel's files. */
#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/measure/memory.h"
#include "test/unit/test.h"

struct file {
	const char *name, *text;
};

struct memory_case {
	const char *what;
	struct file files[9];
	uint64_t limit, available;
};

#define MEMINFO                                                            \
	{                                                                  \
		"proc/meminfo", "MemTotal: 16 kB\nMemAvailable:    9 kB\n" \
	}
#define V1 "sys/fs/cgroup/memory"
#define V2 "sys/fs/cgroup"

static const struct memory_case cases[] = {
	{ .what = "no cgroup",
	    .files = { MEMINFO },
	    .limit = 0,
	    .available = 9 * 1024 },
	{ .what = "v2 without a limit",
	    .files = { MEMINFO, { "proc/self/cgroup", "0::/a\n" },
	        { V2 "/a/memory.max", "max\n" },
	        { V2 "/a/memory.current", "8000\n" } },
	    .limit = 0,
	    .available = 9 * 1024 },
	{ .what = "v2, page cache is room",
	    .files = { MEMINFO, { "proc/self/cgroup", "0::/a/b\n" },
	        { V2 "/a/b/memory.max", "5000\n" },
	        { V2 "/a/b/memory.current", "4000\n" },
	        { V2 "/a/b/memory.stat", "anon 1\ninactive_file 600\n"
	                                 "active_file 400\n" } },
	    .limit = 5000,
	    .available = 2000 },
	{ .what = "v2, the one above is narrower",
	    .files = { MEMINFO, { "proc/self/cgroup", "0::/a/b\n" },
	        { V2 "/a/b/memory.max", "max\n" },
	        { V2 "/a/memory.max", "3000\n" },
	        { V2 "/a/memory.current", "2900\n" } },
	    .limit = 3000,
	    .available = 100 },
	{ .what = "v2, its own path cannot be seen",
	    .files = { MEMINFO, { "proc/self/cgroup", "0::/of/the/host\n" },
	        { V2 "/memory.max", "4096\n" },
	        { V2 "/memory.current", "5000\n" } },
	    .limit = 4096,
	    .available = 0 },
	{ .what = "v1 beside an empty v2",
	    .files = { MEMINFO,
	        { "proc/self/cgroup", "8:pids:/x\n5:cpu,memory:/x/y\n0::/\n" },
	        { V1 "/x/y/memory.limit_in_bytes", "7000\n" },
	        { V1 "/x/y/memory.usage_in_bytes", "6500\n" },
	        { V1 "/x/y/memory.stat", "inactive_file 1\n"
	                                 "total_inactive_file 300\n"
	                                 "total_active_file 200\n" },
	        { V1 "/memory.limit_in_bytes", "9223372036854771712\n" } },
	    .limit = 7000,
	    .available = 1000 },
	{ .what = "v1 without a limit",
	    .files = { MEMINFO, { "proc/self/cgroup", "5:memory:/\n" },
	        { V1 "/memory.limit_in_bytes", "9223372036854771712\n" },
	        { V1 "/memory.usage_in_bytes", "6500\n" } },
	    .limit = 0,
	    .available = 9 * 1024 },
	{ .what = "more allowed than there is",
	    .files = { MEMINFO, { "proc/self/cgroup", "0::/\n" },
	        { V2 "/memory.max", "99999999\n" },
	        { V2 "/memory.current", "0\n" } },
	    .limit = 99999999,
	    .available = 9 * 1024 },
};

static void test_memory_is_what_cgroups_leave(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct memory_case *c = &cases[i];
		char *root = test_scratch();

		for (size_t f = 0; f < ARRAY_LEN(c->files); f++)
			if (c->files[f].name)
				test_write(
				    root, c->files[f].name, c->files[f].text);
		if (memory_limit(root) != c->limit)
			fail_msg("%s: limit %llu", c->what,
			    (unsigned long long)memory_limit(root));
		if (memory_available(root) != c->available)
			fail_msg("%s: available %llu", c->what,
			    (unsigned long long)memory_available(root));
		test_scratch_remove(root);
	}
}

static void test_memory_of_this_machine_is_known(void **state)
{
	(void)state;
	assert_true(memory_available("") > 1 << 20);
	assert_true(memory_available("") < UINT64_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_memory_is_what_cgroups_leave),
		cmocka_unit_test(test_memory_of_this_machine_is_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
