/*
 * slower.c - makes a worker 10 % slower, or by as much as SLOWER_PERCENT in the
 * environment says: linked in front of chain_next and chain_admit, by --wrap of
 * the linker, into a program that test/compare-noise and test/cli/ci compare
 * with the real one.  After each sample its thread spends a tenth of the CPU
 * time that it has used since the one before.
 */
#include <stdlib.h>
#include <time.h>

#include "lib/pipeline/chain.h"

/*
 * Names of the linker's making: it calls the first where the second was meant,
 * and the third where the fourth was.
 */
int __wrap_chain_next(
    struct chain *chain, struct sample *out, struct error *err);
int __real_chain_next(
    struct chain *chain, struct sample *out, struct error *err);
int __wrap_chain_admit(
    const struct chain *chain, const struct sample *in, struct error *err);
int __real_chain_admit(
    const struct chain *chain, const struct sample *in, struct error *err);

static long long cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static long long percent(void)
{
	const char *text = getenv("SLOWER_PERCENT");

	return text ? strtoll(text, NULL, 10) : 10;
}

/* Spends a part of the time since the last call. */
static void slow_down(void)
{
	static _Thread_local long long before;
	const long long now = cpu_ns();
	const long long until = now + (now - before) * percent() / 100;

	while (cpu_ns() < until)
		;
	before = cpu_ns();
}

int __wrap_chain_next(
    struct chain *chain, struct sample *out, struct error *err)
{
	const int rc = __real_chain_next(chain, out, err);

	slow_down();
	return rc;
}

int __wrap_chain_admit(
    const struct chain *chain, const struct sample *in, struct error *err)
{
	const int rc = __real_chain_admit(chain, in, err);

	slow_down();
	return rc;
}
