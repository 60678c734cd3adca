/* test_rates.c - the machine's activity, from the kernel's files. */
#define _GNU_SOURCE /* sched_getaffinity */
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/files/proc_text.h"
#include "lib/measure/cores.h"
#include "lib/measure/rates.h"
#include "test/unit/test.h"

enum { SECOND = 1000000000 };

/* A core that this process may run on. */
static unsigned own_core(void)
{
	cpu_set_t set;
	unsigned core = 0;

	assert_int_equal(sched_getaffinity(0, sizeof(set), &set), 0);
	while (!CPU_ISSET(core, &set))
		core++;
	return core;
}

/* /proc/stat with these columns for a core of ours, and one that is not. */
static void write_stat(const char *root, const char *columns, const char *rest)
{
	char text[1024];

	snprintf(text, sizeof(text),
	    "cpu  9 9 9 9 9 9 9 9 0 0\ncpu%u %s\n"
	    "cpu%u 7777 7777 7777 7777 7777 7777 7777 7777 0 0\n%s",
	    own_core(), columns, CPU_SETSIZE - 1, rest);
	test_write(root, "proc/stat", text);
}

static const char disks[] =
    "   7       0 loop0 1 0 9999 0 1 0 9999 0 0 0 0\n"
    " 254       0 vda 10 1 %d 5 20 2 %d 4 0 2 3\n"
    " 254       1 vda1 10 1 555 5 20 2 555 4 0 2 3\n"
    " 259       0 nvme0n1 1 1 %d 5 20 2 0 4 0 2 3\n"
    " 259       1 nvme0n1p1 10 1 555 5 20 2 555 4 0 2 3\n"
    " 259       2 nvme0n12 1 1 8 5 20 2 8 4 0 2 3\n"
    " 253       0 dm-0 10 1 555 5 20 2 555 4 0 2 3\n"
    "   9       0 md127 10 1 555 5 20 2 555 4 0 2 3\n";

static const char network[] =
    "Inter-|   Receive                    |  Transmit\n"
    " face |bytes    packets errs drop fifo frame compressed multicast|bytes\n"
    "    lo: 999999 1 0 0 0 0 0 0 999999 1 0 0 0 0 0 0\n"
    "  eth0:%d 1 0 0 0 0 0 0 %d 1 0 0 0 0 0 0\n"
    "eth0.7: 999 1 0 0 0 0 0 0 999 1 0 0 0 0 0 0\n"
    "docker0: 999 1 0 0 0 0 0 0 999 1 0 0 0 0 0 0\n"
    " wlan0: 5 1 0 0 0 0 0 0 7 1 0 0 0 0 0 0\n";

/* The machine, at moment 0 or 1. */
static void write_machine(const char *root, int moment)
{
	char text[2048];

	write_stat(root,
	    moment ? "30 10 20 100 50 0 10 5 0 0" : "0 0 0 50 50 0 0 0 0 0",
	    moment ? "intr 150 1 2 3\nctxt 5000\n"
	           : "intr 50 1 2\nctxt 1000\n");
	snprintf(text, sizeof(text), disks, moment ? 4000 : 2000,
	    moment ? 10 : 0, 100);
	test_write(root, "proc/diskstats", text);
	snprintf(text, sizeof(text), network, moment ? 3000 : 1000,
	    moment ? 500 : 0);
	test_write(root, "proc/net/dev", text);
	test_write(root, "proc/vmstat",
	    moment ? "nr_free_pages 1\npswpin 2\npswpout 1\npgfault 700\n"
	             "pgmajfault 100\n"
	           : "pswpin 0\npswpout 0\npgfault 100\npgmajfault 0\n");
	test_write(root, "proc/meminfo",
	    "MemTotal: 1000 kB\nMemFree: 300 kB\nMemAvailable: 500 kB\n"
	    "Buffers: 50 kB\nCached: 100 kB\nSwapCached: 9 kB\n"
	    "SReclaimable: 25 kB\n");
	test_write(root, "proc/pressure/cpu",
	    moment ? "some avg10=0.00 total=1500000\nfull total=9\n"
	           : "some avg10=0.00 total=1000000\nfull total=9\n");
	test_write(root, "proc/pressure/io",
	    moment ? "some avg10=1.00 total=9000000\nfull avg10=0 total=1\n"
	           : "some avg10=1.00 total=0\nfull avg10=0 total=1\n");
}

static struct rates_mark mark_of(const char *root, uint64_t at_ns)
{
	struct rates *rates = rates_open(root);
	struct rates_mark mark;

	assert_non_null(rates);
	rates_mark(rates, &mark);
	assert_true(mark.at_ns > 0);
	mark.at_ns = at_ns;
	rates_close(rates);
	return mark;
}

/* Of 2 seconds of the machine above. */
static struct system_rates made_up(void)
{
	char *root = test_scratch();
	struct rates_mark before, now;
	struct system_rates r;

	write_machine(root, 0);
	before = mark_of(root, SECOND);
	write_machine(root, 1);
	now = mark_of(root, 3 * (uint64_t)SECOND);
	rates_between(&before, &now, &r);
	test_scratch_remove(root);
	return r;
}

static void assert_near(double got, double wanted)
{
	if (!(fabs(got - wanted) <= 1e-6 * fabs(wanted)))
		fail_msg("%g is not %g", got, wanted);
}

static void test_rates_are_differences_over_time(void **state)
{
	const struct system_rates r = made_up();

	(void)state;
	assert_int_equal(r.interval_ns, 2 * (uint64_t)SECOND);
	assert_near(r.user_percent, 100 * 40 / 125.);
	assert_near(r.system_percent, 100 * 30 / 125.);
	assert_near(r.idle_percent, 100 * 50 / 125.);
	assert_near(r.wait_percent, 0);
	assert_near(r.stolen_percent, 100 * 5 / 125.);
	assert_near(r.disk_read, 1000 * 512);
	assert_near(r.disk_write, 5 * 512);
	assert_near(r.network_read, 1000);
	assert_near(r.network_write, 250);
	assert_near(r.memory_free, 300 * 1024);
	assert_near(r.memory_cached, 175 * 1024);
	assert_near(r.memory_used, 525 * 1024);
	assert_near(r.major_faults, 50);
	assert_near(r.minor_faults, 250);
	assert_near(r.context_switches, 2000);
	assert_near(r.interrupts, 50);
	assert_near(r.pressure_cpu, 25);
	assert_near(r.pressure_io, 100); /* more than the time: told late */
	assert_true(isnan(r.pressure_memory));
	assert_true(r.swapped > 0);
}

static void test_rates_without_files_are_not_known(void **state)
{
	char *root = test_scratch();
	const struct rates_mark before = mark_of(root, 0);
	const struct rates_mark now = mark_of(root, SECOND);
	struct system_rates r;

	(void)state;
	rates_between(&before, &now, &r);
	assert_int_equal(r.interval_ns, SECOND);
	assert_true(isnan(r.user_percent) && isnan(r.idle_percent));
	assert_true(isnan(r.disk_read) && isnan(r.network_write));
	assert_true(isnan(r.memory_free) && isnan(r.memory_used));
	assert_true(isnan(r.major_faults) && isnan(r.minor_faults));
	assert_true(isnan(r.context_switches) && isnan(r.pressure_io));
	assert_true(isnan(r.swapped));
	test_scratch_remove(root);
}

static void test_rates_of_counters_that_went_back_are_not_known(void **state)
{
	char *root = test_scratch();
	struct rates_mark before, now;
	struct system_rates r;

	(void)state;
	write_machine(root, 1);
	before = mark_of(root, 0);
	write_machine(root, 0); /* a disk was taken out */
	now = mark_of(root, SECOND);
	rates_between(&before, &now, &r);
	assert_true(isnan(r.disk_read) && isnan(r.context_switches));
	rates_between(&before, &before, &r); /* no time went by */
	assert_true(isnan(r.disk_read) && isnan(r.user_percent));
	test_scratch_remove(root);
}

static void test_rates_are_joined_by_time(void **state)
{
	struct system_rates a = made_up(), b = a;

	(void)state;
	a.interval_ns = 1 * (uint64_t)SECOND;
	b.interval_ns = 3 * (uint64_t)SECOND;
	a.disk_read = 100;
	b.disk_read = 200;
	a.pressure_cpu = NAN;
	b.pressure_cpu = 7;
	b.network_read = NAN;
	b.memory_free = 5;
	rates_join(&a, &b);
	assert_int_equal(a.interval_ns, 4 * (uint64_t)SECOND);
	assert_near(a.disk_read, 175);
	assert_near(a.pressure_cpu, 7);
	assert_near(a.network_read, 1000);
	assert_near(a.memory_free, 5);
}

static const char *const odd[] = {
	"",
	"\n",
	"\n\n\n",
	" ",
	"cpu",
	"cpu0",
	"cpu0 ",
	"cpu0 -1 99999999999999999999999999 x\n",
	"cpu99999999999999999999 1 2 3\n",
	"ctxt",
	"ctxt \n",
	"intr -5\nctxt x\n",
	" 254 0 vda\n",
	" 254 0 vda 1 2 3 4 5 6\n 254 0\n vda",
	" 8 0 sda 18446744073709551615 1 18446744073709551615 1 1 1 9 9\n"
	" 8 0 sda 1 1 18446744073709551615 1 1 1 9 9\n",
	"eth0:",
	"eth0: 1 2 3",
	": 1 2 3 4 5 6 7 8 9 10\n",
	"some",
	"some total=",
	"some total=x\n",
	"some \nfull total=5",
	"MemTotal:\nMemFree: kB\nCached: 99999999999999999999 kB\n",
	"MemTotal: 1 kB\nMemFree: 5 kB\nCached: 9 kB\n",
	"pgfault 5\npgmajfault 99\n",
};

static const char *const files[] = { "proc/stat", "proc/diskstats",
	"proc/net/dev", "proc/vmstat", "proc/meminfo", "proc/pressure/cpu",
	"proc/pressure/io", "proc/pressure/memory" };

/* Any text is read without harm, and no figure is negative. */
static void check_text(const char *root, const char *text)
{
	struct rates_mark before, now;
	struct system_rates r;
	struct cores_mark mark;

	before = mark_of(root, 0);
	for (size_t i = 0; i < ARRAY_LEN(files); i++)
		test_write(root, files[i], text);
	now = mark_of(root, SECOND);
	rates_between(&before, &now, &r);
	rates_between(&now, &now, &r);
	assert_false(r.memory_used < 0 || r.user_percent < 0);
	rates_between(&now, &before, &r);
	cores_mark_in(root, &mark);
}

static void test_rates_take_any_text(void **state)
{
	char *root = test_scratch();
	char noise[4096];

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(odd); i++)
		check_text(root, odd[i]);
	srand(7);
	for (int round = 0; round < 200; round++) {
		static const char some[] = "0123456789 \n:=cpumdsatolf-.\t";

		for (size_t i = 0; i + 1 < sizeof(noise); i++) {
			noise[i] = (char)(rand() % 255 + 1);
			if (rand() % 8)
				noise[i] =
				    some[(size_t)rand() % (sizeof(some) - 1)];
		}
		noise[(size_t)rand() % sizeof(noise)] = '\0';
		noise[sizeof(noise) - 1] = '\0';
		check_text(root, noise);
	}
	test_scratch_remove(root);
}

static void test_rates_cut_no_number(void **state)
{
	char *root = test_scratch();
	char text[32];

	(void)state;
	test_write(root, "f", "a 1\nb 22\nc 333\n");
	assert_int_equal(proc_text_get(root, "f", text, 12), 0);
	assert_string_equal(text, "a 1\nb 22\n");
	assert_int_equal(proc_text_get(root, "f", text, 4), 0);
	assert_string_equal(text, "");
	assert_int_equal(proc_text_get(root, "none", text, 4), -1);
	test_scratch_remove(root);
}

static void test_rates_of_this_machine_are_known(void **state)
{
	struct rates *rates = rates_open("");
	struct rates_mark before, now;
	struct system_rates r;

	(void)state;
	rates_mark(rates, &before);
	do
		rates_mark(rates, &now);
	while (now.at_ns - before.at_ns < 100000000);
	rates_between(&before, &now, &r);
	assert_near(r.user_percent + r.system_percent + r.idle_percent +
	                r.wait_percent + r.stolen_percent,
	    100);
	assert_true(r.memory_used > 0 && r.memory_free > 0);
	assert_true(r.context_switches >= 0);
	rates_close(rates);
	rates_close(NULL);
}

static void test_cores_are_ours_only(void **state)
{
	char *root = test_scratch();
	struct cores_mark before, now;
	struct cores cores;

	(void)state;
	write_stat(root, "100 0 0 0 10 0 0 0 0 0", "");
	cores_mark_in(root, &before);
	write_stat(root, "200 10 20 500 40 3 7 25 50 0", "");
	cores_mark_in(root, &now);
	now.own_ns = before.own_ns + SECOND / 2;
	cores_between(&before, &now, &cores);
	assert_int_equal(cores.others_ns, 1400000000 - SECOND / 2);
	assert_int_equal(cores.stolen_ns, 250000000);
	assert_int_equal(cores.waited_ns, 300000000);
	now.own_ns =
	    before.own_ns + 2 * (uint64_t)SECOND; /* finer than ticks */
	cores_between(&before, &now, &cores);
	assert_int_equal(cores.others_ns, 1400000000 - 2 * SECOND);
	now.busy_ns = 0; /* not known */
	cores_between(&before, &now, &cores);
	assert_int_equal(cores.others_ns, 0);
	cores_between(&now, &before, &cores);
	assert_int_equal(cores.stolen_ns, 0);
	test_scratch_remove(root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rates_are_differences_over_time),
		cmocka_unit_test(test_rates_without_files_are_not_known),
		cmocka_unit_test(
		    test_rates_of_counters_that_went_back_are_not_known),
		cmocka_unit_test(test_rates_are_joined_by_time),
		cmocka_unit_test(test_rates_take_any_text),
		cmocka_unit_test(test_rates_cut_no_number),
		cmocka_unit_test(test_rates_of_this_machine_are_known),
		cmocka_unit_test(test_cores_are_ours_only),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
