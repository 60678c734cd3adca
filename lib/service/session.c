/* session.c - see session.h: the first messages, and the life of a session. */
#include "lib/service/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/thread.h"
#include "lib/service/session_state.h"

enum { BATCH_MOST = 1 << 24 }; /* samples, as presto_loader_new allows */

/* ---- the beginning ---- */

/* Compares without telling by its time how much is right. */
static bool is_token(struct span token, struct span given)
{
	unsigned char differs = token.len != given.len;

	for (size_t i = 0; i < given.len; i++)
		differs |=
		    given.data[i] ^ (token.len ? token.data[i % token.len] : 0);
	return differs == 0;
}

static int check_hello(
    const struct session *session, const struct hello *hello, struct error *err)
{
	const struct server_plan *plan = session->plan;
	const struct span name = span_text(plan->facts->name);

	if (plan->token.len > 0 && !is_token(plan->token, hello->token))
		return error_set(err, ERROR_USAGE,
		    "the worker wants another token: set $PRESTO_TOKEN, or "
		    "$PRESTO_TOKEN_FILE");
	if (hello->name.len > 0 && !span_equal(hello->name, name))
		return error_set(err, ERROR_USAGE,
		    "the worker serves %s, and %.*s is wanted",
		    plan->facts->name, (int)hello->name.len,
		    (const char *)hello->name.data);
	if (session->is_one_too_many)
		return error_set(err, ERROR_LIMIT,
		    "the worker serves %u loaders already: raise its --loaders",
		    plan->loaders);
	return 0;
}

/* Receives the next message, which must be of this kind. */
static int expect(
    struct session *session, enum message_kind kind, struct error *err)
{
	struct frame frame;

	if (channel_hear(session->channel, &frame, err))
		return -1;
	if (frame.kind != kind)
		return error_set(err, ERROR_DATA,
		    "a message of kind %u came, and %u was expected",
		    (unsigned)frame.kind, (unsigned)kind);
	return channel_hear_body(session->channel, &frame, &session->body, err);
}

/* Sends why the loader is refused; returns -1. */
static int refuse(struct session *session, const struct error *why)
{
	struct failed failed = { .is_usage = why->code == ERROR_USAGE };
	struct error ignored = ERROR_INIT;

	session->sums.refused = 1;
	snprintf(failed.text, sizeof(failed.text), "%s", why->text);
	session->body.len = 0;
	session_tell(session, MESSAGE_REFUSED,
	    failed_put(&failed, &session->body, &ignored), &ignored);
	return -1;
}

static int greet(struct session *session, struct error *err)
{
	struct hello hello;

	if (expect(session, MESSAGE_HELLO, err))
		return -1;
	if (hello_parse(buf_span(&session->body), &hello, err) ||
	    check_hello(session, &hello, err))
		return refuse(session, err);
	session->body.len = 0;
	return session_tell(session, MESSAGE_WELCOME,
	    service_facts_put(session->plan->facts, &session->body, err), err);
}

static int make_loader(struct session *session,
    const struct service_order *order, struct error *err)
{
	struct ordered_plan plan = session->plan->source;

	if (order->batch < 1 || order->batch > BATCH_MOST)
		return error_set(err, ERROR_USAGE,
		    "batch_size must be 1 to %d, got %u", BATCH_MOST,
		    order->batch);
	plan.batch = order->batch;
	plan.shuffle = order->shuffle;
	plan.drop_last = order->drop_last;
	plan.seed = order->seed;
	plan.rank = order->rank;
	plan.world_size = order->world_size;
	plan.by_spans = true;
	/* Other sessions read from it: to hurry it would interrupt them. */
	plan.medium = NULL;
	session->loader = ordered_loader_new(&plan, err);
	return session->loader ? 0 : -1;
}

static int open_order(struct session *session, struct error *err)
{
	struct service_order order;
	struct opened opened;
	int fd, rc;

	if (expect(session, MESSAGE_OPEN, err))
		return -1;
	if (order_parse(buf_span(&session->body), &order, err) ||
	    make_loader(session, &order, err))
		return refuse(session, err);
	opened = (struct opened){
		.order = ordered_loader_order(session->loader),
		.batches = ordered_loader_batches(session->loader),
		.unit = ordered_loader_unit(session->loader),
	};
	if (opened.unit == 0)
		opened.batches = UINT64_MAX;
	fd = session_share(session, &order);
	opened.places = session->lending.places;
	if (fd >= 0)
		channel_pass(session->channel, fd);
	session->body.len = 0;
	rc = session_tell(session, MESSAGE_OPENED,
	    opened_put(&opened, &session->body, err), err);
	if (fd >= 0)
		close(fd);
	return rc;
}

/* ---- the life of a session ---- */

static int begin(struct session *session, struct error *err)
{
	struct channel *channel =
	    channel_new(session->fd, session->plan->tls, NULL, err);

	pthread_mutex_lock(&session->lock);
	session->channel = channel;
	if (channel && session->is_over) /* stopped before it had one */
		channel_shut(channel);
	pthread_mutex_unlock(&session->lock);
	if (!channel || greet(session, err) || open_order(session, err))
		return -1;
	session->sums.loaders = 1;
	if (pthread_create(&session->reader, NULL, session_read, session))
		return error_set(
		    err, ERROR_SYSTEM, "cannot start a thread for a loader");
	return 0;
}

static void *sender_main(void *arg)
{
	struct session *session = arg;
	struct error err = ERROR_INIT;

	if (begin(session, &err) == 0) {
		session_send(session);
		channel_shut(session->channel);
		pthread_mutex_lock(&session->lock);
		session->is_over = true;
		pthread_cond_broadcast(&session->news);
		pthread_mutex_unlock(&session->lock);
		pthread_join(session->reader, NULL);
	}
	/* Its threads end here, and not when somebody looks. */
	ordered_loader_free(session->loader);
	session->loader = NULL;
	session_reclaim(session); /* nobody writes there any more */
	if (session->channel)
		channel_shut(session->channel);
	atomic_store(&session->has_ended, true);
	return NULL;
}

static void session_destroy(struct session *session)
{
	channel_free(session->channel);
	batch_packer_release(&session->packer);
	buf_release(&session->body);
	pthread_cond_destroy(&session->news);
	pthread_mutex_destroy(&session->lock);
	free(session);
}

struct session *session_new(const struct server_plan *plan, int fd,
    bool is_one_too_many, struct error *err)
{
	struct session *session = memory_zeroed(sizeof(*session), err);

	if (!session) {
		close(fd);
		return NULL;
	}
	session->plan = plan;
	session->fd = fd;
	session->is_one_too_many = is_one_too_many;
	pthread_mutex_init(&session->lock, NULL);
	condition_init(&session->news);
	if (pthread_create(&session->sender, NULL, sender_main, session) == 0)
		return session;
	error_set(err, ERROR_SYSTEM, "cannot start a thread for a loader");
	close(fd);
	session_destroy(session);
	return NULL;
}

bool session_is_over(const struct session *session)
{
	return atomic_load(&session->has_ended);
}

void session_leave(struct session *session)
{
	pthread_mutex_lock(&session->lock);
	session->is_leaving = true;
	pthread_cond_broadcast(&session->news);
	pthread_mutex_unlock(&session->lock);
}

void session_stop(struct session *session)
{
	pthread_mutex_lock(&session->lock);
	session->is_over = true;
	if (session->channel)
		channel_shut(session->channel);
	pthread_cond_broadcast(&session->news);
	pthread_mutex_unlock(&session->lock);
}

void session_free(struct session *session, struct server_sums *sums)
{
	pthread_join(session->sender, NULL);
	sums->loaders += session->sums.loaders;
	sums->refused += session->sums.refused;
	sums->batches += session->sums.batches;
	sums->samples += session->sums.samples;
	sums->bytes += session->sums.bytes;
	sums->lent += session->sums.lent;
	session_destroy(session);
}
