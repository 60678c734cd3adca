/*
 * derived.h - rows that are computed from what was measured: the figures of
 * trials and runs, and the ranking (derived.sql).
 *
 * lib/db knows when they have to be computed and where they are stored; how, it
 * is told by results_set_rule, since a ranking is a matter of strategies
 * (strategies/decide/derive.h).  A rule has a version.  Derived rows of another
 * version count for nothing, and so do those of a session whose measured rows
 * were changed since, by any program: triggers see to that.
 *
 * A writer (results_open with `create`) stores derived rows in the file.  A
 * reader leaves the file alone: where rows are missing, it keeps the derived
 * rows of the sessions that it reads in temporary tables of its connection,
 * which the views then read.
 */
#ifndef LIB_DB_DERIVED_H
#define LIB_DB_DERIVED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error;
struct results;

struct results_rule {
	int version;
	/* Computes and sets the derived rows of a session, which has none. */
	int (*derive)(
	    struct results *results, int64_t session, struct error *err);
};

/* Lets results_read derive missing rows from now on.  `rule` is borrowed. */
void results_set_rule(struct results *results, const struct results_rule *rule);

/*
 * Computes missing rows of a session (0: of all sessions). results_read calls
 * it, and a writer after it has stored something.  Without a rule: nothing.
 */
int results_derive(struct results *results, int64_t session, struct error *err);
/* Computes the derived rows of all sessions anew; *count sessions. */
int results_rebuild(struct results *results, size_t *count, struct error *err);

/* ---- rows that a rule sets; NAN is stored as NULL ---- */

/* The columns of the table `figure` in its order; derived.sql explains them,
 * and migrate.c the last. */
struct trial_figures {
	int64_t trial;
	double runs, samples, peak_rss_bytes;
	double steady_samples, wall_ns, cpu_ns, bytes_read;
	double resident_percent, others_percent;
	double figures, throughput, low, high, outliers;
	double first_samples_per_s, first_batch_ns;
	double full_prep_s, full_storage_bytes, fits, full_samples_per_s;
	double relative_low, relative_high;
	double traced_samples, phases_ns, steps_cpu_ns;
	double fetch_cpu_ns, decode_cpu_ns, steps_phase_cpu_ns, batch_cpu_ns;
	double fetch_ns, reads, opens;
	double drift; /* 0 or 1 */
	double first_low, first_high;
	/* Several processes: NAN where one was alone. */
	double hosts, total_samples_per_s, total_mb_per_s;
	double slowest_samples_per_s, knee_hosts;
};

/* Figures with every column NAN. */
struct trial_figures trial_figures_unknown(int64_t trial);
int results_set_figures(struct results *results,
    const struct trial_figures *figures, struct error *err);

/*
 * Stores the rates that the trials of a session saw (v_evidence_seen), by their
 * figures, which are there.
 */
int results_set_seen(
    struct results *results, int64_t session, struct error *err);

/* The columns of `run_figure`. */
struct run_figures {
	int64_t trial;
	unsigned run;
	double samples_per_s, reference_ns, started_ns;
	double own_cores, others_cores;
	bool is_outlier;
};

int results_set_run_figures(struct results *results,
    const struct run_figures *figures, struct error *err);

/* The columns of `ranking`. */
struct rank_row {
	int64_t trial;
	double score, rank, tied, place, break_even_epochs;
};

int results_set_rank(
    struct results *results, const struct rank_row *row, struct error *err);

#endif
