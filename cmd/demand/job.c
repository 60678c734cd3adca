/* job.c - see job.h. */
#define _GNU_SOURCE /* ppoll */
#include "cmd/demand/job.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/process/process_tree.h"

extern char **environ;

static const uint64_t look_ns = 100000000;
static const uint64_t patience_ns = 10000000000;
static const uint64_t twice_ns = 200000000; /* as in interrupt.h */

struct running {
	pid_t pid;
	int signals; /* signalfd */
	sigset_t blocked, before;
	struct process_tree *tree;
	struct job_end *end;
	uint64_t begin_ns, look_at_ns;
	uint64_t stop_at_ns;   /* UINT64_MAX: never */
	uint64_t signalled_ns; /* 0: no signal came */
	unsigned stops;        /* signals of all kinds so far */
};

/* ---- signals ---- */

static void add_unless_ignored(sigset_t *set, int number)
{
	struct sigaction now;

	if (sigaction(number, NULL, &now) || now.sa_handler != SIG_IGN)
		sigaddset(set, number);
}

/*
 * Signals are blocked and read from a descriptor, so that none is lost between
 * two looks.  Those that presto was started to ignore stay ignored.  They stay
 * blocked until presto ends, so that it can write what it has found.
 */
static int block_signals(struct running *running, struct error *err)
{
	const struct sigaction by_default = { .sa_handler = SIG_DFL };

	sigaction(SIGCHLD, &by_default, NULL);
	sigemptyset(&running->blocked);
	sigaddset(&running->blocked, SIGCHLD);
	add_unless_ignored(&running->blocked, SIGINT);
	add_unless_ignored(&running->blocked, SIGTERM);
	add_unless_ignored(&running->blocked, SIGHUP);
	sigprocmask(SIG_BLOCK, &running->blocked, &running->before);
	running->signals =
	    signalfd(-1, &running->blocked, SFD_CLOEXEC | SFD_NONBLOCK);
	return running->signals < 0 ? error_errno(err, "wait for", "signals")
	                            : 0;
}

/* Sends a signal to all processes of the job that are known to live. */
static int send_all(struct running *running, int number, struct error *err)
{
	struct process_tree *tree = running->tree;

	tree->searched_ns = 0;
	if (process_tree_look(tree, clock_now(&clock_monotonic), err))
		return -1;
	for (size_t i = 0; i < tree->count; i++)
		if (!tree->list[i].ended)
			kill((pid_t)tree->list[i].pid, number);
	if (tree->count == 0) /* there is no /proc: its children are unknown */
		kill(running->pid, number);
	return 0;
}

/* Stops the job: politely, then firmly, then by force. */
static int stop(
    struct running *running, int number, bool is_told, struct error *err)
{
	running->stops++;
	if (running->stops == 2)
		return send_all(running, SIGTERM, err);
	if (running->stops > 2)
		return send_all(running, SIGKILL, err);
	return is_told ? 0 : send_all(running, number, err);
}

/* The terminal signals the whole group, so the job has been told. */
static int on_signal(struct running *running,
    const struct signalfd_siginfo *info, uint64_t now_ns, struct error *err)
{
	const bool is_told = info->ssi_code == SI_KERNEL;

	if (running->signalled_ns && now_ns - running->signalled_ns < twice_ns)
		return 0;
	running->signalled_ns = now_ns;
	running->end->was_interrupted = true;
	return stop(running, (int)info->ssi_signo, is_told, err);
}

/* Reads all signals that came; SIGCHLD only wakes the caller. */
static int read_signals(
    struct running *running, uint64_t now_ns, struct error *err)
{
	struct signalfd_siginfo info;

	while (read(running->signals, &info, sizeof(info)) ==
	       (ssize_t)sizeof(info))
		if (info.ssi_signo != SIGCHLD &&
		    on_signal(running, &info, now_ns, err))
			return -1;
	return 0;
}

/* ---- the job ---- */

/* Starts the job with the signals that presto was started with. */
static int start(struct running *running, char *const *argv, struct error *err)
{
	posix_spawnattr_t attributes;
	int rc;

	posix_spawnattr_init(&attributes);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
	posix_spawnattr_setsigmask(&attributes, &running->before);
	rc = posix_spawnp(
	    &running->pid, argv[0], NULL, &attributes, argv, environ);
	posix_spawnattr_destroy(&attributes);
	if (!rc)
		return 0;
	errno = rc;
	error_errno(err, "run", argv[0]);
	err->code = ERROR_USAGE;
	return -1;
}

/* Sleeps until a signal, the next look or the end of the budget. */
static void sleep_until_needed(const struct running *running, uint64_t now_ns)
{
	const uint64_t at = running->look_at_ns < running->stop_at_ns
	                        ? running->look_at_ns
	                        : running->stop_at_ns;
	const uint64_t ns = at > now_ns ? at - now_ns : 0;
	struct pollfd wait = { .fd = running->signals, .events = POLLIN };

	ppoll(&wait, 1,
	    &(struct timespec){ .tv_sec = (time_t)(ns / 1000000000),
	        .tv_nsec = (long)(ns % 1000000000) },
	    NULL);
}

/* Does what is due now. */
static int step(struct running *running, uint64_t now_ns, struct error *err)
{
	if (read_signals(running, now_ns, err))
		return -1;
	if (now_ns >= running->stop_at_ns) {
		running->end->was_over_budget |= running->stops == 0;
		running->stop_at_ns = now_ns + patience_ns;
		if (stop(running, SIGINT, false, err))
			return -1;
	}
	if (now_ns < running->look_at_ns)
		return 0;
	running->look_at_ns = now_ns + look_ns;
	return process_tree_look(running->tree, now_ns, err);
}

/* Waits for the end of the job. */
static int watch(struct running *running, struct error *err)
{
	for (;;) {
		const pid_t got =
		    waitpid(running->pid, &running->end->status, WNOHANG);

		if (got == running->pid)
			return 0;
		if (got < 0 && errno != EINTR)
			return error_errno(err, "wait for", "the job");
		sleep_until_needed(running, clock_now(&clock_monotonic));
		if (step(running, clock_now(&clock_monotonic), err))
			return -1;
	}
}

/* Ends a job that cannot be watched any more. */
static void abandon(const struct running *running)
{
	int status;

	kill(running->pid, SIGTERM);
	while (waitpid(running->pid, &status, 0) < 0 && errno == EINTR)
		continue;
}

int job_run(char *const *argv, double budget_s, struct process_tree *tree,
    struct job_end *end, struct error *err)
{
	const uint64_t now_ns = clock_now(&clock_monotonic);
	struct running running = { .tree = tree,
		.end = end,
		.begin_ns = now_ns,
		.look_at_ns = now_ns,
		.stop_at_ns = budget_s > 0 ? now_ns + (uint64_t)(1e9 * budget_s)
		                           : UINT64_MAX };
	int rc = block_signals(&running, err);

	*end = (struct job_end){ .status = 0 };
	if (rc == 0)
		rc = start(&running, argv, err);
	if (rc == 0) {
		rc = process_tree_begin(
		    tree, "", (uint64_t)running.pid, now_ns, err);
		if (watch(&running, err)) {
			abandon(&running);
			rc = -1;
		}
	}
	end->seconds = 1e-9 * (double)(clock_now(&clock_monotonic) - now_ns);
	if (running.signals >= 0)
		close(running.signals);
	return rc;
}
