/* join.c - see meeting.h: how processes come together, and part. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/base/hash.h"
#include "lib/base/stop.h"
#include "lib/base/thread.h"
#include "lib/meeting/state.h"

enum { LEAVE_S = 3 }; /* the leader waits so long for others */
static const uint64_t refuse_ns = 2500000000;

/* ---- joining ---- */

/* A number that no earlier meeting had. */
static uint64_t draw_number(const struct record *own)
{
	const uint64_t drawn[] = { clock_unix_ns(), (uint64_t)own->pid,
		clock_now(&clock_monotonic) };
	const uint64_t number = hash_bytes(
	    drawn, sizeof(drawn), hash_bytes(own->host, HOST_NAME, 0));

	return number ? number : 1;
}

static int refuse_purpose(const struct record *seen, struct error *err)
{
	/* Until the other one has noticed as well, by two signs of life. */
	clock_sleep_until(clock_now(&clock_monotonic) + refuse_ns);
	return error_set(err, ERROR_USAGE,
	    "rank %u, host %s, has another pipeline, other options, another "
	    "number of processes or another version of presto",
	    seen->rank, seen->host);
}

static bool is_late(const struct meeting *meeting, uint64_t since_ns)
{
	return (double)(clock_now(&clock_monotonic) - since_ns) / 1e9 >
	       meeting->plan.join_s;
}

/*
 * Is a living process of another purpose there?  What a dead one left does not
 * change any more.
 */
static bool is_other(struct watched *watched, const struct record *seen)
{
	const bool other = seen->purpose != watched->meeting->plan.purpose;
	const bool lives = watched->other && seen->beat != watched->beat;

	watched->other = other;
	watched->beat = seen->beat;
	return other && lives;
}

static int refuse_absent(
    const struct meeting *meeting, unsigned rank, struct error *err)
{
	return error_set(err, ERROR_SYSTEM,
	    "rank %u did not come within %.0f seconds: all %u processes must "
	    "run at the same time, and see the folder %s (storage.together)",
	    rank, meeting->plan.join_s, meeting->plan.count, meeting->plan.dir);
}

/*
 * Two jobs that meet in one folder have two processes of each rank, which write
 * to one file in turn.
 */
static int check_alone(struct meeting *meeting, struct error *err)
{
	const struct record *own = &meeting->own;
	struct buf path = BUF_INIT;
	struct record seen;
	int rc = meeting_path(meeting, own->rank, &path, err);

	if (rc == 0 && record_read((const char *)path.data, &seen) &&
	    seen.state == RECORD_HERE &&
	    (seen.pid != own->pid || strcmp(seen.machine, own->machine) != 0)) {
		meeting->is_twice = true;
		rc = error_set(err, ERROR_USAGE,
		    "rank %u is here twice, also as process %lld of host %s: "
		    "two jobs meet in %s; give each a folder of its own "
		    "(storage.together)",
		    own->rank, (long long)seen.pid, seen.host,
		    meeting->plan.dir);
	}
	buf_release(&path);
	return rc;
}

/* Is there still hope that `rank` comes? */
static int may_wait(struct meeting *meeting, unsigned rank, uint64_t since_ns,
    struct error *err)
{
	if (is_late(meeting, since_ns))
		return refuse_absent(meeting, rank, err);
	return check_alone(meeting, err) || stop_check(meeting->plan.stop, err)
	           ? -1
	           : 0;
}

/* Rank 0 waits until `rank` has answered with the number of the meeting. */
static int await(struct meeting *meeting, unsigned rank, uint64_t since_ns,
    struct error *err)
{
	const struct record *seen = &meeting->seen;
	struct watched watched;
	int rc = watched_init(&watched, meeting, rank, PACE_END, err);

	while (rc == 0) {
		const bool got = record_read(
		    (const char *)watched.path.data, &meeting->seen);

		watched.seen = got && seen->meeting == meeting->number;
		if (watched.seen && seen->state == RECORD_HERE)
			break;
		if (watched.seen)
			rc = watched_judge(&watched, err);
		else if (got && is_other(&watched, seen))
			rc = refuse_purpose(seen, err);
		else
			rc = may_wait(meeting, rank, since_ns, err);
		if (rc == 0)
			watched_pause(&watched);
	}
	watched_release(&watched);
	return rc;
}

static int lead(struct meeting *meeting, struct error *err)
{
	const uint64_t since_ns = clock_now(&clock_monotonic);

	meeting->number = meeting->own.meeting = draw_number(&meeting->own);
	if (meeting_publish_as(meeting, true, err) ||
	    meeting_start_heart(meeting, err))
		return -1;
	meeting->one_machine = *meeting->own.machine != '\0';
	snprintf(meeting->hosts[0], HOST_NAME, "%s", meeting->own.host);
	for (unsigned i = 1; i < meeting->plan.count; i++) {
		if (await(meeting, i, since_ns, err))
			return -1;
		snprintf(
		    meeting->hosts[i], HOST_NAME, "%s", meeting->seen.host);
		meeting->one_machine &=
		    strcmp(meeting->seen.machine, meeting->own.machine) == 0;
	}
	pthread_mutex_lock(&meeting->lock);
	meeting->own.one_machine = meeting->one_machine;
	meeting->own.begun = 1;
	pthread_mutex_unlock(&meeting->lock);
	return meeting_publish(meeting, err);
}

/* Answers a meeting that has not had a task.  1: it has begun. */
static int answer(struct meeting *meeting, struct error *err)
{
	const struct record *seen = &meeting->seen;

	if (seen->rank != 0 || seen->purpose != meeting->plan.purpose ||
	    (seen->meeting != meeting->number && seen->task > 0))
		return 0;
	if (seen->meeting == meeting->number)
		return seen->begun ? 1 : 0;
	pthread_mutex_lock(&meeting->lock);
	meeting->number = meeting->own.meeting = seen->meeting;
	pthread_mutex_unlock(&meeting->lock);
	return meeting_publish(meeting, err);
}

/* Waits until rank 0 has begun, and answers it meanwhile. */
static int await_leader(
    struct meeting *meeting, struct watched *leader, struct error *err)
{
	const uint64_t since_ns = clock_now(&clock_monotonic);
	const struct record *seen = &meeting->seen;
	int rc = 0;

	while (rc == 0) {
		const bool got = record_read(
		    (const char *)leader->path.data, &meeting->seen);

		rc = got ? answer(meeting, err) : 0;
		if (rc)
			break;
		leader->seen =
		    got && meeting->number && seen->meeting == meeting->number;
		if (leader->seen && seen->state == RECORD_FAILED)
			rc = watched_judge(leader, err);
		else if (got && is_other(leader, seen))
			rc = refuse_purpose(seen, err);
		else
			rc = may_wait(meeting, 0, since_ns, err);
		if (rc == 0)
			watched_pause(leader);
	}
	return rc;
}

static int follow(struct meeting *meeting, struct error *err)
{
	struct watched leader;
	int rc = watched_init(&leader, meeting, 0, PACE_END, err);

	if (rc == 0)
		rc = meeting_publish_as(meeting, true, err);
	if (rc == 0)
		rc = meeting_start_heart(meeting, err);
	if (rc == 0)
		rc = await_leader(meeting, &leader, err);
	watched_release(&leader);
	if (rc < 0)
		return -1;
	meeting->one_machine = meeting->seen.one_machine;
	snprintf(meeting->hosts[0], HOST_NAME, "%s", meeting->seen.host);
	return 0;
}

static int init(struct meeting *meeting, struct error *err)
{
	pthread_mutex_init(&meeting->lock, NULL);
	condition_init(&meeting->stopping);
	record_init(&meeting->own, &meeting->plan);
	meeting->hosts = calloc(meeting->plan.count, sizeof(*meeting->hosts));
	meeting->plan.dir = strdup(meeting->plan.dir);
	if (!meeting->hosts || !meeting->plan.dir)
		return error_memory(
		    err, meeting->plan.count * sizeof(*meeting->hosts));
	return 0;
}

struct meeting *meeting_join(const struct meeting_plan *plan, struct error *err)
{
	struct meeting *meeting;

	if (plan->count < 1 || plan->count > MEETING_RANKS ||
	    plan->rank >= plan->count) {
		error_set(err, ERROR_USAGE,
		    "--together is for 1 to %d processes, not rank %u of %u",
		    MEETING_RANKS, plan->rank, plan->count);
		return NULL;
	}
	meeting = memory_zeroed(sizeof(*meeting), err);
	if (!meeting)
		return NULL;
	meeting->plan = *plan;
	if (init(meeting, err) == 0 &&
	    (plan->rank ? follow(meeting, err) : lead(meeting, err)) == 0)
		return meeting;
	meeting_leave(meeting, err);
	return NULL;
}

/* ---- leaving ---- */

/* Have all the others gone, well or not?  They may be dead. */
static void await_leaving(struct meeting *meeting)
{
	const uint64_t until_ns =
	    clock_now(&clock_monotonic) + (uint64_t)LEAVE_S * 1000000000;
	struct error ignored = ERROR_INIT;

	for (unsigned i = 1; i < meeting->plan.count; i++) {
		struct watched watched;
		bool here =
		    *meeting->hosts[i] &&
		    watched_init(&watched, meeting, i, PACE_END, &ignored) == 0;

		if (!*meeting->hosts[i])
			continue; /* it never came */
		while (here && clock_now(&clock_monotonic) < until_ns) {
			here = watched_look(&watched) &&
			       meeting->seen.state == RECORD_HERE &&
			       !record_has_ended(
			           &meeting->seen, meeting->own.machine);
			if (here)
				watched_pause(&watched);
		}
		watched_release(&watched);
	}
}

/* Rank 0 removes the files of this meeting, at its end. */
static void remove_files(struct meeting *meeting)
{
	struct error ignored = ERROR_INIT;
	struct buf path = BUF_INIT;

	for (unsigned i = 0; i < meeting->plan.count; i++)
		if (meeting_path(meeting, i, &path, &ignored) == 0 &&
		    record_read((const char *)path.data, &meeting->seen) &&
		    meeting->seen.meeting == meeting->number)
			unlink((const char *)path.data);
	buf_release(&path);
}

/* Nobody has met this process, so nobody else removes its file. */
static void remove_own(const struct meeting *meeting)
{
	struct error ignored = ERROR_INIT;
	struct buf path = BUF_INIT;

	if (meeting_path(meeting, meeting->plan.rank, &path, &ignored) == 0)
		unlink((const char *)path.data);
	buf_release(&path);
}

static void release(struct meeting *meeting)
{
	pthread_cond_destroy(&meeting->stopping);
	pthread_mutex_destroy(&meeting->lock);
	free(meeting->hosts);
	free((char *)(uintptr_t)meeting->plan.dir);
	free(meeting);
}

void meeting_leave(struct meeting *meeting, const struct error *why)
{
	struct error ignored = ERROR_INIT;

	if (!meeting)
		return;
	meeting_stop_heart(meeting);
	meeting->own.state = why ? RECORD_FAILED : RECORD_LEFT;
	if (why)
		snprintf(meeting->own.why, sizeof(meeting->own.why), "%s",
		    why->text);
	/* The other process of its rank writes the file, and goes on. */
	if (meeting->plan.dir && meeting->hosts && !meeting->is_twice) {
		meeting_publish(meeting, &ignored);
		if (meeting->number == 0)
			remove_own(meeting);
		if (meeting->plan.rank == 0) {
			await_leaving(meeting);
			remove_files(meeting);
		}
	}
	release(meeting);
}
