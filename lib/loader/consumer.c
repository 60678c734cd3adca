/* consumer.c - see consumer.h. */
#define _GNU_SOURCE /* sem_clockwait */
#include "lib/loader/consumer.h"

#include <errno.h>
#include <time.h>

#include "lib/base/clock.h"
#include "lib/base/error.h"

void consumer_init(struct consumer *consumer)
{
	atomic_init(&consumer->waits, false);
	atomic_init(&consumer->interrupted, false);
	sem_init(&consumer->news, 0, 0);
}

void consumer_destroy(struct consumer *consumer)
{
	sem_destroy(&consumer->news);
}

void consumer_notify(struct consumer *consumer)
{
	if (atomic_exchange(&consumer->waits, false))
		sem_post(&consumer->news);
}

void consumer_interrupt(struct consumer *consumer)
{
	const int kept = errno;

	atomic_store(&consumer->interrupted, true);
	sem_post(&consumer->news);
	errno = kept;
}

bool consumer_is_interrupted(struct consumer *consumer, struct error *err)
{
	if (!atomic_exchange(&consumer->interrupted, false))
		return false;
	error_set(err, ERROR_INTERRUPTED, "interrupted");
	return true;
}

uint64_t consumer_end_ns(unsigned wait_ms)
{
	return wait_ms
	           ? clock_now(&clock_monotonic) + (uint64_t)wait_ms * 1000000
	           : UINT64_MAX;
}

/* Waits for news, all of which the next look is for. */
static void wait_for_news(
    struct consumer *consumer, const struct consumer_wait *wait)
{
	uint64_t until_ns = wait->end_ns;
	struct timespec until;
	int rc;

	if (wait->look_ns) {
		const uint64_t look_ns =
		    clock_now(&clock_monotonic) + wait->look_ns;

		until_ns = look_ns < until_ns ? look_ns : until_ns;
	}
	until = (struct timespec){
		.tv_sec = (time_t)(until_ns / 1000000000),
		.tv_nsec = (long)(until_ns % 1000000000),
	};
	rc = until_ns == UINT64_MAX
	         ? sem_wait(&consumer->news)
	         : sem_clockwait(&consumer->news, CLOCK_MONOTONIC, &until);
	while (rc == 0)
		rc = sem_trywait(&consumer->news);
}

/* Looks again after it has said that it waits, so that no news are lost. */
enum answer consumer_wait(struct consumer *consumer,
    const struct consumer_wait *wait, struct batch **batch, struct error *err)
{
	enum answer answer;

	for (;;) {
		if (consumer_is_interrupted(consumer, err)) {
			answer = ANSWER_ERROR;
			break;
		}
		atomic_store(&consumer->waits, true);
		answer = wait->look(wait->loader, batch, err);
		if (answer != ANSWER_WAIT)
			break;
		if (wait->end_ns < UINT64_MAX &&
		    clock_now(&clock_monotonic) >= wait->end_ns) {
			error_set(err, ERROR_INTERRUPTED,
			    "no batch came in the time that was allowed");
			answer = ANSWER_ERROR;
			break;
		}
		wait_for_news(consumer, wait);
	}
	atomic_store(&consumer->waits, false);
	return answer;
}
