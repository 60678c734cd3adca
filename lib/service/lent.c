/* lent.c - see lent.h. */
#include "lib/service/lent.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/pages.h"
#include "lib/sample/batch.h"
#include "lib/sample/key_room.h"
#include "lib/sample/pool.h"

enum { KEY_USUAL = 24 }; /* bytes */

enum loan_state {
	LOAN_NONE,   /* the worker has the place */
	LOAN_TAKEN,  /* its batch is in the loader */
	LOAN_HANDED, /* and the program has it */
	LOAN_BACK,   /* to be returned */
};

struct loan {
	struct batch *batch; /* made at the first use; NULL: not yet */
	enum loan_state state;
	bool is_private; /* since a fork */
};

struct lent {
	struct batch_lender lender; /* the first member: see lent_of */
	int fd;                     /* of the memory; owned */
	struct pages pages;
	unsigned char *part; /* its first part */
	size_t part_bytes;
	unsigned places, capacity;
	const struct schema *schema; /* borrowed */
	struct pool *pool;           /* of fields that vary */
	pid_t process;
	struct lent *next, *previous; /* in `all` */

	pthread_mutex_t lock; /* protects what follows */
	struct loan *loans;   /* [places] */
	uint32_t *returned;   /* [places] */
	unsigned returned_count;
	unsigned taken; /* batches that are out */
	int wake;       /* -1: closed */
};

/* A fork is told of no object: its handlers look at all there are. */
static struct lent *all;
static pthread_mutex_t all_lock = PTHREAD_MUTEX_INITIALIZER;

static struct lent *lent_of(struct batch_lender *lender)
{
	return (struct lent *)lender;
}

/* Where the part begins in the memory. */
static size_t offset_of(const struct lent *lent, uint32_t place)
{
	return (place - 1) * pages_round(lent->part_bytes);
}

/* ---- forks ---- */

/* Without room for one more mapping, parent and child share the batch. */
static void keep(struct lent *lent, uint32_t place)
{
	struct loan *loan = &lent->loans[place - 1];
	const size_t offset = offset_of(lent, place);

	if (loan->state == LOAN_HANDED && !loan->is_private)
		loan->is_private = pages_part(
		    lent->part + offset, lent->part_bytes, lent->fd, offset);
}

/*
 * A child may use what the program has, and this process gives it back while
 * the child goes on.
 */
static void before_fork(void)
{
	pthread_mutex_lock(&all_lock);
	for (struct lent *lent = all; lent; lent = lent->next) {
		pthread_mutex_lock(&lent->lock);
		for (uint32_t place = 1; place <= lent->places; place++)
			keep(lent, place);
	}
}

static void after_fork(void)
{
	for (struct lent *lent = all; lent; lent = lent->next)
		pthread_mutex_unlock(&lent->lock);
	pthread_mutex_unlock(&all_lock);
}

static void watch_forks(void)
{
	pthread_atfork(before_fork, after_fork, after_fork);
}

/* ---- making and freeing ---- */

static void enter(struct lent *lent)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, watch_forks);
	pthread_mutex_lock(&all_lock);
	lent->next = all;
	if (all)
		all->previous = lent;
	all = lent;
	pthread_mutex_unlock(&all_lock);
}

static void leave(struct lent *lent)
{
	pthread_mutex_lock(&all_lock);
	if (lent->next)
		lent->next->previous = lent->previous;
	if (lent->previous)
		lent->previous->next = lent->next;
	else
		all = lent->next;
	pthread_mutex_unlock(&all_lock);
}

static void release(struct lent *lent)
{
	for (uint32_t i = 0; lent->loans && i < lent->places; i++)
		batch_free(lent->loans[i].batch);
	pool_free(lent->pool);
	pages_give(&lent->pages);
	if (lent->fd >= 0)
		close(lent->fd);
	pthread_mutex_destroy(&lent->lock);
	free(lent->loans);
	free(lent->returned);
	free(lent);
}

static void destroy(struct lent *lent)
{
	leave(lent);
	release(lent);
}

static int map(struct lent *lent, struct error *err)
{
	size_t bytes;

	lent->part_bytes = batch_part(lent->capacity, lent->schema);
	if (lent->places > LENT_PLACES || lent->part_bytes == 0 ||
	    size_mul(pages_round(lent->part_bytes), lent->places, &bytes))
		return error_set(err, ERROR_DATA,
		    "%u lent batches are not possible", lent->places);
	lent->part = pages_borrow(&lent->pages, lent->fd, bytes, err);
	return lent->part ? 0 : -1;
}

static void give(struct batch_lender *lender, struct batch *batch);

struct lent *lent_new(int fd, unsigned places, unsigned capacity,
    const struct schema *schema, int wake, struct error *err)
{
	struct lent *lent = memory_zeroed(sizeof(*lent), err);

	if (!lent) {
		if (fd >= 0)
			close(fd);
		return NULL;
	}
	lent->fd = fd;
	lent->lender.give = give;
	lent->places = places;
	lent->capacity = capacity;
	lent->schema = schema;
	lent->process = getpid();
	lent->wake = wake;
	pthread_mutex_init(&lent->lock, NULL);
	if (map(lent, err) == 0) {
		lent->loans = memory_zeroed(places * sizeof(*lent->loans), err);
		lent->returned =
		    memory_zeroed(places * sizeof(*lent->returned), err);
		lent->pool = pool_new(0, err);
	}
	if (lent->loans && lent->returned && lent->pool) {
		enter(lent);
		return lent;
	}
	release(lent);
	return NULL;
}

void lent_close(struct lent *lent)
{
	bool is_last;

	if (!lent)
		return;
	pthread_mutex_lock(&lent->lock);
	lent->wake = -1;
	is_last = lent->taken == 0;
	pthread_mutex_unlock(&lent->lock);
	if (is_last)
		destroy(lent);
}

/* ---- batches ---- */

static struct batch *make(struct lent *lent, uint32_t place, struct error *err)
{
	struct batch *batch = batch_new_at(lent->capacity, lent->schema,
	    lent->pool, lent->part + offset_of(lent, place), place, err);

	if (!batch)
		return NULL;
	batch->lender = &lent->lender;
	batch->key_room = key_room_new((size_t)lent->capacity * KEY_USUAL, err);
	if (batch->key_room)
		return batch;
	batch_free(batch);
	return NULL;
}

/* The place becomes the loader's; why it cannot, or NULL. */
static const char *begin(struct lent *lent, uint32_t place)
{
	const size_t offset = offset_of(lent, place);
	struct loan *loan = &lent->loans[place - 1];

	if (loan->state != LOAN_NONE)
		return "it lends a place twice";
	if (loan->is_private && !pages_rejoin(lent->part + offset,
	                            lent->part_bytes, lent->fd, offset))
		return "what it lends cannot be mapped";
	loan->is_private = false;
	loan->state = LOAN_TAKEN;
	lent->taken++;
	return NULL;
}

struct batch *lent_take(struct lent *lent, uint32_t place, struct error *err)
{
	const char *why = "it lends a place that it lacks";
	struct loan *loan = NULL;

	if (lent && place > 0 && place <= lent->places) {
		loan = &lent->loans[place - 1];
		if (!loan->batch)
			loan->batch = make(lent, place, err);
		if (!loan->batch)
			return NULL;
		pthread_mutex_lock(&lent->lock);
		why = begin(lent, place);
		pthread_mutex_unlock(&lent->lock);
	}
	if (!why)
		return loan->batch;
	error_set(err, ERROR_DATA, "%s", why);
	return NULL;
}

void lent_hand_over(struct batch *batch)
{
	struct lent *lent = batch->lender ? lent_of(batch->lender) : NULL;

	if (!lent)
		return;
	pthread_mutex_lock(&lent->lock);
	lent->loans[batch->place - 1].state = LOAN_HANDED;
	pthread_mutex_unlock(&lent->lock);
}

/* The worker is told soon; the eventfd is not full, or nobody needs it. */
static void wake(const struct lent *lent)
{
	const uint64_t one = 1;

	if (lent->wake >= 0 && write(lent->wake, &one, sizeof(one)) < 0)
		return;
}

static void give(struct batch_lender *lender, struct batch *batch)
{
	struct lent *lent = lent_of(lender);
	bool is_last;

	if (lent->process != getpid())
		return;
	batch_clear(batch);
	pthread_mutex_lock(&lent->lock);
	lent->loans[batch->place - 1].state = LOAN_BACK;
	lent->returned[lent->returned_count++] = batch->place;
	if (lent->returned_count == LENT_SOON)
		wake(lent);
	is_last = --lent->taken == 0 && lent->wake < 0;
	pthread_mutex_unlock(&lent->lock);
	if (is_last)
		destroy(lent);
}

unsigned lent_returned(
    struct lent *lent, bool force, uint32_t places[LENT_MESSAGE])
{
	unsigned count;

	pthread_mutex_lock(&lent->lock);
	count = lent->returned_count;
	if (count < LENT_SOON && !force)
		count = 0;
	if (count > LENT_MESSAGE)
		count = LENT_MESSAGE;
	lent->returned_count -= count;
	for (unsigned i = 0; i < count; i++) {
		places[i] = lent->returned[lent->returned_count + i];
		lent->loans[places[i] - 1].state = LOAN_NONE;
	}
	pthread_mutex_unlock(&lent->lock);
	return count;
}
