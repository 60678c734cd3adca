/* trial_figures.c - see trial_figures.h. */
#include "strategies/decide/trial_figures.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/db/measured.h"
#include "lib/stats/statistics.h"

void run_list_release(struct run_list *list)
{
	free(list->runs);
	*list = (struct run_list)RUN_LIST_INIT;
}

static bool counts(const struct measured_epoch *epoch)
{
	return !epoch->is_warmup && epoch->wall_ns > 0;
}

static bool is_cold(
    const struct measured_trial *trial, const struct measured_epoch *epoch)
{
	return trial->cache == CACHE_NONE || epoch->epoch == 1;
}

static bool is_steady(
    const struct measured_trial *trial, const struct measured_epoch *epoch)
{
	return counts(epoch) &&
	       (trial->cache == CACHE_NONE || epoch->epoch > 1);
}

static bool is_first(
    const struct measured_trial *trial, const struct measured_epoch *epoch)
{
	UNUSED(trial);
	return counts(epoch) && epoch->epoch == 1;
}

/* Adds what is known; a sum of nothing that is known is unknown. */
static void add(double *sum, double value)
{
	if (!isnan(value))
		*sum = isnan(*sum) ? value : *sum + value;
}

/* ---- sums over the epochs ---- */

static void set_sums(
    const struct measured_trial *trial, struct trial_figures *figures)
{
	double others_ns = NAN, observed_ns = NAN;
	unsigned last = 0, runs = 0;

	for (size_t i = 0; i < trial->epoch_count; i++) {
		const struct measured_epoch *e = &trial->epochs[i];

		if (!counts(e))
			continue;
		runs += e->run != last;
		last = e->run;
		figures->samples = fmax(figures->samples, e->samples);
		figures->peak_rss_bytes =
		    fmax(figures->peak_rss_bytes, e->peak_rss_bytes);
		if (is_cold(trial, e))
			figures->resident_percent = fmax(
			    figures->resident_percent, e->resident_percent);
		if (!is_steady(trial, e))
			continue;
		add(&figures->steady_samples, e->samples);
		add(&figures->wall_ns, e->wall_ns);
		add(&figures->cpu_ns, e->cpu_ns);
		add(&figures->bytes_read, e->bytes_read);
		add(&others_ns, e->others_ns);
		if (!isnan(e->others_ns))
			add(&observed_ns, e->wall_ns);
	}
	if (runs)
		figures->runs = runs;
	/* The time of others is a difference of clocks: it may be below 0. */
	if (!isnan(others_ns))
		figures->others_percent =
		    1e2 * fmax(others_ns, 0) / observed_ns;
}

/* ---- runs ---- */

/* The reference workload is timed before a run, and before its warm-ups. */
static double reference_of(const struct measured_trial *trial, unsigned run)
{
	double sum = NAN;
	unsigned count = 0;

	for (size_t i = 0; i < trial->epoch_count; i++) {
		const struct measured_epoch *e = &trial->epochs[i];

		if (e->run != run || isnan(e->reference_ns))
			continue;
		add(&sum, e->reference_ns);
		count++;
	}
	return sum / count;
}

typedef bool is_taken(
    const struct measured_trial *trial, const struct measured_epoch *epoch);

/* From the i-th epoch, which is taken, to the last of its run. */
static struct run_figures figures_of_run(
    const struct measured_trial *trial, size_t i, is_taken *taken)
{
	const unsigned run = trial->epochs[i].run;
	double samples = 0, wall_ns = 0, cpu_ns = 0, others_ns = NAN;
	double started_ns = NAN;

	for (; i < trial->epoch_count; i++) {
		const struct measured_epoch *e = &trial->epochs[i];

		if (e->run != run || !taken(trial, e))
			continue;
		samples += e->samples;
		wall_ns += e->wall_ns;
		cpu_ns += e->cpu_ns;
		started_ns = fmin(started_ns, e->started_ns);
		add(&others_ns,
		    e->others_ns + (isnan(e->stolen_ns) ? 0 : e->stolen_ns));
	}
	return (struct run_figures){
		.trial = trial->id,
		.run = run,
		.samples_per_s = 1e9 * samples / wall_ns,
		.reference_ns = reference_of(trial, run),
		.started_ns = started_ns,
		.own_cores = cpu_ns / wall_ns,
		.others_cores = others_ns / wall_ns,
	};
}

static int list_runs(const struct measured_trial *trial, is_taken *taken,
    struct run_list *list, struct error *err)
{
	list->count = 0;
	for (size_t i = 0; i < trial->epoch_count; i++) {
		struct run_figures *grown;

		if (!taken(trial, &trial->epochs[i]) ||
		    (list->count && list->runs[list->count - 1].run ==
		                        trial->epochs[i].run))
			continue;
		grown = array_grow(list->runs, &list->capacity, list->count + 1,
		    sizeof(*grown), err);
		if (!grown)
			return -1;
		list->runs = grown;
		grown[list->count++] = figures_of_run(trial, i, taken);
	}
	return 0;
}

/* ---- figures that are no sums ---- */

static int set_throughput(
    struct trial_figures *figures, struct run_list *list, struct error *err)
{
	const size_t n = list->count;
	double *rates = malloc((n + 1) * sizeof(*rates));
	bool *is_outlier = malloc((n + 1) * sizeof(*is_outlier));
	size_t outliers = 0;
	int rc;

	if (!rates || !is_outlier) {
		free(rates);
		free(is_outlier);
		return error_memory(err, n * sizeof(*rates));
	}
	for (size_t i = 0; i < n; i++)
		rates[i] = list->runs[i].samples_per_s;
	rc = outliers_mark(rates, n, is_outlier, err);
	for (size_t i = 0; rc == 0 && i < n; i++) {
		list->runs[i].is_outlier = is_outlier[i];
		outliers += is_outlier[i];
	}
	figures->figures = (double)n;
	figures->throughput = median_of(rates, n);
	figures->outliers = (double)outliers;
	free(is_outlier);
	free(rates);
	return rc;
}

/* Medians over the first epochs: what a job sees when it starts. */
static int set_first(const struct measured_trial *trial,
    struct trial_figures *figures, struct error *err)
{
	const size_t most = trial->epoch_count;
	double *rates = malloc((2 * most + 1) * sizeof(*rates));
	double *batches;
	size_t n = 0;

	if (!rates)
		return error_memory(err, 2 * most * sizeof(*rates));
	batches = rates + most;
	for (size_t i = 0; i < most; i++) {
		const struct measured_epoch *e = &trial->epochs[i];

		if (!is_first(trial, e))
			continue;
		rates[n] = 1e9 * e->samples / e->wall_ns;
		batches[n++] = e->first_batch_ns;
	}
	figures->first_batch_ns = median_of(batches, n);
	figures->first_samples_per_s = median_of(rates, n);
	free(rates);
	return 0;
}

static void set_traced(
    const struct measured_trial *trial, struct trial_figures *figures)
{
	const struct measured_phase *phases = trial->phases;
	const struct measured_phase *batch = &phases[PHASE_BATCH];

	figures->steps_cpu_ns = trial->steps_cpu_ns;
	for (unsigned i = 0; i < PHASE_COUNT; i++)
		if (phases[i].is_known)
			add(&figures->phases_ns, phases[i].wall_ns);
	if (isnan(figures->phases_ns))
		return;
	/* A phase that is not there took nothing. */
	if (batch->is_known)
		figures->traced_samples = batch->calls;
	figures->fetch_cpu_ns =
	    phases[PHASE_OPEN].cpu_ns + phases[PHASE_READ].cpu_ns;
	figures->decode_cpu_ns =
	    phases[PHASE_DECOMPRESS].cpu_ns + phases[PHASE_PARSE].cpu_ns;
	figures->steps_phase_cpu_ns = phases[PHASE_STEPS].cpu_ns;
	figures->batch_cpu_ns = batch->cpu_ns;
	figures->fetch_ns =
	    phases[PHASE_OPEN].wall_ns + phases[PHASE_READ].wall_ns;
	figures->reads = phases[PHASE_READ].calls;
	figures->opens = phases[PHASE_OPEN].calls;
}

/* ---- the full dataset ---- */

/* NAN: not known. */
static double ratio(double a, double b)
{
	return b > 0 || b < 0 ? a / b : NAN;
}

/* Bytes that are stored as they came are known of all samples. */
static double storage_scale(
    const struct measured_session *s, const struct measured_trial *trial)
{
	/* source_bytes are those of the samples of the session. */
	if (trial->is_as_it_came && s->source_bytes > 0 && s->total_bytes > 0 &&
	    trial->source_samples >= s->samples)
		return ratio(s->total_bytes / s->source_bytes * s->full_samples,
		    s->total_samples);
	return ratio(s->full_samples, trial->source_samples);
}

static void set_full(const struct measured_session *session,
    const struct measured_trial *trial, struct trial_figures *figures)
{
	const double scale =
	    ratio(session->full_samples, trial->source_samples);
	const double storage =
	    trial->storage_bytes * storage_scale(session, trial);
	const double kept = trial->cache == CACHE_APPLICATION
	                        ? trial->cache_bytes * scale
	                        : storage;

	figures->full_prep_s = trial->prep_s * scale;
	figures->full_storage_bytes = floor(storage + 0.5);
	if (!isnan(kept) && !isnan(session->memory_bytes))
		figures->fits = kept <= session->memory_bytes;
}

int trial_figures_compute(const struct measured_session *session,
    const struct measured_trial *trial, struct trial_figures *figures,
    struct run_list *runs, struct error *err)
{
	*figures = trial_figures_unknown(trial->id);
	set_sums(trial, figures);
	set_traced(trial, figures);
	set_full(session, trial, figures);
	if (set_first(trial, figures, err) ||
	    list_runs(trial, is_steady, runs, err))
		return -1;
	return runs->count ? set_throughput(figures, runs, err) : 0;
}

int trial_first_epochs(const struct measured_trial *trial,
    struct run_list *firsts, struct error *err)
{
	return list_runs(trial, is_first, firsts, err);
}
