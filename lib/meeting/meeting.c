/*
 * meeting.c - see meeting.h: tasks and exchanges.
 *
 * Rank 0 tells no task before all have done the last one.  So the steps of its
 * exchanges can be counted anew in each task, and two shares are enough: a rank
 * that gives its third one has seen all give their second, so all have taken
 * its first.
 */
#include "lib/meeting/meeting.h"

#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/meeting/state.h"

/* Has the rank come as far as is waited for? */
typedef bool has_come(const struct record *seen, uint64_t task, uint64_t step);

static bool has_done(const struct record *seen, uint64_t task, uint64_t step)
{
	UNUSED(step);
	return seen->done >= task;
}

static bool has_told(const struct record *seen, uint64_t task, uint64_t step)
{
	UNUSED(step);
	return seen->task >= task;
}

static bool has_given(const struct record *seen, uint64_t task, uint64_t step)
{
	const struct record_share *share = &seen->shares[step % 2];

	return share->task == task && share->step == step;
}

/* Waits for a rank; its record is then in meeting->seen. */
static int wait_for(struct meeting *meeting, unsigned rank, has_come *come,
    enum pace pace, struct error *err)
{
	struct watched watched;
	int rc = watched_init(&watched, meeting, rank, pace, err);

	while (rc == 0) {
		if (watched_look(&watched) &&
		    come(&meeting->seen, meeting->task, meeting->step))
			break;
		rc = watched_judge(&watched, err);
		if (rc == 0)
			watched_pause(&watched);
	}
	watched_release(&watched);
	return rc;
}

unsigned meeting_rank(const struct meeting *meeting)
{
	return meeting->plan.rank;
}

unsigned meeting_count(const struct meeting *meeting)
{
	return meeting->plan.count;
}

const char *meeting_host(const struct meeting *meeting, unsigned rank)
{
	return meeting->hosts[rank];
}

bool meeting_is_one_machine(const struct meeting *meeting)
{
	return meeting->one_machine;
}

int meeting_tell(
    struct meeting *meeting, const void *task, size_t len, struct error *err)
{
	for (unsigned i = 1; i < meeting->plan.count; i++)
		if (wait_for(meeting, i, has_done, PACE_END, err))
			return -1;
	pthread_mutex_lock(&meeting->lock);
	meeting->own.task = ++meeting->task;
	memset(meeting->own.text, 0, sizeof(meeting->own.text));
	memcpy(meeting->own.text, task, len);
	pthread_mutex_unlock(&meeting->lock);
	meeting->step = 0;
	return meeting_publish(meeting, err);
}

int meeting_hear(
    struct meeting *meeting, void *task, size_t len, struct error *err)
{
	meeting->task++;
	meeting->step = 0;
	if (wait_for(meeting, 0, has_told, PACE_TASK, err))
		return -1;
	memcpy(task, meeting->seen.text, len);
	return 0;
}

int meeting_done(struct meeting *meeting, struct error *err)
{
	pthread_mutex_lock(&meeting->lock);
	meeting->own.done = meeting->task;
	pthread_mutex_unlock(&meeting->lock);
	return meeting_publish(meeting, err);
}

int meeting_exchange(struct meeting *meeting, unsigned among, const void *mine,
    size_t len, void *all, struct error *err)
{
	const uint64_t step = ++meeting->step;
	struct record_share *share = &meeting->own.shares[step % 2];

	pthread_mutex_lock(&meeting->lock);
	share->task = meeting->task;
	share->step = step;
	if (len > 0)
		memcpy(share->bytes, mine, len);
	pthread_mutex_unlock(&meeting->lock);
	if (meeting_publish(meeting, err))
		return -1;
	for (unsigned i = 0; i < among; i++) {
		unsigned char *to = len ? (unsigned char *)all + i * len : NULL;

		if (i == meeting->plan.rank) {
			if (len > 0)
				memcpy(to, mine, len);
			continue;
		}
		if (wait_for(meeting, i, has_given, len ? PACE_END : PACE_BEGIN,
		        err))
			return -1;
		if (len > 0)
			memcpy(to, meeting->seen.shares[step % 2].bytes, len);
	}
	return 0;
}
