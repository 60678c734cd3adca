/*
 * retry.h - the rule of what is tried again, and when: exponential backoff with
 * full jitter.  It has no clock and no source of random numbers of its own.
 *
 * A wait is random between 0 and a bound that doubles from RETRY_FIRST_NS with
 * each try, up to RETRY_LONGEST_NS; Retry-After is a lower bound of it.  It
 * ends after RETRY_TRIES tries, or when the server has sent nothing good for
 * RETRY_TIME_NS.  A host that never answered this process gets
 * RETRY_FIRST_TRIES: its name is more likely wrong than its server restarted.
 * An answer that contradicts itself, or earlier ones, gets RETRY_CONTRADICTED,
 * and one that drips RETRY_SLOW.
 */
#ifndef LIB_MEDIA_HTTP_RETRY_H
#define LIB_MEDIA_HTTP_RETRY_H

#include <stdbool.h>
#include <stdint.h>

enum {
	RETRY_TRIES = 10,
	RETRY_FIRST_TRIES = 4,
	RETRY_CONTRADICTED = 4,
	RETRY_SLOW = 2,
};

#define RETRY_FIRST_NS   UINT64_C(100000000)
#define RETRY_LONGEST_NS UINT64_C(8000000000)
#define RETRY_TIME_NS    UINT64_C(40000000000)

/* A failed try. */
struct retry {
	unsigned tries;       /* so far, this one too */
	bool is_connecting;   /* no connection was made */
	bool is_contradicted; /* by its answers, RETRY_CONTRADICTED times */
	bool is_slow;         /* its answers dripped, RETRY_SLOW times */
	bool is_known;        /* the host has answered this process before */
	uint64_t silent_ns;   /* since the first try, or the last good bytes */
	int64_t after_s;      /* Retry-After; -1: none */
};

/* Is it a status that another try may change? */
bool retry_status(long status);
/*
 * Returns the wait before the next try, `unit` random in [0, 1); -1: no other.
 */
int64_t retry_wait_ns(const struct retry *retry, double unit);

#endif
