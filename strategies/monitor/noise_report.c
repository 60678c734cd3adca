/* noise_report.c - see noise_report.h. */
#include "strategies/monitor/noise_report.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/units.h"
#include "lib/stats/statistics.h"
#include "strategies/monitor/noise.h"

enum { TEXT = 1024, WHERE = 320, RUNS_LEAST = INTERVAL_LEAST };

/* Percent of time in which a task waited for memory: 0 unless it is short. */
static const double most_pressure = 5;
static const double most_swapped = 1e6; /* bytes/s */

__attribute__((format(printf, 3, 4))) static void tell(
    const struct noise_listener *listener, bool warns, const char *format, ...)
{
	char text[TEXT];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	(warns ? listener->warn : listener->note)(listener->arg, text);
}

/*
 * Writes "in 3 of 12 trials (most in raw/tar/none, ...: 0.84)".  `most` says
 * how the worst trial differs from the others.
 */
static const char *where(const struct noise *noise,
    const struct noise_found *found, const char *most, const char *value,
    char text[WHERE])
{
	if (noise->trials == 1)
		snprintf(text, WHERE, "in %s: %s", found->name, value);
	else if (found->trials == noise->trials)
		snprintf(text, WHERE, "in all of %u trials (%s in %s: %s)",
		    noise->trials, most, found->name, value);
	else
		snprintf(text, WHERE, "in %u of %u trials (%s in %s: %s)",
		    found->trials, noise->trials, most, found->name, value);
	return text;
}

static const char *where_percent(const struct noise *noise,
    const struct noise_found *found, double percent, char text[WHERE])
{
	char value[UNITS_TEXT];

	snprintf(value, sizeof(value), "%.3g %%", percent);
	return where(noise, found, "worst", value, text);
}

static const char *where_times(const struct noise *noise,
    const struct noise_found *found, char text[WHERE])
{
	char value[UNITS_TEXT];

	snprintf(value, sizeof(value), "%.1f times", found->worst);
	return where(noise, found, "most", value, text);
}

static void tell_cores(const struct noise *noise, enum noise_kind kind,
    const struct noise_listener *listener)
{
	const struct noise_found *found = &noise->found[kind];
	const char *cores = noise->cores == 1 ? "core" : "cores";
	const double taken =
	    noise_cores_taken(found->taken_s / found->wall_s, noise->cores);
	char in[WHERE], value[UNITS_TEXT];

	if (!found->trials)
		return;
	snprintf(value, sizeof(value), "%.2f", found->worst);
	where(noise, found, "most", value, in);
	if (kind == NOISE_OTHERS)
		tell(listener, true,
		    "noisy machine: other programs used %.2f of %u %s %s; "
		    "stop them and measure again",
		    taken, noise->cores, cores, in);
	else
		tell(listener, true,
		    "noisy host: it gave %.2f of %u %s to other machines %s; "
		    "measure on a host that does not share cores, or when it "
		    "is less busy",
		    taken, noise->cores, cores, in);
}

static void tell_speed(
    const struct noise_machine *machine, const struct noise_listener *listener)
{
	static const char *const turbo[] = {
		[TURBO_UNKNOWN] = "",
		[TURBO_OFF] = ", turbo is off",
		[TURBO_ON] = ", turbo is on",
	};
	const struct frequency *now = &machine->after;
	const uint64_t before = machine->before.throttled;

	if (now->scaled)
		tell(listener, true,
		    "frequency scaling: the governor of %u of %u cores is "
		    "%s%s, so their speed depends on load and heat; run "
		    "cpupower frequency-set -g performance as root",
		    now->scaled, now->cores, now->governor, turbo[now->turbo]);
	if (now->throttled > before)
		tell(listener, true,
		    "heat slowed the cores %llu times during the session; let "
		    "the machine cool and measure again",
		    (unsigned long long)(now->throttled - before));
}

static void tell_runs(
    const struct noise *noise, const struct noise_listener *listener)
{
	const struct noise_found *brief = &noise->found[NOISE_SHORT];
	const struct noise_found *few = &noise->found[NOISE_FEW];
	const struct noise_found *wide = &noise->found[NOISE_WIDE];
	char in[WHERE], value[UNITS_TEXT];

	if (brief->trials)
		tell(listener, true,
		    "too few samples: a run takes less than 50 ms %s; the "
		    "start of threads and the clock then count too much: "
		    "raise --samples",
		    where(noise, brief, "shortest",
		        units_time(brief->worst, value), in));
	if (few->trials) {
		snprintf(value, sizeof(value), "%.0f", few->worst);
		tell(listener, true,
		    "too few runs %s; fewer than %d cannot tell how precise "
		    "their median is: raise --runs or --budget",
		    where(noise, few, "fewest", value, in), RUNS_LEAST);
	}
	if (wide->trials)
		tell(listener, true,
		    "not precise: the median is not known to %.0f %% %s; "
		    "raise --budget or --runs, or stop other programs",
		    100 * noise_widest,
		    where_percent(noise, wide, round(100 * wide->worst), in));
}

static void tell_resident(
    const struct noise *noise, const struct noise_listener *listener)
{
	const struct noise_found *found = &noise->found[NOISE_RESIDENT];
	const char *fs = found->filesystem;
	const bool in_memory =
	    strncmp(fs, "tmpfs", 5) == 0 || strncmp(fs, "ramfs", 5) == 0;
	char in[WHERE];

	if (!found->trials)
		return;
	where_percent(noise, found, found->worst, in);
	if (in_memory)
		tell(listener, true,
		    "not cold: data was in memory before a cold run %s; %.5s "
		    "always keeps files in memory: put the dataset and "
		    "--work-dir on a disk",
		    in, fs);
	else
		tell(listener, true,
		    "not cold: data was in memory before a cold run %s; %s "
		    "did not drop it: run as root, so that all caches can be "
		    "dropped, stop programs that map these files, or use "
		    "another file system",
		    in, *fs ? fs : "the file system");
}

/* Says why it is not known, by the first trial; others may differ. */
static void tell_unseen(
    const struct noise *noise, const struct noise_listener *listener)
{
	const struct noise_found *found = &noise->found[NOISE_UNSEEN];

	if (found->trials)
		tell(listener, true,
		    "not known to be cold: %u of %u trials, the first of them "
		    "%s; %s: put a copy of the dataset, and --work-dir, on a "
		    "local disk, or measure more data than memory can hold",
		    found->trials, noise->trials, found->name, found->unseen);
}

static void tell_host(const struct noise *noise,
    const struct noise_machine *machine, const struct noise_listener *listener)
{
	const struct noise_found *found = &noise->found[NOISE_HOST],
	                         *early = &noise->found[NOISE_EARLY];
	const char *cache = *machine->virtual
	                        ? "the host of this virtual machine"
	                        : "a cache in or before the storage";
	char in[WHERE];

	if (*machine->virtual)
		tell(listener, false,
		    "this is a virtual machine (%s): cold means not in its own "
		    "memory; the host may still hold the data",
		    machine->virtual);
	if (found->trials)
		tell(listener, true,
		    "cold runs became faster after the first %s; %s holds the "
		    "data, so they measure its memory, and a first epoch is "
		    "slower: see report --what runs, and measure more data "
		    "than it can hold",
		    where_times(noise, found, in), cache);
	if (early->trials)
		tell(listener, true,
		    "cold reading begins faster than it goes on %s; %s gave "
		    "the first part of the data, and a longer epoch is "
		    "slower: measure more data than it can hold",
		    where_times(noise, early, in), cache);
}

/* Figures of the trials are right; less had been seen before. */
static void tell_ceiling(
    const struct noise *noise, const struct noise_listener *listener)
{
	const struct noise_found *found = &noise->found[NOISE_CEILING];
	char in[WHERE];

	if (found->trials)
		tell(listener, false,
		    "the storage is faster than its ceiling was: cold runs "
		    "read faster %s; their rates are the ceiling from now on, "
		    "for shares and forecasts, and forecasts of this session "
		    "may be too low by as much",
		    where_times(noise, found, in));
}

static void tell_memory(
    const struct noise_machine *machine, const struct noise_listener *listener)
{
	const struct system_rates *runs = &machine->runs;
	const bool waits = runs->pressure_memory > most_pressure;
	const bool swaps = runs->swapped > most_swapped;
	char number[UNITS_TEXT], rate[UNITS_TEXT];

	if (!machine->monitored || (!waits && !swaps))
		return;
	tell(listener, true,
	    "short of memory: during the runs tasks waited for it %.0f %% of "
	    "the time, %s/s were swapped, and %s pages/s were read from disk "
	    "again; stop other programs, or use fewer threads, a smaller "
	    "batch or no application cache",
	    isnan(runs->pressure_memory) ? 0 : runs->pressure_memory,
	    units_bytes(isnan(runs->swapped) ? 0 : runs->swapped, rate),
	    units_number(
	        isnan(runs->major_faults) ? 0 : runs->major_faults, number));
}

void noise_tell(const struct noise *noise, const struct noise_machine *machine,
    const struct noise_listener *listener)
{
	if (noise->trials == 0)
		return;
	tell_host(noise, machine, listener);
	tell_ceiling(noise, listener);
	tell_cores(noise, NOISE_OTHERS, listener);
	tell_cores(noise, NOISE_STOLEN, listener);
	tell_speed(machine, listener);
	tell_memory(machine, listener);
	tell_resident(noise, listener);
	tell_unseen(noise, listener);
	tell_runs(noise, listener);
}
