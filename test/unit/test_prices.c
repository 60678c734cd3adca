/* test_prices.c - the monthly bill, and parsing a file of prices. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "strategies/figures/candidate.h"
#include "strategies/whatif/prices.h"
#include "test/unit/test.h"

static void check_near(const char *what, double got, double want)
{
	if (!(fabs(got - want) <= 1e-9 * fmax(1, fabs(want))))
		fail_msg("%s: %.12g, not %.12g", what, got, want);
}

/* A million samples an epoch, in 100 GB, at 1000 samples/s. */
static const struct candidate stored = {
	.trial.strategy = "resized/tar/none",
	.trial.cache = CACHE_NONE,
	.trial.threads = 4,
	.trial.throughput.median = 1000,
	.trial.throughput.first_epoch = NAN,
	.full.prep_s = 7200,
	.full.storage_bytes = 100e9,
	.full.epoch_samples = 1e6,
};

static const struct workload month = {
	.epochs = 36, .source_bytes = 50e9, .demand = NAN
};

static void test_bill_is_what_each_part_costs(void **state)
{
	struct prices prices = prices_none();
	struct bill bill;

	UNUSED(state);
	prices.vcpu_hour = 0.05;
	prices.gb_month = 0.02;
	prices.gb_egress = 0.01;
	prices.accelerator_hour = 3;
	prices.accelerators = 2;
	prices.accelerator_throughput = 2500;
	prices.months = 4;
	bill = prices_bill(&prices, &stored, &month, 1000);
	/* 2 hours of its 4 threads, a quarter of it each month. */
	check_near("preparation", bill.preparation, 2 * 4 * 0.05 / 4);
	check_near("storage", bill.storage, (100 + 50) * 0.02);
	/* 36 epochs of 100 GB, and a quarter of reading 50 GB once. */
	check_near("egress", bill.egress, (36 * 100 + 50 / 4.0) * 0.01);
	/* 36 epochs of 1000 s: 10 hours. */
	check_near("compute", bill.compute, 10 * 4 * 0.05);
	check_near("accelerators", bill.accelerators, 10 * 2 * 3);
	/* 5000 samples/s could be taken: 8 hours of the 10 are waiting. */
	check_near("waiting", bill.waiting, 8 * 2 * 3);
	check_near("total", bill_total(&bill), 0.1 + 3 + 36.125 + 2 + 60);
}

/* Data that comes faster than it is taken makes an epoch no shorter. */
static void test_bill_ends_with_the_accelerators(void **state)
{
	struct workload slow = month;
	struct prices prices = prices_none();
	struct bill bill;

	UNUSED(state);
	prices.vcpu_hour = 0.05;
	prices.vcpus = 8;
	prices.accelerator_hour = 3;
	prices.accelerators = 2;
	slow.demand = 500;
	bill = prices_bill(&prices, &stored, &slow, 1000);
	check_near("compute", bill.compute, 20 * 8 * 0.05);
	check_near("accelerators", bill.accelerators, 20 * 2 * 3);
	check_near("waiting", bill.waiting, 0);
}

static void test_bill_of_a_cache_and_of_nothing(void **state)
{
	struct candidate cached = stored, as_it_is = stored;
	struct prices prices = prices_none();
	struct bill bill;

	UNUSED(state);
	prices.gb_egress = 0.01;
	prices.gb_month = 0.02;
	prices.vcpu_hour = 0.05;
	cached.trial.cache = CACHE_SYSTEM;
	cached.trial.throughput.first_epoch = 500;
	bill = prices_bill(&prices, &cached, &month, 1000);
	check_near("egress once", bill.egress, (50 + 100) * 0.01);
	check_near("compute", bill.compute, (2000 + 35 * 1000) / 3600.0 * 0.2);
	cached.full.outgrows_memory = true;
	bill = prices_bill(&prices, &cached, &month, 1000);
	check_near("egress always", bill.egress, (50 + 36 * 100) * 0.01);

	as_it_is.trial.strategy = "unprocessed";
	as_it_is.full.prep_s = 0;
	as_it_is.full.storage_bytes = 50e9;
	bill = prices_bill(&prices, &as_it_is, &month, 1000);
	check_near("storage", bill.storage, 50 * 0.02);
	check_near("preparation", bill.preparation, 0);
	check_near("egress of it alone", bill.egress, 36 * 50 * 0.01);
	prices.keep_source = false;
	bill = prices_bill(&prices, &stored, &month, 1000);
	check_near("storage alone", bill.storage, 100 * 0.02);
}

/* Each host is fed by a loader of its own; the one that takes most waits. */
static void test_bill_of_several_hosts(void **state)
{
	const struct workload fed = { .epochs = 36,
		.source_bytes = 50e9,
		.demand = 2500,
		.demand_of_host = 1250,
		.hosts = 2,
		.devices = 5 };
	struct prices prices = prices_none();
	struct bill bill;

	UNUSED(state);
	prices.vcpu_hour = 0.05;
	prices.accelerator_hour = 3;
	prices.accelerators = 2; /* those that take part count */
	bill = prices_bill(&prices, &stored, &fed, 1250);
	check_near("waiting", bill.waiting, 0);
	check_near("accelerators", bill.accelerators, 4 * 5 * 3);
	check_near("compute", bill.compute, 4 * 2 * 4 * 0.05);
	/* At 1000 of 1250 samples/s an epoch takes 5/4 of the time. */
	bill = prices_bill(&prices, &stored, &fed, 1000);
	check_near("accelerators", bill.accelerators, 5 * 5 * 3);
	check_near("waiting", bill.waiting, 1 * 5 * 3);
}

/* What is free may be unknown, and what has a price may not. */
static void test_bill_is_unknown_where_something_is(void **state)
{
	struct candidate unknown = stored;
	struct prices prices = prices_none();
	struct bill bill;

	UNUSED(state);
	unknown.full.storage_bytes = NAN;
	prices.vcpu_hour = 1;
	bill = prices_bill(&prices, &unknown, &month, 1000);
	assert_true(bill_total(&bill) > 0);
	prices.gb_month = 1;
	bill = prices_bill(&prices, &unknown, &month, 1000);
	assert_true(isnan(bill_total(&bill)));
}

static int read_text(struct prices *prices, const char *text, struct error *err)
{
	char *dir = test_scratch();
	char *path = test_path(dir, "prices.conf");
	int rc;

	test_write(dir, "prices.conf", text);
	rc = prices_read(prices, path, err);
	free(path);
	test_scratch_remove(dir);
	return rc;
}

static void test_prices_are_read(void **state)
{
	struct prices prices;
	struct error err = ERROR_INIT;

	UNUSED(state);
	test_ok(read_text(&prices,
	            "[prices]\ncurrency = EUR\nvcpu_hour = 0.04\n"
	            "vcpus = 8\ngb_month = 0.02 ; of the cheap kind\n"
	            "keep_source = no\nmonths = 6\n",
	            &err),
	    &err);
	assert_string_equal(prices.currency, "EUR");
	check_near("vcpu_hour", prices.vcpu_hour, 0.04);
	check_near("vcpus", prices.vcpus, 8);
	check_near("gb_month", prices.gb_month, 0.02);
	check_near("months", prices.months, 6);
	assert_false(prices.keep_source);
}

static void test_prices_name_the_mistake(void **state)
{
	static const struct {
		const char *text, *message;
	} wrong[] = {
		{ "[price]\nvcpu_hour = 1\n",
		    "prices.conf:1: unknown section [price]; did you mean "
		    "'prices'?" },
		{ "[prices]\nvcpu_hours = 1\n",
		    "prices.conf:2: unknown key 'vcpu_hours'; did you mean "
		    "'vcpu_hour'?" },
		{ "[prices]\n\ngb_month = -1\n", "prices.conf:3: gb_month" },
		{ "[prices]\nmonths = 0\n", "prices.conf:2: months" },
		{ "[prices]\ncurrency = doubloons\n",
		    "prices.conf:2: currency must have at most 7 letters" },
		{ "", "has no prices" },
		{ "[prices]\n", "has no prices" },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
		struct prices prices;
		struct error err = ERROR_INIT;

		assert_int_equal(read_text(&prices, wrong[i].text, &err), -1);
		assert_int_equal(err.code, ERROR_USAGE);
		test_contains(err.text, wrong[i].message);
	}
}

/* 100 GB at S3, 0.01 requests a sample. */
static void test_bill_has_requests_of_far_data(void **state)
{
	struct candidate far = stored;
	struct prices prices = prices_none();
	struct bill bill;

	UNUSED(state);
	prices.request_1000 = 0.0004;
	prices.write_1000 = 0.005;
	prices.months = 4;
	far.full.requests = 10000;
	bill = prices_bill(&prices, &far, &month, 1000);
	check_near("near", bill.requests, 0);
	far.trial.answers.is_far = ANSWER_YES;
	bill = prices_bill(&prices, &far, &month, 1000);
	/* 5961 parts, and three for each of 187 shards of 512 MiB. */
	check_near("far", bill.requests,
	    36 * 10 * 0.0004 + (5961 + 3 * 187) * 0.000005 / 4);
	check_near("total", bill_total(&bill), bill.requests);
	far.trial.cache = CACHE_SYSTEM;
	bill = prices_bill(&prices, &far, &month, 1000);
	check_near("kept", bill.requests,
	    10 * 0.0004 + (5961 + 3 * 187) * 0.000005 / 4);
	far.trial.strategy = "unprocessed";
	bill = prices_bill(&prices, &far, &month, 1000);
	check_near("as it is", bill.requests, 10 * 0.0004);
	far.full.requests = NAN;
	bill = prices_bill(&prices, &far, &month, 1000);
	assert_true(isnan(bill_total(&bill)));
	prices.request_1000 = 0;
	bill = prices_bill(&prices, &far, &month, 1000);
	check_near("without a price", bill_total(&bill), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bill_is_what_each_part_costs),
		cmocka_unit_test(test_bill_ends_with_the_accelerators),
		cmocka_unit_test(test_bill_of_a_cache_and_of_nothing),
		cmocka_unit_test(test_bill_has_requests_of_far_data),
		cmocka_unit_test(test_bill_of_several_hosts),
		cmocka_unit_test(test_bill_is_unknown_where_something_is),
		cmocka_unit_test(test_prices_are_read),
		cmocka_unit_test(test_prices_name_the_mistake),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
