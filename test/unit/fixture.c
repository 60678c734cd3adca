/* fixture.c - see fixture.h. */
#include "test/unit/fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/db/grid.h"
#include "lib/db/results_read.h"
#include "lib/db/results_write.h"
#include "strategies/decide/derive.h"
#include "strategies/decide/rank.h"
#include "strategies/decide/sensitivity.h"
#include "test/unit/test.h"

const char fixture_text[] = "[dataset]\n"
                            "source = folder\n"
                            "\n"
                            "[pipeline]\n"
                            "decoded = jpeg_decode\n"
                            "resized = resize shorter=256\n"
                            "centered = center\n"
                            "cropped = random_crop size=224\n";

void fixture_session(
    struct fixture *fixture, const struct storage_limits *limits)
{
	struct error err = ERROR_INIT;
	struct session_info info = {
		.pipeline = "photos",
		.path = "conf/photos.conf",
		.text = fixture_text,
		.fingerprint = "f00d",
		.code = "own: mine.py 0123\n",
		.dataset = "data/photos",
		.work_dir = "work/1",
		.samples = FIXTURE_SAMPLES,
		.total_samples = FIXTURE_SAMPLES * 2,
		.full_samples = FIXTURE_SAMPLES * FIXTURE_SCALE,
		.seed = 1,
		.batch = 64,
		.machine = { .cpu = "A CPU",
		    .cores = 4,
		    .memory_bytes = 16000000000,
		    .kernel = "Linux 6.1",
		    .compiler = "gcc 12",
		    .libraries = "zstd 1.5.4" },
		.source_fs = "ext4 on /dev/vda",
		.work_fs = "ext4 on /dev/vdb",
	};

	if (limits)
		info.limits = *limits;
	test_ok(results_begin_session(
	            fixture->results, &info, &fixture->session, &err),
	    &err);
}

void fixture_open(struct fixture *fixture)
{
	struct error err = ERROR_INIT;

	fixture->dir = test_scratch();
	fixture->path = test_path(fixture->dir, "presto.db");
	fixture->results = derive_open(fixture->path, true, &err);
	test_ok(fixture->results ? 0 : -1, &err);
	fixture_session(fixture, NULL);
}

void fixture_close(struct fixture *fixture)
{
	results_close(fixture->results);
	free(fixture->path);
	test_scratch_remove(fixture->dir);
}

static int64_t add_strategy(
    struct fixture *fixture, const struct fixture_trial *trial)
{
	struct error err = ERROR_INIT;
	char split[RESULTS_LABEL] = "", store[RESULTS_WORD] = "";
	char codec[RESULTS_WORD] = "";
	int64_t strategy = 0;
	struct strategy_row row = {
		.label = trial->label,
		.order = "",
		.split = split,
		.store = store,
		.codec = codec,
		.portable = !trial->presto_only,
		.readable = !trial->presto_only,
		.predicted_prep_s =
		    trial->predicted_prep_s > 0 ? trial->predicted_prep_s : -1,
		.predicted_storage_bytes = trial->predicted_storage_bytes > 0
		                               ? trial->predicted_storage_bytes
		                               : -1,
	};
	struct preparation_row preparation = {
		.wall_ns = (uint64_t)(trial->prep_s * 1e9),
		.storage_bytes = (uint64_t)trial->storage_bytes,
		.samples = FIXTURE_SAMPLES,
		.equivalent = trial->equivalent,
	};

	sscanf(trial->label, "%127[^/]/%63[^/]/%63s", split, store, codec);
	row.shards = *store ? 2 : 0;
	test_ok(results_add_strategy(
	            fixture->results, fixture->session, &row, &strategy, &err),
	    &err);
	test_ok(results_set_preparation(
	            fixture->results, strategy, &preparation, &err),
	    &err);
	return strategy;
}

static struct run_row make_run(
    const struct fixture_trial *trial, unsigned run, unsigned epoch)
{
	const double rate =
	    epoch == 1 ? trial->cold[run - 1] : trial->warm[run - 1];
	const uint64_t wall_ns = (uint64_t)(1e9 * FIXTURE_SAMPLES / rate + 0.5);

	return (struct run_row){
		.run = run,
		.epoch = epoch,
		.wall_ns = wall_ns,
		.first_batch_ns = wall_ns / 100,
		.samples = FIXTURE_SAMPLES,
		.user_ns = wall_ns,
		.system_ns = wall_ns / 2,
		.bytes_fetched = (uint64_t)trial->storage_bytes,
		.bytes_from_storage =
		    epoch == 1 ? (int64_t)trial->storage_bytes / 2 : 0,
		.resident_percent = epoch == 1 ? trial->resident_percent : -1,
		.peak_rss_bytes = 50000000 + run,
	};
}

void fixture_add(struct fixture *fixture, const struct fixture_trial *trial)
{
	static const struct step_row steps[] = {
		{ .name = "parse",
		    .step = "parse",
		    .cpu_ns = 1000000,
		    .samples = FIXTURE_SAMPLES },
		{ .name = "decoded",
		    .step = "jpeg_decode",
		    .cpu_ns = 9000000,
		    .samples = FIXTURE_SAMPLES },
	};
	struct run_row runs[2 * FIXTURE_RUNS];
	struct error err = ERROR_INIT;
	struct trial_row row = {
		.threads = trial->threads ? trial->threads : 2,
		.cache = trial->cache,
		.state = trial->state,
		.message = trial->message,
		.bottleneck = trial->bottleneck,
		.evidence = trial->evidence,
		.predicted_samples_per_s = trial->predicted,
		.cache_bytes = trial->cache_bytes,
		.rounds_ns = trial->rounds_ns,
		.cold = trial->known_cold,
		.runs = runs,
		.steps = steps,
		.step_count = trial->cold[0] > 0 ? 2 : 0,
	};

	for (unsigned i = 0; i < FIXTURE_RUNS; i++) {
		if (trial->cold[i] > 0)
			runs[row.run_count++] = make_run(trial, i + 1, 1);
		if (trial->warm[i] > 0)
			runs[row.run_count++] = make_run(trial, i + 1, 2);
	}
	test_ok(results_add_trial(
	            fixture->results, add_strategy(fixture, trial), &row, &err),
	    &err);
}

void fixture_store(struct fixture *fixture, const char *label,
    const struct preparation_row *preparation, const struct trial_row *trial)
{
	const struct strategy_row row = {
		.label = label,
		.split = label,
		.portable = true,
		.readable = true,
	};
	struct trial_row with = *trial;
	struct error err = ERROR_INIT;
	int64_t strategy = 0;

	with.threads = 2;
	test_ok(results_add_strategy(
	            fixture->results, fixture->session, &row, &strategy, &err),
	    &err);
	if (preparation)
		test_ok(results_set_preparation(
		            fixture->results, strategy, preparation, &err),
		    &err);
	test_ok(
	    results_add_trial(fixture->results, strategy, &with, &err), &err);
}

void fixture_read(
    struct fixture *fixture, enum results_view view, struct grid *grid)
{
	struct error err = ERROR_INIT;

	test_ok(
	    results_read(fixture->results, view, fixture->session, grid, &err),
	    &err);
}

void fixture_near(
    const struct grid *grid, size_t row, const char *column, double want)
{
	const double got = grid_number(grid, row, column);

	if (isnan(got) != isnan(want) || fabs(got - want) > 1e-6 * fabs(want))
		fail_msg("row %zu: %s is %g, not %g", row, column, got, want);
}

void fixture_report(
    struct grid *grid, const struct fixture_row *rows, double samples)
{
	static const char *const columns[] = { "strategy", "cache", "status",
		"equivalent", "portable", "fits_memory", "split", "store",
		"codec", "threads", "samples", "throughput_samples_per_s",
		"throughput_low_samples_per_s", "throughput_high_samples_per_s",
		"first_epoch_samples_per_s", "prep_s", "storage_bytes",
		"relative_low", "relative_high" };
	struct error err = ERROR_INIT;

	for (size_t i = 0; i < ARRAY_LEN(columns); i++)
		test_ok(grid_add_column(grid, columns[i], &err), &err);
	for (const struct fixture_row *row = rows; row->strategy; row++) {
		char split[RESULTS_WORD] = "", store[RESULTS_WORD] = "";
		char codec[RESULTS_WORD] = "";
		const char *const texts[] = { row->strategy,
			row->cache ? row->cache : "none", "done",
			row->equivalent ? row->equivalent : "yes",
			row->portable ? row->portable : "",
			row->fits_memory ? row->fits_memory : "", split, store,
			codec };
		const double numbers[] = { 8, samples, row->throughput,
			row->low > 0 ? row->low : NAN,
			row->high > 0 ? row->high : NAN,
			row->first_epoch > 0 ? row->first_epoch : NAN,
			row->prep_s, row->storage_bytes,
			row->relative_low > 0 ? row->relative_low : NAN,
			row->relative_high > 0 ? row->relative_high : NAN };

		sscanf(
		    row->strategy, "%63[^/]/%63[^/]/%63s", split, store, codec);
		test_ok(grid_add_row(grid, &err), &err);
		for (size_t i = 0; i < ARRAY_LEN(texts); i++)
			test_ok(grid_set_text(grid, i, texts[i], &err), &err);
		for (size_t i = 0; i < ARRAY_LEN(numbers); i++)
			grid_set_real(grid, ARRAY_LEN(texts) + i, numbers[i]);
	}
}

int fixture_rank(struct ranking *ranking, const struct grid *rows,
    const struct request *request, struct error *err)
{
	struct figures_list figures;
	int rc = figures_read(&figures, rows, err);

	if (rc == 0)
		rc = ranking_make(ranking, &figures, request, err);
	figures_release(&figures);
	return rc;
}

int fixture_sensitivity(struct sensitivity *sensitivity,
    const struct grid *rows, const struct request *request, struct error *err)
{
	struct figures_list figures;
	int rc = figures_read(&figures, rows, err);

	if (rc == 0)
		rc = sensitivity_make(sensitivity, &figures, request, err);
	figures_release(&figures);
	return rc;
}
