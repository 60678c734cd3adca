/*
 * measured.h - the measured rows of a session, typed: derived rows (derived.h)
 * are computed from these.
 *
 * Numbers that may be unknown are doubles, NAN when they are.  They are whole
 * in the database and below 2^53.
 */
#ifndef LIB_DB_MEASURED_H
#define LIB_DB_MEASURED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/db/results.h"
#include "lib/measure/phase.h"

struct error;

struct measured_epoch {
	unsigned run, epoch; /* from 1 */
	bool is_warmup;
	double wall_ns, first_batch_ns;
	double samples;
	double cpu_ns;
	double bytes_read; /* from storage; else, what was asked for */
	double resident_percent;
	double peak_rss_bytes;
	double started_ns;
	double others_ns, stolen_ns;
	double reference_ns;
};

struct measured_phase { /* sums over threads */
	double wall_ns, cpu_ns, calls;
	bool is_known;
};

struct measured_trial {
	int64_t id, strategy;
	unsigned threads;
	enum cache_mode cache;
	/* Numbers that tell it apart, too; `chosen`: bits of enum load_key. */
	unsigned fetchers, read_ahead, shuffle, batch, chosen;
	bool is_done;
	bool is_unprocessed;
	bool is_as_it_came; /* stored without a step: unprocessed or raw */
	/* Equivalent to `unprocessed`, or not checked; not so for `yours`. */
	bool has_same_data;
	bool is_readable;      /* by the reader that the session is for */
	double source_samples; /* taken from the source */
	double prep_s, storage_bytes, cache_bytes;
	uint64_t rounds_ns; /* 0: not known */
	double steps_cpu_ns;
	const struct measured_epoch *epochs; /* by run and epoch */
	size_t epoch_count;
	struct measured_phase phases[PHASE_COUNT];
};

struct measured_session {
	int64_t id;
	double samples, total_samples, full_samples;
	double source_bytes, total_bytes;
	double memory_bytes; /* usable; NAN: not known */
	bool is_emulated;
	struct measured_trial *trials; /* owned; by strategy and id */
	size_t trial_count;
	struct measured_epoch *epochs; /* owned; those of all trials */
};

#define MEASURED_SESSION_INIT  \
	{                      \
		.trials = NULL \
	}

/* Reads all of a session; release it also after an error. */
int measured_read(struct results *results, int64_t session,
    struct measured_session *measured, struct error *err);
void measured_release(struct measured_session *measured);

#endif
