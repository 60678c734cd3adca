/* messages.c - see messages.h. */
#include "strategies/session/messages.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/bytes.h"
#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/base/hash.h"
#include "lib/db/results_write.h"
#include "strategies/session/session.h"

void messages_init(struct messages *messages, const struct session_plan *plan,
    uint64_t began_ns)
{
	*messages = (struct messages){ .plan = plan, .began_ns = began_ns };
	pthread_mutex_init(&messages->lock, NULL);
}

void messages_release(struct messages *messages)
{
	for (unsigned i = 0; i < messages->warning_count; i++)
		free(messages->unstored[i]);
	pthread_mutex_destroy(&messages->lock);
}

/* ---- progress ---- */

/* With a budget, runs are repeated until it is used up, so progress is time. */
static void show(const struct messages *messages)
{
	const struct session_plan *plan = messages->plan;
	const struct progress *progress = &messages->progress;
	const uint64_t now = clock_now(&clock_monotonic);
	const double budget_s = plan->plan->measure.budget_s;

	if (!plan->callbacks.progress)
		return;
	if (budget_s > 0)
		plan->callbacks.progress(plan->callbacks.arg,
		    (double)(now - messages->began_ns) / 1e9, budget_s,
		    progress->what);
	else
		plan->callbacks.progress(plan->callbacks.arg, progress->done_s,
		    progress->all_s, progress->what);
}

void messages_begin(
    struct messages *messages, double unit_s, const char *format, ...)
{
	struct progress *progress = &messages->progress;
	va_list args;

	pthread_mutex_lock(&messages->lock);
	progress->unit_s = unit_s;
	va_start(args, format);
	vsnprintf(progress->what, sizeof(progress->what), format, args);
	va_end(args);
	pthread_mutex_unlock(&messages->lock);
}

void messages_advance(struct messages *messages, double units)
{
	struct progress *progress = &messages->progress;

	pthread_mutex_lock(&messages->lock);
	progress->done_s += units * progress->unit_s;
	show(messages);
	pthread_mutex_unlock(&messages->lock);
}

void messages_set_done(struct messages *messages, double seconds)
{
	pthread_mutex_lock(&messages->lock);
	messages->progress.done_s = seconds;
	pthread_mutex_unlock(&messages->lock);
}

/* ---- notes and warnings ---- */

void messages_note(void *arg, const char *text)
{
	const struct messages *messages = arg;

	if (messages->plan->callbacks.note)
		messages->plan->callbacks.note(
		    messages->plan->callbacks.arg, text);
}

/* Warns with `text`, unless `reason` was given before. */
static void warn_once(
    struct messages *messages, const char *reason, const char *text)
{
	const uint64_t hash = hash_bytes(reason, strlen(reason), 0);
	bool is_known = false;

	pthread_mutex_lock(&messages->lock);
	for (unsigned i = 0; i < messages->warning_count; i++)
		is_known |= messages->reasons[i] == hash;
	if (!is_known && messages->warning_count < MESSAGES_WARNINGS) {
		messages->unstored[messages->warning_count] = strdup(text);
		messages->reasons[messages->warning_count++] = hash;
	}
	if (!is_known && messages->plan->callbacks.warn)
		messages->plan->callbacks.warn(
		    messages->plan->callbacks.arg, text);
	pthread_mutex_unlock(&messages->lock);
}

void messages_warn(void *arg, const char *text)
{
	warn_once(arg, text, text);
}

void messages_pass_over(struct messages *messages, const char *how,
    const char *label, const struct error *why)
{
	char text[2 * sizeof(why->text)];

	snprintf(text, sizeof(text), "%s %s: %s", how, label, why->text);
	warn_once(messages, why->text, text);
}

void messages_warn_moved(
    struct messages *messages, const struct results *results)
{
	const char *from = results_moved_from(results);
	const char *to = results_path(results);
	struct error ignored = ERROR_INIT;
	struct buf text = BUF_INIT;

	if (from && buf_printf(&text, &ignored,
	                "the result database %s was removed or replaced while "
	                "this session ran; all of it was written again, to %s",
	                from, to) == 0)
		messages_warn(messages, (const char *)text.data);
	buf_release(&text);
}

int messages_store(struct messages *messages, struct results *results,
    int64_t session, struct error *err)
{
	int rc = 0;

	pthread_mutex_lock(&messages->lock);
	for (unsigned i = 0; rc == 0 && i < messages->warning_count; i++) {
		if (!messages->unstored[i] || !session)
			continue;
		rc = results_add_warning(
		    results, session, messages->unstored[i], err);
		free(messages->unstored[i]);
		messages->unstored[i] = NULL;
	}
	pthread_mutex_unlock(&messages->lock);
	return rc;
}
