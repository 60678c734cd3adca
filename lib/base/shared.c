/*
 * shared.c - see shared.h.
 *
 * The list has one lock.  Each entry has its own, held while the thing is made:
 * others that want it wait, and `make` may take further things.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/base/shared.h"

struct entry {
	const struct shared_kind *kind;
	char *key; /* owned */
	pthread_mutex_t making;
	void *thing; /* NULL until it is made */
	unsigned long takers;
	struct entry *next;
};

/* The only state that all workers of the process share. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct entry *entries;

static struct entry *add_entry(
    const struct shared_kind *kind, const char *key, struct error *err)
{
	struct entry *entry = calloc(1, sizeof(*entry));
	char *copy = strdup(key);

	if (!entry || !copy || pthread_mutex_init(&entry->making, NULL)) {
		free(entry);
		free(copy);
		error_memory(err, sizeof(*entry) + strlen(key));
		return NULL;
	}
	entry->kind = kind;
	entry->key = copy;
	entry->next = entries;
	entries = entry;
	return entry;
}

static struct entry *take_entry(
    const struct shared_kind *kind, const char *key, struct error *err)
{
	struct entry *entry;

	pthread_mutex_lock(&lock);
	entry = entries;
	while (entry && (entry->kind != kind || strcmp(entry->key, key) != 0))
		entry = entry->next;
	if (!entry)
		entry = add_entry(kind, key, err);
	if (entry)
		entry->takers++;
	pthread_mutex_unlock(&lock);
	return entry;
}

/* Removes the entry from the locked list when nobody uses it. */
static struct entry *drop(struct entry **at)
{
	struct entry *entry = *at;

	if (--entry->takers)
		return NULL;
	*at = entry->next;
	return entry;
}

static void free_entry(struct entry *entry)
{
	if (!entry)
		return;
	if (entry->thing)
		entry->kind->free(entry->thing);
	pthread_mutex_destroy(&entry->making);
	free(entry->key);
	free(entry);
}

static void give_entry(const struct entry *entry)
{
	struct entry **at = &entries, *last;

	pthread_mutex_lock(&lock);
	while (*at != entry)
		at = &(*at)->next;
	last = drop(at);
	pthread_mutex_unlock(&lock);
	free_entry(last);
}

void *shared_take(const struct shared_kind *kind, const char *key,
    const void *arg, struct error *err)
{
	struct entry *entry = take_entry(kind, key, err);
	void *thing;

	if (!entry)
		return NULL;
	pthread_mutex_lock(&entry->making);
	if (!entry->thing)
		entry->thing = kind->make(arg, err);
	thing = entry->thing;
	pthread_mutex_unlock(&entry->making);
	if (!thing)
		give_entry(entry);
	return thing;
}

void shared_give(const struct shared_kind *kind, const void *thing)
{
	struct entry **at = &entries, *last = NULL;

	if (!thing)
		return;
	pthread_mutex_lock(&lock);
	while (*at && ((*at)->kind != kind || (*at)->thing != thing))
		at = &(*at)->next;
	if (*at)
		last = drop(at);
	pthread_mutex_unlock(&lock);
	free_entry(last);
}
