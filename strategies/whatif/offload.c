/* offload.c - see offload.h. */
#include "strategies/whatif/offload.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/units.h"
#include "lib/syntax/ini.h"
#include "lib/syntax/ini_options.h"
#include "lib/syntax/option.h"

/* FastFlow: sending work away pays if the demand exceeds the rate so often. */
static const double least_shortage = 1.3;
/* FastFlow: a worker that would be used by less is not added. */
static const double spare_worker = 0.1;
/* A gain below this factor is not worth more threads or machines. */
static const double least_more = 1.05;
/* cedar: a smaller fraction of the work is not worth moving. */
static const double least_fraction = 0.05;

/* ---- the file ---- */

struct remote_keys {
	double cores, speed, rate;
	uint64_t count;
};

struct network_keys {
	double bandwidth, latency, receive;
};

struct accelerator_keys {
	double rate;
};

static const struct option remote_table[] = {
	OPTION_RANGE(REAL, "cores", struct remote_keys, cores, 0.01, 1e5,
	    "cores of a worker"),
	OPTION_RANGE(UINT, "count", struct remote_keys, count, 1,
	    OFFLOAD_WORKERS, "number of workers"),
	OPTION_RANGE(REAL, "rate", struct remote_keys, rate, 1e-6, 1e12,
	    "samples per second of a worker that does everything"),
	OPTION_RANGE(REAL, "speed", struct remote_keys, speed, 1e-3, 1e3,
	    "speed of a core; 1: as one here"),
	OPTION_TABLE_END,
};

static const struct option network_table[] = {
	OPTION(RATE, "bandwidth", 0, struct network_keys, bandwidth, "RATE",
	    "bandwidth from all workers to here"),
	OPTION(TIME, "latency", 0, struct network_keys, latency, "TIME",
	    "round trip"),
	OPTION(RATE, "receive", 0, struct network_keys, receive, "RATE",
	    "rate at which a core here can receive"),
	OPTION_TABLE_END,
};

static const struct option accelerator_table[] = {
	OPTION_RANGE(REAL, "rate", struct accelerator_keys, rate, 1e-6, 1e12,
	    "samples per second that are needed"),
	OPTION_TABLE_END,
};

static const char *const section_names[] = { "remote", "network",
	"accelerator" };

static int check_remote(
    const struct remote_keys *keys, const struct ini *ini, struct error *err)
{
	if (isnan(keys->cores) && isnan(keys->rate))
		return error_set(err, ERROR_USAGE,
		    "%s: [remote] needs cores, or rate: what a worker can do",
		    ini->path);
	if (!isnan(keys->cores) && !isnan(keys->rate))
		return error_set(err, ERROR_USAGE,
		    "%s: [remote] cores and rate: one of them", ini->path);
	return 0;
}

int offload_parse(
    struct offload_site *site, const struct ini *ini, struct error *err)
{
	struct remote_keys remote = {
		.cores = NAN, .rate = NAN, .speed = 1, .count = 1
	};
	struct network_keys network = { .receive = 1e9 };
	struct accelerator_keys accelerator = { .rate = NAN };

	if (ini_check_sections(
	        ini, section_names, ARRAY_LEN(section_names), err) ||
	    ini_options(
	        ini, ini_section(ini, "remote"), remote_table, &remote, err) ||
	    ini_options(ini, ini_section(ini, "network"), network_table,
	        &network, err) ||
	    ini_options(ini, ini_section(ini, "accelerator"), accelerator_table,
	        &accelerator, err) ||
	    check_remote(&remote, ini, err))
		return -1;
	*site = (struct offload_site){
		.cores = remote.cores,
		.speed = remote.speed,
		.rate = remote.rate,
		.count = (double)remote.count,
		.bandwidth =
		    network.bandwidth > 0 ? network.bandwidth : INFINITY,
		.latency = network.latency,
		.receive = network.receive > 0 ? network.receive : INFINITY,
		.accelerator = accelerator.rate,
	};
	return 0;
}

int offload_read(struct offload_site *site, const char *path, struct error *err)
{
	struct ini ini = INI_INIT;
	int rc = ini_read(&ini, path, err);

	if (rc == 0)
		rc = offload_parse(site, &ini, err);
	ini_release(&ini);
	return rc;
}

/* ---- FastFlow ---- */

double offload_workers(double accelerator, double local, double worker)
{
	const double workers =
	    ceil((accelerator - local) / worker - spare_worker);

	return workers > 1 ? workers : 1;
}

double offload_local_fraction(
    double accelerator, double local, double remote, double decode)
{
	const double missing = accelerator - local;
	const double wanted = missing * (1 + decode);
	double sent;

	if (local + remote < accelerator)
		return local / (local + remote);
	if (local > remote)
		sent = (remote + wanted) / 2;
	else
		sent = fmax(remote, wanted);
	return fmax(0, (accelerator - sent) / accelerator);
}

/* ---- cedar ---- */

double offload_part_speedup(double fraction, double speedup)
{
	const double rest = 1 / speedup - (1 - fraction);

	return rest > 0 ? fraction / rest : INFINITY;
}

/* ---- a point ---- */

static double worker_rate(const struct offload_facts *facts,
    const struct offload_site *site, const struct offload_place *place)
{
	if (!(place->cpu_s > 0))
		return INFINITY;
	if (!isnan(site->rate))
		return site->rate * facts->all_s / place->cpu_s;
	return site->cores * site->speed / place->cpu_s;
}

/* The rate when workers can send so many samples per second. */
static double reached(const struct offload_facts *facts,
    const struct offload_point *point, double can_be_sent)
{
	const double sent = fmin(can_be_sent, point->most_sent);

	return sent + fmin(facts->alone, facts->capacity - sent * point->left);
}

/* Samples/s to send for this rate: spare capacity here is used first. */
static double sent_for(const struct offload_facts *facts,
    const struct offload_point *point, double samples_per_s)
{
	const double missing = samples_per_s - facts->alone;
	const double spare = (facts->capacity - facts->alone) / point->left;

	if (missing <= spare || !(point->left < 1))
		return missing;
	return spare + (missing - spare) / (1 - point->left);
}

static void judge(struct offload_point *point, const struct offload *offload,
    const struct offload_facts *facts, const struct offload_site *site)
{
	const double rate = point->worker_rate;
	double sent, spared, useful;

	point->samples_per_s = offload->alone;
	point->local_fraction = 1;
	point->part_speedup = 1;
	if (!(point->most_sent > 0) || !(offload->needed > offload->alone))
		return;
	useful = fmin(sent_for(facts, point, offload->needed),
	    fmin(point->network_rate, point->most_sent));
	point->workers =
	    (unsigned)fmin(site->count, offload_workers(useful, 0, rate));
	sent = fmin(point->workers * rate, point->network_rate);
	spared =
	    fmin((point->workers + spare_worker) * rate, point->network_rate);
	point->samples_per_s =
	    fmin(offload->needed, reached(facts, point, sent));
	point->local_fraction = offload_local_fraction(offload->needed,
	    offload->alone, fmin(sent, point->most_sent), point->left);
	point->part_speedup = offload_part_speedup(
	    point->fraction, point->samples_per_s / offload->alone);
	point->is_enough =
	    reached(facts, point, spared) >= offload->needed * (1 - 1e-9);
	point->is_candidate = point->fraction >= least_fraction &&
	                      offload->needed > least_shortage * offload->alone;
}

static struct offload_point point_of(const struct offload_facts *facts,
    const struct offload_site *site, const struct offload_place *place)
{
	const double least = 1e-9; /* so that there is something to divide by */
	const double spare = facts->capacity - facts->alone;
	const double left_s =
	    facts->all_s - place->cpu_s + place->bytes / site->receive;
	const double left = fmax(left_s / facts->all_s, least);

	return (struct offload_point){
		.place = place,
		.fraction = place->cpu_s / facts->all_s,
		.worker_rate = worker_rate(facts, site, place),
		.network_rate = place->bytes > 0
		                    ? site->bandwidth / place->bytes
		                    : INFINITY,
		.left = left,
		.most_sent = (left < 1 ? facts->capacity : spare) / left,
	};
}

/* Enough first, then fewer workers, then more samples, then fewer bytes. */
static bool is_better(
    const struct offload_point *a, const struct offload_point *b)
{
	if (a->is_enough != b->is_enough)
		return a->is_enough;
	if (a->is_enough && a->workers != b->workers)
		return a->workers < b->workers;
	if (!a->is_enough && (a->samples_per_s > b->samples_per_s ||
	                         a->samples_per_s < b->samples_per_s))
		return a->samples_per_s > b->samples_per_s;
	return a->place->bytes < b->place->bytes;
}

/* ---- the verdict ---- */

static void say(struct offload *offload, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void say(struct offload *offload, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(offload->reason, sizeof(offload->reason), format, args);
	va_end(args);
}

/* "more threads here first, which give 1 279 samples/s; " */
static const char *more_threads(
    const struct offload *offload, char text[OFFLOAD_REASON / 2])
{
	char rate[UNITS_TEXT];

	*text = '\0';
	if (offload->alone > least_more * offload->local)
		snprintf(text, OFFLOAD_REASON / 2,
		    "more threads here first, which give at most %s "
		    "samples/s; ",
		    units_number(offload->alone, rate));
	return text;
}

/* The reason why the rate is not higher. */
static const char *limit_of(const struct offload_point *point)
{
	const double sent =
	    fmin(point->workers * point->worker_rate, point->network_rate);

	if (sent >= point->most_sent)
		return "what is left to do here takes all cores";
	if (sent >= point->network_rate)
		return "the network carries no more";
	return "there are no more workers";
}

static void say_offload(struct offload *offload)
{
	char first[OFFLOAD_REASON / 2];
	const struct offload_point *best = offload->best;
	char rate[UNITS_TEXT], needed[UNITS_TEXT];

	more_threads(offload, first);
	units_number(best->samples_per_s, rate);
	units_number(offload->needed, needed);
	if (best->is_enough)
		say(offload, "%s%u %s doing all up to %s %s enough", first,
		    best->workers, best->workers == 1 ? "worker" : "workers",
		    best->place->name, best->workers == 1 ? "is" : "are");
	else
		say(offload,
		    "%s%u %s doing all up to %s %s %s of %s samples/s: %s",
		    first, best->workers,
		    best->workers == 1 ? "worker" : "workers",
		    best->place->name, best->workers == 1 ? "gives" : "give",
		    rate, needed, limit_of(best));
}

/* The best point gains less than is worth it. */
static void say_too_little(
    struct offload *offload, const struct offload_point *point)
{
	char first[OFFLOAD_REASON / 2], rate[UNITS_TEXT], needed[UNITS_TEXT];

	more_threads(offload, first);
	say(offload,
	    "%sother machines would give %s of %s samples/s, less than %.0f %% "
	    "more than is reached here: %s",
	    first, units_number(point->samples_per_s, rate),
	    units_number(offload->needed, needed), 100 * (least_more - 1),
	    limit_of(point));
}

static void say_local(
    struct offload *offload, const struct offload_facts *facts)
{
	const double times = offload->needed / offload->alone;
	bool gains = false, is_small = true;
	char first[OFFLOAD_REASON / 2];

	for (unsigned i = 0; i < offload->count; i++) {
		gains |= offload->points[i].most_sent > 0;
		is_small &= offload->points[i].fraction < least_fraction;
	}
	more_threads(offload, first);
	if (offload->needed <= offload->local)
		say(offload, "the accelerators take no more than is delivered");
	else if (times <= 1)
		say(offload,
		    "%sthe accelerators take no more than the cores here give",
		    first);
	else if (times <= least_shortage)
		say(offload,
		    "%sthe accelerators take %.3g times what is delivered%s; "
		    "sending work away pays from %.3g times on",
		    first, times, *first ? " then" : "", least_shortage);
	else if (!facts->count || is_small)
		say(offload, "%sthere is hardly any work to send away", first);
	else if (!gains)
		say(offload,
		    "%sreceiving the samples takes as long as making them here",
		    first);
	else
		say(offload, "%sno part of the work is faster elsewhere",
		    first);
}

void offload_make(struct offload *offload, const struct offload_facts *facts,
    const struct offload_site *site)
{
	const struct offload_point *best = NULL;

	*offload = (struct offload){ .needed = site->accelerator,
		.local = facts->samples_per_s,
		.alone = fmax(facts->alone, facts->samples_per_s),
		.count = facts->count };
	for (unsigned i = 0; i < facts->count; i++) {
		struct offload_point *point = &offload->points[i];

		*point = point_of(facts, site, &facts->places[i]);
		judge(point, offload, facts, site);
		if (!point->is_candidate ||
		    !(point->samples_per_s > offload->alone))
			continue;
		if (!best || is_better(point, best))
			best = point;
	}
	if (!best) {
		say_local(offload, facts);
		return;
	}
	if (best->samples_per_s < least_more * offload->alone) {
		say_too_little(offload, best);
		return;
	}
	offload->best = best;
	offload->in_flight = offload->best->samples_per_s *
	                     (1 - offload->best->local_fraction) *
	                     site->latency;
	say_offload(offload);
}
