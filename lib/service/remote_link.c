/*
 * remote_link.c - the thread of a link: connects to its worker, claims spans,
 * and receives batches; see remote_state.h.
 */
#include <poll.h>
#include <unistd.h>

#include "lib/base/clock.h"
#include "lib/service/channel.h"
#include "lib/service/lent.h"
#include "lib/service/remote_state.h"

enum {
	PAUSE_LEAST_MS = 20, /* between two tries to connect; then doubled */
	PAUSE_MOST_MS = 1000,
};

static bool stops(const struct link *link)
{
	return atomic_load(&link->loader->stops);
}

static void forget_wake(const struct link *link)
{
	uint64_t count;

	if (read(link->wake, &count, sizeof(count)) < 0)
		return; /* nobody has woken it */
}

/* ---- claims, with the lock held ---- */

/* Is it time to ask this worker for one more span? */
static bool may_claim(const struct link *link)
{
	const struct remote_loader *loader = link->loader;

	if (link->is_leaving || link->claims == LINK_CLAIMS ||
	    loader->opened.batches == 0)
		return false;
	if (!remote_is_known(loader))
		return link->span_count == 0;
	return remote_link_to_come(link) < loader->window / 2;
}

/* The next span of the order, which nobody has claimed. */
static struct ordered_span next_span(struct remote_loader *loader)
{
	const struct opened *opened = &loader->opened;
	struct ordered_position *at = &loader->cursor;
	struct ordered_span span;

	if (remote_is_known(loader) && at->batch >= opened->batches)
		*at = (struct ordered_position){ at->epoch + 1, 0 };
	span = (struct ordered_span){
		.epoch = at->epoch,
		.from = at->batch,
		.end = UINT64_MAX,
	};
	if (!remote_is_known(loader)) {
		*at = (struct ordered_position){ at->epoch + 1, 0 };
		return span;
	}
	span.end = opened->unit < opened->batches - at->batch
	               ? at->batch + opened->unit
	               : opened->batches;
	at->batch = span.end;
	return span;
}

static void claim(struct link *link, struct ordered_span *span)
{
	struct remote_loader *loader = link->loader;

	*span = next_span(loader);
	loader->claims[(loader->claim_first + loader->claim_count++) % CLAIMS] =
	    (struct claim){ *span, link };
	link->claims++;
	if (link->span_count == 0)
		link->next = span->from;
	link->spans[link->span_count++] = *span;
}

/* ---- asking ---- */

/* The next messages to the worker. */
struct request {
	bool is_reset, is_ask;
	uint32_t credit;
	struct ordered_span span;
};

/* Batches that the queue has room for, after those of a connection before. */
static uint32_t missing_batches(const struct link *link)
{
	const unsigned window = link->loader->window;

	return link->count < window ? window - (uint32_t)link->count : 0;
}

static struct request next_request(struct link *link)
{
	struct remote_loader *loader = link->loader;
	struct request request = { .credit = 0 };

	pthread_mutex_lock(&loader->lock);
	if (link->turn != loader->turn) {
		link->turn = loader->turn;
		link->span_count = 0;
		request.is_reset = true;
		request.credit = missing_batches(link);
		link->uncredited = 0;
	} else if (link->uncredited >= loader->window / 2) {
		request.credit = link->uncredited;
		link->uncredited = 0;
	}
	request.credit += link->last_credit;
	link->last_credit = 0;
	request.is_ask = may_claim(link);
	if (request.is_ask)
		claim(link, &request.span);
	link->is_waiting = true;
	pthread_mutex_unlock(&loader->lock);
	return request;
}

static int tell(struct link *link, enum message_kind kind, struct error *err)
{
	const struct span body = buf_span(&link->body);

	link->told_ns = clock_now(&clock_monotonic);
	return channel_tell(link->channel, kind, link->turn, body, err);
}

/* Returns the places of batches that the program has given back. */
static int return_places(struct link *link, bool force, struct error *err)
{
	uint32_t places[LENT_MESSAGE];
	unsigned count;

	while (link->lent &&
	       (count = lent_returned(link->lent, force, places)) > 0) {
		link->body.len = 0;
		if (places_put(places, count, &link->body, err) ||
		    tell(link, MESSAGE_RETURN, err))
			return -1;
	}
	return 0;
}

static int send_request(
    struct link *link, const struct request *request, struct error *err)
{
	if (return_places(link, request->credit > 0, err))
		return -1;
	link->body.len = 0;
	if (request->is_reset && tell(link, MESSAGE_RESET, err))
		return -1;
	if (request->credit > 0 &&
	    (credit_put(request->credit, &link->body, err) ||
	        tell(link, MESSAGE_CREDIT, err)))
		return -1;
	link->body.len = 0;
	if (request->is_ask && (span_put(&request->span, &link->body, err) ||
	                           tell(link, MESSAGE_ASK, err)))
		return -1;
	return 0;
}

/* ---- the connection ---- */

/* Waits for something to do, and does it: 0; -1: the connection is over. */
static int wait_and_take(struct link *link, struct error *err)
{
	const enum channel_event event =
	    channel_wait(link->channel, link->wake, CHANNEL_ALIVE_MS);
	const uint64_t now = clock_now(&clock_monotonic);

	pthread_mutex_lock(&link->loader->lock);
	link->is_waiting = false;
	pthread_mutex_unlock(&link->loader->lock);
	if (event == CHANNEL_WOKEN) {
		forget_wake(link);
		return 0;
	}
	if (event == CHANNEL_READY) {
		link->heard_ns = now;
		return remote_link_take(link, err);
	}
	if (now - link->heard_ns > (uint64_t)CHANNEL_STALL_MS * 1000000)
		return error_set(err, ERROR_SYSTEM, "it does not answer");
	return 0;
}

/* Says that it is there, if it has said nothing for a while. */
static int say_alive(struct link *link, struct error *err)
{
	if (clock_now(&clock_monotonic) - link->told_ns <
	    (uint64_t)CHANNEL_ALIVE_MS * 1000000)
		return 0;
	link->body.len = 0;
	return tell(link, MESSAGE_ALIVE, err);
}

/* Works until the connection is over; 0: the worker leaves in order. */
static int work(struct link *link, struct error *err)
{
	link->turn = 0;
	link->span_count = 0;
	link->is_leaving = false;
	link->last_credit = 0;
	link->heard_ns = clock_now(&clock_monotonic);
	while (!stops(link)) {
		const struct request request = next_request(link);

		if (send_request(link, &request, err) || say_alive(link, err))
			return -1;
		if (link->is_leaving && !remote_link_can_finish(link))
			return 0;
		if (wait_and_take(link, err))
			return -1;
	}
	return 0;
}

/* A new connection must have the order of the first one. */
static int check_opened(const struct remote_loader *loader,
    const struct opened *opened, struct error *err)
{
	if (opened->order == loader->opened.order &&
	    opened->batches == loader->opened.batches)
		return 0;
	return error_set(err, ERROR_USAGE,
	    "its data has another order than that of the worker that answered "
	    "first: serve the same to all");
}

static struct channel *connect_again(struct link *link, struct error *err)
{
	const struct remote_loader *loader = link->loader;
	struct opened opened;
	struct channel *channel = remote_open(link, &opened, err);

	if (!channel || check_opened(loader, &opened, err) == 0)
		return channel;
	lent_close(link->lent);
	link->lent = NULL;
	channel_free(channel);
	error_prefix(err, "worker %s", link->place->text);
	return NULL;
}

static void set_connected(struct link *link, struct channel *channel)
{
	struct remote_loader *loader = link->loader;

	pthread_mutex_lock(&loader->lock);
	link->channel = channel;
	link->is_connected = true;
	link->is_refused = false;
	loader->answered_ns = clock_now(&clock_monotonic);
	if (stops(link)) /* whoever stopped did not see the channel */
		channel_shut(channel);
	pthread_mutex_unlock(&loader->lock);
}

/* Ends a connection; batches that it did not bring are asked for anew. */
static void disconnect(struct link *link, const struct error *why)
{
	struct remote_loader *loader = link->loader;
	struct channel *channel = link->channel;

	pthread_mutex_lock(&loader->lock);
	link->channel = NULL;
	link->is_connected = false;
	link->is_waiting = false;
	if (why->code != ERROR_NONE) {
		link->why = *why;
		error_prefix(&link->why, "worker %s", link->place->text);
	}
	loader->answered_ns = clock_now(&clock_monotonic);
	if (link->span_count > 0 && link->turn == loader->turn)
		remote_reset(loader);
	pthread_mutex_unlock(&loader->lock);
	lent_close(link->lent);
	link->lent = NULL;
	channel_free(channel);
}

static void note_failure(struct link *link, const struct error *why)
{
	struct remote_loader *loader = link->loader;

	pthread_mutex_lock(&loader->lock);
	link->why = *why;
	link->is_refused = why->code == ERROR_USAGE;
	pthread_mutex_unlock(&loader->lock);
	remote_notify(loader);
}

static void pause_for(const struct link *link, unsigned ms)
{
	const uint64_t end =
	    clock_now(&clock_monotonic) + (uint64_t)ms * 1000000;
	uint64_t now;

	/* Resets wake it, too. */
	while (!stops(link) && (now = clock_now(&clock_monotonic)) < end) {
		struct pollfd one = { .fd = link->wake, .events = POLLIN };

		if (poll(&one, 1, (int)((end - now) / 1000000) + 1) > 0)
			forget_wake(link);
	}
}

void *remote_link_main(void *arg)
{
	struct link *link = arg;
	struct channel *channel = link->channel; /* the first, or NULL */
	unsigned pause_ms = PAUSE_LEAST_MS;

	while (!stops(link)) {
		struct error err = ERROR_INIT;

		if (!channel)
			channel = connect_again(link, &err);
		if (channel) {
			const uint64_t began = clock_now(&clock_monotonic);

			set_connected(link, channel);
			work(link, &err);
			disconnect(link, &err);
			channel = NULL;
			if (clock_now(&clock_monotonic) - began >
			    (uint64_t)PAUSE_MOST_MS * 1000000)
				pause_ms = PAUSE_LEAST_MS;
		} else {
			note_failure(link, &err);
		}
		pause_for(link, pause_ms);
		if (pause_ms < PAUSE_MOST_MS)
			pause_ms *= 2;
	}
	return NULL;
}
