/*
 * user_loader.h - the loader of the user's own training program, which a
 * session measures beside presto's strategies as `yours`.
 *
 * It is a Python function that returns an iterable of batches.  A child process
 * runs it (user_loader.py), in a process group of its own, with
 * the interpreter of [python]; presto asks it for epochs.  The group ends with
 * presto, also when that is killed.  What it prints does not appear; the last
 * line of its stderr does if it dies.
 */
#ifndef STRATEGIES_TRIAL_USER_LOADER_H
#define STRATEGIES_TRIAL_USER_LOADER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "lib/python/settings.h"

struct error;
struct ini;
struct run_row;

struct user_loader_plan {
	const char *given; /* "my.py:make_loader"; the ini's; NULL: none */
	/* Owned.  file: the resolved path; else a module, as given. */
	char *file, *function;
	struct python_settings python; /* owned */
	const char *dataset;     /* path for the function; borrowed, or NULL */
	uint64_t most_samples;   /* an epoch with more does not end; 0: any */
	double timeout_s;        /* the longest without word from it */
	bool takes_threads;      /* user_loader_look sets it */
	const atomic_bool *stop; /* set: ERROR_INTERRUPTED; may be NULL */
};

#define USER_LOADER_PLAN_INIT \
	{                     \
		.given = NULL \
	}

/*
 * Reads `loader` of [measure] and `interpreter` of [python].  Without a loader,
 * `given` stays NULL.  ERROR_USAGE names the place of the key.
 */
int user_loader_read(
    struct user_loader_plan *plan, const struct ini *ini, struct error *err);
/*
 * Imports the file and finds the function, so that mistakes are found before
 * anything is measured (ERROR_USAGE).
 */
int user_loader_look(struct user_loader_plan *plan, struct error *err);
/* Hashes what it is: how it was given, and the bytes of its file. */
uint64_t user_loader_hash(const struct user_loader_plan *plan, uint64_t seed);
void user_loader_release(struct user_loader_plan *plan);

struct user_loader;

/*
 * Starts a child and calls the function.  A parameter `batch_size` gets
 * `batch`, `num_workers` or `threads` gets `threads`, and `path` or `root` gets
 * the dataset.
 */
struct user_loader *user_loader_open(const struct user_loader_plan *plan,
    unsigned batch, unsigned threads, struct error *err);
void user_loader_close(struct user_loader *loader); /* NULL is fine */

/*
 * Runs an epoch: sets what is known of it in the row, by the clocks of its
 * process group.  The time is that of the whole loop, with starting its own
 * workers if it does so in every epoch.
 */
int user_loader_epoch(
    struct user_loader *loader, struct run_row *row, struct error *err);

#endif
