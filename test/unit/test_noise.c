/* test_noise.c - warnings about noise, for invented runs. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/array.h"
#include "strategies/monitor/noise.h"
#include "strategies/monitor/noise_report.h"
#include "test/unit/test.h"

enum { MS = 1000000, ROWS = 16, TOLD = 4096 };

static const char label[] = "resized/tar/none";

/* Runs of 1 s on 2 cores; what a test does not change is quiet. */
struct made_up {
	struct run_row rows[ROWS];
	struct noise_trial trial;
};

static void make(struct made_up *made, enum cache_mode cache, unsigned runs)
{
	*made = (struct made_up){ .trial = { .label = label,
		                      .threads = 2,
		                      .cache = cache,
		                      .filesystem = "ext4 on /dev/vda" } };
	for (unsigned i = 0; i < runs; i++)
		made->rows[i] = (struct run_row){
			.run = i + 1,
			.epoch = cache == CACHE_NONE ? 1 : 2,
			.wall_ns = (1000 + 3 * (uint64_t)i) * MS,
			.samples = 1000,
			.user_ns = 1900 * (uint64_t)MS,
			.bytes_from_storage = 1000000,
			.resident_percent = cache == CACHE_NONE ? 0.2 : -1,
			.cores = { .others_ns = 25 * MS, .stolen_ns = 5 * MS },
		};
	made->trial.runs = made->rows;
	made->trial.run_count = runs;
}

struct told {
	char notes[TOLD], warnings[TOLD]; /* a line each */
};

static void add(char text[TOLD], const char *line)
{
	const size_t used = strlen(text);

	assert_true(strlen(line) > 0 && strchr(line, '\n') == NULL);
	snprintf(text + used, TOLD - used, "%s\n", line);
}

static void note(void *arg, const char *text)
{
	add(((struct told *)arg)->notes, text);
}

static void warn(void *arg, const char *text)
{
	add(((struct told *)arg)->warnings, text);
}

static const struct noise_machine quiet = {
	.virtual = "",
	.monitored = true,
	.runs = { .pressure_memory = 0.5, .swapped = 0 },
};

static struct told tell(
    const struct noise *noise, const struct noise_machine *machine)
{
	struct told told = { .notes = "" };
	const struct noise_listener listener = {
		.note = note,
		.warn = warn,
		.arg = &told,
	};

	noise_tell(noise, machine, &listener);
	return told;
}

static struct told tell_of(const struct made_up *made)
{
	struct noise noise = { .cores = 2 };

	noise_add(&noise, &made->trial);
	return tell(&noise, &quiet);
}

static void test_noise_is_not_heard_on_a_quiet_machine(void **state)
{
	static const enum cache_mode caches[] = { CACHE_NONE, CACHE_SYSTEM,
		CACHE_APPLICATION };
	struct noise noise = { .cores = 2 };
	struct told told;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(caches); i++) {
		struct made_up made;

		make(&made, caches[i], 6);
		noise_add(&noise, &made.trial);
	}
	told = tell(&noise, &quiet);
	assert_string_equal(told.warnings, "");
	assert_string_equal(told.notes, "");
	noise = (struct noise){ .cores = 2 };
	told = tell(&noise, &quiet); /* no trial at all */
	assert_string_equal(told.warnings, "");
}

static void test_noise_of_a_busy_neighbour(void **state)
{
	struct made_up made;
	struct told told;

	(void)state;
	make(&made, CACHE_NONE, 6);
	for (size_t i = 0; i < 6; i++)
		made.rows[i].cores.others_ns =
		    (int64_t)made.rows[i].wall_ns * 97 / 100;
	told = tell_of(&made);
	test_contains(told.warnings,
	    "noisy machine: other programs used 0.97 of 2 cores in "
	    "resized/tar/none, 2 threads, cache none: 0.97; stop "
	    "them and measure again\n");
	/* Ticks of a short run count more than there is. */
	for (size_t i = 0; i < 6; i++)
		made.rows[i].cores.others_ns =
		    (int64_t)made.rows[i].wall_ns * 7;
	told = tell_of(&made);
	test_contains(told.warnings,
	    "noisy machine: other programs used 2.00 of 2 cores in "
	    "resized/tar/none, 2 threads, cache none: 2.00; stop "
	    "them and measure again\n");
}

static void test_noise_of_one_run_is_an_outlier(void **state)
{
	struct made_up made;

	(void)state;
	make(&made, CACHE_SYSTEM, 6);
	made.rows[2].cores.others_ns = 900 * (int64_t)MS;
	assert_string_equal(tell_of(&made).warnings, "");
}

/* The kernel's ticks say nothing of other programs in so short a time. */
static void test_noise_is_not_read_into_ticks(void **state)
{
	struct made_up made;

	(void)state;
	make(&made, CACHE_SYSTEM, 6);
	for (size_t i = 0; i < 6; i++) {
		made.rows[i].wall_ns = 60 * MS;
		made.rows[i].cores.others_ns = 20 * MS;
		made.rows[i].cores.stolen_ns = 10 * MS;
	}
	assert_string_equal(tell_of(&made).warnings, "");
	for (size_t i = 0; i < 6; i++)
		made.rows[i].cores.others_ns = 50 * MS;
	test_contains(tell_of(&made).warnings, "noisy machine");
}

static void test_noise_of_many_cores_has_another_measure(void **state)
{
	struct noise noise = { .cores = 64 };
	struct made_up made;
	struct told told;

	(void)state;
	make(&made, CACHE_SYSTEM, 6);
	for (size_t i = 0; i < 6; i++)
		made.rows[i].cores.others_ns = 600 * (int64_t)MS;
	noise_add(&noise, &made.trial);
	told = tell(&noise, &quiet);
	assert_string_equal(told.warnings, "");
	for (size_t i = 0; i < 6; i++)
		made.rows[i].cores.others_ns = 900 * (int64_t)MS;
	noise_add(&noise, &made.trial);
	told = tell(&noise, &quiet);
	test_contains(told.warnings, "in 1 of 2 trials (most in resized/");
}

static void test_noise_of_the_host(void **state)
{
	struct made_up made;

	(void)state;
	make(&made, CACHE_SYSTEM, 6);
	for (size_t i = 0; i < 6; i++)
		made.rows[i].cores.stolen_ns = 300 * MS;
	test_contains(tell_of(&made).warnings, "noisy host: it gave 0.30 of 2");
}

static void test_noise_of_too_little_is_told(void **state)
{
	struct made_up made;

	(void)state;
	make(&made, CACHE_SYSTEM, 4);
	test_contains(tell_of(&made).warnings,
	    "too few runs in resized/tar/none, 2 threads, cache system: 4;");
	make(&made, CACHE_SYSTEM, 6);
	for (size_t i = 0; i < 6; i++)
		made.rows[i].wall_ns = 12 * MS;
	test_contains(tell_of(&made).warnings, "cache system: 12 ms; the");
	/* ... but two such epochs a run are not too short. */
	for (size_t i = 0; i < 6; i++) {
		made.rows[i].wall_ns = 40 * MS;
		made.rows[i].cores.others_ns = MS;
		made.rows[i + 6] = made.rows[i];
	}
	for (unsigned i = 0; i < 12; i++)
		made.rows[i].run = i / 2;
	made.trial.run_count = 12;
	assert_string_equal(tell_of(&made).warnings, "");
}

static void test_noise_of_wide_intervals(void **state)
{
	struct made_up made;

	(void)state;
	make(&made, CACHE_NONE, 6);
	for (unsigned i = 0; i < 6; i++)
		made.rows[i].wall_ns = (1000 + 100 * (uint64_t)i) * MS;
	test_contains(tell_of(&made).warnings, "not precise: ");
	test_contains(tell_of(&made).warnings, ": 21 %; raise --budget");
}

static void test_noise_of_what_is_not_cold(void **state)
{
	struct made_up made;

	(void)state;
	make(&made, CACHE_NONE, 6);
	made.rows[3].resident_percent = 34;
	test_contains(tell_of(&made).warnings,
	    ": 34 %; ext4 on /dev/vda did not drop it: run as root");
	made.trial.filesystem = "tmpfs on tmpfs";
	test_contains(tell_of(&made).warnings,
	    ": 34 %; tmpfs always keeps files in memory");
	made.trial.filesystem = NULL;
	test_contains(tell_of(&made).warnings, "the file system did not");
	for (size_t i = 0; i < 6; i++) /* a neighbour holds no files */
		made.rows[i].cores.others_ns = (int64_t)made.rows[i].wall_ns;
	test_contains(tell_of(&made).warnings, "not cold: ");
}

static void test_noise_of_what_is_not_known_to_be_cold(void **state)
{
	const struct residency unseen = { .cold = COLD_UNKNOWN,
		.percent = -1,
		.unseen = "nfs4: its server may keep the data in memory" };
	struct made_up made;

	(void)state;
	make(&made, CACHE_NONE, 6);
	made.trial.residency = &unseen;
	for (size_t i = 0; i < 6; i++)
		made.rows[i].resident_percent = -1;
	test_contains(tell_of(&made).warnings, "not known to be cold: 1 of 1");
	test_contains(tell_of(&made).warnings, "; nfs4: its server may keep");
	/* Its cold epochs are looked at all the same: the first was slow. */
	made.rows[0].bytes_from_storage = 1;
	made.rows[0].wall_ns *= 3;
	test_contains(tell_of(&made).warnings, "cold runs became faster");
	made.trial.cache = CACHE_SYSTEM; /* its figure is a warm one */
	assert_null(strstr(tell_of(&made).warnings, "not known to be cold"));
}

static void test_noise_of_a_host_that_caches(void **state)
{
	struct noise noise = { .cores = 2 },
	             emulated = { .cores = 2, .emulated = true };
	struct noise_machine machine = quiet;
	struct made_up made;
	struct told told;

	(void)state;
	make(&made, CACHE_NONE, 6);
	made.rows[0].wall_ns = 2100 * (uint64_t)MS;
	noise_add(&noise, &made.trial);
	machine.virtual = "KVM";
	told = tell(&noise, &machine);
	assert_string_equal(told.notes,
	    "this is a virtual machine (KVM): cold means not in its own "
	    "memory; the host may still hold the data\n");
	test_contains(told.warnings, "after the first in resized/tar/none, 2 "
	                             "threads, cache none: 2.1 times; the host "
	                             "of this virtual machine holds");
	noise_add(&emulated, &made.trial);
	assert_null(strstr(tell(&emulated, &machine).warnings, "cold runs"));
	for (size_t i = 0; i < 6; i++) /* it may be the neighbour */
		made.rows[i].cores.others_ns = (int64_t)made.rows[i].wall_ns;
	told = tell_of(&made);
	assert_null(strstr(told.warnings, "cold runs"));
}

static void test_noise_of_a_cache_that_gives_the_first_part(void **state)
{
	struct noise emulated = { .cores = 2, .emulated = true };
	struct made_up made;
	struct told told;

	(void)state;
	make(&made, CACHE_NONE, 6);
	for (size_t i = 0; i < 6; i++) {
		made.rows[i].bytes_fetched = 1000;
		made.rows[i].early_bytes = 400;
		/* The rest takes 600 bytes / 0.8 s. */
		made.rows[i].early_ns = made.rows[i].wall_ns / 5;
	}
	/* The cores hold it back: at first the queues are empty. */
	assert_null(strstr(tell_of(&made).warnings, "begins faster"));
	made.trial.waits = true;
	told = tell_of(&made);
	test_contains(told.warnings,
	    "cold reading begins faster than it goes on in resized/tar/none, 2 "
	    "threads, cache none: 2.7 times; a cache in or before the storage "
	    "gave the first part");
	/* An emulated storage has no cache; a neighbour may have come. */
	noise_add(&emulated, &made.trial);
	assert_null(strstr(tell(&emulated, &quiet).warnings, "begins faster"));
	for (size_t i = 0; i < 6; i++)
		made.rows[i].cores.others_ns = (int64_t)made.rows[i].wall_ns;
	assert_null(strstr(tell_of(&made).warnings, "begins faster"));
	for (size_t i = 0; i < 6; i++)
		made.rows[i].cores.others_ns = 0;
	test_contains(tell_of(&made).warnings, "begins faster");
	/* A single epoch may have had bad luck. */
	for (size_t i = 1; i < 6; i++)
		made.rows[i].early_ns = made.rows[i].wall_ns * 4 / 10;
	assert_null(strstr(tell_of(&made).warnings, "begins faster"));
}

static void test_noise_of_cores_that_change_their_speed(void **state)
{
	struct noise noise = { .cores = 2 };
	struct noise_machine machine = quiet;
	struct made_up made;
	struct told told;

	(void)state;
	make(&made, CACHE_NONE, 6);
	noise_add(&noise, &made.trial);
	machine.before.throttled = 5;
	machine.after = (struct frequency){ .cores = 8,
		.scaled = 8,
		.governor = "powersave",
		.turbo = TURBO_ON,
		.throttled = 17 };
	told = tell(&noise, &machine);
	test_contains(told.warnings, "the governor of 8 of 8 cores is "
	                             "powersave, turbo is on, so");
	test_contains(told.warnings, "heat slowed the cores 12 times");
	machine.after.scaled = 0;
	machine.before.throttled = 17;
	assert_string_equal(tell(&noise, &machine).warnings, "");
}

static void test_noise_of_want_of_memory(void **state)
{
	struct noise noise = { .cores = 2 };
	struct noise_machine machine = quiet;
	struct made_up made;

	(void)state;
	make(&made, CACHE_NONE, 6);
	noise_add(&noise, &made.trial);
	machine.runs.pressure_memory = 30;
	machine.runs.swapped = 2e6;
	machine.runs.major_faults = NAN;
	test_contains(tell(&noise, &machine).warnings,
	    "tasks waited for it 30 % of the time, 2 MB/s were swapped");
	machine.runs.pressure_memory = NAN; /* not known here */
	machine.runs.swapped = NAN;
	assert_string_equal(tell(&noise, &machine).warnings, "");
}

static void test_noise_notes_too_low_a_ceiling(void **state)
{
	struct noise noise = { .cores = 2 };
	struct made_up made;
	struct told told;

	(void)state;
	make(&made, CACHE_NONE, 6);
	noise_add(&noise, &made.trial);
	assert_string_equal(tell(&noise, &quiet).notes, "");
	made.trial.passes = 1.5;
	noise_add(&noise, &made.trial);
	made.trial.passes = 40.3;
	noise_add(&noise, &made.trial);
	told = tell(&noise, &quiet);
	test_contains(told.notes,
	    "the storage is faster than its ceiling was: cold runs read "
	    "faster in 2 of 3 trials (most in resized/tar/none, 2 threads, "
	    "cache none: 40.3 "
	    "times)");
	assert_string_equal(told.warnings, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_noise_is_not_heard_on_a_quiet_machine),
		cmocka_unit_test(test_noise_of_a_busy_neighbour),
		cmocka_unit_test(test_noise_of_one_run_is_an_outlier),
		cmocka_unit_test(test_noise_is_not_read_into_ticks),
		cmocka_unit_test(test_noise_of_many_cores_has_another_measure),
		cmocka_unit_test(test_noise_of_the_host),
		cmocka_unit_test(test_noise_of_too_little_is_told),
		cmocka_unit_test(test_noise_of_wide_intervals),
		cmocka_unit_test(test_noise_of_what_is_not_cold),
		cmocka_unit_test(test_noise_of_what_is_not_known_to_be_cold),
		cmocka_unit_test(test_noise_of_a_host_that_caches),
		cmocka_unit_test(
		    test_noise_of_a_cache_that_gives_the_first_part),
		cmocka_unit_test(test_noise_of_cores_that_change_their_speed),
		cmocka_unit_test(test_noise_of_want_of_memory),
		cmocka_unit_test(test_noise_notes_too_low_a_ceiling),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
