/* test_process_tree.c - the processes of a job, from a made-up /proc. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/files/path_tree.h"
#include "lib/process/process_tree.h"
#include "test/unit/test.h"

static const uint64_t look_ns = 100000000;

struct fake {
	unsigned pid, parent;
	char state;
	unsigned ticks, threads;
	uint64_t read_bytes, storage_bytes;
};

/* Writes the files of a process; its name looks like fields. */
static void show(const char *root, const struct fake *fake)
{
	char name[64], text[512];

	snprintf(name, sizeof(name), "proc/%u/stat", fake->pid);
	snprintf(text, sizeof(text),
	    "%u (a) R 1 b) %c %u 1 1 0 -1 0 1 2 3 4 %u 0 0 0 20 0 %u 0 %u 0\n",
	    fake->pid, fake->state, fake->parent, fake->ticks, fake->threads,
	    fake->pid);
	test_write(root, name, text);
	snprintf(name, sizeof(name), "proc/%u/io", fake->pid);
	snprintf(text, sizeof(text),
	    "rchar: %" PRIu64 "\nwchar: 0\nsyscr: 0\nsyscw: 0\nread_bytes: "
	    "%" PRIu64 "\nwrite_bytes: 0\n",
	    fake->read_bytes, fake->storage_bytes);
	test_write(root, name, text);
}

static void hide(const char *root, unsigned pid)
{
	struct error err = ERROR_INIT;
	char name[64], *path;

	snprintf(name, sizeof(name), "proc/%u", pid);
	path = test_path(root, name);
	test_ok(path_remove_tree(path, &err), &err);
	free(path);
}

static void look(struct process_tree *tree, uint64_t number)
{
	struct error err = ERROR_INIT;

	test_ok(process_tree_look(tree, number * look_ns, &err), &err);
}

static void begin(struct process_tree *tree, const char *root, unsigned pid)
{
	struct error err = ERROR_INIT;

	test_ok(process_tree_begin(tree, root, pid, 0, &err), &err);
}

static void test_process_tree_finds_children_of_children(void **state)
{
	char *root = test_scratch();
	struct process_tree tree;

	UNUSED(state);
	show(root, &(struct fake){ 100, 1, 'S', 0, 1, 0, 0 });
	begin(&tree, root, 100);
	show(root, &(struct fake){ 50, 100, 'S', 0, 1, 0, 0 });
	show(root, &(struct fake){ 60, 50, 'S', 0, 1, 0, 0 });
	show(root, &(struct fake){ 70, 60, 'S', 0, 1, 0, 0 });
	show(root, &(struct fake){ 80, 1, 'S', 0, 1, 0, 0 });
	look(&tree, 1);
	assert_int_equal(tree.count, 4);
	hide(root, 60);
	look(&tree, 2);
	assert_int_equal(tree.count, 4);
	process_tree_release(&tree);
	test_scratch_remove(root);
}

/* A worker reads; the first process computes; another one reads at first. */
static void test_process_tree_tells_readers_apart(void **state)
{
	char *root = test_scratch();
	struct process_tree_figures figures;
	struct process_tree tree;

	UNUSED(state);
	show(root, &(struct fake){ 100, 1, 'R', 0, 9, 0, 0 });
	begin(&tree, root, 100);
	for (unsigned i = 1; i <= 64; i++) {
		show(
		    root, &(struct fake){ 100, 1, 'R', 10 * i, 9, 1000000, 0 });
		show(root, &(struct fake){ 101, 100, i % 10 == 0 ? 'D' : 'S',
		               2 * i, 1, 10000 * i, 8192 * i });
		look(&tree, i);
	}
	process_tree_figures(&tree, &figures);
	assert_int_equal(figures.time_ns, 32 * look_ns); /* from 32 to 64 */
	assert_int_equal(figures.processes, 2);
	assert_int_equal(figures.readers, 1);
	assert_int_equal(figures.sum.read_bytes, 32 * 10000);
	assert_int_equal(figures.sum.storage_bytes, 32 * 8192);
	assert_int_equal(figures.sum.cpu_ns, 32 * 120000000u);
	assert_int_equal(figures.sum.blocked_ns, 3 * look_ns);
	assert_int_equal(figures.active_ns, 32 * 20000000u + 3 * look_ns);
	assert_false(figures.blocked_is_unknown);
	assert_false(tree.io_is_unknown);
	process_tree_release(&tree);
	test_scratch_remove(root);
}

static void test_process_tree_says_what_it_cannot_see(void **state)
{
	char *root = test_scratch();
	struct process_tree_figures figures;
	struct process_tree tree;

	UNUSED(state);
	show(root, &(struct fake){ 100, 1, 'S', 0, 8, 0, 0 });
	begin(&tree, root, 100);
	for (unsigned i = 1; i <= 4; i++) {
		show(root,
		    &(struct fake){ 100, 1, 'S', i, 8, 1000 * i, 4096 * i });
		look(&tree, i);
	}
	process_tree_figures(&tree, &figures);
	assert_true(figures.blocked_is_unknown);
	process_tree_release(&tree);
	test_scratch_remove(root);
}

static void test_process_tree_of_a_process_that_has_ended(void **state)
{
	char *root = test_scratch();
	struct process_tree_figures figures;
	struct process_tree tree;

	UNUSED(state);
	begin(&tree, root, 100);
	look(&tree, 1);
	process_tree_figures(&tree, &figures);
	assert_int_equal(figures.processes, 0);
	process_tree_release(&tree);

	show(root, &(struct fake){ 100, 1, 'S', 0, 1, 0, 0 });
	begin(&tree, root, 100);
	show(root, &(struct fake){ 100, 1, 'Z', 5, 1, 0, 0 });
	look(&tree, 1);
	assert_true(tree.list[0].ended);
	process_tree_release(&tree);
	test_scratch_remove(root);
}

/* Another process has its number now. */
static void test_process_tree_knows_a_process_by_its_start(void **state)
{
	char *root = test_scratch();
	struct process_tree tree;

	UNUSED(state);
	show(root, &(struct fake){ 100, 1, 'S', 0, 1, 0, 0 });
	begin(&tree, root, 100);
	tree.list[0].start = 99;
	look(&tree, 1);
	assert_true(tree.list[0].ended);
	process_tree_release(&tree);
	test_scratch_remove(root);
}

/* This process itself, in the real /proc. */
static void test_process_tree_reads_the_kernel(void **state)
{
	struct process_tree_figures figures;
	struct process_tree tree;

	UNUSED(state);
	begin(&tree, "", (unsigned)getpid());
	assert_int_equal(tree.count, 1);
	for (uint64_t i = 1; i <= 3; i++)
		look(&tree, i);
	process_tree_figures(&tree, &figures);
	assert_int_equal(figures.time_ns, 0); /* too short to tell */
	look(&tree, 4);
	assert_false(tree.list[0].ended);
	assert_false(tree.io_is_unknown);
	assert_in_range(tree.list[0].threads, 1, 100);
	process_tree_figures(&tree, &figures);
	assert_true(figures.sum.read_bytes > 0);
	process_tree_release(&tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_process_tree_finds_children_of_children),
		cmocka_unit_test(test_process_tree_tells_readers_apart),
		cmocka_unit_test(test_process_tree_says_what_it_cannot_see),
		cmocka_unit_test(test_process_tree_of_a_process_that_has_ended),
		cmocka_unit_test(
		    test_process_tree_knows_a_process_by_its_start),
		cmocka_unit_test(test_process_tree_reads_the_kernel),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
