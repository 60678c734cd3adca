/* rehearsal_epochs.c - see rehearsal_epochs.h. */
#include "strategies/forecast/rehearsal_epochs.h"

#include <math.h>

#include "lib/base/array.h"
#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/base/stop.h"
#include "lib/loader/loader.h"
#include "lib/measure/system.h"
#include "lib/media/medium.h"
#include "lib/stats/statistics.h"
#include "strategies/forecast/pilot.h"
#include "strategies/forecast/predict.h"

enum {
	EPOCHS_LEAST = 5, /* counted */
	EPOCHS_MOST = 32,
	REPEATS_MOST = 256,
	DROPPED_EPOCHS = 5, /* counted, with data that is not in memory */
	WARMING_MOST = 8,   /* in front of these */
};

/* An epoch takes at least so long; all of one loader about, and at most. */
static const double epoch_s = 4e-3, enough_s = 30e-3, most_s = 0.12;
/* A first epoch, which may start processes, counts if it takes longer. */
static const double long_s = 0.5;
/* Epochs of data that is not in memory take no longer together, about. */
static const double dropped_s = 0.6;

static uint64_t now(void)
{
	return clock_now(&clock_monotonic);
}

struct one_epoch {
	double wall_s, cpu_s; /* CPU time of all threads */
	uint64_t delivered;   /* samples */
};

static double cpu_seconds(void)
{
	struct usage usage;

	usage_read(&usage);
	return (double)(usage.user_ns + usage.system_ns) / 1e9;
}

static int run_epoch(struct loader *loader, uint32_t number,
    const atomic_bool *stop, struct one_epoch *epoch, struct error *err)
{
	const double cpu_s = cpu_seconds();
	const uint64_t start = now();
	const struct batch *batch;

	*epoch = (struct one_epoch){ .wall_s = 0 };
	loader_begin(loader, number, false);
	while ((batch = loader_next(loader))) {
		epoch->delivered += batch->count;
		if (stop && atomic_load(stop))
			break;
	}
	epoch->wall_s = (double)(now() - start) / 1e9;
	if (loader_end(loader, err) || stop_check(stop, err))
		return -1;
	epoch->cpu_s = cpu_seconds() - cpu_s;
	return 0;
}

struct epochs {
	/* Wall time of a sample of the source, and CPU time of all threads. */
	double seconds[EPOCHS_MOST], cpu[EPOCHS_MOST];
	unsigned count;
	double first_s; /* the whole first epoch, which is not counted */
};

static double source_samples(const struct rehearsal *rehearsal,
    const struct stage *stage, uint64_t delivered)
{
	const struct model *model = rehearsal->model;
	const double many = model->many[model->pipeline->count];

	if (stage->samples > 0)
		return stage->samples * (double)stage->list.repeats;
	return many > 0 ? (double)delivered / many : 0;
}

static int run_epochs(const struct rehearsal *rehearsal,
    const struct stage *stage, struct loader *loader, struct epochs *epochs,
    struct error *err)
{
	double spent = 0;

	epochs->count = 0;
	for (uint32_t i = 0; epochs->count < EPOCHS_MOST; i++) {
		struct one_epoch one;
		double samples;

		if (run_epoch(loader, i, rehearsal->how->stop, &one, err))
			return -1;
		samples = source_samples(rehearsal, stage, one.delivered);
		if (samples <= 0)
			return 0;
		if (i == 0)
			epochs->first_s = one.wall_s;
		/* the first one counts where there is no time for another */
		if (i > 0 || one.wall_s > long_s) {
			epochs->cpu[epochs->count] = one.cpu_s / samples;
			epochs->seconds[epochs->count++] = one.wall_s / samples;
		}
		spent += one.wall_s;
		if ((epochs->count > 0 && spent > most_s) ||
		    (epochs->count >= EPOCHS_LEAST && spent > enough_s))
			break;
	}
	return 0;
}

static struct loader *open_loader(const struct rehearsal *rehearsal,
    const struct stage *stage, const struct reader *reader, struct error *err)
{
	struct loader_plan filler, plan;

	loading_plan(&stage->loading, &filler, &plan);
	plan.reader = reader;
	plan.medium = stage->medium;
	plan.skip_errors = rehearsal->how->skip_errors;
	plan.stop = rehearsal->how->stop;
	plan.freelist = rehearsal->freelist;
	return loader_new(&plan, err);
}

/* Runs one loader over the stage. */
static int run_loader(const struct rehearsal *rehearsal,
    const struct stage *stage, struct epochs *epochs, struct error *err)
{
	struct reader *reader = stream_list_open(&stage->list, err);
	struct loader *loader =
	    reader ? open_loader(rehearsal, stage, reader, err) : NULL;
	int rc =
	    loader ? run_epochs(rehearsal, stage, loader, epochs, err) : -1;

	loader_free(loader);
	reader_free(reader);
	return rc;
}

/* How often the list is repeated so that an epoch takes long enough. */
static size_t find_repeats(
    const struct rehearsal *rehearsal, const struct stage *stage, double turn_s)
{
	const double most = stage->samples > 0
	                        ? (double)rehearsal->samples / stage->samples
	                        : 1;
	double repeats = ceil(epoch_s / fmax(turn_s, 1e-6));

	repeats = fmin(repeats, fmin(most, REPEATS_MOST));
	return repeats > 1 ? (size_t)repeats : 1;
}

static int add(struct model *model, const struct rehearsed *what,
    struct epochs *epochs, struct error *err)
{
	struct rehearsed *list =
	    array_grow(model->rehearsed.list, &model->rehearsed.capacity,
	        model->rehearsed.count + 1, sizeof(*list), err);
	/* Memory is new in the first epochs, and slows them down. */
	const unsigned first = epochs->count / 4;
	const unsigned count = epochs->count - first;
	double *const seconds = epochs->seconds + first;
	struct rehearsed *added;

	if (!list)
		return -1;
	model->rehearsed.list = list;
	added = &list[model->rehearsed.count++];
	*added = *what;
	added->cpu_s = median_of(epochs->cpu + first, count);
	added->sample_s = median_of(seconds, count);
	added->error = deviation_of(seconds, count) / sqrt(count);
	return 0;
}

/* Times the stage with one number of threads. */
static int time_threads(struct rehearsal *rehearsal, struct stage *stage,
    unsigned threads, struct error *err)
{
	struct epochs epochs = { .count = 0 };

	stage->what.threads = stage->loading.mode.threads = threads;
	stage->list.repeats = 1;
	if (run_loader(rehearsal, stage, &epochs, err))
		return -1;
	stage->list.repeats = find_repeats(rehearsal, stage, epochs.first_s);
	if (stage->list.repeats > 1 &&
	    run_loader(rehearsal, stage, &epochs, err))
		return -1;
	return epochs.count ? add(rehearsal->model, &stage->what, &epochs, err)
	                    : 0;
}

bool rehearsal_has_time(const struct rehearsal *rehearsal)
{
	return now() < rehearsal->deadline_ns;
}

int rehearsal_forgive(struct error *err)
{
	if (err->code == ERROR_INTERRUPTED)
		return -1;
	*err = (struct error)ERROR_INIT;
	return 0;
}

int rehearsal_time(
    struct rehearsal *rehearsal, struct stage *stage, struct error *err)
{
	const struct plan_load *load = &rehearsal->model->plan->load;

	for (unsigned i = 0; i < load->thread_count; i++)
		if (load->threads[i] > 0 && rehearsal_has_time(rehearsal) &&
		    time_threads(rehearsal, stage, load->threads[i], err))
			return rehearsal_forgive(err);
	return 0;
}

struct dropped_epochs {
	double wall[DROPPED_EPOCHS], cpu[DROPPED_EPOCHS];
	unsigned count;
};

/*
 * Epochs until each buffer of the loader's ring has been filled once: the
 * memory of a large one is new until then, which doubles the time of reading
 * into it.
 */
static unsigned warming_epochs(const struct stage *stage)
{
	const double streams = fmax((double)stage->list.count, 1);
	struct loader_plan filler, plan;
	struct loader_sizes sizes;

	loading_plan(&stage->loading, &filler, &plan);
	loader_find_sizes(&plan, (uint64_t)stage->samples, &sizes);
	return (unsigned)fmin(ceil(sizes.chunks / streams), WARMING_MOST);
}

/*
 * Runs epochs that are alike; those of warming are not counted, unless they
 * take half of the time.  Data that cannot be dropped: none.
 */
static int run_alike(const struct rehearsal *rehearsal,
    const struct stage *stage, struct loader *loader, bool drops,
    struct dropped_epochs *epochs, struct error *err)
{
	const unsigned warming = warming_epochs(stage);
	double spent = 0;

	epochs->count = 0;
	for (uint32_t i = 0;
	     epochs->count < DROPPED_EPOCHS && spent < dropped_s; i++) {
		struct one_epoch one;

		if (drops && !medium_drop_held(stage->medium))
			return 0;
		if (run_epoch(loader, i, rehearsal->how->stop, &one, err))
			return -1;
		spent += one.wall_s;
		if (i < warming && spent < dropped_s / 2)
			continue;
		epochs->wall[epochs->count] = one.wall_s;
		epochs->cpu[epochs->count++] = one.cpu_s;
	}
	return 0;
}

int rehearsal_time_dropped(struct rehearsal *rehearsal, struct stage *stage,
    unsigned threads, struct rehearsal_dropped *found, struct error *err)
{
	struct dropped_epochs cold, warm;
	struct reader *reader;
	struct loader *loader;
	int rc;

	*found = (struct rehearsal_dropped){ .wall_s = 0 };
	stage->what.threads = stage->loading.mode.threads = threads;
	stage->list.repeats = 1;
	reader = stream_list_open(&stage->list, err);
	loader = reader ? open_loader(rehearsal, stage, reader, err) : NULL;
	rc =
	    loader ? run_alike(rehearsal, stage, loader, true, &cold, err) : -1;
	if (rc == 0 && cold.count > 0)
		rc = run_alike(rehearsal, stage, loader, false, &warm, err);
	if (rc == 0 && cold.count > 0) {
		found->wall_s = median_of(cold.wall, cold.count);
		found->cpu_s = median_of(cold.cpu, cold.count);
		found->warm_cpu_s = median_of(warm.cpu, warm.count);
	}
	loader_free(loader);
	reader_free(reader);
	return rc;
}
