/*
 * window.c - reads ahead: see object.h and object_state.h.
 *
 * The window has as many blocks ahead of the reads as flow in twice the time of
 * a request: 2 * request_ns * bytes_per_ns.  While the window is what limits
 * the rate, that doubles it with each measurement; once the connection, the
 * server or the reader limits the rate, it stays.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lib/base/array.h"
#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/files/url.h"
#include "lib/media/http/object_state.h"
#include "lib/media/http/pool.h"

enum {
	FOLLOWED_LEAST = 2,  /* reads that follow each other */
	MISSED_MOST = 8,     /* reads elsewhere, one after the other */
	WAIT_NS = 100000000, /* between looks for an interrupt */
	SLOWER = 16,         /* measurements until longer times count */
};

enum block_state { BLOCK_ASKED, BLOCK_READY, BLOCK_FAILED };

struct block {
	struct ahead_job job;
	struct object *object;
	struct block *next; /* in the window, by number */
	uint64_t number, offset;
	enum block_state state;
	size_t len, used; /* bytes; those that were read */
	unsigned readers; /* threads that wait for it, or copy from it */
	bool is_dropped;  /* no part of the window any more */
	struct error failure;
	unsigned char *data; /* owned */
};

static void free_block(struct block *block)
{
	struct error ignored = ERROR_INIT;
	struct ahead *ahead = http_pool_ahead(block->object->pool, &ignored);

	if (ahead && block->data)
		ahead_return(ahead, block->len);
	free(block->data);
	free(block);
}

/* ---- filling ---- */

/* Fills a block in a thread of the pool. */
static void fill(struct ahead_job *job)
{
	struct block *block = (struct block *)job;
	struct object *object = block->object;
	const int rc = object_fetch(
	    object, block->offset, block->data, block->len, &block->failure);

	object_lock(object);
	block->state = rc ? BLOCK_FAILED : BLOCK_READY;
	if (block->is_dropped && block->readers == 0)
		free_block(block);
	pthread_cond_broadcast(&object->filled);
	object_unlock(object);
	object_drop(object);
}

/* Returns the bytes of block `number`; 0: it lies behind the end. */
static size_t block_len(const struct object *object, uint64_t number)
{
	const struct window *window = &object->window;
	const uint64_t at = window->base + number * window->block_bytes;
	const uint64_t left = at < object->size ? object->size - at : 0;

	return left < window->block_bytes ? (size_t)left : window->block_bytes;
}

static struct block *block_new(struct object *object, uint64_t number)
{
	struct block *block = calloc(1, sizeof(*block));

	if (!block)
		return NULL;
	block->job.run = fill;
	block->object = object;
	block->number = number;
	block->offset =
	    object->window.base + number * object->window.block_bytes;
	block->len = block_len(object, number);
	block->data = malloc(block->len);
	if (block->data)
		return block;
	free(block);
	return NULL;
}

/* Asks for one block more; false: there is none, or no room.  Locked. */
static bool ask_next(struct object *object, struct ahead *ahead)
{
	struct window *window = &object->window;
	const size_t len = block_len(object, window->next_block);
	struct block *block, **at;

	if (len == 0 || !ahead_reserve(ahead, len))
		return false;
	block = block_new(object, window->next_block);
	if (!block) {
		ahead_return(ahead, len);
		return false;
	}
	atomic_fetch_add(&object->users, 1);
	if (!ahead_push(ahead, &block->job)) {
		atomic_fetch_sub(&object->users, 1);
		free_block(block);
		return false;
	}
	for (at = &window->blocks; *at; at = &(*at)->next)
		;
	*at = block;
	window->count++;
	window->next_block++;
	return true;
}

/* Takes a block out of the window; whoever uses it last frees it.  Locked. */
static void drop(struct object *object, struct block *block)
{
	struct block **at = &object->window.blocks;

	while (*at != block)
		at = &(*at)->next;
	*at = block->next;
	object->window.count--;
	block->is_dropped = true;
	if (block->state != BLOCK_ASKED && block->readers == 0)
		free_block(block);
}

void window_clear(struct object *object)
{
	struct window *window = &object->window;

	while (window->blocks)
		drop(object, window->blocks);
	window->is_open = false;
}

/* ---- opening ---- */

/* Blocks of reads that follow each other: all of them are read. */
static size_t block_bytes_ahead(size_t len)
{
	size_t bytes = WINDOW_BLOCK;

	while (bytes < len && bytes < WINDOW_BLOCK_MOST)
		bytes *= 2;
	return bytes;
}

/* Blocks of one large read, which they have together, and nothing more. */
static size_t block_bytes_of(size_t len)
{
	const size_t count = (len - 1) / WINDOW_BLOCK_MOST + 1;

	return (len - 1) / count + 1;
}

static void open_window(struct object *object, uint64_t offset, size_t len)
{
	struct window *window = &object->window;

	window_clear(object);
	window->is_open = true;
	/* The bytes of the head are not read again. */
	window->base =
	    offset > object->head.len ? offset : (uint64_t)object->head.len;
	window->target = object->followed >= FOLLOWED_LEAST ? 1 : 0;
	window->block_bytes =
	    window->target
	        ? block_bytes_ahead(len)
	        : block_bytes_of((size_t)(offset + len - window->base));
	window->end_block =
	    (offset + len - 1 - window->base) / window->block_bytes;
	window->next_block = 0;
	window->front = 0;
	window->rated_ns = 0;
	window->bytes_per_ns = 0;
}

static struct block *find(const struct window *window, uint64_t number)
{
	struct block *block = window->blocks;

	while (block && block->number != number)
		block = block->next;
	return block;
}

/*
 * Is a byte in the window, or the next one that it would ask for ahead?  Blocks
 * behind the reads may be gone.
 */
static bool is_in_window(const struct window *window, uint64_t offset)
{
	uint64_t number;

	if (!window->is_open || offset < window->base)
		return false;
	number = (offset - window->base) / window->block_bytes;
	if (window->target == 0)
		return number <= window->end_block &&
		       (number >= window->next_block || find(window, number));
	return number <= window->next_block &&
	       (number >= window->front || find(window, number));
}

/* Does the read follow the one before it?  A window that is missed is closed.
 */
static void note_read(struct object *object, uint64_t offset, size_t len)
{
	struct window *window = &object->window;
	const bool is_inside = is_in_window(window, offset);

	if (offset >= object->last_end &&
	    offset - object->last_end <= WINDOW_GAP)
		object->followed++;
	else if (!is_inside)
		object->followed = 0;
	object->last_end = offset + len;
	window->missed = is_inside ? 0 : window->missed + 1;
	if (window->is_open && window->missed > MISSED_MOST)
		window_clear(object);
}

/* Would a new window take blocks away from a thread that reads them? */
static bool is_busy(const struct window *window)
{
	const struct block *block = window->blocks;

	/* Whoever asked for blocks without those ahead reads them all. */
	if (window->target == 0 && block)
		return true;
	while (block && block->readers == 0)
		block = block->next;
	return block != NULL;
}

/*
 * Reads that follow each other are worth a window, and so is one that is larger
 * than a block, as its blocks are fetched side by side.  Any other read is one
 * request for its bytes alone.
 */
static bool is_worth_a_window(const struct object *object, size_t len)
{
	return (object->followed >= FOLLOWED_LEAST ||
	           len > WINDOW_BLOCK_MOST) &&
	       !is_busy(&object->window);
}

bool window_wants(struct object *object, uint64_t offset, size_t len)
{
	struct window *window = &object->window;
	bool wants = false;

	if (len == 0 || object->size <= object->head.len)
		return false;
	object_lock(object);
	note_read(object, offset, len);
	if (offset + len > object->head.len) {
		wants = is_in_window(window, offset);
		if (!wants && is_worth_a_window(object, len)) {
			open_window(object, offset, len);
			wants = true;
		}
	}
	object_unlock(object);
	return wants;
}

/* ---- how far ahead ---- */

void window_note(struct object *object, uint64_t request_ns)
{
	struct window *window = &object->window;
	const double ns = (double)request_ns;

	object_lock(object);
	/* Near the shortest: what waits for others says nothing. */
	if (window->request_ns <= 0 || ns < window->request_ns)
		window->request_ns = ns;
	else
		window->request_ns += (ns - window->request_ns) / SLOWER;
	object_unlock(object);
}

/* Measures the rate of reads, a block at a time, and sets the target. */
static void measure(struct object *object, uint64_t offset)
{
	struct window *window = &object->window;
	const uint64_t now = clock_now(&clock_monotonic);
	double rate, blocks;

	if (window->target == 0)
		return;
	if (window->rated_ns == 0) {
		window->rated_ns = now;
		window->rated_at = offset;
	}
	if (offset < window->rated_at + window->block_bytes ||
	    now <= window->rated_ns)
		return;
	rate = (double)(offset - window->rated_at) /
	       (double)(now - window->rated_ns);
	window->bytes_per_ns =
	    window->bytes_per_ns > 0 ? (window->bytes_per_ns + rate) / 2 : rate;
	window->rated_ns = now;
	window->rated_at = offset;
	blocks = 1 + 2 * window->request_ns * window->bytes_per_ns /
	                 (double)window->block_bytes;
	if (blocks > 2 * (double)window->target)
		blocks = 2 * (double)window->target;
	window->target = (size_t)(blocks + 0.5);
}

/* Asks for the blocks of a read, and for those ahead of it.  Locked. */
static void top_up(
    struct object *object, struct ahead *ahead, uint64_t last, bool *has_room)
{
	struct window *window = &object->window;
	const size_t most = WINDOW_BYTES / window->block_bytes;
	uint64_t until = window->front + window->target;

	if (until < last)
		until = last;
	if (window->target == 0 && until > window->end_block)
		until = window->end_block;
	while (window->next_block <= until && window->count < most)
		if (!ask_next(object, ahead)) {
			*has_room = block_len(object, window->next_block) == 0;
			return;
		}
	*has_room = true;
}

/* ---- reading ---- */

/* Drops what lies too far behind.  Locked. */
static void drop_behind(struct object *object)
{
	struct window *window = &object->window;

	while (window->blocks &&
	       window->blocks->number + WINDOW_BEHIND < window->front)
		drop(object, window->blocks);
}

/* Waits until the block is filled.  Locked; holds a reader of the block. */
static int wait_for(
    struct object *object, const struct block *block, struct error *err)
{
	struct timespec until;
	char text[URL_TEXT];

	while (block->state == BLOCK_ASKED) {
		if (http_pool_stops(object->pool))
			return error_set(err, ERROR_INTERRUPTED,
			    "%s: interrupted", url_text(object->path, text));
		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_nsec += WAIT_NS;
		until.tv_sec += until.tv_nsec / 1000000000;
		until.tv_nsec %= 1000000000;
		pthread_cond_timedwait(
		    &object->filled, &object->lock.mutex, &until);
	}
	if (block->state == BLOCK_READY)
		return 0;
	*err = block->failure;
	return -1;
}

/* Copies from a block, without the lock while it copies.  Locked. */
static int64_t copy(struct object *object, struct block *block, uint64_t offset,
    void *data, size_t len, struct error *err)
{
	const size_t at = (size_t)(offset - block->offset);
	const size_t left = block->len - at, n = len < left ? len : left;
	int rc;

	block->readers++;
	rc = wait_for(object, block, err);
	if (rc == 0) {
		object_unlock(object);
		memcpy(data, block->data + at, n);
		object_lock(object);
		block->used += n;
	}
	block->readers--;
	if (block->is_dropped) {
		if (block->state != BLOCK_ASKED && block->readers == 0)
			free_block(block);
	} else if (block->state == BLOCK_FAILED ||
	           (block->used >= block->len && block->readers == 0)) {
		drop(object, block);
	}
	return rc ? -1 : (int64_t)n;
}

int64_t window_read(struct object *object, uint64_t offset, void *data,
    size_t len, struct error *err)
{
	struct ahead *ahead = http_pool_ahead(object->pool, err);
	struct window *window = &object->window;
	bool has_room = false;
	struct block *block = NULL;
	uint64_t number, last;
	int64_t n = 0;

	if (!ahead)
		return -1;
	object_lock(object);
	if (!is_in_window(window, offset))
		goto done;
	number = (offset - window->base) / window->block_bytes;
	last = (offset + len - 1 - window->base) / window->block_bytes;
	measure(object, offset);
	if (number > window->front)
		window->front = number;
	drop_behind(object);
	top_up(object, ahead, last, &has_room);
	block = find(window, number);
	if (block)
		n = copy(object, block, offset, data, len, err);
	else if (!has_room)
		window_clear(object);
done:
	object_unlock(object);
	return n;
}
