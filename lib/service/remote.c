/* remote.c - see remote.h: the caller's side. */
#include "lib/service/remote.h"

#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/base/thread.h"
#include "lib/process/pipe_guard.h"
#include "lib/sample/batch.h"
#include "lib/sample/batch_home.h"
#include "lib/service/channel.h"
#include "lib/service/lent.h"
#include "lib/service/remote_state.h"

enum {
	WINDOW_LEAST = 4,         /* batches of a worker */
	WINDOW_USUAL = 16,        /* hides the time of a message */
	WINDOW_BYTES = 256 << 20, /* but no more than these */
	LOOK_MS = 500,            /* between two looks at silent workers */
	PATIENCE_S = 60,          /* without any worker */
};

/* ---- messages between the threads ---- */

void remote_notify(struct remote_loader *loader)
{
	consumer_notify(&loader->consumer);
}

void remote_link_wake(const struct link *link)
{
	const uint64_t one = 1;

	/* It fails only where the number is that large already. */
	if (write(link->wake, &one, sizeof(one)) < 0)
		return;
}

static unsigned link_count(const struct remote_loader *loader)
{
	return loader->service->address.count;
}

void remote_reset(struct remote_loader *loader)
{
	loader->turn++;
	loader->claim_first = loader->claim_count = 0;
	loader->cursor = loader->position;
	for (unsigned i = 0; i < link_count(loader); i++) {
		struct link *link = &loader->links[i];

		for (; link->count > 0; link->count--) {
			batch_give(link->items[link->first].batch);
			link->first = (link->first + 1) % loader->items_most;
		}
		link->claims = 0;
		link->uncredited = 0;
		remote_link_wake(link);
	}
}

/* ---- making ---- */

/* How many batches of a worker may wait here. */
static unsigned window_of(const struct remote_loader *loader)
{
	const int64_t bytes = schema_bytes(&loader->service->facts.schema);
	const uint64_t unit = loader->opened.unit;
	uint64_t window = unit < CLAIMS ? 2 * unit + 2 : 2 * CLAIMS;

	if (window < WINDOW_USUAL)
		window = WINDOW_USUAL;
	if (bytes > 0 &&
	    window > WINDOW_BYTES / (uint64_t)bytes / loader->order.batch)
		window = WINDOW_BYTES / (uint64_t)bytes / loader->order.batch;
	return window < WINDOW_LEAST ? WINDOW_LEAST : (unsigned)window;
}

/* Opens the order at the first worker that answers; the thread gets it. */
static int open_first(struct remote_loader *loader, struct error *err)
{
	struct pipe_guard guard;
	unsigned i = 0;

	pipe_guard_begin(&guard);
	for (; i < link_count(loader); i++) {
		struct link *link = &loader->links[i];

		*err = (struct error)ERROR_INIT;
		link->channel = remote_open(link, &loader->opened, err);
		if (link->channel)
			break;
	}
	pipe_guard_end(&guard);
	return i < link_count(loader) ? 0 : -1;
}

static int make_links(struct remote_loader *loader, struct error *err)
{
	const struct service_address *address = &loader->service->address;

	loader->links =
	    memory_zeroed(address->count * sizeof(*loader->links), err);
	if (!loader->links)
		return -1;
	for (unsigned i = 0; i < address->count; i++)
		loader->links[i] = (struct link){
			.loader = loader,
			.place = &address->places[i],
			.wake = -1,
		};
	for (unsigned i = 0; i < address->count; i++) {
		loader->links[i].wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
		if (loader->links[i].wake < 0)
			return error_errno(err, "make", "an event");
	}
	return 0;
}

static int make_queues(struct remote_loader *loader, struct error *err)
{
	loader->window = window_of(loader);
	/* A worker that leaves sends what it was asked for at once. */
	loader->items_most = 2 * (size_t)loader->window + LINK_CLAIMS;
	loader->home = batch_home_new(loader->order.batch,
	    &loader->service->facts.schema, loader->window + WINDOW_LEAST, err);
	if (!loader->home)
		return -1;
	for (unsigned i = 0; i < link_count(loader); i++) {
		struct link *link = &loader->links[i];

		link->items = memory_zeroed(
		    loader->items_most * sizeof(*link->items), err);
		if (!link->items)
			return -1;
	}
	return 0;
}

struct remote_loader *remote_loader_new(const struct service *service,
    const struct service_order *order, struct error *err)
{
	struct remote_loader *loader = memory_zeroed(sizeof(*loader), err);

	if (!loader)
		return NULL;
	loader->service = service;
	loader->order = *order;
	loader->turn = 1;
	loader->process = getpid();
	consumer_init(&loader->consumer);
	pthread_mutex_init(&loader->lock, NULL);
	if (make_links(loader, err) == 0 && open_first(loader, err) == 0 &&
	    make_queues(loader, err) == 0)
		return loader;
	remote_loader_free(loader);
	return NULL;
}

/* ---- the end ---- */

static void stop_links(struct remote_loader *loader)
{
	atomic_store(&loader->stops, true);
	pthread_mutex_lock(&loader->lock);
	for (unsigned i = 0; i < loader->started; i++) {
		if (loader->links[i].channel)
			channel_shut(loader->links[i].channel);
		remote_link_wake(&loader->links[i]);
	}
	pthread_mutex_unlock(&loader->lock);
	for (unsigned i = 0; i < loader->started; i++)
		pthread_join(loader->links[i].thread, NULL);
}

static void free_links(struct remote_loader *loader)
{
	for (unsigned i = 0; loader->links && i < link_count(loader); i++) {
		struct link *link = &loader->links[i];

		channel_free(link->channel);
		lent_close(link->lent);
		if (link->wake >= 0)
			close(link->wake);
		for (; link->count > 0; link->count--) {
			batch_give(link->items[link->first].batch);
			link->first = (link->first + 1) % loader->items_most;
		}
		buf_release(&link->body);
		free(link->items);
	}
	free(loader->links);
}

void remote_loader_free(struct remote_loader *loader)
{
	if (!loader || loader->process != getpid())
		return;
	stop_links(loader);
	free_links(loader);
	batch_home_close(loader->home);
	pthread_mutex_destroy(&loader->lock);
	consumer_destroy(&loader->consumer);
	free(loader);
}

/* ---- threads ---- */

static int start_links(struct remote_loader *loader, struct error *err)
{
	int rc = 0;

	if (loader->started == link_count(loader))
		return 0;
	loader->answered_ns = clock_now(&clock_monotonic);
	while (rc == 0 && loader->started < link_count(loader)) {
		struct link *link = &loader->links[loader->started];

		if (thread_start(&link->thread, remote_link_main, link))
			rc = error_set(err, ERROR_SYSTEM,
			    "cannot start a thread for worker %s",
			    link->place->text);
		else
			loader->started++;
	}
	return rc;
}

/* ---- the next batch, with the lock held ---- */

/* Returns the claim of the position; NULL: there is none yet. */
static struct claim *find_claim(struct remote_loader *loader)
{
	while (loader->claim_count > 0) {
		struct claim *claim = &loader->claims[loader->claim_first];

		if (claim->span.epoch > loader->position.epoch)
			return NULL; /* the end of this epoch comes first */
		if (claim->span.epoch == loader->position.epoch &&
		    claim->span.end > loader->position.batch)
			return claim;
		if (claim->link->claims-- == LINK_CLAIMS)
			remote_link_wake(claim->link);
		loader->claim_first = (loader->claim_first + 1) % CLAIMS;
		loader->claim_count--;
	}
	return NULL;
}

static struct item take_item(struct link *link)
{
	const struct remote_loader *loader = link->loader;
	const struct item item = link->items[link->first];

	link->first = (link->first + 1) % loader->items_most;
	link->count--;
	link->uncredited += item.kind == ITEM_BATCH;
	if (link->is_waiting && link->uncredited >= loader->window / 2)
		remote_link_wake(link);
	return item;
}

static enum answer end_epoch(struct remote_loader *loader)
{
	loader->position.epoch++;
	loader->position.batch = 0;
	return ANSWER_END;
}

/* Why no batch can come: all workers refuse, or none is there. */
static enum answer look_at_links(
    const struct remote_loader *loader, struct error *err)
{
	const uint64_t now = clock_now(&clock_monotonic);
	bool all_refuse = true;
	const struct link *last = NULL;

	for (unsigned i = 0; i < link_count(loader); i++) {
		const struct link *link = &loader->links[i];

		if (link->is_connected)
			return ANSWER_WAIT;
		all_refuse &= link->is_refused;
		if (link->why.code != ERROR_NONE)
			last = link;
	}
	if (last && (all_refuse || now - loader->answered_ns >
	                               (uint64_t)PATIENCE_S * 1000000000)) {
		*err = last->why;
		return ANSWER_ERROR;
	}
	return ANSWER_WAIT;
}

static enum answer take_batch(
    struct remote_loader *loader, struct batch **batch, struct error *err)
{
	for (;;) {
		struct claim *claim = find_claim(loader);
		struct item item;

		if (remote_is_known(loader) &&
		    loader->position.batch >= loader->opened.batches)
			return end_epoch(loader);
		if (!claim || claim->link->count == 0)
			return look_at_links(loader, err);
		item = take_item(claim->link);
		if (item.kind == ITEM_END) /* the claim goes with its epoch */
			return end_epoch(loader);
		if (item.kind == ITEM_FAILED) {
			*err = claim->link->failed;
			remote_reset(loader);
			return ANSWER_ERROR;
		}
		loader->position.batch++;
		loader->skipped += item.skipped;
		loader->filtered += item.filtered;
		*batch = item.batch;
		if (!item.batch)
			continue;
		lent_hand_over(item.batch);
		return ANSWER_BATCH;
	}
}

static enum answer look(void *arg, struct batch **batch, struct error *err)
{
	struct remote_loader *loader = arg;
	enum answer answer;

	pthread_mutex_lock(&loader->lock);
	answer = take_batch(loader, batch, err);
	pthread_mutex_unlock(&loader->lock);
	return answer;
}

int remote_loader_next(struct remote_loader *loader, unsigned wait_ms,
    struct batch **batch, struct error *err)
{
	struct consumer_wait wait = { .look = look,
		.loader = loader,
		.look_ns = (uint64_t)LOOK_MS * 1000000 };
	enum answer answer;

	*batch = NULL;
	if (loader->process != getpid())
		return error_set(err, ERROR_USAGE,
		    "this loader was made in process %ld, and a fork does not "
		    "copy its threads; make a loader in the process that uses "
		    "it",
		    (long)loader->process);
	if (consumer_is_interrupted(&loader->consumer, err) ||
	    start_links(loader, err))
		return -1;
	answer = look(loader, batch, err);
	if (answer == ANSWER_WAIT) {
		wait.end_ns = consumer_end_ns(wait_ms);
		answer = consumer_wait(&loader->consumer, &wait, batch, err);
	}
	return (int)answer;
}

/* ---- positions ---- */

void remote_loader_interrupt(struct remote_loader *loader)
{
	consumer_interrupt(&loader->consumer);
}

struct ordered_position remote_loader_position(
    const struct remote_loader *loader)
{
	return loader->position;
}

void remote_loader_seek(
    struct remote_loader *loader, struct ordered_position position)
{
	if (position.epoch == loader->position.epoch &&
	    position.batch == loader->position.batch)
		return;
	pthread_mutex_lock(&loader->lock);
	loader->position = position;
	remote_reset(loader);
	pthread_mutex_unlock(&loader->lock);
}

uint64_t remote_loader_batches(const struct remote_loader *loader)
{
	return remote_is_known(loader) ? loader->opened.batches : 0;
}

uint64_t remote_loader_order(const struct remote_loader *loader)
{
	return loader->opened.order;
}

uint64_t remote_loader_skipped(const struct remote_loader *loader)
{
	return loader->skipped;
}

uint64_t remote_loader_filtered(const struct remote_loader *loader)
{
	return loader->filtered;
}
