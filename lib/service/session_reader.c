/* session_reader.c - takes the messages of a loader; see session_state.h. */
#include "lib/base/error.h"
#include "lib/service/session_state.h"

enum { CREDIT_MOST = 1 << 20 }; /* batches */

/* Waits until the sender has forgotten what was asked for before. */
static void reset(struct session *session, uint32_t turn)
{
	pthread_mutex_lock(&session->lock);
	session->wanted_turn = turn;
	session->is_reset = true;
	ordered_loader_interrupt(session->loader);
	pthread_cond_broadcast(&session->news);
	while (session->is_reset && !session->is_over)
		pthread_cond_wait(&session->news, &session->lock);
	pthread_mutex_unlock(&session->lock);
}

static int add_credit(
    struct session *session, struct span body, struct error *err)
{
	uint32_t batches;

	if (credit_parse(body, &batches, err))
		return -1;
	pthread_mutex_lock(&session->lock);
	session->credit += batches;
	if (session->credit > CREDIT_MOST)
		session->credit = CREDIT_MOST;
	pthread_cond_broadcast(&session->news);
	pthread_mutex_unlock(&session->lock);
	return 0;
}

static int add_span(
    struct session *session, struct span body, struct error *err)
{
	struct ordered_span span;
	int rc;

	if (span_parse(body, &span, err))
		return -1;
	pthread_mutex_lock(&session->lock);
	rc = ordered_loader_ask(session->loader, span, err);
	if (rc == 0)
		session->spans[session->asked++ % ORDERED_SPANS] = span;
	pthread_cond_broadcast(&session->news);
	pthread_mutex_unlock(&session->lock);
	return rc;
}

/* Takes one message of the loader: 0; -1: the connection is over. */
static int take_message(
    struct session *session, struct buf *body, struct error *err)
{
	struct frame frame;

	while (channel_wait(session->channel, -1, CHANNEL_STALL_MS) !=
	       CHANNEL_READY)
		if (!atomic_load(&session->is_sending))
			return error_set(
			    err, ERROR_SYSTEM, "the loader does not answer");
	if (channel_hear(session->channel, &frame, err) ||
	    channel_hear_body(session->channel, &frame, body, err))
		return -1;
	switch (frame.kind) {
	case MESSAGE_RESET:
		reset(session, frame.turn);
		return 0;
	case MESSAGE_CREDIT:
		return add_credit(session, buf_span(body), err);
	case MESSAGE_ASK:
		return add_span(session, buf_span(body), err);
	case MESSAGE_RETURN:
		return session_take_back(session, buf_span(body), err);
	case MESSAGE_ALIVE:
		return 0;
	default:
		return error_set(err, ERROR_DATA,
		    "a message of kind %u is not for workers",
		    (unsigned)frame.kind);
	}
}

void *session_read(void *arg)
{
	struct session *session = arg;
	struct error err = ERROR_INIT;
	struct buf body = BUF_INIT;

	while (take_message(session, &body, &err) == 0)
		continue;
	buf_release(&body);
	pthread_mutex_lock(&session->lock);
	session->is_over = true;
	ordered_loader_interrupt(session->loader);
	pthread_cond_broadcast(&session->news);
	pthread_mutex_unlock(&session->lock);
	return NULL;
}
