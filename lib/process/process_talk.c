/* process_talk.c - see process.h: pipes to a program, and its end. */
#define _GNU_SOURCE /* wait4, sigdescr_np */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/base/outside.h"
#include "lib/base/stop.h"
#include "lib/process/pipe_guard.h"
#include "lib/process/process.h"

enum {
	NS_PER_S = 1000000000,
	NS_PER_MS = 1000000,
	READ_BYTES = 1 << 16,
	LISTEN_MOST = 128, /* reads in a row: more than a pipe holds */
	SLICE_MS = 100,    /* between two looks whether to stop */
	NAP_LEAST_NS = 20000,
	NAP_MOST_NS = 5000000,
};

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* ---- talking ---- */

/* Writes what fits; -1: the program does not read any more. */
static int send_some(struct process *process, struct process_talk *talk)
{
	struct pipe_guard guard;
	ssize_t sent;
	int cause;

	pipe_guard_begin(&guard);
	sent = write(process->in, talk->input.data, talk->input.len);
	cause = errno;
	pipe_guard_end(&guard);
	if (sent < 0)
		return cause == EAGAIN || cause == EINTR ? 0 : -1;
	talk->input.data += sent;
	talk->input.len -= (size_t)sent;
	return 0;
}

static void send_input(struct process *process, struct process_talk *talk)
{
	if (talk->input.len > 0 && send_some(process, talk)) {
		talk->input.len = 0;
		close_fd(&process->in);
	}
	if (talk->input.len == 0 && talk->is_last)
		close_fd(&process->in);
}

/* Keeps the last PROCESS_SAID bytes. */
static void keep_said(struct process *process, const char *text, size_t len)
{
	size_t kept = process->said_len;

	if (len > PROCESS_SAID) {
		text += len - PROCESS_SAID;
		len = PROCESS_SAID;
	}
	if (kept > PROCESS_SAID - len) {
		const size_t drop = kept - (PROCESS_SAID - len);

		kept -= drop;
		memmove(process->said, process->said + drop, kept);
	}
	memcpy(process->said + kept, text, len);
	process->said_len = kept + len;
}

/* Reads its stderr, but not for ever if it writes without end. */
static void listen_to_errors(struct process *process)
{
	char piece[4096];
	ssize_t got = -1;

	for (unsigned i = 0; i < LISTEN_MOST && process->errors >= 0; i++) {
		got = read(process->errors, piece, sizeof(piece));
		if (got == 0)
			close_fd(&process->errors);
		if (got <= 0)
			return;
		keep_said(process, piece, (size_t)got);
	}
}

/* Milliseconds until the deadline, rounded up; -1: for ever. */
static int time_left(uint64_t deadline_ns)
{
	const uint64_t now = deadline_ns ? clock_now(&clock_monotonic) : 0;
	uint64_t left_ms;

	if (!deadline_ns)
		return -1;
	if (now >= deadline_ns)
		return 0;
	left_ms = (deadline_ns - now + NS_PER_MS - 1) / NS_PER_MS;
	return left_ms < INT32_MAX ? (int)left_ms : INT32_MAX;
}

/* Bytes to read next: not beyond what was asked for, so nothing is too much. */
static size_t next_bytes(const struct process_talk *talk)
{
	const size_t missing = talk->wanted - talk->output->len;

	return missing < READ_BYTES ? missing : READ_BYTES;
}

static bool is_excess(const struct process_talk *talk)
{
	return talk->most && talk->output->len > talk->most;
}

/* Reads what is there; PROCESS_HEARD: go on. */
static enum process_heard take_output(
    struct process *process, struct process_talk *talk, struct error *err)
{
	struct buf *output = talk->output;
	const size_t bytes = next_bytes(talk);
	ssize_t got;

	if (buf_grow(output, output->len + bytes, err))
		return PROCESS_FAILED;
	got = read(process->out, output->data + output->len, bytes);
	if (got == 0)
		return PROCESS_CLOSED;
	if (got > 0) {
		output->len += (size_t)got;
		return is_excess(talk) ? PROCESS_EXCESS : PROCESS_HEARD;
	}
	if (errno == EAGAIN || errno == EINTR)
		return PROCESS_HEARD;
	error_errno(err, "read", "a pipe");
	return PROCESS_FAILED;
}

/* Waits for a pipe, until the deadline at most; *heard is as below. */
static int wait_for_pipe(struct pollfd pipes[3], int left_ms,
    enum process_heard *heard, struct error *err)
{
	const bool is_last = left_ms >= 0 && left_ms <= SLICE_MS;
	const int ready = poll(pipes, 3, is_last ? left_ms : SLICE_MS);

	if (ready == 0 && stop_is_set()) {
		*heard = PROCESS_STOPPED;
		return error_set(err, ERROR_INTERRUPTED, "interrupted");
	}
	if (ready >= 0 || errno == EINTR)
		return 0;
	*heard = PROCESS_FAILED;
	return error_errno(err, "wait for", "a pipe");
}

enum process_heard process_talk(
    struct process *process, struct process_talk *talk, struct error *err)
{
	enum process_heard heard = PROCESS_HEARD;

	send_input(process, talk);
	while (heard == PROCESS_HEARD && talk->output->len < talk->wanted) {
		struct pollfd pipes[] = {
			{ .fd = process->out, .events = POLLIN },
			{ .fd = process->errors, .events = POLLIN },
			{ .fd = talk->input.len ? process->in : -1,
			    .events = POLLOUT },
		};
		const int left = time_left(talk->deadline_ns);

		if (wait_for_pipe(pipes, left, &heard, err))
			return heard;
		if (pipes[2].revents)
			send_input(process, talk);
		if (pipes[1].revents)
			listen_to_errors(process);
		if (pipes[0].revents)
			heard = take_output(process, talk, err);
		if (heard == PROCESS_HEARD && left == 0 &&
		    talk->output->len < talk->wanted)
			heard = PROCESS_LATE;
	}
	return heard;
}

/* ---- the end ---- */

static uint64_t to_ns(struct timeval t)
{
	return (uint64_t)t.tv_sec * NS_PER_S + (uint64_t)t.tv_usec * 1000u;
}

static void nap(uint64_t ns)
{
	const struct timespec time = { .tv_nsec = (long)ns };

	nanosleep(&time, NULL);
}

/* 1: it has ended; 0: not until the deadline; -1: it cannot be waited for. */
static int wait_until(struct process *process, uint64_t deadline_ns)
{
	uint64_t ns = NAP_LEAST_NS;

	for (;; ns = ns * 2 < NAP_MOST_NS ? ns * 2 : NAP_MOST_NS) {
		siginfo_t info = { .si_pid = 0 };

		if (waitid(P_PID, (id_t)process->id, &info,
		        WEXITED | WNOHANG | WNOWAIT) &&
		    errno != EINTR)
			return -1;
		if (info.si_pid)
			return 1;
		if (clock_now(&clock_monotonic) >= deadline_ns)
			return 0;
		/* A full pipe of messages would keep it from its end. */
		listen_to_errors(process);
		nap(ns);
	}
}

void process_count(struct process *process)
{
	struct timespec used;
	uint64_t ns;
	clockid_t clock;

	if (process->id <= 0 || clock_getcpuclockid(process->id, &clock) ||
	    clock_gettime(clock, &used))
		return;
	ns = (uint64_t)used.tv_sec * NS_PER_S + (uint64_t)used.tv_nsec;
	if (ns <= process->counted_ns)
		return;
	ns -= process->counted_ns;
	process->counted_ns += ns;
	outside_add(ns, 0);
	outside_change_running((int64_t)ns);
}

/* Counts what process_count has not; the kernel now has it all. */
static void count_rest(struct process *process, const struct rusage *used)
{
	const uint64_t user_ns = to_ns(used->ru_utime);
	const uint64_t system_ns = to_ns(used->ru_stime);
	const uint64_t counted_ns = process->counted_ns;

	if (counted_ns == 0)
		outside_add(user_ns, system_ns);
	else if (user_ns + system_ns > counted_ns)
		outside_add(user_ns + system_ns - counted_ns, 0);
	outside_change_running(-(int64_t)counted_ns);
	process->counted_ns = 0;
}

/*
 * Ends the group, and so what the program started and left behind.  Its number
 * is free for others only after wait4.
 */
static int reap(struct process *process, int *status)
{
	struct rusage used;
	pid_t got;

	if (process->id <= 0) /* kill would end this group */
		return -1;
	kill(-process->id, SIGKILL);
	do
		got = wait4(process->id, status, 0, &used);
	while (got < 0 && errno == EINTR);
	process->id = 0;
	if (got < 0)
		return -1;
	count_rest(process, &used);
	return 0;
}

static int tell_status(int status, struct error *err)
{
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return 0;
	if (WIFEXITED(status))
		return error_set(
		    err, ERROR_DATA, "exit status %d", WEXITSTATUS(status));
	return error_set(err, ERROR_DATA, "ended by signal %d (%s)",
	    WTERMSIG(status),
	    sigdescr_np(WTERMSIG(status)) ? sigdescr_np(WTERMSIG(status))
	                                  : "unknown");
}

static void close_all(struct process *process)
{
	close_fd(&process->in);
	close_fd(&process->out);
	close_fd(&process->errors);
}

int process_end(
    struct process *process, uint64_t deadline_ns, struct error *err)
{
	int status = 0, rc, ended;

	close_fd(&process->in);
	close_fd(&process->out);
	ended = wait_until(process, deadline_ns ? deadline_ns : UINT64_MAX);
	listen_to_errors(process);
	rc = reap(process, &status);
	close_all(process);
	if (ended == 0)
		return error_set(err, ERROR_DATA, "does not end");
	if (ended < 0 || rc)
		return error_set(err, ERROR_SYSTEM,
		    "its exit status cannot be read: is SIGCHLD ignored?");
	return tell_status(status, err);
}

void process_kill(struct process *process)
{
	int status;

	listen_to_errors(process);
	if (process->id > 0)
		reap(process, &status);
	close_all(process);
}

int process_blame(struct process *process, struct error *err)
{
	const char *said = process->said;
	size_t len, start, used = strlen(err->text);

	listen_to_errors(process);
	len = process->said_len;
	while (len > 0 && strchr("\r\n\t ", said[len - 1]))
		len--;
	for (start = len; start > 0 && said[start - 1] != '\n'; start--)
		continue;
	if (len > start && used < sizeof(err->text))
		snprintf(err->text + used, sizeof(err->text) - used, ": %.*s",
		    (int)(len - start), said + start);
	return -1;
}
