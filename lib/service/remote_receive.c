/* remote_receive.c - the messages of a worker; see remote_state.h. */
#include <string.h>

#include "lib/sample/batch.h"
#include "lib/sample/batch_home.h"
#include "lib/service/batch_wire.h"
#include "lib/service/channel.h"
#include "lib/service/lent.h"
#include "lib/service/remote_state.h"

enum { SCRATCH = 1 << 16 }; /* for bodies that nobody needs */

uint64_t remote_link_to_come(const struct link *link)
{
	uint64_t batches = 0;

	for (unsigned i = 0; i < link->span_count; i++)
		batches += link->spans[i].end -
		           (i == 0 ? link->next : link->spans[i].from);
	return batches;
}

bool remote_link_can_finish(const struct link *link)
{
	return link->span_count > 0 && remote_is_known(link->loader) &&
	       remote_link_to_come(link) <= link->loader->window;
}

/* Reads a body that nobody needs. */
static int drop_body(struct wire_input *input, struct error *err)
{
	unsigned char scratch[SCRATCH];

	while (input->left > 0)
		if (wire_read(input, scratch,
		        input->left < SCRATCH ? (size_t)input->left : SCRATCH,
		        err))
			return -1;
	return 0;
}

/*
 * Returns the place of a batch of an earlier turn, whose body begins; other
 * bodies of that turn need nothing.
 */
static int drop_batch(
    struct link *link, struct wire_input *input, struct error *err)
{
	struct batch_head head;
	struct batch *batch;

	if (batch_read_head(input, link->loader->order.batch, &head, err))
		return -1;
	if (head.place == 0)
		return 0;
	batch = lent_take(link->lent, head.place, err);
	batch_give(batch);
	return batch ? 0 : -1;
}

/* Puts an item into the queue, unless there was a reset since. */
static int put_item(
    struct link *link, const struct item *item, struct error *err)
{
	struct remote_loader *loader = link->loader;
	bool is_current, fits;

	pthread_mutex_lock(&loader->lock);
	is_current = link->turn == loader->turn;
	fits = link->count < loader->items_most;
	if (is_current && fits)
		link->items[(link->first + link->count++) %
		            loader->items_most] = *item;
	pthread_mutex_unlock(&loader->lock);
	if (is_current && fits) {
		remote_notify(loader);
		return 0;
	}
	batch_give(item->batch);
	return is_current
	           ? error_set(err, ERROR_DATA, "it sends more than it may")
	           : 0;
}

/* The batch, or the error of one, must be the next one that was asked for. */
static int check_number(
    const struct link *link, uint32_t epoch, uint64_t number, struct error *err)
{
	if (link->span_count == 0 || link->spans[0].epoch != epoch ||
	    link->next != number)
		return error_set(err, ERROR_DATA,
		    "it sends batch %llu of epoch %u, which is not the next "
		    "one",
		    (unsigned long long)number, epoch);
	return 0;
}

static void end_span(struct link *link)
{
	link->span_count--;
	memmove(link->spans, link->spans + 1,
	    link->span_count * sizeof(link->spans[0]));
	if (link->span_count > 0)
		link->next = link->spans[0].from;
}

static int take_batch(
    struct link *link, struct wire_input *input, struct error *err)
{
	const struct remote_loader *loader = link->loader;
	struct item item = { .kind = ITEM_BATCH };
	struct batch_head head;

	if (batch_read_head(input, loader->order.batch, &head, err) ||
	    check_number(link, head.epoch, head.number, err))
		return -1;
	item.number = head.number;
	item.skipped = head.skipped;
	item.filtered = head.filtered;
	if (head.count > 0) {
		item.batch = head.place > 0
		                 ? lent_take(link->lent, head.place, err)
		                 : batch_home_take(loader->home, err);
		if (!item.batch)
			return -1;
		if (batch_read(input, &head, &loader->service->facts.schema,
		        item.batch, &link->body, err)) {
			batch_give(item.batch);
			return -1;
		}
	}
	if (++link->next == link->spans[0].end)
		end_span(link);
	return put_item(link, &item, err);
}

static int take_end(struct link *link, struct error *err)
{
	struct item item = { .kind = ITEM_END };
	struct ended ended;

	if (ended_parse(buf_span(&link->body), &ended, err) ||
	    check_number(link, ended.epoch, ended.batches, err))
		return -1;
	if (link->spans[0].end != UINT64_MAX)
		return error_set(err, ERROR_DATA,
		    "it sends the end of an epoch that is longer");
	item.number = ended.batches;
	end_span(link);
	return put_item(link, &item, err);
}

static int take_failure(struct link *link, struct error *err)
{
	struct item item = { .kind = ITEM_FAILED };
	struct failed failed;

	if (failed_parse(buf_span(&link->body), &failed, err) ||
	    check_number(link, failed.epoch, failed.batch, err))
		return -1;
	item.number = failed.batch;
	pthread_mutex_lock(&link->loader->lock);
	error_set(&link->failed, failed.is_usage ? ERROR_USAGE : ERROR_DATA,
	    "%s", failed.text);
	pthread_mutex_unlock(&link->loader->lock);
	return put_item(link, &item, err);
}

/* Takes a message whose body is in link->body. */
static int take_words(
    struct link *link, enum message_kind kind, struct error *err)
{
	switch (kind) {
	case MESSAGE_END:
		return take_end(link, err);
	case MESSAGE_FAILED:
		return take_failure(link, err);
	case MESSAGE_LEAVING:
		link->is_leaving = true;
		if (remote_link_can_finish(link))
			link->last_credit = (uint32_t)remote_link_to_come(link);
		return 0;
	case MESSAGE_ALIVE:
		return 0;
	default:
		return error_set(err, ERROR_DATA,
		    "a message of kind %u is not for loaders", (unsigned)kind);
	}
}

int remote_link_take(struct link *link, struct error *err)
{
	struct wire_input input = {
		.read = channel_receive,
		.arg = link->channel,
	};
	struct frame frame;
	bool is_old;

	if (channel_hear(link->channel, &frame, err))
		return -1;
	input.left = frame.bytes;
	is_old = frame.turn != link->turn && frame.kind != MESSAGE_LEAVING;
	if (is_old && frame.kind == MESSAGE_BATCH &&
	    drop_batch(link, &input, err))
		return -1;
	if (is_old)
		return drop_body(&input, err);
	if (frame.kind == MESSAGE_BATCH)
		return take_batch(link, &input, err);
	if (channel_hear_body(link->channel, &frame, &link->body, err))
		return -1;
	return take_words(link, frame.kind, err);
}
