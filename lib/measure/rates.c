/* rates.c - see rates.h. */
#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/clock.h"
#include "lib/files/proc_text.h"
#include "lib/measure/rates.h"

/* Room for /proc/stat of hundreds of cores; unused pages cost nothing. */
enum { TEXT_BYTES = 256 * 1024, SECTOR = 512 };

enum file {
	FILE_STAT,
	FILE_DISKS,
	FILE_NETWORK,
	FILE_VMSTAT,
	FILE_MEMORY,
	FILE_PRESSURE_CPU,
	FILE_PRESSURE_IO,
	FILE_PRESSURE_MEMORY,
	FILE_COUNT
};

static const char *const names[FILE_COUNT] = {
	[FILE_STAT] = "proc/stat",
	[FILE_DISKS] = "proc/diskstats",
	[FILE_NETWORK] = "proc/net/dev",
	[FILE_VMSTAT] = "proc/vmstat",
	[FILE_MEMORY] = "proc/meminfo",
	[FILE_PRESSURE_CPU] = "proc/pressure/cpu",
	[FILE_PRESSURE_IO] = "proc/pressure/io",
	[FILE_PRESSURE_MEMORY] = "proc/pressure/memory",
};

struct rates {
	int fds[FILE_COUNT]; /* -1: no such file */
	char text[TEXT_BYTES];
};

struct rates *rates_open(const char *root)
{
	struct rates *rates = malloc(sizeof(*rates));

	for (int i = 0; rates && i < FILE_COUNT; i++)
		rates->fds[i] = proc_text_open(root, names[i]);
	return rates;
}

void rates_close(struct rates *rates)
{
	for (int i = 0; rates && i < FILE_COUNT; i++)
		if (rates->fds[i] >= 0)
			close(rates->fds[i]);
	free(rates);
}

/* ---- a moment ---- */

/* Adds to a counter, which is known from then on. */
static void count(struct rates_mark *mark, enum rates_count which, uint64_t n)
{
	const uint64_t before = mark->counts[which];

	mark->counts[which] = before == UINT64_MAX ? n : before + n;
}

struct key {
	const char *key;
	enum rates_count which;
};

static void count_keys(const char *text, const struct key *keys, size_t len,
    struct rates_mark *mark)
{
	uint64_t n;

	for (size_t i = 0; i < len; i++)
		if (proc_text_number(text, keys[i].key, &n))
			count(mark, keys[i].which, n);
}

static void parse_stat(const char *text, struct rates_mark *mark)
{
	static const struct key keys[] = {
		{ "ctxt ", RATES_SWITCHES },
		{ "intr ", RATES_INTERRUPTS }, /* the first number is the sum */
	};

	core_times_parse(text, &mark->cores);
	count_keys(text, keys, ARRAY_LEN(keys), mark);
}

static void parse_vmstat(const char *text, struct rates_mark *mark)
{
	static const struct key keys[] = {
		{ "pgfault ", RATES_FAULTS },
		{ "pgmajfault ", RATES_MAJOR_FAULTS },
		{ "pswpin ", RATES_SWAPPED_IN },
		{ "pswpout ", RATES_SWAPPED_OUT },
	};

	count_keys(text, keys, ARRAY_LEN(keys), mark);
}

/* Does a name of this length begin with a word of the list? */
static bool is_one_of(const char *name, size_t len, const char *const *list)
{
	for (; *list; list++)
		if (len >= strlen(*list) &&
		    strncmp(name, *list, strlen(*list)) == 0)
			return true;
	return false;
}

/*
 * Is it a partition of this disk? Partitions follow their disk; their name adds
 * digits, after a "p" if the disk's name ends with a digit.
 */
static bool is_partition(
    const char *name, size_t len, const char *disk, size_t disk_len)
{
	size_t at = disk_len;

	if (disk_len == 0 || len <= disk_len ||
	    strncmp(name, disk, disk_len) != 0)
		return false;
	if (isdigit((unsigned char)disk[disk_len - 1]) && name[at++] != 'p')
		return false;
	if (at == len)
		return false;
	while (at < len && isdigit((unsigned char)name[at]))
		at++;
	return at == len;
}

/* Parses numbers separated by blanks within a line; returns how many. */
static size_t read_numbers(const char *at, uint64_t *numbers, size_t most)
{
	size_t i = 0;

	for (; i < most; i++) {
		char *end;

		at += strspn(at, " \t");
		if (!isdigit((unsigned char)*at))
			break;
		numbers[i] = strtoull(at, &end, 10);
		at = end;
	}
	return i;
}

/* Lines are "254 0 vda READS MERGED SECTORS MS WRITES MERGED SECTORS ...". */
static void parse_disks(const char *text, struct rates_mark *mark)
{
	static const char *const made_of_others[] = { "loop", "ram", "zram",
		"dm-", "md", "sr", "fd", "bcache", "drbd", "zd", NULL };
	const char *disk = "";
	size_t disk_len = 0;

	for (const char *line = text; line; line = proc_text_next(line)) {
		const char *name = line;
		uint64_t n[7];
		size_t len;

		for (int i = 0; i < 2; i++) { /* skip the device's numbers */
			name += strspn(name, " ");
			name += strspn(name, "0123456789");
		}
		name += strspn(name, " ");
		len = strcspn(name, " \n");
		if (len == 0 || read_numbers(name + len, n, 7) < 7 ||
		    is_one_of(name, len, made_of_others) ||
		    is_partition(name, len, disk, disk_len))
			continue;
		disk = name;
		disk_len = len;
		count(mark, RATES_DISK_READ, n[2] * SECTOR);
		count(mark, RATES_DISK_WRITE, n[6] * SECTOR);
	}
}

/* Lines are "eth0: BYTES PACKETS ERRS DROP FIFO FRAME COMPRESSED ...". */
static void parse_network(const char *text, struct rates_mark *mark)
{
	static const char *const within[] = { "lo:", "bond", "br-", "br0",
		"cali", "cni", "docker", "dummy", "flannel", "ifb", "tailscale",
		"tap", "team", "tun", "veth", "virbr", "vlan", "wg", NULL };

	for (const char *line = text; line; line = proc_text_next(line)) {
		const char *name = line + strspn(line, " ");
		const size_t len = strcspn(name, ":\n");
		uint64_t n[9];

		if (name[len] != ':' || is_one_of(name, len + 1, within) ||
		    memchr(name, '.', len) || /* a VLAN of another interface */
		    read_numbers(name + len + 1, n, 9) < 9)
			continue;
		count(mark, RATES_NETWORK_READ, n[0]);
		count(mark, RATES_NETWORK_WRITE, n[8]);
	}
}

static void parse_memory(const char *text, struct rates_mark *mark)
{
	static const char *const keys[] = {
		"MemTotal:", "MemFree:", "Buffers:", "Cached:", "SReclaimable:"
	};
	uint64_t kib[ARRAY_LEN(keys)] = { 0 };
	bool has[ARRAY_LEN(keys)];

	for (size_t i = 0; i < ARRAY_LEN(keys); i++)
		has[i] = proc_text_number(text, keys[i], &kib[i]);
	if (has[1])
		mark->memory_free = 1024 * (double)kib[1];
	if (has[3])
		mark->memory_cached =
		    1024 * ((double)kib[2] + (double)kib[3] + (double)kib[4]);
	if (has[0] && has[1] && has[3])
		mark->memory_used =
		    fmax(0, 1024 * (double)kib[0] - mark->memory_free -
		                mark->memory_cached);
}

/* Lines are "some avg10=0.00 avg60=0.00 avg300=0.00 total=123". */
static void parse_pressure(
    const char *text, enum rates_count which, struct rates_mark *mark)
{
	for (const char *line = text; line; line = proc_text_next(line)) {
		const char *total = strstr(line, "total=");
		uint64_t n;

		if (strncmp(line, "some ", 5) != 0 || !total ||
		    total > line + strcspn(line, "\n"))
			continue;
		if (read_numbers(total + strlen("total="), &n, 1) == 1)
			count(mark, which, n);
		return;
	}
}

static void parse(enum file file, const char *text, struct rates_mark *mark)
{
	switch (file) {
	case FILE_STAT:
		parse_stat(text, mark);
		break;
	case FILE_DISKS:
		parse_disks(text, mark);
		break;
	case FILE_NETWORK:
		parse_network(text, mark);
		break;
	case FILE_VMSTAT:
		parse_vmstat(text, mark);
		break;
	case FILE_MEMORY:
		parse_memory(text, mark);
		break;
	case FILE_PRESSURE_CPU:
		parse_pressure(text, RATES_PRESSURE_CPU, mark);
		break;
	case FILE_PRESSURE_IO:
		parse_pressure(text, RATES_PRESSURE_IO, mark);
		break;
	case FILE_PRESSURE_MEMORY:
		parse_pressure(text, RATES_PRESSURE_MEMORY, mark);
		break;
	case FILE_COUNT:
		break;
	}
}

void rates_mark(struct rates *rates, struct rates_mark *mark)
{
	*mark = (struct rates_mark){ .at_ns = clock_now(&clock_monotonic),
		.memory_free = NAN,
		.memory_cached = NAN,
		.memory_used = NAN };
	for (int i = 0; i < RATES_COUNTS; i++)
		mark->counts[i] = UINT64_MAX;
	for (int i = 0; i < FILE_COUNT; i++)
		if (proc_text_read(rates->fds[i], rates->text, TEXT_BYTES) == 0)
			parse((enum file)i, rates->text, mark);
}

/* ---- an interval ---- */

/* Returns the growth of a counter for each second, times `scale`; or NAN. */
static double rate(const struct rates_mark *mark, const struct rates_mark *now,
    enum rates_count which, double scale)
{
	const uint64_t a = mark->counts[which], b = now->counts[which];

	/* A counter goes back when a device is removed or the counter wraps. */
	if (a == UINT64_MAX || b == UINT64_MAX || b < a ||
	    now->at_ns <= mark->at_ns)
		return NAN;
	return scale * 1e9 * (double)(b - a) /
	       (double)(now->at_ns - mark->at_ns);
}

static void set_percents(const struct rates_mark *mark,
    const struct rates_mark *now, struct system_rates *rates)
{
	double more[CORE_TIMES], all = 0, part;

	for (int i = 0; i < CORE_TIMES; i++) {
		more[i] = (double)core_times_more(
		    now->cores.ns[i], mark->cores.ns[i]);
		all += more[i];
	}
	/* the interval is too short for the kernel's clock */
	part = all > 0 ? 100 / all : NAN;
	rates->user_percent = part * (more[CORE_USER] + more[CORE_NICE]);
	rates->system_percent =
	    part * (more[CORE_SYSTEM] + more[CORE_IRQ] + more[CORE_SOFTIRQ]);
	rates->idle_percent = part * more[CORE_IDLE];
	rates->wait_percent = part * more[CORE_WAIT];
	rates->stolen_percent = part * more[CORE_STOLEN];
}

/*
 * Converts microseconds in a second to percent; at most 100, since the kernel
 * may report some time late.
 */
static double pressure(const struct rates_mark *mark,
    const struct rates_mark *now, enum rates_count which)
{
	const double percent = rate(mark, now, which, 1e-4);

	return percent > 100 ? 100 : percent;
}

void rates_between(const struct rates_mark *mark, const struct rates_mark *now,
    struct system_rates *r)
{
	const double page = (double)sysconf(_SC_PAGESIZE);
	double faults;

	*r = (struct system_rates){
		.interval_ns = core_times_more(now->at_ns, mark->at_ns),
		.memory_free = now->memory_free,
		.memory_cached = now->memory_cached,
		.memory_used = now->memory_used,
	};
	set_percents(mark, now, r);
	r->disk_read = rate(mark, now, RATES_DISK_READ, 1);
	r->disk_write = rate(mark, now, RATES_DISK_WRITE, 1);
	r->network_read = rate(mark, now, RATES_NETWORK_READ, 1);
	r->network_write = rate(mark, now, RATES_NETWORK_WRITE, 1);
	faults = rate(mark, now, RATES_FAULTS, 1);
	r->major_faults = rate(mark, now, RATES_MAJOR_FAULTS, 1);
	r->minor_faults = faults - r->major_faults;
	r->context_switches = rate(mark, now, RATES_SWITCHES, 1);
	r->interrupts = rate(mark, now, RATES_INTERRUPTS, 1);
	r->pressure_cpu = pressure(mark, now, RATES_PRESSURE_CPU);
	r->pressure_io = pressure(mark, now, RATES_PRESSURE_IO);
	r->pressure_memory = pressure(mark, now, RATES_PRESSURE_MEMORY);
	r->swapped = rate(mark, now, RATES_SWAPPED_IN, page) +
	             rate(mark, now, RATES_SWAPPED_OUT, page);
}

/* Averages both by time; a value that only one has is taken from it. */
static void join(double *into, double next, double share)
{
	if (isnan(*into))
		*into = next;
	else if (!isnan(next))
		*into += share * (next - *into);
}

void rates_join(struct system_rates *rates, const struct system_rates *next)
{
	const uint64_t all = rates->interval_ns + next->interval_ns;
	const double share = all ? (double)next->interval_ns / (double)all : 0;

	join(&rates->user_percent, next->user_percent, share);
	join(&rates->system_percent, next->system_percent, share);
	join(&rates->idle_percent, next->idle_percent, share);
	join(&rates->wait_percent, next->wait_percent, share);
	join(&rates->stolen_percent, next->stolen_percent, share);
	join(&rates->disk_read, next->disk_read, share);
	join(&rates->disk_write, next->disk_write, share);
	join(&rates->network_read, next->network_read, share);
	join(&rates->network_write, next->network_write, share);
	join(&rates->major_faults, next->major_faults, share);
	join(&rates->minor_faults, next->minor_faults, share);
	join(&rates->context_switches, next->context_switches, share);
	join(&rates->interrupts, next->interrupts, share);
	join(&rates->pressure_cpu, next->pressure_cpu, share);
	join(&rates->pressure_io, next->pressure_io, share);
	join(&rates->pressure_memory, next->pressure_memory, share);
	join(&rates->swapped, next->swapped, share);
	rates->memory_free = next->memory_free;
	rates->memory_cached = next->memory_cached;
	rates->memory_used = next->memory_used;
	rates->interval_ns = all;
}
