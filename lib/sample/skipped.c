/* skipped.c - see skipped.h. */
#include "lib/sample/skipped.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/base/hash.h"
#include "lib/base/printable.h"

enum { FIRST_SLOTS = 64 };

struct one {
	char *where, *why; /* owned */
};

struct skipped {
	pthread_mutex_t lock;
	bool keep;
	uint64_t *seen; /* hashes of the names, open addressing; 0: free */
	size_t slots;   /* a power of two; at least half of them are free */
	uint64_t count;
	struct one *list; /* all samples, or only the first by name */
	size_t kept, capacity;
	struct error err; /* the first error in skipped_add */
};

struct skipped *skipped_new(bool keep, struct error *err)
{
	struct skipped *skipped = memory_zeroed(sizeof(*skipped), err);

	if (!skipped)
		return NULL;
	skipped->keep = keep;
	pthread_mutex_init(&skipped->lock, NULL);
	return skipped;
}

static void release_one(struct one *one)
{
	free(one->where);
	free(one->why);
}

void skipped_free(struct skipped *skipped)
{
	if (!skipped)
		return;
	for (size_t i = 0; i < skipped->kept; i++)
		release_one(&skipped->list[i]);
	free(skipped->list);
	free(skipped->seen);
	pthread_mutex_destroy(&skipped->lock);
	free(skipped);
}

/* Returns the slot of the hash, or the free slot where it belongs. */
static size_t find_slot(const uint64_t *seen, size_t slots, uint64_t hash)
{
	size_t i = hash & (slots - 1);

	while (seen[i] && seen[i] != hash)
		i = (i + 1) & (slots - 1);
	return i;
}

static int grow(struct skipped *skipped, struct error *err)
{
	const size_t slots = skipped->slots ? 2 * skipped->slots : FIRST_SLOTS;
	uint64_t *seen;

	if (2 * (skipped->count + 1) < skipped->slots)
		return 0;
	seen = calloc(slots, sizeof(*seen));
	if (!seen)
		return error_memory(err, slots * sizeof(*seen));
	for (size_t i = 0; i < skipped->slots; i++)
		if (skipped->seen[i])
			seen[find_slot(seen, slots, skipped->seen[i])] =
			    skipped->seen[i];
	free(skipped->seen);
	skipped->seen = seen;
	skipped->slots = slots;
	return 0;
}

static int keep(struct skipped *skipped, const char *where, const char *why,
    struct error *err)
{
	struct one one = { strdup(where), strdup(why) };
	struct one *list;

	if (!one.where || !one.why) {
		release_one(&one);
		return error_memory(err, strlen(where) + strlen(why));
	}
	list = array_grow(skipped->list, &skipped->capacity, skipped->kept + 1,
	    sizeof(*list), err);
	if (!list) {
		release_one(&one);
		return -1;
	}
	skipped->list = list;
	if (skipped->keep || skipped->kept == 0) {
		list[skipped->kept++] = one;
	} else {
		release_one(&list[0]);
		list[0] = one;
	}
	return 0;
}

static int add(struct skipped *skipped, const char *where, const char *why,
    struct error *err)
{
	/* 0 means a free slot. */
	const uint64_t hash = hash_bytes(where, strlen(where), 0) | 1;
	size_t slot;

	if (grow(skipped, err))
		return -1;
	slot = find_slot(skipped->seen, skipped->slots, hash);
	if (skipped->seen[slot])
		return 0;
	if ((skipped->keep || skipped->kept == 0 ||
	        strcmp(where, skipped->list[0].where) < 0) &&
	    keep(skipped, where, why, err))
		return -1;
	skipped->seen[slot] = hash;
	skipped->count++;
	return 0;
}

void skipped_add(struct skipped *skipped, const char *where, const char *why)
{
	struct error err = ERROR_INIT;

	if (!skipped)
		return;
	pthread_mutex_lock(&skipped->lock);
	if (add(skipped, where, why, &err) && !skipped->err.code)
		skipped->err = err;
	pthread_mutex_unlock(&skipped->lock);
}

uint64_t skipped_count(const struct skipped *skipped)
{
	return skipped ? skipped->count : 0;
}

static const struct one *find_first(const struct skipped *skipped)
{
	const struct one *first = &skipped->list[0];

	for (size_t i = 1; i < skipped->kept; i++)
		if (strcmp(skipped->list[i].where, first->where) < 0)
			first = &skipped->list[i];
	return first;
}

int skipped_summary(
    const struct skipped *skipped, struct buf *out, struct error *err)
{
	const struct one *first;

	if (!skipped_count(skipped))
		return 0;
	first = find_first(skipped);
	if (skipped->count == 1)
		return buf_printf(out, err, "1 sample was skipped: %s: %s",
		    first->where, first->why);
	return buf_printf(out, err,
	    "%llu samples were skipped, the first of them %s: %s",
	    (unsigned long long)skipped->count, first->where, first->why);
}

static int compare(const void *a, const void *b)
{
	const struct one *one = a, *other = b;

	return strcmp(one->where, other->where);
}

/* One line per sample; the first tab ends its name. */
static int append_text(struct buf *out, const char *text, struct error *err)
{
	return printable_append(out, span_text(text), err);
}

int skipped_list(struct skipped *skipped, struct buf *out, struct error *err)
{
	if (skipped->err.code) {
		*err = skipped->err;
		return -1;
	}
	if (skipped->kept)
		qsort(skipped->list, skipped->kept, sizeof(*skipped->list),
		    compare);
	for (size_t i = 0; i < skipped->kept; i++)
		if (append_text(out, skipped->list[i].where, err) ||
		    buf_append(out, "\t", 1, err) ||
		    append_text(out, skipped->list[i].why, err) ||
		    buf_append(out, "\n", 1, err))
			return -1;
	return 0;
}
