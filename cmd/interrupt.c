/* interrupt.c - see interrupt.h. */
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#include "cmd/interrupt.h"

/* The one mutable global: a signal handler has no argument. */
static atomic_bool interrupted;

static void on_signal(int number)
{
	const struct sigaction again = { .sa_handler = SIG_DFL };

	atomic_store(&interrupted, true);
	sigaction(number, &again, NULL);
}

const atomic_bool *interrupt_watch(void)
{
	const struct sigaction action = { .sa_handler = on_signal };

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	return &interrupted;
}
