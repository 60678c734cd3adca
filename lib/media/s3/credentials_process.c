/*
 * credentials_process.c - see credentials.h: credentials that a program prints,
 * which credential_process of a profile names.
 *
 * What it prints is never a part of a message: neither the answer, nor its
 * stderr, nor its arguments, in which some put passwords.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/media/s3/credentials.h"
#include "lib/media/s3/profile.h"
#include "lib/media/s3/secret.h"
#include "lib/process/process.h"
#include "lib/syntax/shell.h"

enum {
	WORDS_MOST = 64,
	ANSWER_MOST = 1 << 16,
	RUN_MS = 60000,
	NS_PER_MS = 1000000,
};

/* Takes the words of a command apart in place, as a shell does. */
static int take_words(
    char *command, const char *words[WORDS_MOST + 1], struct error *err)
{
	struct error why = ERROR_INIT;
	size_t count = 0;
	char *rest = command, *word;
	int rc;

	while ((rc = shell_take(&rest, &word, &why)) > 0) {
		if (count == WORDS_MOST)
			return error_set(err, ERROR_USAGE,
			    "has more than %d words", WORDS_MOST);
		words[count++] = word;
	}
	words[count] = NULL;
	if (rc < 0)
		return error_set(err, ERROR_USAGE, "a quote is not closed");
	return count ? 0 : error_set(err, ERROR_USAGE, "names no program");
}

/* Says why a program gave no answer; returns -1. */
static int tell_heard(
    enum process_heard heard, uint64_t run_ms, struct error *err)
{
	if (heard == PROCESS_LATE)
		return error_set(err, ERROR_SYSTEM,
		    "does not end within %.3g s", (double)run_ms / 1e3);
	if (heard == PROCESS_EXCESS)
		return error_set(
		    err, ERROR_DATA, "prints more than %d bytes", ANSWER_MOST);
	return -1;
}

static int run_program(const char *const *words, uint64_t run_ms,
    struct buf *answer, struct error *err)
{
	const struct process_plan plan = { .words = words };
	const uint64_t deadline_ns =
	    clock_now(&clock_monotonic) + run_ms * NS_PER_MS;
	struct process_talk talk = { .is_last = true,
		.output = answer,
		.wanted = SIZE_MAX,
		.most = ANSWER_MOST,
		.deadline_ns = deadline_ns };
	struct process process;
	enum process_heard heard;
	int rc;

	/* Memory that grows would leave a copy behind. */
	if (buf_reserve(answer, 4 * (size_t)ANSWER_MOST, err) ||
	    process_start(&process, &plan, err))
		return -1;
	heard = process_talk(&process, &talk, err);
	if (heard == PROCESS_CLOSED) {
		rc = process_end(&process, deadline_ns, err);
	} else {
		process_kill(&process);
		rc = tell_heard(heard, run_ms, err);
	}
	secret_wipe(&process, sizeof(process));
	return rc;
}

static struct credentials *ask(
    const char *words, uint64_t run_ms, const char *source, struct error *err)
{
	const char *list[WORDS_MOST + 1];
	char *command = strdup(words);
	struct buf answer = BUF_INIT;
	struct credentials *found = NULL;

	if (!command) {
		error_memory(err, strlen(words));
		return NULL;
	}
	if (take_words(command, list, err))
		error_prefix(err, "%s", source);
	else if (run_program(list, run_ms, &answer, err))
		error_prefix(err, "%s", source);
	else
		found = credentials_read(
		    &credentials_by_program, buf_span(&answer), source, err);
	secret_release(&answer);
	secret_free(command);
	return found;
}

int credentials_of_process(const struct credentials_search *search,
    struct credentials **found, struct error *err)
{
	const char *command = search->profile->values[PROFILE_PROCESS];
	char source[CREDENTIALS_SOURCE];
	const char *name;

	if (!command)
		return 0;
	profile_name(&name);
	snprintf(source, sizeof(source), "credential_process of profile %.64s",
	    name);
	*found =
	    ask(command, search->run_ms ? search->run_ms : RUN_MS, source, err);
	return *found ? 1 : -1;
}
