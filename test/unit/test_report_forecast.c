/* test_report_forecast.c - reporting how far a forecast was off. */
#include <stdio.h>
#include <stdlib.h>

#include "cmd/report/forecast.h"
#include "cmd/report/page.h"
#include "cmd/writers/csv.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/db/grid.h"
#include "lib/db/results.h"
#include "lib/db/results_read.h"
#include "test/unit/test.h"

#define TITLES                                                     \
	"session,strategy,cache,samples,throughput_samples_per_s," \
	"prediction_error_percent,others_percent,bottleneck,"      \
	"bottleneck_evidence,prep_error_percent,storage_error_percent\n"
/* A trial of 1 s on a quiet machine that was off by 40 %. */
#define OFF "1,raw/tar/none,none,1000,1000,40,1,cpu:center,71 %,,\n"

static char *lines_of(const char *csv, double bandwidth)
{
	struct session_record record = { .id = 1,
		.info = { .machine = { .cores = 2 },
		    .limits = { .bandwidth = bandwidth } } };
	struct grid trials = GRID_INIT;
	struct error err = ERROR_INIT;
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);
	const struct report_page page = { .out = out };

	assert_non_null(out);
	test_ok(csv_read(&trials, "trials", csv, &err), &err);
	test_ok(report_forecast(&page, &record, &trials, &err), &err);
	fclose(out);
	grid_release(&trials);
	return text;
}

static void test_report_forecast_says_what_was_not_known(void **state)
{
	static const struct {
		const char *csv;
		double bandwidth; /* emulated */
		const char *text;
	} cases[] = {
		/* Nothing was predicted, or it is another view. */
		{ TITLES "1,raw/tar/none,none,1000,1000,,1,,,,\n", 0, "" },
		{ "session,strategy\n1,raw/tar/none\n", 0, "" },
		/* What is good is one line, whichever way it was off. */
		{ TITLES "1,raw/tar/none,none,1000,1000,-8,1,,,,\n"
		         "1,raw/tar/none,system,1000,1000,4.04,1,,,,\n"
		         "1,raw/tar/zstd:1,none,1000,1000,12,1,,,,\n"
		         "2,raw/tar/none,none,1000,1000,900,1,,,,\n",
		    0,
		    "  forecast samples/s within 8.0 % in the median of 3 "
		    "trials\n" },
		/* Each strategy has one preparation, and some have none. */
		{ TITLES "1,unprocessed,none,1000,1000,10,1,,,,\n"
		         "1,raw/tar/none,none,1000,1000,10,1,,,30,-1\n"
		         "1,raw/tar/none,system,1000,1000,10,1,,,30,-1\n"
		         "1,raw/npy/none,none,1000,1000,10,1,,,-12,0.04\n",
		    0,
		    "  forecast samples/s within 10 % in the median of 4 "
		    "trials\n"
		    "  forecast prep within 21 %, storage within 0.5 % in the "
		    "median of 2 strategies\n" },
		/* What is bad is explained. */
		{ TITLES "1,raw/tar/none,none,1000,1000,80,150,cpu:center,"
		         "71 %,,\n"
		         "1,raw/tar/zstd:1,none,1000,1000,80,190,cpu:center,"
		         "71 %,,\n" OFF "1,a,none,1000,1000,20,150,,,,\n",
		    0,
		    "  forecast samples/s within 60 % in the median of 4 "
		    "trials\n"
		    "  forecast not known: that other programs took 1.7 of 2 "
		    "cores (2 of 3 trials)\n" },
		{ TITLES "1,a,none,1000,1000,-80,1,storage,100 % of 40.3 "
		         "MB/s,,\n"
		         "1,b,none,1000,1000,90,1,storage,60 % of 910 MB/s,,\n"
		         "1,c,none,1000,1000,90,1,storage,reading alone takes "
		         "92 % of the time,,\n"
		         "1,d,system,10,1000,90,1,cpu:center,71 %,,\n",
		    0,
		    "  forecast samples/s within 90 % in the median of 4 "
		    "trials\n  forecast not known: that the storage is "
		    "faster than was seen before (1 of 4 trials); that the "
		    "storage "
		    "would be slower than its ceiling (1 of 4 trials); how "
		    "fast the storage reads such data (1 of 4 trials); how "
		    "long starting threads takes in epochs below 50 ms (1 of 4 "
		    "trials)\n" },
		/* An emulated storage is known. */
		{ TITLES "1,b,none,1000,1000,90,1,storage,60 % of 910 MB/s,,\n",
		    910e6,
		    "  forecast samples/s within 90 % in the median of 1 "
		    "trial\n  forecast the reason is not known, since the "
		    "machine was quiet; presto report --format csv has the "
		    "error of each trial\n" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char *text = lines_of(cases[i].csv, cases[i].bandwidth);

		assert_string_equal(text, cases[i].text);
		free(text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_report_forecast_says_what_was_not_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
