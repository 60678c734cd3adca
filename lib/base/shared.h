/*
 * shared.h - heavy things that are made once for all who want the same at the
 * same time: a vocabulary, a table of weights.
 *
 * Steps are bound once per worker, and more often; what is large is taken
 * here, by a kind and a key that says all that the thing depends on.  Nobody
 * may change what was taken.  Any thread may call.
 */
#ifndef LIB_BASE_SHARED_H
#define LIB_BASE_SHARED_H

struct error;

struct shared_kind {
	const char *name;
	/* What `key` says, from `arg`; NULL with err set. */
	void *(*make)(const void *arg, struct error *err);
	void (*free)(void *thing);
};

/*
 * The thing of this key, made unless somebody has it; to be given back as
 * often as it was taken.  NULL when it could not be made.
 */
void *shared_take(const struct shared_kind *kind, const char *key,
    const void *arg, struct error *err);
/* The last one who gives it back frees it; NULL is fine. */
void shared_give(const struct shared_kind *kind, const void *thing);

#endif
