/*
 * shared.c - see shared.h.
 *
 * What is made is made under the lock: who wants the same waits for it, and
 * would have to anyway.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/base/shared.h"

struct entry {
	const struct shared_kind *kind;
	char *key; /* owned */
	void *thing;
	unsigned long takers;
	struct entry *next;
};

/* The one place that all workers of the process can find. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct entry *entries;

static void *make(const struct shared_kind *kind, const char *key,
    const void *arg, struct error *err)
{
	struct entry *entry = calloc(1, sizeof(*entry));

	if (!entry) {
		error_memory(err, sizeof(*entry));
		return NULL;
	}
	entry->kind = kind;
	entry->takers = 1;
	entry->key = strdup(key);
	if (!entry->key)
		error_memory(err, strlen(key) + 1);
	else
		entry->thing = kind->make(arg, err);
	if (!entry->thing) {
		free(entry->key);
		free(entry);
		return NULL;
	}
	entry->next = entries;
	entries = entry;
	return entry->thing;
}

void *shared_take(const struct shared_kind *kind, const char *key,
    const void *arg, struct error *err)
{
	struct entry *entry;
	void *thing;

	pthread_mutex_lock(&lock);
	entry = entries;
	while (entry && (entry->kind != kind || strcmp(entry->key, key) != 0))
		entry = entry->next;
	if (entry) {
		entry->takers++;
		thing = entry->thing;
	} else {
		thing = make(kind, key, arg, err);
	}
	pthread_mutex_unlock(&lock);
	return thing;
}

void shared_give(const struct shared_kind *kind, void *thing)
{
	struct entry **at = &entries, *entry;

	if (!thing)
		return;
	pthread_mutex_lock(&lock);
	while (*at && ((*at)->kind != kind || (*at)->thing != thing))
		at = &(*at)->next;
	entry = *at;
	if (entry && --entry->takers == 0) {
		*at = entry->next;
		kind->free(entry->thing);
		free(entry->key);
		free(entry);
	}
	pthread_mutex_unlock(&lock);
}
