/* request.c - see request.h: a request with its retries. */
#include "lib/media/http/request.h"

#include <inttypes.h>
#include <stdio.h>

#include "lib/base/array.h"
#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/files/url.h"
#include "lib/media/http/answer.h"
#include "lib/media/http/pool.h"
#include "lib/media/http/retry.h"
#include "lib/media/http/transfer.h"

enum { ASKED_MOST = 8, NAP_NS = 50000000 };

struct run {
	struct http_pool *pool;
	struct http_request *request;
	struct http_response *response;
	unsigned tries;        /* attempts so far */
	unsigned asked;        /* calls of the request's refused */
	unsigned contradicted; /* attempts that contradicted themselves */
	unsigned slow;         /* attempts below the least rate */
	uint64_t began_ns;     /* when the first attempt began */
	uint64_t good_ns;      /* then, or of the last good bytes */
};

enum step { STEP_DONE, STEP_AGAIN, STEP_AT_ONCE, STEP_FAILED };

static bool stops(void *arg)
{
	const struct run *run = arg;
	const atomic_bool *stop = run->request->stop;

	return http_pool_stops(run->pool) ||
	       (stop && atomic_load_explicit(stop, memory_order_relaxed));
}

/* Puts the URL in front, and how often it was tried behind. */
static int name_failure(const struct run *run, struct error *err)
{
	const uint64_t took = clock_now(&clock_monotonic) - run->began_ns;
	char text[URL_TEXT], tries[64];

	if (run->tries > 1) {
		snprintf(tries, sizeof(tries), "tried %u times in %.1f s",
		    run->tries, (double)took / 1e9);
		error_advise(err, tries);
	}
	return error_prefix(err, "%s", url_text(run->request->url, text));
}

/* Describes a status that is an error. */
static int set_status(const struct run *run, struct error *err)
{
	const long status = run->response->status;
	const char *words = answer_words(status);

	return error_set(err, ERROR_SYSTEM, "status %ld%s%s", status,
	    *words ? ", " : "", words);
}

static bool is_taken(const struct run *run)
{
	const struct http_request *request = run->request;
	const long status = run->response->status;

	return (status >= 200 && status < 300) ||
	       (status == 404 && request->takes_missing) ||
	       (status == 416 && request->takes_bad_range) ||
	       (status == 412 && request->takes_failed_precondition);
}

/* Decides on a status that is not taken. */
static enum step judge_status(struct run *run, struct error *err)
{
	struct http_request *request = run->request;
	int rc = 0;

	if (request->refused && run->asked < ASKED_MOST)
		rc = request->refused(request->refused_arg, ++run->asked,
		    request, run->response, err);
	if (rc > 0)
		return STEP_AT_ONCE;
	if (rc < 0)
		return STEP_FAILED;
	set_status(run, err);
	return retry_status(run->response->status) ? STEP_AGAIN : STEP_FAILED;
}

/* Performs one attempt; `err` says what failed, but not where. */
static enum step attempt(
    struct run *run, enum transfer_end *how, struct error *err)
{
	struct attempt attempt = {
		.request = run->request,
		.response = run->response,
		.stops = stops,
		.stops_arg = run,
	};
	struct transfer *transfer;
	enum transfer_end end;

	if (!run->request->outlasts_stop && stops(run)) {
		error_set(err, ERROR_INTERRUPTED, "interrupted");
		return STEP_FAILED;
	}
	transfer = http_pool_take(run->pool, err);
	if (!transfer)
		return STEP_FAILED;
	end = transfer_run(transfer, &attempt, err);
	http_pool_give(run->pool, transfer, end == TRANSFER_FAILED);
	http_pool_count(run->pool, attempt.bytes);
	run->tries++;
	run->response->attempts = run->tries;
	run->contradicted += end == TRANSFER_CONTRADICTED;
	run->slow += end == TRANSFER_SLOW;
	if (attempt.bytes > 0)
		run->good_ns = clock_now(&clock_monotonic);
	*how = end;
	if (run->response->status > 0)
		http_pool_note(run->pool, run->request->url);
	if (end == TRANSFER_FAILED || end == TRANSFER_STOPPED)
		return STEP_FAILED;
	if (end != TRANSFER_DONE)
		return STEP_AGAIN;
	return is_taken(run) ? STEP_DONE : judge_status(run, err);
}

/* Sleeps, but for an interrupt. */
static void sleep_for(struct run *run, uint64_t ns)
{
	const uint64_t until = clock_now(&clock_monotonic) + ns;
	uint64_t now = clock_now(&clock_monotonic);

	while (now < until && (run->request->outlasts_stop || !stops(run))) {
		clock_sleep_until(until - now > NAP_NS ? now + NAP_NS : until);
		now = clock_now(&clock_monotonic);
	}
}

/* Would a request that outlasts an interrupt do so for too long? */
static bool lasts_too_long(struct run *run, int64_t wait_ns)
{
	const uint64_t took = clock_now(&clock_monotonic) - run->began_ns;

	return run->request->outlasts_stop && stops(run) &&
	       took + (uint64_t)wait_ns > (uint64_t)HTTP_LAST_MS * 1000000;
}

/* Waits for the next attempt; false: there is none. */
static bool wait_for_next(
    struct run *run, enum transfer_end how, struct error *err)
{
	const struct retry retry = {
		.tries = run->tries,
		.is_connecting = how == TRANSFER_NO_CONNECTION,
		.is_contradicted = how == TRANSFER_CONTRADICTED &&
		                   run->contradicted >= RETRY_CONTRADICTED,
		.is_slow = how == TRANSFER_SLOW && run->slow >= RETRY_SLOW,
		.is_known = http_pool_knows(run->pool, run->request->url),
		.silent_ns = clock_now(&clock_monotonic) - run->good_ns,
		.after_s = run->response->retry_after_s,
	};
	const int64_t wait =
	    run->request->retries
	        ? retry_wait_ns(&retry, http_pool_random(run->pool))
	        : -1;
	char advice[96];

	if (wait >= 0 && !lasts_too_long(run, wait)) {
		sleep_for(run, (uint64_t)wait);
		return true;
	}
	if (retry.after_s > 0) {
		snprintf(advice, sizeof(advice),
		    "the server asks to wait %" PRId64 " s", retry.after_s);
		error_advise(err, advice);
	}
	return false;
}

int http_perform(struct http_pool *pool, struct http_request *request,
    struct http_response *response, struct error *err)
{
	const uint64_t now = clock_now(&clock_monotonic);
	struct run run = {
		.pool = pool,
		.request = request,
		.response = response,
		.began_ns = now,
		.good_ns = now,
	};
	enum transfer_end how = TRANSFER_DONE;
	struct error why = ERROR_INIT; /* also of attempts that are repeated */
	enum step step;

	do {
		step = attempt(&run, &how, &why);
		if (step == STEP_AGAIN && !wait_for_next(&run, how, &why))
			step = STEP_FAILED;
	} while (step == STEP_AGAIN || step == STEP_AT_ONCE);
	if (step == STEP_DONE)
		return 0;
	*err = why;
	return name_failure(&run, err);
}

void http_response_release(struct http_response *response)
{
	buf_release(&response->body);
	*response = (struct http_response)HTTP_RESPONSE_INIT;
}
