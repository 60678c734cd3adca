/*
 * fuzz_report.c - any bytes as a report for `recommend --from`: an error with
 * the file's name, or trials whose figures are all what their columns hold.
 * Built with clang's -fsanitize=fuzzer.
 */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/report/read.h"
#include "cmd/writers/json.h"
#include "lib/base/array.h"
#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/db/grid.h"
#include "strategies/figures/figures.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static void require(int truth)
{
	if (!truth)
		abort();
}

/* NAN: was not measured. */
static void check_trials(const struct grid *trials)
{
	static const char *const amounts[] = { "throughput_samples_per_s",
		"prep_s", "storage_bytes", "full_prep_s" };

	require(trials->row_count > 0 && trials->row_count <= REPORT_TRIALS);
	for (size_t row = 0; row < trials->row_count; row++) {
		require(*grid_text(trials, row, "strategy"));
		require(*grid_text(trials, row, "split"));
		require(!isless(grid_number(trials, row, "threads"), 1));
		for (size_t i = 0; i < ARRAY_LEN(amounts); i++) {
			const double amount =
			    grid_number(trials, row, amounts[i]);

			require(!isless(amount, 0) && !isinf(amount));
		}
	}
}

/* Deciding reads the same figures, typed. */
static void check_figures(const struct grid *trials)
{
	struct error err = ERROR_INIT;
	struct figures_list figures;

	require(figures_read(&figures, trials, &err) == 0);
	require(figures.count == trials->row_count);
	for (size_t i = 0; i < figures.count; i++) {
		const struct figures *f = &figures.list[i];

		require(*f->strategy && f->session >= 0 && f->trial >= 0);
		require(f->cache <= CACHE_UNKNOWN && f->state <= TRIAL_SKIPPED);
		require(!isless(f->throughput.high, f->throughput.low));
	}
	figures_release(&figures);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	struct grid trials = GRID_INIT, session = GRID_INIT;
	struct grid warnings = GRID_INIT;
	const struct json_report report = {
		.trials = &trials, .session = &session, .warnings = &warnings
	};
	struct error err = ERROR_INIT;
	struct buf text = BUF_INIT;

	require(buf_append(&text, data, len, &err) == 0);
	if (report_read(&report, "fuzz", &text, &err) == 0) {
		check_trials(&trials);
		check_figures(&trials);
	} else {
		require(strncmp(err.text, "fuzz:", 5) == 0);
	}
	buf_release(&text);
	grid_release(&trials);
	grid_release(&session);
	grid_release(&warnings);
	return 0;
}
