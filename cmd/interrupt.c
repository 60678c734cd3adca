/* interrupt.c - see interrupt.h. */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "cmd/interrupt.h"

/* The only mutable globals: a signal handler has no argument. */
static atomic_bool interrupted;
static const char *_Atomic words;

/* The signal comes again when the handler returns, and ends the program. */
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

	if (again && (number == SIGINT || number == SIGTERM))
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

/* As under nohup. */
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
	return &interrupted;
}
