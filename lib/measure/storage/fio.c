/*
 * fio.c - see fio.h: fio (Flexible I/O tester) reads the files of a
 * pass. It runs without a shell, in the folder of the files. Wraps jansson.
 *
 * Like presto, fio opens the next small file in the timed loop. Its files are
 * dropped from the page cache before each pass, too.
 */
#define _GNU_SOURCE /* posix_spawn_file_actions_addchdir_np, pipe2 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <jansson.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/bytes.h"
#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/base/stop.h"
#include "lib/measure/storage/fio.h"

enum { ARGS_MOST = 32, ARG_SIZE = 96, OUTPUT_MOST = 1 << 20 };

extern char **environ;

struct command {
	char text[ARGS_MOST][ARG_SIZE];
	char *argv[ARGS_MOST + 1];
	unsigned count;
};

__attribute__((format(printf, 2, 3))) static void add(
    struct command *command, const char *format, ...)
{
	char *text = command->text[command->count];
	va_list args;

	va_start(args, format);
	vsnprintf(text, ARG_SIZE, format, args);
	va_end(args);
	command->argv[command->count++] = text;
	command->argv[command->count] = NULL;
}

/* Starts fio with its stdout in *output; returns 0 or an errno. */
static int start(
    const struct command *command, const char *dir, pid_t *pid, int *output)
{
	posix_spawn_file_actions_t actions;
	int ends[2], rc;

	if (pipe2(ends, O_CLOEXEC))
		return errno;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
	posix_spawn_file_actions_addopen(
	    &actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(
	    &actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	if (dir)
		posix_spawn_file_actions_addchdir_np(&actions, dir);
	rc = posix_spawnp(
	    pid, command->argv[0], &actions, NULL, command->argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	close(ends[1]);
	if (rc)
		close(ends[0]);
	*output = ends[0];
	return rc;
}

/* Reads its output to the end, for at most `limit_s`. */
static int collect(const struct probe_plan *plan, int output, double limit_s,
    struct buf *text, struct error *err)
{
	const uint64_t end =
	    clock_now(&clock_monotonic) + (uint64_t)(1e9 * limit_s);
	char piece[4096];

	for (;;) {
		struct pollfd wait = { .fd = output, .events = POLLIN };
		ssize_t got;

		if (plan && stop_check(plan->stop, err))
			return -1;
		if (clock_now(&clock_monotonic) > end)
			return error_set(err, ERROR_DATA, "it does not end");
		if (poll(&wait, 1, 100) <= 0)
			continue;
		got = read(output, piece, sizeof(piece));
		if (got == 0)
			return 0;
		if (got < 0 && errno != EINTR)
			return error_errno(err, "read", "its output");
		if (got > 0 && text->len > OUTPUT_MOST)
			return error_set(err, ERROR_DATA, "it says too much");
		if (got > 0 && buf_append(text, piece, (size_t)got, err))
			return -1;
	}
}

/* Runs it to its end; `text` gets its output. */
static int run(const struct command *command, const struct probe_plan *plan,
    const char *dir, double limit_s, struct buf *text, struct error *err)
{
	pid_t pid;
	int output = -1, status = 0, rc;

	rc = start(command, dir, &pid, &output);
	if (rc)
		return error_set(err, ERROR_DATA, "%s", strerror(rc));
	rc = collect(plan, output, limit_s, text, err);
	close(output);
	if (rc)
		kill(pid, SIGKILL);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		continue;
	if (rc || (plan && stop_check(plan->stop, err)))
		return -1;
	if (WIFSIGNALED(status))
		return error_set(err, ERROR_DATA, "it was ended by signal %d",
		    WTERMSIG(status));
	if (WEXITSTATUS(status) == 127)
		return error_set(err, ERROR_DATA, "it cannot be run");
	if (WEXITSTATUS(status))
		return error_set(err, ERROR_DATA, "it ended with status %d",
		    WEXITSTATUS(status));
	return buf_append(text, "", 1, err);
}

bool fio_find(char tool[32])
{
	struct command command = { .count = 0 };
	struct error ignored = ERROR_INIT;
	struct buf text = BUF_INIT;
	unsigned major, minor;
	bool found = false;

	add(&command, "fio");
	add(&command, "--version");
	if (run(&command, NULL, NULL, 5, &text, &ignored) == 0 &&
	    sscanf((const char *)text.data, "fio-%5u.%5u", &major, &minor) ==
	        2) {
		snprintf(tool, 32, "fio %u.%u", major, minor);
		found = true;
	}
	buf_release(&text);
	return found;
}

/* Takes a number from `least` to `most`. */
static int take(json_t *object, const char *key, double least, double most,
    double *number, struct error *err)
{
	const json_t *value = json_object_get(object, key);

	*number = json_number_value(value);
	if (json_is_number(value) && *number >= least && *number <= most)
		return 0;
	return error_set(err, ERROR_DATA, "its JSON has no usable \"%s\"", key);
}

/* Parses the JSON, which warnings of fio may precede. */
static int parse(const char *text, double most_bytes, double most_reads,
    struct probe_time *time, struct error *err)
{
	const char *json = strchr(text, '{');
	json_error_t why;
	json_t *root =
	    json ? json_loads(json, JSON_DISABLE_EOF_CHECK, &why) : NULL;
	json_t *job = json_array_get(json_object_get(root, "jobs"), 0);
	json_t *row = json_object_get(job, "read");
	double failed, bytes = 0, reads = 0, ms = 0;
	int rc = -1;

	if (!root)
		error_set(err, ERROR_DATA, "it prints no JSON");
	else if (take(job, "error", 0, 0, &failed, err) == 0 &&
	         take(row, "io_bytes", 1, most_bytes, &bytes, err) == 0 &&
	         take(row, "total_ios", 1, most_reads, &reads, err) == 0)
		rc = take(row, "runtime", 0, 1e9, &ms, err);
	if (rc == 0 && ms < 1)
		rc = error_set(
		    err, ERROR_DATA, "it read for less than a millisecond");
	json_decref(root);
	*time = (struct probe_time){ .bytes = (uint64_t)bytes,
		.reads = (uint64_t)reads,
		.wall_s = ms / 1e3 };
	return rc;
}

static void add_common(struct command *command, const struct probe_pass *pass)
{
	add(command, "fio");
	add(command, "--output-format=json");
	add(command, "--name=presto");
	add(command, "--thread");
	add(command, "--group_reporting");
	add(command, "--ioengine=psync");
	add(command, "--direct=0");
	add(command, "--invalidate=%d", !pass->warm);
	add(command, "--rw=read");
	add(command, "--allow_file_create=0");
	add(command, "--runtime=%u", 1 + (unsigned)pass->limit_s);
	add(command, "--numjobs=%u", pass->threads);
}

int fio_read(const struct probe_plan *plan, const struct probe_files *files,
    const struct probe_pass *pass, struct probe_time *time, struct error *err)
{
	struct command command = { .count = 0 };
	struct buf text = BUF_INIT;
	uint64_t bytes = files->large_bytes, read = pass->read_bytes;
	uint64_t each = files->small_count / pass->threads;
	int rc;

	add_common(&command, pass);
	if (pass->pattern == CEILING_FILES) {
		bytes = each * files->small_bytes;
		read = files->small_bytes;
		add(&command, "--filename_format=small.%u.$jobnum.$filenum",
		    files->layout);
		add(&command, "--nrfiles=%" PRIu64, each);
		add(&command, "--filesize=%" PRIu64, files->small_bytes);
		add(&command, "--openfiles=1");
		add(&command, "--file_service_type=sequential");
	} else {
		while (bytes % read) /* fio leaves out a last part */
			read /= 2;
		each = bytes / read;
		add(&command, "--filename_format=large.$jobnum");
	}
	add(&command, "--size=%" PRIu64, bytes);
	add(&command, "--bs=%" PRIu64, read);
	rc =
	    run(&command, plan, files->dir, 30 + 2 * pass->limit_s, &text, err);
	if (rc == 0)
		rc = parse((const char *)text.data,
		    (double)bytes * pass->threads, (double)each * pass->threads,
		    time, err);
	buf_release(&text);
	if (rc && err->code != ERROR_INTERRUPTED)
		error_prefix(err, "fio");
	return rc;
}
