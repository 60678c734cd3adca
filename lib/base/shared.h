/*
 * shared.h - large things that are made once for all users at a time: a
 * vocabulary, a table of weights.
 *
 * Steps are bound once per worker, or more often.  They take large data here by
 * a kind and a key that identifies all that the data depends on.  It is
 * read-only, and any thread may call.
 */
#ifndef LIB_BASE_SHARED_H
#define LIB_BASE_SHARED_H

struct error;

struct shared_kind {
	const char *name;
	/* Makes the thing that the key of `arg` says; NULL with err set. */
	void *(*make)(const void *arg, struct error *err);
	void (*free)(void *thing);
};

/*
 * Returns the thing with this key; makes it unless somebody uses it.  Give it
 * back as often as it was taken.  NULL when it could not be made.
 */
void *shared_take(const struct shared_kind *kind, const char *key,
    const void *arg, struct error *err);
/* Gives a thing back; the last call frees it.  NULL is fine. */
void shared_give(const struct shared_kind *kind, const void *thing);

#endif
