/* interrupt.c - see interrupt.h. */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cmd/program/interrupt.h"
#include "lib/base/stop.h"

/* The only mutable globals: a signal handler has no argument. */
static atomic_bool interrupted;
static const char *_Atomic words;
/* Times at which each signal came first, in ms; 0: it did not come. */
static atomic_llong first_ms[2]; /* SIGINT, SIGTERM */

enum { TWICE_MS = 200 }; /* faster than a user can press Ctrl-C again */

/*
 * Is this signal a repetition of the first one?  Programs may send a signal
 * twice: timeout(1) signals its child, and then the group of the child.
 */
static bool is_told_twice(int number)
{
	atomic_llong *first = &first_ms[number == SIGTERM];
	struct timespec now;
	long long ms, none = 0;

	clock_gettime(CLOCK_MONOTONIC, &now);
	ms = 1 + now.tv_sec * 1000LL + now.tv_nsec / 1000000;
	if (atomic_compare_exchange_strong(first, &none, ms))
		return false;
	return ms - none <
	       TWICE_MS; /* `none` now holds the time of the first */
}

/* Ends the program by the signal, raised again once the handler returns. */
static void end_at_once(int number)
{
	const struct sigaction by_default = { .sa_handler = SIG_DFL };
	const char *text = atomic_load(&words);

	if (write(STDERR_FILENO, text, strlen(text)) < 0)
		errno = 0; /* nobody is there to read it */
	sigaction(number, &by_default, NULL);
	raise(number);
}

static void on_signal(int number)
{
	const int error = errno;
	const bool again = atomic_exchange(&interrupted, true);
	const bool is_meant = number == SIGINT || number == SIGTERM;

	if (is_meant && !is_told_twice(number) && again)
		end_at_once(number);
	errno = error;
}

static void ignore(int number)
{
	(void)number;
}

static void handle(int number, void (*handler)(int))
{
	struct sigaction action = { .sa_handler = handler };

	action.sa_flags = SA_RESTART;
	sigaction(number, &action, NULL);
}

/* Signals are ignored under nohup. */
static bool is_ignored(int number)
{
	struct sigaction now;

	return sigaction(number, NULL, &now) == 0 && now.sa_handler == SIG_IGN;
}

void interrupt_prepare(void)
{
	if (!is_ignored(SIGXFSZ))
		handle(SIGXFSZ, ignore);
}

const atomic_bool *interrupt_watch(const char *last_words)
{
	atomic_store(&words, last_words);
	handle(SIGINT, on_signal);
	handle(SIGTERM, on_signal);
	if (!is_ignored(SIGHUP))
		handle(SIGHUP, on_signal);
	if (!is_ignored(SIGPIPE))
		handle(SIGPIPE, on_signal);
	stop_watch_all(&interrupted);
	return &interrupted;
}
