/* split_work.c - see split_work.h. */
#include <string.h>

#include "lib/loader/split_work.h"
#include "lib/loader/state.h"
#include "lib/loader/worker.h"

int split_work_offer(struct worker *worker, const struct chunk *chunk)
{
	struct loader *loader = worker->loader;
	struct offer *offer = &worker->offer;
	const char *where = worker_where(worker, chunk, offer->where);
	int rc;

	if (where != offer->where)
		memcpy(offer->where, where, KEY_TEXT);
	chain_offer(worker->chain, &offer->split);
	pthread_mutex_lock(&loader->lock);
	offer->is_open = true;
	pthread_cond_broadcast(&loader->offered);
	pthread_mutex_unlock(&loader->lock);
	rc = worker_deliver(worker, chunk, offer->where);
	pthread_mutex_lock(&loader->lock);
	offer->is_open = false;
	while (offer->users > 0)
		wait_for(&loader->offered, &loader->lock,
		    meter_waits(&worker->meter, &worker->meter.for_data));
	pthread_mutex_unlock(&loader->lock);
	return rc;
}

/* Called with the lock held; NULL: there is no offer. */
static struct offer *find_offer(struct loader *loader)
{
	for (unsigned i = 0; i < loader->plan.threads; i++) {
		struct offer *offer = &loader->workers[i].offer;

		if (offer->is_open &&
		    atomic_load(&offer->split.next) < offer->split.count)
			return offer;
	}
	return NULL;
}

static void help(struct worker *worker, struct offer *offer)
{
	int rc;

	meter_start(&worker->meter, &worker->meter.begin);
	rc = chain_join(worker->chain, &offer->split, &worker->err);
	meter_stop(&worker->meter);
	if (rc) {
		error_prefix(&worker->err, "sample %s", offer->where);
		loader_fail(worker->loader, &worker->err);
		return;
	}
	worker_deliver(worker, NULL, offer->where);
}

void split_work_help(struct worker *worker)
{
	struct loader *loader = worker->loader;

	pthread_mutex_lock(&loader->lock);
	if (--loader->busy == 0)
		pthread_cond_broadcast(&loader->offered);
	while (loader->busy > 0 && !atomic_load(&loader->stop)) {
		struct offer *offer = find_offer(loader);

		if (!offer) {
			wait_for(&loader->offered, &loader->lock,
			    meter_waits(
			        &worker->meter, &worker->meter.for_data));
			continue;
		}
		offer->users++;
		pthread_mutex_unlock(&loader->lock);
		help(worker, offer);
		pthread_mutex_lock(&loader->lock);
		if (--offer->users == 0)
			pthread_cond_broadcast(&loader->offered);
	}
	pthread_mutex_unlock(&loader->lock);
}
