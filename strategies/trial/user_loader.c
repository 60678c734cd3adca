/* user_loader.c - see user_loader.h. */
#define _GNU_SOURCE /* pipe2 */
#include "strategies/trial/user_loader.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/bytes.h"
#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/base/stop.h"
#include "lib/db/results.h"
#include "lib/process/process.h"
#include "lib/process/process_memory.h"
#include "lib/python/program.h"

enum { SLICE_MS = 100, LINE_MOST = 4096 };

/* The program of the child, as a C string. */
static const char worker[] = {
#include "strategies/trial/user_loader.py.inc"
	0
};

struct user_loader {
	const struct user_loader_plan *plan;
	struct process process;
	int lifeline;       /* the kernel ends the child when this is closed */
	struct buf answers; /* lines, the first perhaps in part */
	char line[LINE_MOST];
	uint64_t peak_bytes; /* the group's memory in this epoch */
};

/* ---- one line after the other ---- */

static int fail_ended(struct user_loader *loader, struct error *err)
{
	if (process_end(&loader->process,
	        clock_now(&clock_monotonic) + 1000000000, err) == 0)
		error_set(err, ERROR_DATA, "it ended without an answer");
	return process_blame(&loader->process, err);
}

/* Has the child ended?  Its own workers may keep its stdout open. */
static bool has_ended(const struct user_loader *loader)
{
	siginfo_t info = { .si_pid = 0 };

	return waitid(P_PID, (id_t)loader->process.id, &info,
	           WEXITED | WNOHANG | WNOWAIT) == 0 &&
	       info.si_pid != 0;
}

/* Takes the first line of the answers; false: there is no whole one. */
static bool take_line(struct user_loader *loader)
{
	struct buf *answers = &loader->answers;
	const unsigned char *end =
	    answers->len ? memchr(answers->data, '\n', answers->len) : NULL;
	size_t len;

	if (!end)
		return false;
	len = (size_t)(end - answers->data);
	snprintf(loader->line, sizeof(loader->line), "%.*s", (int)len,
	    (const char *)answers->data);
	answers->len -= len + 1;
	memmove(answers->data, end + 1, answers->len);
	return true;
}

/* Sends and receives for a moment.  -1: it is gone. */
static int listen(
    struct user_loader *loader, struct span *command, struct error *err)
{
	struct process_talk talk = {
		.input = *command,
		.output = &loader->answers,
		.wanted = loader->answers.len + 1,
		.most = LINE_MOST,
		.deadline_ns =
		    clock_now(&clock_monotonic) + SLICE_MS * (uint64_t)1000000,
	};
	const enum process_heard heard =
	    process_talk(&loader->process, &talk, err);
	const uint64_t bytes = process_memory(loader->process.id);

	*command = talk.input;
	if (bytes > loader->peak_bytes)
		loader->peak_bytes = bytes;
	switch (heard) {
	case PROCESS_HEARD:
		return 0;
	case PROCESS_LATE:
		return has_ended(loader) ? fail_ended(loader, err) : 0;
	case PROCESS_EXCESS:
		return error_set(err, ERROR_DATA, "it says too much");
	case PROCESS_CLOSED:
		return fail_ended(loader, err);
	case PROCESS_STOPPED:
	case PROCESS_FAILED:
		break;
	}
	return -1;
}

/* Waits for a line: an answer, or word that the epoch goes on. */
static int next_line(
    struct user_loader *loader, struct span *command, struct error *err)
{
	const double timeout_s = loader->plan->timeout_s;
	const uint64_t deadline =
	    clock_now(&clock_monotonic) + (uint64_t)(timeout_s * 1e9);

	while (!take_line(loader)) {
		if (stop_check(loader->plan->stop, err) ||
		    listen(loader, command, err) < 0)
			return -1;
		if (clock_now(&clock_monotonic) > deadline)
			return error_set(err, ERROR_DATA,
			    "nothing came for %.3g s; measure.loader_timeout "
			    "allows more",
			    timeout_s);
	}
	if (strncmp(loader->line, "failed ", 7) == 0)
		return error_set(err, ERROR_DATA, "%s", loader->line + 7);
	return 0;
}

/* An epoch without end has more samples than any dataset that is repeated. */
static int check_end(const struct user_loader *loader, struct error *err)
{
	const uint64_t most = loader->plan->most_samples;
	uint64_t samples = 0;

	sscanf(loader->line, "alive %" SCNu64, &samples);
	if (!most || samples <= most)
		return 0;
	return error_set(err, ERROR_DATA,
	    "its epoch does not end: it gave %" PRIu64
	    " samples so far; return a loader of one epoch",
	    samples);
}

/* Sends a command, and waits for the line that begins with `word`. */
static int ask(struct user_loader *loader, const char *text, const char *word,
    struct error *err)
{
	struct span command = span_text(text);
	int rc;

	do {
		rc = next_line(loader, &command, err);
		if (rc == 0)
			rc = check_end(loader, err);
	} while (rc == 0 && strncmp(loader->line, "alive ", 6) == 0);
	if (rc == 0 && strncmp(loader->line, word, strlen(word)) != 0)
		rc = error_set(err, ERROR_DATA, "it answers '%.40s' for %s",
		    loader->line, word);
	return rc ? error_prefix(err, "loader %s", loader->plan->given) : 0;
}

/* ---- the child ---- */

/* `program` and `end` become its descriptors 3 and 4. */
static int start_process(
    struct user_loader *loader, int program, int end, struct error *err)
{
	const struct user_loader_plan *plan = loader->plan;
	char text[PROGRAM_WORDS];
	const char *const words[] = { plan->python.interpreter, "-c", text,
		plan->file, plan->function, NULL };
	const struct process_plan process = {
		.words = words,
		.fds = { program, end },
		.fd_count = 2,
	};

	python_program_words(worker, 3, text);
	return process_start(&loader->process, &process, err);
}

static int start(struct user_loader *loader, struct error *err)
{
	int ends[2], program, rc;

	program = python_program_open(worker, err);
	if (program < 0)
		return -1;
	if (pipe2(ends, O_CLOEXEC)) {
		close(program);
		return error_errno(err, "make", "a pipe");
	}
	loader->lifeline = ends[1];
	rc = start_process(loader, program, ends[0], err);
	close(ends[0]);
	close(program);
	if (rc)
		return error_prefix(err, "loader %s", loader->plan->given);
	return ask(loader, "", "ready ", err);
}

static struct user_loader *start_new(
    const struct user_loader_plan *plan, struct error *err)
{
	struct user_loader *loader = calloc(1, sizeof(*loader));

	if (!loader) {
		error_memory(err, sizeof(*loader));
		return NULL;
	}
	loader->plan = plan;
	loader->process = (struct process)PROCESS_INIT;
	loader->lifeline = -1;
	if (start(loader, err) == 0)
		return loader;
	user_loader_close(loader);
	return NULL;
}

int user_loader_look(struct user_loader_plan *plan, struct error *err)
{
	struct user_loader *loader = start_new(plan, err);

	if (!loader) {
		if (err->code != ERROR_INTERRUPTED)
			err->code = ERROR_USAGE;
		return -1;
	}
	plan->takes_threads = strcmp(loader->line, "ready 1") == 0;
	user_loader_close(loader);
	return 0;
}

struct user_loader *user_loader_open(const struct user_loader_plan *plan,
    unsigned batch, unsigned threads, struct error *err)
{
	struct user_loader *loader = start_new(plan, err);
	struct buf text = BUF_INIT;
	int rc = -1;

	if (loader && buf_printf(&text, err, "open %u %u %s\n", batch, threads,
	                  plan->dataset ? plan->dataset : "") == 0)
		rc = ask(loader, (const char *)text.data, "opened", err);
	buf_release(&text);
	if (rc == 0)
		return loader;
	user_loader_close(loader);
	return NULL;
}

void user_loader_close(struct user_loader *loader)
{
	if (!loader)
		return;
	process_kill(&loader->process);
	if (loader->lifeline >= 0)
		close(loader->lifeline);
	buf_release(&loader->answers);
	free(loader);
}

/* ---- epochs ---- */

int user_loader_epoch(
    struct user_loader *loader, struct run_row *row, struct error *err)
{
	uint64_t start, end, own_peak;

	loader->peak_bytes = 0;
	if (ask(loader, "epoch\n", "epoch ", err))
		return -1;
	if (sscanf(loader->line,
	        "epoch %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64
	        " %" SCNu64 " %" SCNu64 " %" SCNi64 " %" SCNu64,
	        &start, &end, &row->first_batch_ns, &row->samples,
	        &row->user_ns, &row->system_ns, &row->bytes_fetched,
	        &row->bytes_from_storage, &own_peak) != 9 ||
	    end <= start)
		return error_set(err, ERROR_DATA, "loader %s: it answers '%s'",
		    loader->plan->given, loader->line);
	row->wall_ns = end - start;
	row->peak_rss_bytes =
	    own_peak > loader->peak_bytes ? own_peak : loader->peak_bytes;
	return 0;
}
