/* machine_file.c - see machine_file.h. */
#include "strategies/forecast/machine_file.h"

#include <math.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/measure/reference.h"
#include "lib/measure/storage/probe.h"
#include "lib/measure/system.h"
#include "lib/syntax/ini_options.h"
#include "lib/syntax/option.h"
#include "strategies/forecast/models/sync_time.h"
#include "strategies/forecast/predict.h"

struct values {
	struct machine_file file;
	const char *cpu;
};

static const struct option machine_options[] = {
	OPTION_RANGE(UINT, "cores", struct values, file.cores, 1, 65536,
	    "cores that programs may use"),
	OPTION(TEXT, "cpu", 0, struct values, cpu, "TEXT",
	    "name of the processor"),
	OPTION(BYTES, "memory", 0, struct values, file.memory, "SIZE",
	    "memory that programs may use"),
	OPTION(TIME, "reference", 0, struct values, file.reference_s, "TIME",
	    "time of the reference workload"),
	OPTION_RANGE(REAL, "speed", struct values, file.speed, 1e-3, 1e3,
	    "speed of a core, relative to the one that was probed"),
	OPTION_TABLE_END,
};

static const struct option storage_options[] = {
	OPTION(RATE, "bandwidth", 0, struct values, file.storage.bandwidth,
	    "RATE", "bytes per second of all threads"),
	OPTION_RANGE(REAL, "iops", struct values, file.storage.iops, 0, 1e12,
	    "requests per second"),
	OPTION(TIME, "latency", 0, struct values, file.storage.latency, "TIME",
	    "time that a request takes"),
	OPTION(TIME, "open", 0, struct values, file.storage.open, "TIME",
	    "time to open a file"),
	OPTION_RANGE(REAL, "opens", struct values, file.storage.opens, 0, 1e12,
	    "files opened per second"),
	OPTION(RATE, "stream", 0, struct values, file.storage.stream, "RATE",
	    "bytes per second of one thread"),
	OPTION(TIME, "sync", 0, struct values, file.sync_s, "TIME",
	    "time to make a small file safe"),
	OPTION_TABLE_END,
};

int machine_file_read(
    struct machine_file *file, const char *path, struct error *err)
{
	static const char *const known[] = { "machine", "storage" };
	struct values values = { .file = { .cores = 1, .speed = 1 } };
	struct ini ini = INI_INIT;
	int rc = -1;

	if (ini_read(&ini, path, err) == 0 &&
	    ini_check_sections(&ini, known, ARRAY_LEN(known), err) == 0 &&
	    ini_options(&ini, ini_section(&ini, known[0]), machine_options,
	        &values, err) == 0 &&
	    ini_options(&ini, ini_section(&ini, known[1]), storage_options,
	        &values, err) == 0) {
		values.file.has_storage = ini_section(&ini, known[1]) != NULL;
		*file = values.file;
		rc = 0;
	}
	if (rc == 0 && !ini_section(&ini, known[0]))
		rc = error_set(err, ERROR_USAGE,
		    "%s: has no section [machine]; presto probe DIR --export "
		    "FILE writes one",
		    path);
	ini_release(&ini);
	return rc;
}

/* The fastest row of a pattern, with so many threads; 0: with the most. */
static const struct ceiling *find_row(
    const struct probe *probe, enum ceiling_pattern pattern, unsigned threads)
{
	const struct ceiling *best = NULL;

	for (size_t i = 0; i < probe->count; i++) {
		const struct ceiling *c = &probe->rows[i].ceiling;

		if (c->pattern != pattern || probe->rows[i].warm ||
		    (threads && c->threads != threads))
			continue;
		if (!best || c->threads > best->threads)
			best = c;
	}
	return best;
}

/* Seconds to open one of the small files, beside reading it. */
static double open_seconds(
    const struct ceiling *files, const struct ceiling *large)
{
	if (!files || !large || files->requests_per_s <= 0 ||
	    large->bytes_per_s <= 0)
		return 0;
	return fmax(1 / files->requests_per_s -
	                (double)files->file_bytes / large->bytes_per_s,
	    0);
}

static struct storage_speed speed_of(const struct probe *probe)
{
	const struct ceiling *large = find_row(probe, CEILING_SEQUENTIAL, 0);
	const struct ceiling *one = find_row(probe, CEILING_SEQUENTIAL, 1);
	const double open_s =
	    open_seconds(find_row(probe, CEILING_FILES, 0), large);
	const double alone_s =
	    open_seconds(find_row(probe, CEILING_FILES, 1), one);
	struct storage_speed speed = { .bandwidth = 0 };

	if (large)
		speed.bandwidth = large->bytes_per_s;
	if (large && one && one->bytes_per_s < large->bytes_per_s)
		speed.stream = one->bytes_per_s;
	if (open_s > 0)
		speed.opens = 1 / open_s;
	speed.open = fmax(alone_s - open_s, 0);
	return speed;
}

int machine_file_of(struct machine_file *file, const struct machine *machine,
    const struct probe *probe, const char *dir, struct error *err)
{
	*file = (struct machine_file){
		.cores = machine->cores,
		.speed = 1,
		.memory = machine_memory(machine),
		.storage = speed_of(probe),
		.sync_s = sync_cost_measure(dir, 1).file_s,
		.has_storage = true,
	};
	return reference_time(&file->reference_s, err);
}

void machine_file_print(
    const struct machine_file *file, const char *cpu, FILE *out)
{
	const struct storage_speed *storage = &file->storage;

	fprintf(out, "# for presto predict PIPELINE.conf --machine FILE; see "
	             "presto-predict(1)\n[machine]\n");
	if (*cpu)
		fprintf(out, "cpu = %s\n", cpu);
	fprintf(out,
	    "cores = %llu\nspeed = %.6g\nreference = %.6gms\n"
	    "memory = %.6gMB\n\n[storage]\n",
	    (unsigned long long)file->cores, file->speed,
	    1e3 * file->reference_s, (double)file->memory / 1e6);
	fprintf(out, "bandwidth = %.6gMB/s\n", storage->bandwidth / 1e6);
	if (storage->stream > 0)
		fprintf(out, "stream = %.6gMB/s\n", storage->stream / 1e6);
	fprintf(out, "latency = %.6gus\niops = %.6g\nopen = %.6gus\n",
	    1e6 * storage->latency, storage->iops, 1e6 * storage->open);
	if (storage->opens > 0)
		fprintf(out, "opens = %.6g\n", storage->opens);
	if (file->sync_s > 0)
		fprintf(out, "sync = %.6gus\n", 1e6 * file->sync_s);
}

/* The time that the storage there takes to make data safe; else as usual. */
static struct sync_cost sync_of(const struct machine_file *file)
{
	const struct storage_speed *storage = &file->storage;
	struct sync_cost cost = sync_cost_measure(NULL, 1);

	if (file->sync_s > 0)
		cost.file_s = file->sync_s;
	if (storage->bandwidth > 0)
		cost.byte_s = cost.alone.byte_s = 1 / storage->bandwidth;
	cost.alone.file_s = storage->open + storage->latency;
	return cost;
}

int machine_file_apply(
    const struct machine_file *file, struct model *model, struct error *err)
{
	double here_s, times = 1;

	if (file->reference_s > 0) {
		if (reference_time(&here_s, err))
			return -1;
		times = here_s / file->reference_s;
	}
	if (file->has_storage)
		model->sync = sync_of(file);
	for (struct model *of = model; of; of = of->next) {
		of->machine.speed = file->speed * times;
		of->machine.cores = (unsigned)file->cores;
		if (file->memory > 0)
			of->machine.memory = file->memory;
		/* As plan_cache_budget, with the memory there. */
		if (file->memory > 0 && !of->plan->load.cache_budget)
			of->machine.cache_budget = file->memory / 2;
		of->machine.storage = file->has_storage ? &file->storage : NULL;
	}
	return 0;
}
