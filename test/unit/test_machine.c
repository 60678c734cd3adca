/* test_machine.c - describing the machine, with invented /proc and /sys. */
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>

#include "lib/base/array.h"
#include "lib/measure/frequency.h"
#include "lib/measure/system.h"
#include "lib/measure/virtual.h"
#include "test/unit/test.h"

struct file {
	const char *name, *text;
};

#define DMI    "sys/class/dmi/id/"
#define CLOCKS "sys/devices/system/clocksource/clocksource0/"
#define GUEST                                                     \
	{                                                         \
		"proc/cpuinfo", "model name\t: A\n"               \
		                "flags\t\t: fpu hypervisor rdt\n" \
	}
#define PHYSICAL                                                         \
	{                                                                \
		"proc/cpuinfo", "flags\t\t: fpu vmx\nbugs\t: hypervisor" \
	}

struct virtual_case {
	const char *what;
	struct file files[4];
	const char *name;
};

static const struct virtual_case virtuals[] = {
	{ .what = "nothing is told", .name = "" },
	{ .what = "a laptop",
	    .files = { PHYSICAL, { DMI "sys_vendor", "LENOVO\n" } },
	    .name = "" },
	{ .what = "no firmware tables, as in microVMs",
	    .files = { GUEST,
	        { CLOCKS "available_clocksource", "tsc kvm-clock \n" } },
	    .name = "KVM" },
	{ .what = "of an unknown kind",
	    .files = { GUEST },
	    .name = "virtual machine" },
	{ .what = "VMware",
	    .files = { GUEST, { DMI "sys_vendor", "VMware, Inc.\n" },
	        { DMI "product_name", "VMware7,1\n" } },
	    .name = "VMware" },
	{ .what = "Hyper-V",
	    .files = { GUEST, { DMI "sys_vendor", "Microsoft Corporation\n" },
	        { DMI "product_name", "Virtual Machine\n" } },
	    .name = "Hyper-V" },
	{ .what = "a Surface has that vendor too",
	    .files = { PHYSICAL,
	        { DMI "sys_vendor", "Microsoft Corporation\n" },
	        { DMI "product_name", "Surface Pro\n" } },
	    .name = "" },
	{ .what = "a Surface with Hyper-V below its own Windows",
	    .files = { GUEST, { DMI "sys_vendor", "Microsoft Corporation\n" },
	        { DMI "product_name", "Surface Pro\n" },
	        { CLOCKS "available_clocksource",
	            "hyperv_clocksource_tsc_page acpi_pm\n" } },
	    .name = "Hyper-V" },
	{ .what = "QEMU with KVM",
	    .files = { GUEST, { DMI "sys_vendor", "QEMU\n" },
	        { DMI "product_name", "KVM Virtual Machine\n" } },
	    .name = "KVM" },
	{ .what = "a physical machine of a cloud",
	    .files = { PHYSICAL, { DMI "sys_vendor", "Amazon EC2\n" },
	        { DMI "product_name", "m5.metal\n" } },
	    .name = "" },
	{ .what = "the same, where the CPU does not tell",
	    .files = { { "proc/cpuinfo", "Features\t: fp asimd\n" },
	        { DMI "sys_vendor", "Amazon EC2\n" },
	        { DMI "product_name", "c6g.metal\n" } },
	    .name = "" },
	{ .what = "a virtual one of it",
	    .files = { { "proc/cpuinfo", "Features\t: fp asimd\n" },
	        { DMI "sys_vendor", "Amazon EC2\n" },
	        { DMI "product_name", "c6g.large\n" } },
	    .name = "KVM" },
	{ .what = "a device tree",
	    .files = { { "proc/device-tree/hypervisor/compatible",
	        "linux,kvm" } },
	    .name = "KVM" },
	{ .what = "Xen without the CPU's word",
	    .files = { PHYSICAL, { "sys/hypervisor/type", "xen\n" } },
	    .name = "Xen" },
};

static char *make(const struct file *files, size_t count)
{
	char *root = test_scratch();

	for (size_t i = 0; i < count; i++)
		if (files[i].name)
			test_write(root, files[i].name, files[i].text);
	return root;
}

static void test_machine_is_virtual_or_not(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(virtuals); i++) {
		const struct virtual_case *c = &virtuals[i];
		char *root = make(c->files, ARRAY_LEN(c->files));
		char name[VIRTUAL_TEXT];

		virtual_name(root, name);
		if (strcmp(name, c->name) != 0)
			fail_msg("%s: '%s'", c->what, name);
		test_scratch_remove(root);
	}
}

#define CPU "sys/devices/system/cpu/"

struct frequency_case {
	const char *what;
	struct file files[4];
	struct frequency wanted;
};

/* Of the core that this test's process is sure to have in made-up trees. */
static const struct frequency_case frequencies[] = {
	{ .what = "nothing is told" },
	{ .what = "held",
	    .files = { { CPU "cpu%u/cpufreq/scaling_governor",
	                   "performance\n" },
	        { CPU "cpufreq/boost", "0\n" } },
	    .wanted = { .cores = 1, .turbo = TURBO_OFF } },
	{ .what = "scaled",
	    .files = { { CPU "cpu%u/cpufreq/scaling_governor", "powersave\n" },
	        { CPU "intel_pstate/no_turbo", "0\n" },
	        { CPU "cpu%u/thermal_throttle/core_throttle_count", "12\n" } },
	    .wanted = { .cores = 1,
	        .scaled = 1,
	        .governor = "powersave",
	        .turbo = TURBO_ON,
	        .throttled = 12 } },
	{ .what = "odd",
	    .files = { { CPU "cpu%u/cpufreq/scaling_governor", "" },
	        { CPU "cpufreq/boost", "x\n" },
	        { CPU "cpu%u/thermal_throttle/core_throttle_count", "-\n" } } },
};

static unsigned own_core(void)
{
	unsigned core = 0;
	FILE *file = fopen("/proc/self/status", "r");
	char line[4096];

	assert_non_null(file);
	while (fgets(line, sizeof(line), file))
		if (sscanf(line, "Cpus_allowed_list: %u", &core) == 1)
			break;
	fclose(file);
	return core;
}

static void test_machine_may_change_its_speed(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(frequencies); i++) {
		const struct frequency_case *c = &frequencies[i];
		char *root = test_scratch(), name[128];
		struct frequency got;

		for (size_t f = 0; f < ARRAY_LEN(c->files); f++) {
			const char *of = c->files[f].name;
			const char *at = of ? strstr(of, "%u") : NULL;

			if (!of)
				continue;
			if (at)
				snprintf(name, sizeof(name), "%.*s%u%s",
				    (int)(at - of), of, own_core(), at + 2);
			test_write(root, at ? name : of, c->files[f].text);
		}
		frequency_read(root, &got);
		if (got.cores != c->wanted.cores ||
		    got.scaled != c->wanted.scaled ||
		    got.turbo != c->wanted.turbo ||
		    got.throttled != c->wanted.throttled ||
		    strcmp(got.governor, c->wanted.governor) != 0)
			fail_msg("%s: %u %u %s %d %llu", c->what, got.cores,
			    got.scaled, got.governor, (int)got.turbo,
			    (unsigned long long)got.throttled);
		test_scratch_remove(root);
	}
}

static void test_machine_of_this_test_is_read(void **state)
{
	struct machine machine;
	struct utsname kernel;
	char name[VIRTUAL_TEXT];

	(void)state;
	machine_read(&machine);
	assert_int_equal(uname(&kernel), 0);
	kernel.release[40] = '\0'; /* no more of it is kept */
	test_contains(machine.kernel, kernel.release);
	virtual_name("", name);
	assert_string_equal(machine.virtual, name);
	assert_true(machine.cores > 0 && machine.memory_bytes > 0);
	assert_false(machine.cpu_unread);
}

/* Too many open files: another name of the CPU would be another machine. */
static void test_machine_says_that_its_cpu_could_not_be_read(void **state)
{
	struct machine machine;
	struct rlimit before, none;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	none = before;
	none.rlim_cur = 0;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
	machine_read(&machine);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
	assert_true(machine.cpu_unread);
	assert_string_equal(machine.cpu, "");
}

/* Digits where the next function has its variables. */
__attribute__((noinline)) static void fill_stack(void)
{
	volatile char bytes[8192];

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = i % 64 == 0 ? '\0' : '7';
}

/* What cannot be read is not known, and not what was in the memory before. */
static void test_usage_that_cannot_be_read_is_not_known(void **state)
{
	struct rlimit before, none;
	struct usage usage;
	uint64_t resident, anonymous;
	unsigned threads;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	none = before;
	none.rlim_cur = 0;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
	fill_stack();
	usage_read(&usage);
	fill_stack();
	resident = usage_resident();
	fill_stack();
	anonymous = usage_anonymous();
	fill_stack();
	threads = usage_threads();
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
	assert_int_equal(usage.storage_bytes_read, -1);
	assert_int_equal(resident, 0);
	assert_int_equal(anonymous, 0);
	assert_int_equal(threads, 0);
}

/* Linked with --wrap (Makefile): what the kernel says of this process. */
int __real_getrusage(int who, struct rusage *used);
int __wrap_getrusage(int who, struct rusage *used);

static const struct rusage *pretended; /* NULL: as it is */

int __wrap_getrusage(int who, struct rusage *used)
{
	if (!pretended)
		return __real_getrusage(who, used);
	*used = *pretended;
	return 0;
}

static void test_usage_tells_user_from_system_time(void **state)
{
	const struct rusage used = { .ru_utime = { 3, 250000 },
		.ru_stime = { 5, 1 } };
	struct usage usage;

	(void)state;
	pretended = &used;
	usage_read(&usage);
	pretended = NULL;
	assert_int_equal(usage.user_ns, 3250000000);
	assert_int_equal(usage.system_ns, 5000001000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_machine_is_virtual_or_not),
		cmocka_unit_test(test_machine_may_change_its_speed),
		cmocka_unit_test(test_machine_of_this_test_is_read),
		cmocka_unit_test(
		    test_machine_says_that_its_cpu_could_not_be_read),
		cmocka_unit_test(test_usage_that_cannot_be_read_is_not_known),
		cmocka_unit_test(test_usage_tells_user_from_system_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
