/*
 * test_queue.c - queues keep items in order, and wake who waits as late as they
 * were told.  The linker leads the calls that wake to their wrappers here.
 */
#include "lib/loader/queue.h"

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "test/unit/test.h"

static struct {
	unsigned one, all; /* how often threads were woken */
} woken;

int __wrap_pthread_cond_signal(pthread_cond_t *changed);
int __wrap_pthread_cond_broadcast(pthread_cond_t *changed);

int __wrap_pthread_cond_signal(pthread_cond_t *changed)
{
	UNUSED(changed);
	woken.one++;
	return 0;
}

int __wrap_pthread_cond_broadcast(pthread_cond_t *changed)
{
	UNUSED(changed);
	woken.all++;
	return 0;
}

static void push(struct queue *queue, int *item, unsigned one, unsigned all)
{
	woken.one = woken.all = 0;
	assert_true(queue_push(queue, item));
	assert_int_equal(woken.one, one);
	assert_int_equal(woken.all, all);
}

static void test_queue_wakes_when_there_are_enough_items(void **state)
{
	struct queue queue;
	struct error err = ERROR_INIT;
	int items[4];

	UNUSED(state);
	test_ok(queue_init(&queue, 4, 3, &err), &err);
	push(&queue, &items[0], 0, 0);
	push(&queue, &items[1], 0, 0);
	push(&queue, &items[2], 0, 1); /* for all items that were quiet */
	push(&queue, &items[3], 1, 0);
	while (queue_try_pop(&queue))
		continue;
	queue_release(&queue);
	test_ok(queue_init(&queue, 4, 1, &err), &err);
	push(&queue, &items[0], 1, 0);
	push(&queue, &items[1], 1, 0);
	woken.one = woken.all = 0;
	assert_true(queue_push_quietly(&queue, &items[2]));
	assert_int_equal(woken.one + woken.all, 0);
	queue_wake(&queue);
	assert_int_equal(woken.all, 1);
	queue_release(&queue);
}

static void test_queue_gives_back_in_order(void **state)
{
	struct queue queue;
	struct error err = ERROR_INIT;
	int items[3];

	UNUSED(state);
	for (int last_first = 0; last_first < 2; last_first++) {
		test_ok(queue_init(&queue, 3, 1, &err), &err);
		queue.last_first = last_first;
		/* Twice, so that it goes round. */
		for (int again = 0; again < 2; again++) {
			for (int i = 0; i < 2; i++)
				assert_true(queue_push(&queue, &items[i]));
			assert_ptr_equal(
			    queue_pop(&queue, NULL), &items[last_first]);
			assert_ptr_equal(
			    queue_try_pop(&queue), &items[!last_first]);
			assert_null(queue_try_pop(&queue));
		}
		assert_true(queue_push(&queue, &items[2]));
		queue_close(&queue);
		assert_false(queue_push(&queue, &items[0]));
		assert_ptr_equal(queue_pop(&queue, NULL), &items[2]);
		assert_null(queue_pop(&queue, NULL));
		queue_reopen(&queue);
		assert_true(queue_push(&queue, &items[0]));
		queue_release(&queue);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_queue_wakes_when_there_are_enough_items),
		cmocka_unit_test(test_queue_gives_back_in_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
