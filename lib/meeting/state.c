/* state.c - see state.h. */
#include "lib/meeting/state.h"

#include <errno.h>
#include <stdio.h>
#include <time.h>

#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/base/stop.h"

enum {
	BEAT_S = 1,
	PAUSE_LEAST_NS = 100000, /* between two looks at a file */
};

/* ---- its own file ---- */

int meeting_path(const struct meeting *meeting, unsigned rank, struct buf *path,
    struct error *err)
{
	path->len = 0;
	return buf_printf(path, err, "%s/rank-%u", meeting->plan.dir, rank);
}

int meeting_publish_as(struct meeting *meeting, bool create, struct error *err)
{
	struct buf path = BUF_INIT;
	int cause, rc = meeting_path(meeting, meeting->plan.rank, &path, err);

	if (rc == 0) {
		pthread_mutex_lock(&meeting->lock);
		cause = record_write(
		    (const char *)path.data, &meeting->own, create);
		pthread_mutex_unlock(&meeting->lock);
		errno = cause;
		rc = cause ? error_errno(err, "write", (const char *)path.data)
		           : 0;
	}
	buf_release(&path);
	return rc;
}

int meeting_publish(struct meeting *meeting, struct error *err)
{
	return meeting_publish_as(meeting, false, err);
}

/* Shows once a second that this process lives. */
static void *heart_main(void *arg)
{
	struct meeting *meeting = arg;
	struct buf path = BUF_INIT;
	struct error ignored = ERROR_INIT;
	const bool fine =
	    meeting_path(meeting, meeting->plan.rank, &path, &ignored) == 0;

	pthread_mutex_lock(&meeting->lock);
	while (fine && !meeting->stop) {
		struct timespec until;

		clock_gettime(CLOCK_MONOTONIC, &until);
		until.tv_sec += BEAT_S;
		pthread_cond_timedwait(
		    &meeting->stopping, &meeting->lock, &until);
		meeting->own.beat++;
		/* A failure is a missing sign, which others will notice. */
		record_write((const char *)path.data, &meeting->own, false);
	}
	pthread_mutex_unlock(&meeting->lock);
	buf_release(&path);
	return NULL;
}

int meeting_start_heart(struct meeting *meeting, struct error *err)
{
	if (pthread_create(&meeting->heart, NULL, heart_main, meeting))
		return error_set(
		    err, ERROR_SYSTEM, "cannot start a thread for --together");
	meeting->has_heart = true;
	return 0;
}

void meeting_stop_heart(struct meeting *meeting)
{
	if (!meeting->has_heart)
		return;
	pthread_mutex_lock(&meeting->lock);
	meeting->stop = true;
	pthread_cond_signal(&meeting->stopping);
	pthread_mutex_unlock(&meeting->lock);
	pthread_join(meeting->heart, NULL);
	meeting->has_heart = false;
}

/* ---- a rank that is waited for ---- */

int watched_init(struct watched *watched, struct meeting *meeting,
    unsigned rank, enum pace pace, struct error *err)
{
	*watched = (struct watched){
		.meeting = meeting,
		.rank = rank,
		.path = BUF_INIT,
		.heard_ns = clock_now(&clock_monotonic),
		.pause_ns = PAUSE_LEAST_NS,
		.pause_most_ns = pace,
	};
	return meeting_path(meeting, rank, &watched->path, err);
}

static int blame(const struct watched *watched, struct error *err)
{
	const struct record *seen = &watched->meeting->seen;
	/* the record may be one of the rank that was waited for before */
	const char *host = seen->rank == watched->rank ? seen->host : "";

	return error_prefix(
	    err, "rank %u%s%s", watched->rank, *host ? ", host " : "", host);
}

/* The last words of a process that has ended are in the record read next. */
static int note_end(struct watched *watched, struct error *err)
{
	struct meeting *meeting = watched->meeting;

	watched->ended = watched->seen &&
	                 record_has_ended(&meeting->seen, meeting->own.machine);
	return stop_check(meeting->plan.stop, err);
}

int watched_judge(struct watched *watched, struct error *err)
{
	struct meeting *meeting = watched->meeting;
	const struct record *seen = &meeting->seen;
	const uint64_t now = clock_now(&clock_monotonic);

	if (watched->seen && seen->state == RECORD_FAILED)
		error_set(err, ERROR_SYSTEM, "%s", seen->why);
	else if (watched->seen && watched->ended)
		error_set(err, ERROR_SYSTEM, "its process has ended");
	else if ((double)(now - watched->heard_ns) / 1e9 >
	         meeting->plan.silence_s)
		error_set(err, ERROR_SYSTEM,
		    "it has given no sign of life for %.0f seconds",
		    meeting->plan.silence_s);
	else
		return note_end(watched, err);
	return blame(watched, err);
}

bool watched_look(struct watched *watched)
{
	struct meeting *meeting = watched->meeting;
	struct record *seen = &meeting->seen;

	if (record_read((const char *)watched->path.data, seen) &&
	    seen->meeting == meeting->number && seen->rank == watched->rank) {
		if (!watched->seen || seen->beat != watched->beat)
			watched->heard_ns = clock_now(&clock_monotonic);
		watched->beat = seen->beat;
		watched->seen = true;
		return true;
	}
	watched->seen = false;
	return false;
}

void watched_pause(struct watched *watched)
{
	clock_sleep_until(clock_now(&clock_monotonic) + watched->pause_ns);
	watched->pause_ns += watched->pause_ns / 4;
	if (watched->pause_ns > watched->pause_most_ns)
		watched->pause_ns = watched->pause_most_ns;
}

void watched_release(struct watched *watched)
{
	buf_release(&watched->path);
}
