/*
 * fixture.h - a result database for tests, filled from rows as profile would.
 */
#ifndef TEST_UNIT_FIXTURE_H
#define TEST_UNIT_FIXTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/db/results.h"
#include "lib/db/results_read.h"

struct grid;

enum { FIXTURE_RUNS = 64, FIXTURE_SAMPLES = 1000, FIXTURE_SCALE = 10 };

struct fixture {
	char *dir; /* scratch */
	char *path;
	struct results *results;
	int64_t session;
};

/*
 * A trial: one run for each rate.  What is 0 gets a common value: 2 threads,
 * done, equivalent, an epoch of FIXTURE_SAMPLES, CPU time of 1.5 cores.
 */
struct fixture_trial {
	const char *label; /* split, store and codec are taken from it */
	unsigned threads;
	enum cache_mode cache;
	double prep_s, storage_bytes;
	double cold[FIXTURE_RUNS]; /* samples/s of the runs' first epochs */
	double warm[FIXTURE_RUNS]; /* and of their second ones */
	enum trial_state state;
	enum equivalence equivalent;
	const char *bottleneck, *evidence, *message;
	double predicted; /* 0: not; so with the next two */
	double predicted_prep_s, predicted_storage_bytes;
	double resident_percent;
	const char *known_cold; /* "unknown"; NULL: not known */
	uint64_t cache_bytes;
	uint64_t rounds_ns;
	bool presto_only; /* no stock reader takes it */
};

/* A new database with one session, of pipeline "photos". */
void fixture_open(struct fixture *fixture);
/* Another session; `limits` may be NULL. */
void fixture_session(
    struct fixture *fixture, const struct storage_limits *limits);
void fixture_add(struct fixture *fixture, const struct fixture_trial *trial);
/*
 * A trial of 2 threads that is as it says; its strategy is prepared if there
 * is a preparation.
 */
void fixture_store(struct fixture *fixture, const char *label,
    const struct preparation_row *preparation, const struct trial_row *trial);
void fixture_close(struct fixture *fixture);

/* What a view has of the last session. */
void fixture_read(
    struct fixture *fixture, enum results_view view, struct grid *grid);
/* Fails the test unless the number is as wanted, to a millionth; NAN: none. */
void fixture_near(
    const struct grid *grid, size_t row, const char *column, double want);

/*
 * A row of a report, as a CSV file might have it: 8 threads and done; a cache
 * of none, equivalent, and an interval that is the throughput alone, where it
 * does not say otherwise.  Store and codec are those of the label.
 */
struct fixture_row {
	const char *strategy;
	double throughput;
	double prep_s;
	double storage_bytes;
	double low, high, first_epoch;      /* 0: not there */
	double relative_low, relative_high; /* 0: not there */
	const char *equivalent, *cache, *portable, *fits_memory;
};

#define FIXTURE_ROW(name, samples_per_s, seconds, bytes)   \
	.strategy = (name), .throughput = (samples_per_s), \
	.prep_s = (seconds), .storage_bytes = (bytes)

/* A report of `rows`, which end with the first without a name. */
void fixture_report(
    struct grid *grid, const struct fixture_row *rows, double samples);

struct error;
struct ranking;
struct request;
struct sensitivity;

/* Makes these of the rows of a report, which outlive them. */
int fixture_rank(struct ranking *ranking, const struct grid *rows,
    const struct request *request, struct error *err);
int fixture_sensitivity(struct sensitivity *sensitivity,
    const struct grid *rows, const struct request *request, struct error *err);

/* The session's pipeline file. */
extern const char fixture_text[];

#endif
