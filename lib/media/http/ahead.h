/*
 * ahead.h - threads that read ahead; for use in lib/media/http only.
 *
 * They are started as jobs come in that no idle thread takes, up to
 * AHEAD_THREADS, and end with the pool.  What all jobs together hold in memory
 * is bounded by AHEAD_BYTES.
 */
#ifndef LIB_MEDIA_HTTP_AHEAD_H
#define LIB_MEDIA_HTTP_AHEAD_H

#include <stdbool.h>
#include <stddef.h>

struct ahead;
struct error;

enum { AHEAD_THREADS = 32, AHEAD_BYTES = 256 << 20 };

/* The first member of the caller's struct of a job. */
struct ahead_job {
	void (*run)(struct ahead_job *job); /* may free the job */
	struct ahead_job *next;
};

struct ahead *ahead_new(struct error *err);
/* Runs what is left, and ends the threads; NULL is fine. */
void ahead_free(struct ahead *ahead);
/* Hands a job over; false: no thread can be started. */
bool ahead_push(struct ahead *ahead, struct ahead_job *job);
/* Takes bytes from the budget; false: there are not so many. */
bool ahead_reserve(struct ahead *ahead, size_t bytes);
void ahead_return(struct ahead *ahead, size_t bytes);

#endif
