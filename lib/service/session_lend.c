/* session_lend.c - batches that the loader has; see session_state.h. */
#include <stdlib.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/sample/batch.h"
#include "lib/sample/batch_home.h"
#include "lib/service/session_state.h"

int session_share(struct session *session, const struct service_order *order)
{
	struct lending *lending = &session->lending;
	struct error ignored = ERROR_INIT; /* bytes do as well */
	unsigned places;
	int fd;

	if (!order->borrows || session->plan->lend == 0 ||
	    !channel_is_local(session->channel))
		return -1;
	fd = ordered_loader_share(
	    session->loader, session->plan->lend, &places, &ignored);
	if (fd < 0)
		return -1;
	lending->batches =
	    memory_zeroed(places * sizeof(struct batch *), &ignored);
	if (lending->batches) {
		lending->places = places;
		return fd;
	}
	close(fd);
	return -1;
}

uint32_t session_lend(struct session *session, struct batch *batch)
{
	struct lending *lending = &session->lending;
	uint32_t place = batch ? batch->place : 0;

	pthread_mutex_lock(&session->lock);
	if (place > lending->places || lending->count >= session->plan->lend ||
	    (batch && batch->count == 0))
		place = 0;
	if (place > 0) {
		lending->batches[place - 1] = batch;
		lending->count++;
	}
	lending->sending = place;
	pthread_mutex_unlock(&session->lock);
	return place;
}

void session_sent(struct session *session)
{
	pthread_mutex_lock(&session->lock);
	session->credit--;
	session->lending.sending = 0;
	pthread_cond_broadcast(&session->news);
	pthread_mutex_unlock(&session->lock);
}

/*
 * Takes one back; NULL: the loader does not have it.  It may have it before the
 * sender has noticed, which still needs the fields that vary.
 */
static struct batch *take_back(struct session *session, uint32_t place)
{
	struct lending *lending = &session->lending;
	struct batch *batch = NULL;

	pthread_mutex_lock(&session->lock);
	while (lending->sending == place && place > 0 && !session->is_over)
		pthread_cond_wait(&session->news, &session->lock);
	if (place > 0 && place <= lending->places && !session->is_over)
		batch = lending->batches[place - 1];
	if (batch) {
		lending->batches[place - 1] = NULL;
		lending->count--;
	}
	pthread_mutex_unlock(&session->lock);
	return batch;
}

int session_take_back(
    struct session *session, struct span body, struct error *err)
{
	uint32_t place;
	int got;

	while ((got = places_take(&body, &place, err)) > 0) {
		struct batch *batch = take_back(session, place);

		if (!batch)
			return error_set(err, ERROR_DATA,
			    "the loader returns a batch that it does not have");
		batch_give(batch);
	}
	return got;
}

void session_reclaim(struct session *session)
{
	struct lending *lending = &session->lending;

	for (unsigned i = 0; i < lending->places; i++)
		batch_give(lending->batches[i]);
	free(lending->batches);
	*lending = (struct lending){ .batches = NULL };
}
