/* hold.c - see hold.h. */
#define _GNU_SOURCE /* getrandom, CLOCK_BOOTTIME */
#include "strategies/prepare/hold.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/base/host.h"
#include "lib/base/stop.h"
#include "lib/base/thread.h"
#include "lib/files/lock.h"
#include "lib/media/medium.h"
#include "lib/media/whole.h"

enum { HOLDER = 192, FILE_LIMIT = 4096, SECOND_NS = 1000000000 };

const struct hold_times hold_times_default = {
	.sign_ns = 2ull * SECOND_NS,
	.dead_ns = 30ull * SECOND_NS,
};

static const char held_by[] = "held by ";

struct hold {
	struct medium *medium;
	const char *path, *text;
	const struct hold_times *times;
	char name[HOLDER]; /* this process; no other holder has its name */

	pthread_t thread;
	bool has_thread;
	pthread_mutex_t lock; /* protects what follows */
	pthread_cond_t stopping;
	bool stop;
	bool is_lost;
	uint64_t signs, signed_ns; /* how many, and when the last was put */
	char version[MEDIUM_VERSION_TEXT]; /* of that; "": not known */
};

/* The time since the machine was started, also while it slept. */
static uint64_t time_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_BOOTTIME, &now);
	return (uint64_t)now.tv_sec * SECOND_NS + (uint64_t)now.tv_nsec;
}

/* ---- the object ---- */

struct claimed {
	bool is_there;
	char text[LOCK_TEXT], holder[HOLDER];
	char version[MEDIUM_VERSION_TEXT];
};

/* Copies a line in printable characters, and steps behind it. */
static void take_line(struct span *rest, char *line, size_t size)
{
	const unsigned char *end =
	    rest->len ? memchr(rest->data, '\n', rest->len) : NULL;
	const size_t len = end ? (size_t)(end - rest->data) : rest->len;
	const size_t kept = len < size ? len : size - 1;

	for (size_t i = 0; i < kept; i++)
		line[i] = rest->data[i] < ' ' || rest->data[i] > '~'
		              ? '?'
		              : (char)rest->data[i];
	line[kept] = '\0';
	rest->data += end ? len + 1 : len;
	rest->len -= end ? len + 1 : len;
}

/* Takes its lines apart. */
static void parse(struct claimed *now, struct span text)
{
	const size_t word = sizeof(held_by) - 1;
	char line[HOLDER + sizeof(held_by)];

	take_line(&text, now->text, sizeof(now->text));
	take_line(&text, line, sizeof(line));
	if (strncmp(line, held_by, word) == 0)
		snprintf(now->holder, HOLDER, "%.*s", HOLDER - 1, line + word);
}

/* The version is that of what is read, or an older one. */
static int look(struct hold *hold, struct claimed *now, struct error *err)
{
	struct medium_status status;
	struct buf bytes = BUF_INIT;
	int rc;

	*now = (struct claimed){ .is_there = false };
	if (medium_status_now(hold->medium, hold->path, &status, err))
		return -1;
	if (status.kind == MEDIUM_NOTHING)
		return 0;
	if (!*status.version)
		return error_set(err, ERROR_SYSTEM,
		    "%s: the object store gives no ETag, so two updates at "
		    "once could not be told apart",
		    hold->path);
	memcpy(now->version, status.version, sizeof(now->version));
	rc = medium_read_any(hold->medium, hold->path, FILE_LIMIT, &bytes, err);
	now->is_there = rc > 0;
	if (rc > 0)
		parse(now, buf_span(&bytes));
	else
		*now->version = '\0';
	buf_release(&bytes);
	return rc < 0 ? -1 : 0;
}

/*
 * Puts the object in place of a version, "": of nothing: 1; 0: another one is
 * there; or -1.  What was put may be there after an error, too.
 */
static int put(
    struct hold *hold, const char *version, bool is_held, struct error *err)
{
	struct buf lines = BUF_INIT;
	int rc = buf_printf(&lines, err, "%s\n", hold->text);

	hold->version[0] = '\0';
	if (rc == 0 && is_held)
		rc = buf_printf(&lines, err, "%s%s, sign %" PRIu64 "\n",
		    held_by, hold->name, ++hold->signs);
	if (rc == 0)
		rc = *version ? medium_write_over(hold->medium, hold->path,
		                    buf_span(&lines), version, err)
		              : medium_write_new(hold->medium, hold->path,
		                    buf_span(&lines), err);
	buf_release(&lines);
	return rc;
}

static bool is_ours(const struct hold *hold, const struct claimed *now)
{
	const size_t len = strlen(hold->name);

	return strncmp(now->holder, hold->name, len) == 0 &&
	       now->holder[len] == ',';
}

/* Looks whether it is this process's, and notes its version: 1, 0 or -1. */
static int find_ours(struct hold *hold, struct error *err)
{
	struct claimed now;

	if (look(hold, &now, err))
		return -1;
	if (!is_ours(hold, &now))
		return 0;
	memcpy(hold->version, now.version, sizeof(hold->version));
	return 1;
}

/* ---- signs of life ---- */

/*
 * Puts the next one: 1; 0: the claim is lost; or -1.  A server that ignores
 * If-Match is found out by what is there afterwards.
 */
static int put_sign(struct hold *hold, struct error *err)
{
	const uint64_t now = time_ns();
	char version[MEDIUM_VERSION_TEXT];
	int rc = 0;

	if (!hold->is_lost)
		rc = *hold->version ? 1 : find_ours(hold, err);
	if (rc > 0) {
		memcpy(version, hold->version, sizeof(version));
		rc = put(hold, version, true, err);
	}
	if (rc > 0)
		rc = find_ours(hold, err);
	if (rc > 0)
		hold->signed_ns = now;
	hold->is_lost = rc == 0;
	return rc;
}

static void *hold_main(void *arg)
{
	struct hold *hold = arg;

	pthread_mutex_lock(&hold->lock);
	while (!hold->stop) {
		const uint64_t due =
		    clock_now(&clock_monotonic) + hold->times->sign_ns;
		/* A failure is a missing sign, and the next one may come. */
		struct error ignored = ERROR_INIT;

		while (!hold->stop && clock_now(&clock_monotonic) < due)
			condition_wait_until(&hold->stopping, &hold->lock, due);
		if (!hold->stop)
			put_sign(hold, &ignored);
	}
	pthread_mutex_unlock(&hold->lock);
	return NULL;
}

static int start(struct hold *hold, struct error *err)
{
	hold->has_thread = thread_start(&hold->thread, hold_main, hold) == 0;
	return hold->has_thread ? 0
	                        : error_set(err, ERROR_SYSTEM,
	                              "cannot start a thread to hold a claim");
}

int hold_check(struct hold *hold, struct error *err)
{
	int rc = 1;

	pthread_mutex_lock(&hold->lock);
	if (hold->is_lost ||
	    time_ns() - hold->signed_ns > hold->times->dead_ns / 3)
		rc = put_sign(hold, err);
	pthread_mutex_unlock(&hold->lock);
	if (rc)
		return rc < 0 ? -1 : 0;
	return error_set(err, ERROR_SYSTEM,
	    "%s: another presto has taken this work over, since this one gave "
	    "no sign of life for a while; give the same command again",
	    hold->path);
}

/* ---- taking it ---- */

/* A claim that another process holds. */
struct watched {
	char version[MEDIUM_VERSION_TEXT]; /* "": none was seen yet */
	uint64_t since_ns;
};

/* 1: its holder is dead; 0: not known yet; -1: it lives. */
static int judge(const struct hold *hold, struct watched *watched,
    const struct claimed *now, struct error *err)
{
	const uint64_t at = clock_now(&clock_monotonic);

	if (!*watched->version) {
		memcpy(watched->version, now->version, sizeof(now->version));
		watched->since_ns = at;
	}
	if (strcmp(watched->version, now->version) != 0)
		return error_set(err, ERROR_SYSTEM,
		    "%s is in use by another presto: %.*s; wait until it has "
		    "ended, or stop it",
		    hold->path, (int)strcspn(now->holder, "("), now->holder);
	return at - watched->since_ns >= hold->times->dead_ns;
}

/* 1: it is taken; 0: look again; or -1. */
static int try_take(
    struct hold *hold, struct watched *watched, struct error *err)
{
	struct claimed now;
	int rc = 1;

	if (look(hold, &now, err))
		return -1;
	if (now.is_there && strcmp(now.text, hold->text) != 0)
		return error_set(err, ERROR_USAGE,
		    "%s: other work has just begun here; choose another "
		    "folder",
		    hold->path);
	if (*now.holder)
		rc = judge(hold, watched, &now, err);
	if (rc > 0)
		rc = put(hold, now.version, true, err);
	return rc > 0 ? find_ours(hold, err) : rc;
}

static int take(struct hold *hold, struct error *err)
{
	struct watched watched = { .since_ns = 0 };
	int rc;

	while ((rc = try_take(hold, &watched, err)) == 0) {
		if (stop_is_set())
			return error_set(err, ERROR_INTERRUPTED, "interrupted");
		clock_sleep_until(
		    clock_now(&clock_monotonic) + hold->times->sign_ns / 2);
	}
	hold->signed_ns = time_ns();
	return rc < 0 ? -1 : 0;
}

static int set_name(struct hold *hold, struct error *err)
{
	char host[HOST_NAME];
	uint64_t number;

	if (getrandom(&number, sizeof(number), 0) != sizeof(number))
		return error_set(
		    err, ERROR_SYSTEM, "there are no random numbers");
	host_name(host);
	for (char *c = host; *c; c++)
		if (*c <= ' ' || *c > '~')
			*c = '?';
	snprintf(hold->name, sizeof(hold->name),
	    "process %ld on %.64s(%016" PRIx64 ")", (long)getpid(), host,
	    number);
	return 0;
}

struct hold *hold_new(struct medium *medium, const char *path, const char *text,
    const struct hold_times *times, struct error *err)
{
	struct hold *hold = memory_zeroed(sizeof(*hold), err);

	if (!hold)
		return NULL;
	hold->medium = medium;
	hold->path = path;
	hold->text = text;
	hold->times = times;
	hold->is_lost = true;
	condition_init(&hold->stopping);
	pthread_mutex_init(&hold->lock, NULL);
	if (set_name(hold, err) == 0 && take(hold, err) == 0) {
		hold->is_lost = false;
		if (start(hold, err) == 0)
			return hold;
	}
	hold_free(hold);
	return NULL;
}

/* ---- giving it up ---- */

static void stop_thread(struct hold *hold)
{
	if (!hold->has_thread)
		return;
	pthread_mutex_lock(&hold->lock);
	hold->stop = true;
	pthread_cond_signal(&hold->stopping);
	pthread_mutex_unlock(&hold->lock);
	pthread_join(hold->thread, NULL);
	hold->has_thread = false;
}

int hold_remove(struct hold *hold, struct error *err)
{
	int rc = 0;

	stop_thread(hold);
	if (!hold->is_lost)
		rc = find_ours(hold, err);
	hold->is_lost = true;
	return rc > 0 ? medium_remove(hold->medium, hold->path, err) : rc;
}

void hold_free(struct hold *hold)
{
	struct error ignored = ERROR_INIT;
	char version[MEDIUM_VERSION_TEXT];

	if (!hold)
		return;
	stop_thread(hold);
	if (!hold->is_lost &&
	    (*hold->version || find_ours(hold, &ignored) > 0)) {
		memcpy(version, hold->version, sizeof(version));
		put(hold, version, false, &ignored);
	}
	pthread_cond_destroy(&hold->stopping);
	pthread_mutex_destroy(&hold->lock);
	free(hold);
}
