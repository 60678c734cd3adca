/* keyring.c - see keyring.h. */
#include "lib/media/s3/keyring.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/media/backends/fork_lock.h"
#include "lib/media/s3/address.h"
#include "lib/media/s3/credentials.h"
#include "lib/media/s3/profile.h"
#include "lib/media/s3/secret.h"

enum {
	RENEW_S = 300, /* before keys end */
	PAUSE_S = 10,  /* after a failure, while keys hold */
};

/* Settings of the environment and of the profile; they stay. */
struct surroundings {
	char region[S3_REGION_TEXT];
	char *endpoint; /* owned; NULL: AWS */
};

struct keyring {
	struct http_pool *pool;
	struct fork_lock lock; /* protects all below: lock_keyring */
	struct surroundings around;
	bool is_ready;                   /* `around` is known */
	struct credentials *credentials; /* NULL: not found yet */
	bool is_asking;                  /* a thread asks, without the lock */
	pthread_cond_t answered;
	uint64_t answers;    /* how many there were */
	struct error failed; /* the newest; code 0: it gave keys */
	int64_t failed_s;    /* since 1970 */
};

/* The child of a fork has no thread that asks: it finds all anew. */
static void lock_keyring(struct keyring *keyring)
{
	if (!fork_lock_take(&keyring->lock))
		return;
	keyring->around.endpoint = NULL;
	keyring->is_ready = false;
	keyring->credentials = NULL;
	keyring->is_asking = false;
	pthread_cond_init(&keyring->answered, NULL);
}

/* ---- the environment ---- */

/* The first of two variables, or what the profile says; NULL: none does. */
static const char *setting(
    const char *first, const char *second, const char *profile)
{
	const char *value = getenv(first);

	if (!value || !*value)
		value = getenv(second);
	return value && *value ? value : profile;
}

static int find_region(struct surroundings *around,
    const struct profile *profile, struct error *err)
{
	const char *region = setting("AWS_REGION", "AWS_DEFAULT_REGION",
	    profile->values[PROFILE_REGION]);

	if (!region)
		region = "us-east-1"; /* a bucket elsewhere says where */
	if (!s3_region_is_valid(region))
		return error_set(err, ERROR_USAGE,
		    "'%.64s' is not the name of a region", region);
	memcpy(around->region, region, strlen(region) + 1);
	return 0;
}

static int find_endpoint(struct surroundings *around,
    const struct profile *profile, struct error *err)
{
	const char *url = setting("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL",
	    profile->values[PROFILE_ENDPOINT]);

	if (!url)
		return 0;
	if (strncmp(url, "http://", 7) != 0 && strncmp(url, "https://", 8) != 0)
		return error_set(err, ERROR_USAGE,
		    "the endpoint must begin with http:// or https://, got "
		    "'%.64s'",
		    url);
	around->endpoint = strdup(url);
	return around->endpoint ? 0 : error_memory(err, strlen(url));
}

/* ---- asking ---- */

static int64_t now_s(void)
{
	return (int64_t)(clock_unix_ns() / 1000000000);
}

/* Seconds for which the keys hold; 0 or less: there are none. */
static int64_t left_s(const struct keyring *keyring)
{
	const struct credentials *keys = keyring->credentials;

	if (!keys)
		return 0;
	return keys->expires_s < 0 ? INT64_MAX : keys->expires_s - now_s();
}

/* Without the lock; `around` is found if it is not known. */
static struct credentials *find_keys(struct http_pool *pool,
    struct surroundings *around, bool is_ready, struct error *err)
{
	struct profile profile = { .is_there = false };
	struct credentials *found = NULL;
	struct credentials_search search = { .pool = pool,
		.profile = &profile };
	int rc = profile_read(&profile, err);

	if (rc == 0 && !is_ready) {
		rc = find_region(around, &profile, err);
		if (rc == 0)
			rc = find_endpoint(around, &profile, err);
	}
	search.region = around->region;
	search.endpoint = around->endpoint;
	if (rc == 0)
		found = credentials_find(&search, err);
	profile_release(&profile);
	return found;
}

/*
 * Asks for keys; those that are there stay on an error.  Locked, but not while
 * it asks.
 */
static void ask(struct keyring *keyring)
{
	struct surroundings around = keyring->around;
	const bool was_ready = keyring->is_ready;
	struct error why = ERROR_INIT;
	struct credentials *found;

	keyring->is_asking = true;
	fork_lock_give(&keyring->lock);
	found = find_keys(keyring->pool, &around, was_ready, &why);
	lock_keyring(keyring);
	if (found) {
		keyring->around = around;
		keyring->is_ready = true;
		credentials_give(keyring->credentials);
		keyring->credentials = found;
	} else {
		if (!was_ready)
			secret_free(around.endpoint);
		keyring->failed_s = now_s();
	}
	keyring->failed = why;
	keyring->is_asking = false;
	keyring->answers++;
	pthread_cond_broadcast(&keyring->answered);
}

/* Waits for the thread that asks.  Locked. */
static void await_answer(struct keyring *keyring)
{
	const uint64_t before = keyring->answers;

	while (keyring->answers == before)
		pthread_cond_wait(&keyring->answered, &keyring->lock.mutex);
}

/* ---- keys ---- */

struct credentials *keyring_take(struct keyring *keyring, struct error *err)
{
	struct credentials *taken = NULL;
	int64_t left;

	lock_keyring(keyring);
	left = left_s(keyring);
	if (!keyring->is_asking &&
	    (left <= 0 ||
	        (left < RENEW_S && now_s() - keyring->failed_s >= PAUSE_S)))
		ask(keyring);
	else if (left <= 0)
		await_answer(keyring);
	if (left_s(keyring) > 0 ||
	    (keyring->credentials && !keyring->failed.code))
		taken = credentials_share(keyring->credentials);
	else
		*err = keyring->failed;
	fork_lock_give(&keyring->lock);
	return taken;
}

static bool differ(const struct credentials *a, const struct credentials *b)
{
	return !a->key || !b->key || strcmp(a->key, b->key) != 0 || !a->token ||
	       !b->token || strcmp(a->token, b->token) != 0;
}

bool keyring_renew(struct keyring *keyring, const struct credentials *refused)
{
	bool is_new;

	lock_keyring(keyring);
	/* Another thread may have found newer ones already. */
	is_new = keyring->credentials != refused;
	if (!is_new && refused->is_renewable) {
		if (keyring->is_asking)
			await_answer(keyring);
		else
			ask(keyring);
		is_new = keyring->credentials != refused &&
		         differ(keyring->credentials, refused);
	}
	fork_lock_give(&keyring->lock);
	return is_new;
}

/* ---- the keyring ---- */

const char *keyring_region(const struct keyring *keyring)
{
	return keyring->around.region;
}

const char *keyring_endpoint(const struct keyring *keyring)
{
	return keyring->around.endpoint;
}

struct keyring *keyring_new(struct http_pool *pool, struct error *err)
{
	struct keyring *keyring = memory_zeroed(sizeof(*keyring), err);

	if (!keyring)
		return NULL;
	keyring->pool = pool;
	fork_lock_init(&keyring->lock);
	pthread_cond_init(&keyring->answered, NULL);
	return keyring;
}

void keyring_free(struct keyring *keyring)
{
	if (!keyring)
		return;
	credentials_give(keyring->credentials);
	secret_free(keyring->around.endpoint);
	/* The condition has nothing to free, and threads of a parent may wait.
	 */
	fork_lock_destroy(&keyring->lock);
	free(keyring);
}
