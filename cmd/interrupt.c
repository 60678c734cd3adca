/* interrupt.c - see interrupt.h. */
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#include "cmd/interrupt.h"

/* The one mutable global: a signal handler has no argument. */
static atomic_bool interrupted;

/*
 * A second SIGINT or SIGTERM is meant.  A terminal that is closed may tell it
 * twice, and every further write to a pipe without a reader fails: neither is
 * to cut short what ends in order.
 */
static void on_signal(int number)
{
	const bool is_meant = number == SIGINT || number == SIGTERM;
	const struct sigaction again = { .sa_handler =
		                             is_meant ? SIG_DFL : SIG_IGN };

	atomic_store(&interrupted, true);
	sigaction(number, &again, NULL);
}

/* Unless the signal is ignored, as under nohup. */
static void watch_unless_ignored(int number)
{
	const struct sigaction action = { .sa_handler = on_signal };
	struct sigaction before;

	if (sigaction(number, NULL, &before) == 0 &&
	    before.sa_handler == SIG_IGN)
		return;
	sigaction(number, &action, NULL);
}

const atomic_bool *interrupt_watch(void)
{
	const struct sigaction action = { .sa_handler = on_signal };

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	watch_unless_ignored(SIGHUP);
	watch_unless_ignored(SIGPIPE);
	return &interrupted;
}
