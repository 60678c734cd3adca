/* retry.c - see retry.h. */
#include "lib/media/http/retry.h"

#include <stddef.h>

#include "lib/base/array.h"

bool retry_status(long status)
{
	static const long repeated[] = { 408, 429, 500, 502, 503, 504 };

	for (size_t i = 0; i < ARRAY_LEN(repeated); i++)
		if (repeated[i] == status)
			return true;
	return false;
}

static unsigned tries_most(const struct retry *retry)
{
	if (retry->is_slow)
		return RETRY_SLOW;
	if (retry->is_contradicted)
		return RETRY_CONTRADICTED;
	if (retry->is_connecting && !retry->is_known)
		return RETRY_FIRST_TRIES;
	return RETRY_TRIES;
}

int64_t retry_wait_ns(const struct retry *retry, double unit)
{
	uint64_t bound = RETRY_FIRST_NS, wait, least = 0;

	if (retry->tries >= tries_most(retry))
		return -1;
	for (unsigned i = 1; i < retry->tries && bound < RETRY_LONGEST_NS; i++)
		bound *= 2;
	if (bound > RETRY_LONGEST_NS)
		bound = RETRY_LONGEST_NS;
	wait = (uint64_t)(unit * (double)bound);
	if (retry->after_s > 0) {
		if ((uint64_t)retry->after_s >= RETRY_TIME_NS / 1000000000)
			return -1;
		least = (uint64_t)retry->after_s * 1000000000;
	}
	if (wait < least)
		wait = least;
	if (retry->silent_ns + wait > RETRY_TIME_NS)
		return -1;
	return (int64_t)wait;
}
