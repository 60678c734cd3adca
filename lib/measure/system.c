/* system.c - see system.h. */
#define _GNU_SOURCE /* sched_getaffinity, CPU_COUNT, O_PATH */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "lib/base/outside.h"
#include "lib/base/units.h"
#include "lib/files/proc_text.h"
#include "lib/files/url.h"
#include "lib/measure/libraries.h"
#include "lib/measure/memory.h"
#include "lib/measure/mount.h"
#include "lib/measure/system.h"

/* Reads the first line of a file, without newline; false: none. */
static bool read_line(const char *path, char *line, size_t size)
{
	FILE *file = fopen(path, "re");
	bool got;

	if (!file)
		return false;
	got = fgets(line, (int)size, file) != NULL;
	fclose(file);
	if (got)
		line[strcspn(line, "\n")] = '\0';
	return got;
}

/*
 * Reads the value behind the colon of the first line that begins with `key`: 1,
 * 0: no such line, -1: the file cannot be read.
 */
static int read_key(const char *path, const char *key, char *value, size_t size)
{
	FILE *file = fopen(path, "re");
	char line[512];
	int got = 0;

	if (!file)
		return errno == ENOENT || errno == EACCES ? 0 : -1;
	while (!got && fgets(line, sizeof(line), file)) {
		const char *colon = strchr(line, ':');

		if (!colon || strncmp(line, key, strlen(key)) != 0)
			continue;
		colon += 1 + strspn(colon + 1, " \t");
		snprintf(value, size, "%.*s", (int)strcspn(colon, "\n"), colon);
		got = 1;
	}
	if (!got && ferror(file))
		got = -1;
	fclose(file);
	return got;
}

static void read_cpu(struct machine *machine)
{
	static const char path[] = "/proc/cpuinfo";
	const size_t size = sizeof(machine->cpu);
	int got = read_key(path, "model name", machine->cpu, size);

	if (got == 0)
		got = read_key(path, "CPU implementer", machine->cpu, size);
	machine->cpu_unread = got < 0;
}

static bool read_number(const char *path, double *number)
{
	char line[128];

	if (!read_line(path, line, sizeof(line)))
		return false;
	return units_parse_real(line, number) == 0;
}

/* Returns the number of cores in the cgroup's quota; 0: no quota. */
static double cgroup_cores(void)
{
	char line[128];
	double quota, period;

	if (read_line("/sys/fs/cgroup/cpu.max", line, sizeof(line)) &&
	    sscanf(line, "%lf %lf", &quota, &period) == 2 && period > 0)
		return quota / period;
	if (read_number("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", &quota) &&
	    read_number("/sys/fs/cgroup/cpu/cpu.cfs_period_us", &period) &&
	    quota > 0 && period > 0)
		return quota / period;
	return 0;
}

static unsigned usable_cores(void)
{
	const double quota = cgroup_cores();
	cpu_set_t set;
	int cores = 1;

	if (sched_getaffinity(0, sizeof(set), &set) == 0)
		cores = CPU_COUNT(&set);
	if (quota > 0 && quota < cores)
		cores = (int)(quota + 0.5);
	return cores < 1 ? 1 : (unsigned)cores;
}

uint64_t machine_memory(const struct machine *machine)
{
	return machine->memory_limit &&
	               machine->memory_limit < machine->memory_bytes
	           ? machine->memory_limit
	           : machine->memory_bytes;
}

void machine_read(struct machine *machine)
{
	struct utsname name;

	*machine = (struct machine){ .cores = usable_cores() };
	read_cpu(machine);
	machine->memory_bytes =
	    (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
	machine->memory_limit = memory_limit("");
	if (machine->memory_limit >= machine->memory_bytes)
		machine->memory_limit = 0;
	if (uname(&name) == 0)
		snprintf(machine->kernel, sizeof(machine->kernel),
		    "%.24s %.40s %.24s", name.sysname, name.release,
		    name.machine);
	snprintf(machine->compiler, sizeof(machine->compiler), "%.60s",
#ifdef __clang__
	    "clang " __clang_version__
#else
	    "gcc " __VERSION__
#endif
	);
	libraries_text(machine->libraries);
	virtual_name("", machine->virtual);
}

void machine_filesystem(const char *path, char text[128])
{
	const bool is_url = path && url_is(path);
	const int fd = path && !is_url ? open(path, O_PATH | O_CLOEXEC) : -1;
	char url[URL_TEXT];
	struct mount mount;

	text[0] = '\0';
	if (is_url)
		snprintf(
		    text, 128, "%.*s", (int)url_root(url_text(path, url)), url);
	if (fd < 0)
		return;
	if (mount_find("", mount_number(fd), &mount))
		snprintf(text, 128, "%.39s on %.59s", mount.type, mount.source);
	mount_release(&mount);
	close(fd);
}

void machine_boot(const char *root, char text[MACHINE_BOOT])
{
	char line[64];

	text[0] = '\0';
	if (proc_text_get(
	        root, "proc/sys/kernel/random/boot_id", line, sizeof(line)))
		return;
	line[strspn(line, "0123456789abcdef-")] = '\0';
	snprintf(text, MACHINE_BOOT, "%.36s", line);
}

static uint64_t to_ns(struct timeval t)
{
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_usec * 1000u;
}

void usage_read(struct usage *usage)
{
	struct rusage used;
	uint64_t user_ns, system_ns;
	char text[64];
	double number;

	*usage = (struct usage){ .storage_bytes_read = -1 };
	if (getrusage(RUSAGE_SELF, &used) == 0) {
		usage->user_ns = to_ns(used.ru_utime);
		usage->system_ns = to_ns(used.ru_stime);
		usage->peak_rss_bytes = (uint64_t)used.ru_maxrss * 1024;
	}
	outside_read(&user_ns, &system_ns);
	usage->user_ns += user_ns;
	usage->system_ns += system_ns;
	if (read_key("/proc/self/io", "read_bytes", text, sizeof(text)) > 0 &&
	    units_parse_real(text, &number) == 0)
		usage->storage_bytes_read = (int64_t)number;
	if (read_key("/proc/self/status", "VmHWM", text, sizeof(text)) > 0)
		usage->peak_rss_bytes = strtoull(text, NULL, 10) * 1024;
}

uint64_t usage_resident(void)
{
	char text[64];

	if (read_key("/proc/self/status", "VmRSS", text, sizeof(text)) <= 0)
		return 0;
	return strtoull(text, NULL, 10) * 1024;
}

uint64_t usage_anonymous(void)
{
	char text[64];

	if (read_key("/proc/self/status", "RssAnon", text, sizeof(text)) <= 0)
		return usage_resident();
	return strtoull(text, NULL, 10) * 1024;
}

unsigned usage_threads(void)
{
	char text[64];

	if (read_key("/proc/self/status", "Threads", text, sizeof(text)) <= 0)
		return 0;
	return (unsigned)strtoul(text, NULL, 10);
}

void usage_reset_peak(void)
{
	const int fd = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	if (write(fd, "5", 1) != 1) {
		/* Without permission the peak is that of the whole process. */
	}
	close(fd);
}
