/* tuning.c - see tuning.h. */
#include "strategies/trial/tuning.h"

#include <math.h>

enum { READ_AHEAD_EACH = 4 }; /* chunks for a thread, as the loader has them */

/* One ascent: the number that it changes, and the best mode so far. */
struct ascent {
	const struct tuning *tuning;
	struct trial_mode mode;
	unsigned *number; /* in `mode` */
	unsigned most;
	double rate; /* of `mode` */
};

static bool is_faster(double rate, double than)
{
	return rate > than * (1 + TUNING_GAIN);
}

/* Where no rate is known, the number stays. */
static bool is_as_fast(double rate, double as)
{
	return as > 0 && rate >= as * (1 - TUNING_GAIN);
}

static int measure(
    struct ascent *ascent, unsigned number, double *rate, struct error *err)
{
	const unsigned before = *ascent->number;
	int rc;

	*rate = 0;
	*ascent->number = number;
	rc = ascent->tuning->rate(
	    ascent->tuning->arg, &ascent->mode, false, rate, err);
	*ascent->number = before;
	return rc;
}

static bool goes_on(const struct ascent *ascent)
{
	return !ascent->tuning->is_late(ascent->tuning->arg);
}

static void take(struct ascent *ascent, unsigned number, double rate)
{
	*ascent->number = number;
	ascent->rate = rate;
}

/* Doubles the number, or halves it, while that is faster. */
static int climb(struct ascent *ascent, bool up, struct error *err)
{
	while (
	    (up ? *ascent->number <= ascent->most / 2 : *ascent->number > 1) &&
	    goes_on(ascent)) {
		const unsigned next =
		    up ? 2 * *ascent->number : *ascent->number / 2;
		double rate;

		if (measure(ascent, next, &rate, err))
			return -1;
		if (!is_faster(rate, ascent->rate))
			break;
		take(ascent, next, rate);
	}
	return 0;
}

/* Halves the number while that is as fast as the fastest. */
static int descend(struct ascent *ascent, struct error *err)
{
	const double fastest = ascent->rate;

	while (*ascent->number > 1 && goes_on(ascent)) {
		const unsigned next = *ascent->number / 2;
		double rate;

		if (measure(ascent, next, &rate, err))
			return -1;
		if (!is_as_fast(rate, fastest))
			break;
		take(ascent, next, rate);
	}
	return 0;
}

static unsigned least(uint64_t a, unsigned b)
{
	return a < b ? (unsigned)a : b;
}

/* The number of fetchers that bring as much as the steps take. */
static unsigned enough_fetchers(
    const struct ascent *ascent, unsigned few, double warm)
{
	const double wanted = ceil(few * warm / ascent->rate);
	unsigned number = few;

	while (number <= ascent->most / 2 && number < wanted)
		number *= 2;
	return number;
}

static int find_fetchers(struct ascent *ascent, struct error *err)
{
	const struct tuning *tuning = ascent->tuning;
	const unsigned few = trial_mode_fetchers(ascent->mode);
	unsigned enough;
	double warm = 0, rate;

	ascent->number = &ascent->mode.fetchers;
	ascent->most = least(tuning->samples, TUNING_FETCHERS);
	*ascent->number = few;
	if (tuning->rate(tuning->arg, &ascent->mode, true, &warm, err) ||
	    measure(ascent, few, &ascent->rate, err))
		return -1;
	enough = ascent->rate > 0 ? enough_fetchers(ascent, few, warm) : few;
	if (enough > few && goes_on(ascent)) {
		if (measure(ascent, enough, &rate, err))
			return -1;
		if (is_faster(rate, ascent->rate))
			take(ascent, enough, rate);
	}
	return climb(ascent, true, err) || descend(ascent, err) ? -1 : 0;
}

/* The rate of the mode as it is. */
static int begin(struct ascent *ascent, struct error *err)
{
	if (ascent->rate > 0)
		return 0;
	return measure(ascent, *ascent->number, &ascent->rate, err);
}

static int find_read_ahead(struct ascent *ascent, struct error *err)
{
	ascent->number = &ascent->mode.read_ahead;
	ascent->most = TUNING_READ_AHEAD;
	if (*ascent->number == 0)
		*ascent->number = READ_AHEAD_EACH * ascent->mode.threads;
	if (begin(ascent, err))
		return -1;
	return climb(ascent, true, err) || descend(ascent, err) ? -1 : 0;
}

/* A job's batch is not changed for nothing: smaller ones must be faster. */
static int find_batch(struct ascent *ascent, struct error *err)
{
	const unsigned usual = ascent->mode.batch;

	ascent->number = &ascent->mode.batch;
	ascent->most = least(ascent->tuning->samples, TUNING_BATCH);
	if (begin(ascent, err) || climb(ascent, true, err))
		return -1;
	return ascent->mode.batch > usual ? 0 : climb(ascent, false, err);
}

/* More threads are not slower: the fewest are found by halving. */
static int find_threads(struct ascent *ascent, struct error *err)
{
	unsigned slow = 0, fast = ascent->mode.threads;
	double fastest;

	ascent->number = &ascent->mode.threads;
	if (begin(ascent, err))
		return -1;
	fastest = ascent->rate;
	while (slow + 1 < fast && goes_on(ascent)) {
		const unsigned next = (slow + fast) / 2;
		double rate;

		if (measure(ascent, next, &rate, err))
			return -1;
		if (is_as_fast(rate, fastest)) {
			fast = next;
			take(ascent, next, rate);
		} else {
			slow = next;
		}
	}
	return 0;
}

int tuning_find(
    const struct tuning *tuning, struct trial_mode *found, struct error *err)
{
	struct ascent ascent = { .tuning = tuning, .mode = tuning->mode };
	const unsigned chosen = tuning->mode.chosen;

	if (((chosen & LOAD_FETCHERS) && find_fetchers(&ascent, err)) ||
	    ((chosen & LOAD_READ_AHEAD) && find_read_ahead(&ascent, err)) ||
	    ((chosen & LOAD_BATCH) && find_batch(&ascent, err)) ||
	    ((chosen & LOAD_THREADS) && find_threads(&ascent, err)))
		return -1;
	*found = ascent.mode;
	return 0;
}
