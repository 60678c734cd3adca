/* accelerators.c - see accelerators.h. */
#include "strategies/whatif/accelerators.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/base/units.h"
#include "lib/syntax/ini.h"
#include "lib/syntax/ini_options.h"
#include "lib/syntax/option.h"

/* Two figures are the same if they differ by less than this fraction. */
static const double alike = 1e-3;

/* ---- the file ---- */

struct job_keys {
	uint64_t batch, max_virtual_nodes, sample_memory, model_memory;
	double allreduce, allreduce_host;
};

static const struct option job_table[] = {
	OPTION(TIME, "allreduce", 0, struct job_keys, allreduce, "TIME",
	    "all-reduce over devices of several hosts"),
	OPTION(TIME, "allreduce_host", 0, struct job_keys, allreduce_host,
	    "TIME",
	    "all-reduce over devices of one host (default: as allreduce)"),
	OPTION_RANGE(UINT, "batch", struct job_keys, batch, 1, NODES_BATCH,
	    "samples of a step, over all devices"),
	OPTION_RANGE(UINT, "max_virtual_nodes", struct job_keys,
	    max_virtual_nodes, 1, NODES_BATCH, "virtual nodes a device"),
	OPTION(BYTES, "model_memory", 0, struct job_keys, model_memory, "SIZE",
	    "memory of the model on each device"),
	OPTION(BYTES, "sample_memory", 0, struct job_keys, sample_memory,
	    "SIZE", "memory of a sample on a device"),
	OPTION_TABLE_END,
};

struct type_keys {
	const char *type, *host, *throughput;
	uint64_t count, memory;
};

static const struct option type_table[] = {
	OPTION_RANGE(UINT, "count", struct type_keys, count, 1, NODES_DEVICES,
	    "devices"),
	OPTION(TEXT, "host", 0, struct type_keys, host, "NAME",
	    "host of the devices (default: localhost)"),
	OPTION(BYTES, "memory", 0, struct type_keys, memory, "SIZE",
	    "memory of a device"),
	OPTION(TEXT, "throughput", 0, struct type_keys, throughput, "LIST",
	    "BATCH:SAMPLES_PER_S, ... of one device"),
	OPTION(TEXT, "type", 0, struct type_keys, type, "NAME",
	    "type of accelerator (default: the name of the section)"),
	OPTION_TABLE_END,
};

/* "256:984" */
static int parse_point(struct nodes_type *type, char *text, struct error *err)
{
	struct nodes_point *point = &type->points[type->point_count];
	char *colon = strchr(text, ':');
	uint64_t batch;
	double rate;

	if (colon)
		*colon = '\0';
	if (!colon || units_parse_uint(text, &batch) || batch < 1 ||
	    batch > NODES_BATCH || units_parse_real(colon + 1, &rate) ||
	    !(rate > 0)) {
		if (colon)
			*colon = ':';
		return error_set(err, ERROR_USAGE,
		    "throughput must be BATCH:SAMPLES_PER_S, batches of 1 to "
		    "%d, got '%s'",
		    NODES_BATCH, text);
	}
	*point = (struct nodes_point){ .batch = (unsigned)batch,
		.samples_per_s = rate };
	if (type->point_count && point[-1].batch >= point->batch)
		return error_set(err, ERROR_USAGE,
		    "throughput: batches must rise, got %u after %u",
		    point->batch, point[-1].batch);
	type->point_count++;
	return 0;
}

static int parse_points(
    struct nodes_type *type, const char *text, struct error *err)
{
	char *copy = strdup(text), *rest = copy, *word;
	int rc = 0;

	if (!copy)
		return error_memory(err, strlen(text) + 1);
	while (rc == 0 && (word = strtok_r(rest, ", \t", &rest)))
		if (type->point_count == NODES_POINTS)
			rc = error_set(err, ERROR_USAGE,
			    "throughput: more than %d batches", NODES_POINTS);
		else
			rc = parse_point(type, word, err);
	free(copy);
	if (rc == 0 && !type->point_count)
		rc = error_set(err, ERROR_USAGE,
		    "throughput must be BATCH:SAMPLES_PER_S, ..., got '%s'",
		    text);
	return rc;
}

static int at_section(
    const struct ini *ini, const struct ini_section *section, struct error *err)
{
	return error_prefix(
	    err, "%s:%u: [%s]", ini->path, section->line, section->name);
}

static int copy_name(
    char to[NODES_NAME], const char *key, const char *name, struct error *err)
{
	if (strlen(name) >= NODES_NAME)
		return error_set(err, ERROR_USAGE,
		    "%s has %zu bytes, more than %d", key, strlen(name),
		    NODES_NAME - 1);
	snprintf(to, NODES_NAME, "%s", name);
	return 0;
}

static int read_type(struct nodes_job *job, const struct ini *ini,
    const struct ini_section *section, struct error *err)
{
	struct type_keys keys = { .host = "localhost", .count = 1 };
	struct nodes_type *type = &job->types[job->type_count];

	if (job->type_count == NODES_TYPES) {
		error_set(err, ERROR_USAGE,
		    "more than %d types of accelerators", NODES_TYPES);
		return at_section(ini, section, err);
	}
	if (ini_options(ini, section, type_table, &keys, err))
		return -1;
	*type = (struct nodes_type){ .count = (unsigned)keys.count,
		.memory_bytes = keys.memory ? (double)keys.memory : NAN };
	if (!keys.throughput) {
		error_set(err, ERROR_USAGE,
		    "throughput is missing: BATCH:SAMPLES_PER_S, ...");
		return at_section(ini, section, err);
	}
	if (copy_name(type->type, "type", keys.type ? keys.type : section->name,
	        err) ||
	    copy_name(type->host, "host", keys.host, err))
		return at_section(ini, section, err);
	if (parse_points(type, keys.throughput, err))
		return ini_error_at(ini, ini_entry(section, "throughput"), err);
	job->type_count++;
	return 0;
}

static int read_job(
    struct nodes_job *job, const struct ini *ini, struct error *err)
{
	const struct ini_section *section = ini_section(ini, "job");
	struct job_keys keys = { .allreduce_host = NAN };

	if (ini_options(ini, section, job_table, &keys, err))
		return -1;
	if (!keys.batch)
		return error_set(err, ERROR_USAGE,
		    "%s: [job] batch is missing: the samples of a step",
		    ini->path);
	*job = (struct nodes_job){
		.batch = (unsigned)keys.batch,
		.max_virtual_nodes = (unsigned)keys.max_virtual_nodes,
		.allreduce_s = keys.allreduce,
		.allreduce_host_s = isnan(keys.allreduce_host)
		                        ? keys.allreduce
		                        : keys.allreduce_host,
		.sample_bytes =
		    keys.sample_memory ? (double)keys.sample_memory : NAN,
		.model_bytes = (double)keys.model_memory,
	};
	return 0;
}

int accelerators_parse(
    struct accelerators *accelerators, const struct ini *ini, struct error *err)
{
	*accelerators = (struct accelerators){ .host_count = 0 };
	if (read_job(&accelerators->job, ini, err))
		return -1;
	for (size_t i = 0; i < ini->count; i++)
		if (strcmp(ini->sections[i].name, "job") != 0 &&
		    read_type(&accelerators->job, ini, &ini->sections[i], err))
			return -1;
	if (!accelerators->job.type_count)
		return error_set(err, ERROR_USAGE,
		    "%s: no accelerators: each type is a section with count, "
		    "host and throughput",
		    ini->path);
	return 0;
}

int accelerators_read(
    struct accelerators *accelerators, const char *path, struct error *err)
{
	struct ini ini = INI_INIT;
	int rc = ini_read(&ini, path, err);

	if (rc == 0)
		rc = accelerators_parse(accelerators, &ini, err);
	ini_release(&ini);
	return rc;
}

void accelerators_hide_hosts(struct accelerators *accelerators)
{
	struct nodes_type *types = accelerators->job.types;
	unsigned numbers[NODES_TYPES], hosts = 0;

	for (unsigned i = 0; i < accelerators->job.type_count; i++) {
		unsigned k = 0;

		while (strcmp(types[k].host, types[i].host) != 0)
			k++;
		numbers[i] = k < i ? numbers[k] : ++hosts;
	}
	for (unsigned i = 0; i < accelerators->job.type_count; i++)
		snprintf(
		    types[i].host, sizeof(types[i].host), "%u", numbers[i]);
}

/* ---- doubtful profiles ---- */

static void warn(struct accelerators *accelerators, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void warn(struct accelerators *accelerators, const char *format, ...)
{
	va_list args;

	if (accelerators->warning_count == ACCELERATORS_WARNINGS)
		return;
	va_start(args, format);
	vsnprintf(accelerators->warnings[accelerators->warning_count++],
	    ACCELERATORS_WARNING, format, args);
	va_end(args);
}

static double batch_s(const struct nodes_point *point)
{
	return point->batch / point->samples_per_s;
}

static void check_profile(
    struct accelerators *accelerators, const struct nodes_type *type)
{
	bool is_constant = type->point_count > 1; /* time of a batch */
	bool is_linear = type->point_count > 2;

	for (unsigned i = 1; i < type->point_count; i++) {
		const struct nodes_point *at = &type->points[i];
		const double grows = batch_s(at) / batch_s(at - 1);

		is_constant &= fabs(grows - 1) < alike;
		is_linear &=
		    fabs(at->samples_per_s / at[-1].samples_per_s - 1) < alike;
		if (grows < 1 - alike)
			warn(accelerators,
			    "%s takes less time for %u samples than for %u: "
			    "the profile should be measured again",
			    type->type, at->batch, at[-1].batch);
	}
	if (is_constant)
		warn(accelerators,
		    "%s takes the same time for any batch: its throughput was "
		    "not measured under load",
		    type->type);
	if (is_linear)
		warn(accelerators,
		    "%s has the same throughput for any batch: small virtual "
		    "nodes then cost nothing, which measurements seldom show",
		    type->type);
}

static void check_memory(
    struct accelerators *accelerators, const struct nodes_type *type)
{
	const struct nodes_job *job = &accelerators->job;
	const struct nodes_point *last = &type->points[type->point_count - 1];
	char text[UNITS_TEXT];

	if (!isnan(nodes_batch_s(job, type, last->batch)))
		return;
	warn(accelerators,
	    "%s: batches of more than the memory of %s holds are not used",
	    type->type, units_bytes(type->memory_bytes, text));
}

/* ---- devices left out ---- */

/* "it", "them", "more of them" */
static const char *those(
    const struct accelerators *accelerators, const struct left_out *left)
{
	if (accelerators->division.shares[left->type].devices)
		return "more of them";
	return left->devices == 1 ? "it" : "them";
}

static void say_why(
    const struct accelerators *accelerators, struct left_out *left)
{
	const char *with = those(accelerators, left);
	const double slower =
	    100 * (left->step_s / accelerators->division.step_s - 1);

	if (isnan(left->step_s))
		snprintf(left->why, sizeof(left->why),
		    "the batch cannot be divided with %s", with);
	else if (slower < 100 * alike)
		snprintf(left->why, sizeof(left->why),
		    "a step would be no shorter with %s", with);
	else
		snprintf(left->why, sizeof(left->why),
		    "a step would take %.3g %% longer with %s: %.4g s", slower,
		    with, left->step_s);
}

static void add_left_out(struct accelerators *accelerators, unsigned type)
{
	const struct nodes_job *job = &accelerators->job;
	const unsigned used = accelerators->division.shares[type].devices;
	struct left_out *left =
	    &accelerators->left_out[accelerators->left_out_count++];
	struct nodes_bounds with = nodes_unbound(job);
	struct error none = ERROR_INIT;
	struct division division;

	*left = (struct left_out){ .type = type,
		.devices = job->types[type].count - used,
		.step_s = NAN };
	with.least[type] = used + 1;
	if (nodes_divide(job, &with, &division, &none) == 0)
		left->step_s = division.step_s;
	say_why(accelerators, left);
}

/* ---- the demand of each host ---- */

static struct host_demand *find_host(
    struct accelerators *accelerators, const char host[NODES_NAME])
{
	struct host_demand *found;

	for (unsigned i = 0; i < accelerators->host_count; i++)
		if (strcmp(accelerators->hosts[i].host, host) == 0)
			return &accelerators->hosts[i];
	found = &accelerators->hosts[accelerators->host_count++];
	*found = (struct host_demand){ .samples_per_s = 0 };
	memcpy(found->host, host, sizeof(found->host));
	return found;
}

unsigned accelerators_devices(const struct accelerators *accelerators)
{
	unsigned devices = 0;

	for (unsigned i = 0; i < accelerators->job.type_count; i++)
		devices += accelerators->division.shares[i].devices;
	return devices;
}

void accelerators_demand(struct accelerators *accelerators)
{
	const struct nodes_job *job = &accelerators->job;
	const struct division *division = &accelerators->division;

	accelerators->samples_per_s = job->batch / division->step_s;
	accelerators->host_count = accelerators->most = 0;
	for (unsigned i = 0; i < job->type_count; i++) {
		const struct nodes_share *share = &division->shares[i];
		struct host_demand *host;

		if (!share->devices)
			continue;
		host = find_host(accelerators, job->types[i].host);
		host->samples_per_s +=
		    (double)share->devices * share->samples / division->step_s;
	}
	for (unsigned i = 1; i < accelerators->host_count; i++)
		if (accelerators->hosts[i].samples_per_s >
		    accelerators->hosts[accelerators->most].samples_per_s)
			accelerators->most = i;
}

int accelerators_solve(struct accelerators *accelerators, struct error *err)
{
	const struct nodes_job *job = &accelerators->job;
	const struct nodes_bounds bounds = nodes_unbound(job);

	if (nodes_divide(job, &bounds, &accelerators->division, err))
		return -1;
	accelerators->warning_count = accelerators->left_out_count = 0;
	for (unsigned i = 0; i < job->type_count; i++) {
		check_profile(accelerators, &job->types[i]);
		check_memory(accelerators, &job->types[i]);
		if (accelerators->division.shares[i].devices <
		    job->types[i].count)
			add_left_out(accelerators, i);
	}
	accelerators_demand(accelerators);
	return 0;
}

double accelerators_most(const struct accelerators *accelerators)
{
	return accelerators->hosts[accelerators->most].samples_per_s;
}
