/*
 * scale.c - memory and time of what presto does once for a whole dataset, with
 * samples and shards that have no bytes: make scale.
 *
 *	scale PRESTO SAMPLES SHARDS
 *
 * It makes a small folder with PRESTO materialize, and lets its manifest and
 * description tell of SHARDS shards with SAMPLES samples.  Each step then runs
 * in a process of its own, whose peak memory is compared with a bound: so much
 * for the program, so much for a shard, and 4 bytes for each of at most
 * PERMUTATION_HELD samples that are in a random order.  The exit status is 1 if
 * a step takes more, or more than 10 s of CPU time.
 */
#define _GNU_SOURCE /* wait4, mkdtemp */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "api/presto.h"
#include "api/project.h"
#include "lib/base/array.h"
#include "lib/base/bytes.h"
#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/files/path_tree.h"
#include "lib/files/path_write.h"
#include "lib/folder/description.h"
#include "lib/folder/description_read.h"
#include "lib/folder/description_write.h"
#include "lib/folder/inventory.h"
#include "lib/media/medium.h"
#include "lib/sample/permutation.h"
#include "lib/stores/manifest.h"
#include "lib/stores/shard_path.h"
#include "lib/stores/sink.h"
#include "lib/stores/store.h"
#include "strategies/orders/orders.h"
#include "strategies/plan/strategies.h"
#include "strategies/prepare/prepare.h"

enum {
	OF_PROGRAM = 64 << 20, /* bytes */
	OF_SHARD = 700,
	OF_SAMPLE = 4,
	CPU_S = 10,
	NAME = 64,
	STORED = 1 << 20, /* bytes of a shard, as the manifest says */
};

struct scale {
	const char *presto;
	char *dir; /* scratch */
	char *conf, *out;
	uint64_t samples;
	size_t shards;
};

static void check(int rc, const struct error *err)
{
	if (rc == 0)
		return;
	fprintf(stderr, "scale: %s\n", err->text);
	exit(2);
}

static struct medium *open_medium(void)
{
	struct error err = ERROR_INIT;
	struct medium *medium = medium_new_local(&err);

	check(medium ? 0 : -1, &err);
	return medium;
}

/* ---- steps ---- */

/* Plans a preparation in which every shard stands already. */
static void plan_shards(const struct scale *scale)
{
	struct error err = ERROR_INIT;
	struct project *project = project_new(&err);
	const struct project_settings settings = { .count = 0 };
	struct strategy strategy;
	struct prepared prepared;
	bool *stands = malloc(scale->shards);
	struct orders *orders;

	check(project && stands ? 0 : -1, &err);
	memset(stands, true, scale->shards);
	check(project_read(project, scale->conf, &settings, &err), &err);
	check(project_open(project, 0, false, &err), &err);
	orders = orders_new(&project->pipeline, &err);
	check(orders ? 0 : -1, &err);
	check(strategy_parse_ordered(&strategy, "raw/tar/none", orders, &err),
	    &err);
	check(prepare_run(
	          &(struct prepare_plan){
	              .source = project->source,
	              .pipeline = &project->pipeline,
	              .strategy = &strategy,
	              .order = { .shuffled = true, .seed = 7 },
	              .medium = project->medium,
	              .folder = { .dir = scale->dir,
	                  .stands = stands,
	                  .is_part = true },
	              .threads = 1,
	              .shards = (unsigned)scale->shards,
	          },
	          &prepared, &err),
	    &err);
	orders_free(orders);
	free(stands);
	project_free(project);
}

/* Adds the file of a shard to the manifest. */
static void add_file(
    struct manifest *manifest, const char *name, const char *suffix)
{
	const struct file_sum sum = { STORED, 0x0123456789abcdef };
	struct error err = ERROR_INIT;
	char file[NAME];

	snprintf(file, sizeof(file), "%s%s", name, suffix);
	check(
	    file_list_add(&manifest->files, span_text(file), &sum, &err), &err);
}

/* Lets the manifest list as many shards, samples and files as wanted. */
static void enlarge(const struct scale *scale, struct manifest *manifest)
{
	manifest->shards = realloc(
	    manifest->shards, scale->shards * sizeof(*manifest->shards));
	manifest->count = scale->shards;
	manifest->samples = scale->samples;
	file_list_release(&manifest->files);
	for (size_t i = 0; i < scale->shards; i++) {
		const uint64_t before = scale->samples / scale->shards * i;
		char name[SHARD_NAME];

		manifest->shards[i] = (struct manifest_shard){
			.samples = i + 1 < scale->shards
			               ? scale->samples / scale->shards
			               : scale->samples - before,
			.stored = STORED,
			.checksum = i,
		};
		shard_name((unsigned)i, name);
		add_file(manifest, name, ".idx");
		add_file(manifest, name, ".index");
		add_file(manifest, name, ".tar");
	}
}

/* Writes dataset.json, the list of shards and the manifest. */
static void write_manifest(const struct scale *scale)
{
	struct medium *medium = open_medium();
	struct description about = DESCRIPTION_INIT;
	struct sink sink = { .medium = medium };
	struct error err = ERROR_INIT;
	struct buf text = BUF_INIT;
	char *path = path_join(scale->out, MANIFEST_NAME, &err);

	check(description_read(&about, medium, scale->out, &err), &err);
	enlarge(scale, &about.manifest);
	check(
	    description_write(&about, &sink, scale->out, &about.manifest, &err),
	    &err);
	check(
	    manifest_put_list(&about.manifest, &sink, scale->out, &err), &err);
	check(manifest_print(&about.manifest, &text, &err), &err);
	check(sink_file(&sink, path, buf_span(&text), &err), &err);
	buf_release(&text);
	free(path);
	description_release(&about);
	medium_free(medium);
}

static void read_manifest(const struct scale *scale)
{
	struct medium *medium = open_medium();
	struct manifest manifest = MANIFEST_INIT;
	struct error err = ERROR_INIT;

	check(manifest_read(&manifest, medium, scale->out, &err), &err);
	if (manifest.count != scale->shards ||
	    manifest.samples != scale->samples)
		error_set(&err, ERROR_DATA, "the manifest lost shards");
	check(err.code ? -1 : 0, &err);
	manifest_release(&manifest);
	medium_free(medium);
}

/* Opens the folder as a training program does, up to the first batch. */
static void start_loader(const struct scale *scale)
{
	struct presto_loader_options options = PRESTO_LOADER_OPTIONS_INIT;
	struct presto_error why;
	struct error err = ERROR_INIT;
	struct presto_dataset *dataset = presto_open(scale->out, NULL, &why);
	struct presto_loader *loader;

	if (!dataset)
		check(error_set(&err, ERROR_DATA, "%s", why.text), &err);
	options.batch_size = 256;
	options.shuffle = true;
	options.threads = 1;
	loader = presto_loader_new(dataset, &options, &why);
	if (!loader)
		check(error_set(&err, ERROR_DATA, "%s", why.text), &err);
	if (presto_loader_batches(loader) !=
	    (scale->samples + options.batch_size - 1) / options.batch_size)
		check(error_set(&err, ERROR_DATA, "batches are missing"), &err);
	presto_loader_free(loader);
	presto_close(dataset);
}

/* Lists as many files as there are shards, as a dataset of archives has. */
static void list_files(const struct scale *scale)
{
	struct inventory inventory = INVENTORY_INIT, back = INVENTORY_INIT;
	struct error err = ERROR_INIT;
	struct buf text = BUF_INIT;

	for (size_t i = 0; i < scale->shards; i++) {
		char name[NAME];
		const struct inventory_file file = {
			.name = name,
			.bytes = STORED + i,
			.mtime_ns = (int64_t)i * 1000000007,
		};

		snprintf(name, sizeof(name), "train/part-%09zu.tar", i);
		check(inventory_add(&inventory, &file, &err), &err);
	}
	check(inventory_print(&inventory, &text, &err), &err);
	check(inventory_parse(&back, buf_span(&text), &err), &err);
	if (back.count != scale->shards)
		check(error_set(&err, ERROR_DATA, "files are missing"), &err);
	buf_release(&text);
	inventory_release(&inventory);
	inventory_release(&back);
}

static const struct step {
	const char *name;
	void (*run)(const struct scale *scale);
	bool has_order; /* of all samples */
} steps[] = {
	{ "plan shards and order", plan_shards, true },
	{ "list files", list_files, false },
	{ "write manifest", write_manifest, false },
	{ "read manifest", read_manifest, false },
	{ "start Loader", start_loader, false },
};

/* ---- measuring ---- */

static double bound_of(const struct scale *scale, const struct step *step)
{
	const bool held = step->has_order && scale->samples <= PERMUTATION_HELD;

	return OF_PROGRAM + (double)scale->shards * OF_SHARD +
	       (held ? (double)scale->samples * OF_SAMPLE : 0);
}

static double seconds(const struct timeval *time)
{
	return (double)time->tv_sec + (double)time->tv_usec / 1e6;
}

/* Runs a step in a process of its own; false if it takes too much. */
static bool run_step(const struct scale *scale, const struct step *step)
{
	const uint64_t begin = clock_now(&clock_monotonic);
	const double bound = bound_of(scale, step);
	struct rusage used;
	double peak, cpu_s;
	int status;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (child == 0) {
		step->run(scale);
		_exit(0);
	}
	if (child < 0 || wait4(child, &status, 0, &used) != child ||
	    !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
		printf("%-22s failed\n", step->name);
		return false;
	}
	peak = (double)used.ru_maxrss * 1024;
	cpu_s = seconds(&used.ru_utime) + seconds(&used.ru_stime);
	printf("%-22s %8.0f MiB %8.0f MiB %8.2f s %8.2f s  %s\n", step->name,
	    peak / (1 << 20), bound / (1 << 20),
	    (double)(clock_now(&clock_monotonic) - begin) / 1e9, cpu_s,
	    peak <= bound && cpu_s <= CPU_S ? "" : "TOO MUCH");
	return peak <= bound && cpu_s <= CPU_S;
}

/* ---- the small folder ---- */

static void make_folder(struct scale *scale)
{
	struct error err = ERROR_INIT;
	char text[256], *command = NULL;

	scale->conf = path_join(scale->dir, "scale.conf", &err);
	scale->out = path_join(scale->dir, "out", &err);
	check(scale->conf && scale->out ? 0 : -1, &err);
	snprintf(text, sizeof(text),
	    "[dataset]\nsource = synthetic\nshape = 8\ncount = %" PRIu64
	    "\n[pipeline]\nsame = identity\n",
	    scale->samples);
	check(path_write(scale->conf, span_text(text), &err), &err);
	if (asprintf(&command,
	        "'%s' materialize '%s' --set dataset.count=100 --strategy "
	        "raw/tar/none --out '%s' >/dev/null",
	        scale->presto, scale->conf, scale->out) < 0 ||
	    system(command) != 0)
		check(error_set(
		          &err, ERROR_SYSTEM, "cannot run %s", scale->presto),
		    &err);
	free(command);
}

int main(int argc, char **argv)
{
	char place[] = "/tmp/presto-scale-XXXXXX";
	struct error err = ERROR_INIT;
	struct scale scale = { .dir = mkdtemp(place) };
	bool good = true;

	if (argc != 4 || !scale.dir) {
		fprintf(stderr, "usage: scale PRESTO SAMPLES SHARDS\n");
		return 2;
	}
	scale.presto = argv[1];
	scale.samples = strtoull(argv[2], NULL, 10);
	scale.shards = strtoull(argv[3], NULL, 10);
	make_folder(&scale);
	printf("%" PRIu64 " samples, %zu shards\n%-22s %12s %12s %10s %10s\n",
	    scale.samples, scale.shards, "step", "peak memory", "bound",
	    "wall time", "CPU time");
	for (size_t i = 0; i < ARRAY_LEN(steps); i++)
		good = run_step(&scale, &steps[i]) && good;
	check(path_remove_tree(scale.dir, &err), &err);
	free(scale.conf);
	free(scale.out);
	return good ? 0 : 1;
}
