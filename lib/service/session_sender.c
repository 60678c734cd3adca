/* session_sender.c - sends batches to a loader; see session_state.h. */
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/sample/batch.h"
#include "lib/sample/batch_home.h"
#include "lib/service/session_state.h"

int session_tell(
    struct session *session, enum message_kind kind, int rc, struct error *err)
{
	return rc ? rc
	          : channel_tell(session->channel, kind, session->turn,
	                buf_span(&session->body), err);
}

/* Sends the message of a batch. */
static int send_message(struct session *session, const struct batch_head *head,
    const struct batch *batch, struct error *err)
{
	struct batch_packer *packer = &session->packer;
	struct frame frame = {
		.kind = MESSAGE_BATCH,
		.turn = session->turn,
	};
	unsigned char text[FRAME_BYTES];
	int rc;

	if (batch_pack(packer, head, &session->plan->facts->schema, batch, err))
		return -1;
	frame.bytes = packer->bytes;
	frame_put(&frame, text);
	packer->parts[0] = (struct iovec){ text, sizeof(text) };
	atomic_store(&session->is_sending, true);
	rc = channel_send(session->channel, packer->parts, packer->count, err);
	atomic_store(&session->is_sending, false);
	return rc;
}

/* Sends a batch and gives it back, unless it is lent; NULL: an empty one. */
static int send_batch(struct session *session, const struct ordered_span *span,
    struct batch *batch, struct error *err)
{
	const uint64_t skipped = ordered_loader_skipped(session->loader);
	const uint64_t filtered = ordered_loader_filtered(session->loader);
	const unsigned samples = batch ? batch->count : 0;
	const struct batch_head head = {
		.epoch = span->epoch,
		.number = session->next,
		.skipped = (uint32_t)(skipped - session->skipped),
		.filtered = (uint32_t)(filtered - session->filtered),
		.place = session_lend(session, batch),
	};
	const int rc = send_message(session, &head, batch, err);

	if (head.place == 0)
		batch_give(batch);
	if (rc)
		return -1;
	session->skipped = skipped;
	session->filtered = filtered;
	session->next++;
	session->sums.batches += batch != NULL;
	session->sums.samples += samples;
	session->sums.bytes +=
	    session->packer.bytes + session->packer.bytes_there;
	session->sums.lent += head.place > 0;
	session_sent(session);
	return 0;
}

/* Sends batches without samples for those that filters have emptied. */
static int send_empty(struct session *session, const struct ordered_span *span,
    uint64_t until, struct error *err)
{
	while (session->next < until)
		if (send_batch(session, span, NULL, err))
			return -1;
	return 0;
}

/* The loader is behind the last batch of the span. */
static int end_span(
    struct session *session, const struct ordered_span *span, struct error *err)
{
	const struct ordered_position at =
	    ordered_loader_position(session->loader);
	const struct ended ended = {
		.epoch = span->epoch,
		.batches = at.batch,
	};

	if (send_empty(session, span, at.batch, err))
		return -1;
	session->body.len = 0;
	if (span->end == UINT64_MAX &&
	    session_tell(session, MESSAGE_END,
	        ended_put(&ended, &session->body, err), err))
		return -1;
	pthread_mutex_lock(&session->lock);
	session->delivered++;
	pthread_mutex_unlock(&session->lock);
	return 0;
}

/* Tells the loader why there is no batch; it resets when it goes on. */
static int send_failure(struct session *session,
    const struct ordered_span *span, const struct error *why, struct error *err)
{
	struct failed failed = {
		.epoch = span->epoch,
		.batch = ordered_loader_position(session->loader).batch,
		.is_usage = why->code == ERROR_USAGE,
	};

	if (send_empty(session, span, failed.batch, err))
		return -1;
	snprintf(failed.text, sizeof(failed.text), "%s", why->text);
	session->has_failed = true;
	session->body.len = 0;
	return session_tell(session, MESSAGE_FAILED,
	    failed_put(&failed, &session->body, err), err);
}

/* Makes and sends the next batch of the span, or its end. */
static int serve_one(
    struct session *session, const struct ordered_span *span, struct error *err)
{
	const uint64_t began = clock_now(&clock_monotonic);
	struct batch *batch = NULL;
	struct error why = ERROR_INIT;
	const int got = ordered_loader_next(
	    session->loader, CHANNEL_ALIVE_MS, &batch, &why);
	int rc;

	if (got == 0)
		return end_span(session, span, err);
	if (got > 0) {
		rc = send_empty(session, span,
		    ordered_loader_position(session->loader).batch - 1, err);
		if (rc == 0)
			return send_batch(session, span, batch, err);
		batch_give(batch);
		return rc;
	}
	if (why.code != ERROR_INTERRUPTED)
		return send_failure(session, span, &why, err);
	session->body.len = 0;
	if (clock_now(&clock_monotonic) - began >=
	    (uint64_t)CHANNEL_ALIVE_MS * 1000000)
		return session_tell(session, MESSAGE_ALIVE, 0, err);
	/* By the reader; or steps of the user's end with the program. */
	return atomic_load(session->plan->stop) ? -1 : 0;
}

static struct timespec alive_until(void)
{
	const uint64_t at =
	    clock_now(&clock_monotonic) + (uint64_t)CHANNEL_ALIVE_MS * 1000000;

	return (struct timespec){
		.tv_sec = (time_t)(at / 1000000000),
		.tv_nsec = (long)(at % 1000000000),
	};
}

/* The next task of the sender. */
enum task { TASK_SERVE, TASK_LEAVE, TASK_ALIVE, TASK_OVER };

static void forget(struct session *session)
{
	ordered_loader_forget(session->loader);
	session->delivered = session->asked;
	session->credit = 0;
	session->turn = session->wanted_turn;
	session->has_failed = false;
	session->is_reset = false;
	pthread_cond_broadcast(&session->news);
}

static bool can_serve(const struct session *session)
{
	return session->delivered < session->asked && session->credit > 0 &&
	       !session->has_failed;
}

/* Sets the span that is served, and the first batch of a new one. */
static void begin_span(struct session *session, struct ordered_span *span)
{
	*span = session->spans[session->delivered % ORDERED_SPANS];
	if (session->begun > session->delivered)
		return;
	session->begun = session->delivered + 1;
	session->next = span->from;
}

/* Waits for a task; with TASK_SERVE, sets the span. */
static enum task next_task(struct session *session, struct ordered_span *span)
{
	const struct timespec until = alive_until();
	enum task task = TASK_ALIVE;
	int rc = 0;

	pthread_mutex_lock(&session->lock);
	while (rc == 0 || session->is_reset) {
		if (session->is_over) {
			task = TASK_OVER;
			break;
		}
		if (session->is_reset) {
			forget(session);
			continue;
		}
		if (session->is_leaving && !session->has_told) {
			task = TASK_LEAVE;
			break;
		}
		if (can_serve(session)) {
			task = TASK_SERVE;
			begin_span(session, span);
			break;
		}
		rc = pthread_cond_timedwait(
		    &session->news, &session->lock, &until);
	}
	pthread_mutex_unlock(&session->lock);
	return task;
}

/* Does tasks until the connection is over, or an error ends it. */
void session_send(struct session *session)
{
	struct error err = ERROR_INIT;
	struct ordered_span span = { .epoch = 0 };
	int rc = 0;

	while (rc == 0) {
		const enum task task = next_task(session, &span);

		session->body.len = 0;
		if (task == TASK_OVER)
			return;
		if (task == TASK_SERVE)
			rc = serve_one(session, &span, &err);
		else if (task == TASK_LEAVE)
			rc = session_tell(session, MESSAGE_LEAVING, 0, &err);
		else
			rc = session_tell(session, MESSAGE_ALIVE, 0, &err);
		session->has_told |= task == TASK_LEAVE;
	}
}
