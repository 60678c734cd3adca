/* load_speed.c - see load_speed.h. */
#include "strategies/forecast/load_speed.h"

#include <math.h>

#include "lib/measure/storage/cold.h"
#include "strategies/forecast/predict.h"

/* Seconds to open one of the probe's files, beside reading it. */
static double open_seconds(
    const struct ceiling *files, const struct ceiling *large)
{
	if (!files || !files->cold || files->requests_per_s <= 0)
		return 0;
	return fmax(1 / files->requests_per_s -
	                (double)files->file_bytes / large->bytes_per_s,
	    0);
}

static bool is_of_storage(const struct ceiling *large)
{
	return large && large->cold && large->bytes_per_s > 0;
}

/* A ceiling that was measured in memory says nothing of the storage. */
static bool measured_speed(const struct ceilings *storage, unsigned fetchers,
    struct storage_speed *speed)
{
	const struct ceiling *large =
	    ceilings_find(storage, CEILING_SEQUENTIAL, fetchers);
	const struct ceiling *one =
	    ceilings_find(storage, CEILING_SEQUENTIAL, 1);
	double open_s, alone_s;

	if (!is_of_storage(large))
		return false;
	speed->bandwidth = large->bytes_per_s;
	open_s = open_seconds(
	    ceilings_find(storage, CEILING_FILES, fetchers), large);
	if (open_s > 0)
		speed->opens = 1 / open_s;
	if (fetchers < 2 || !is_of_storage(one) || one->threads != 1)
		return true;
	if (one->bytes_per_s < large->bytes_per_s)
		speed->stream = one->bytes_per_s;
	alone_s = open_seconds(ceilings_find(storage, CEILING_FILES, 1), one);
	if (open_s > 0 && alone_s > open_s)
		speed->open = alone_s - open_s;
	return true;
}

/* Files that an epoch opens. */
static double opens_of(const struct epoch_work *work)
{
	return (work->opens * work->chunks + work->stream_opens) *
	       work->streams;
}

/*
 * The names and inodes of a few files stay in memory when their data is dropped
 * (residency.h).  The many small files of a probe were opened without: opening
 * a few takes as long as their first bytes.
 */
static void open_few(const struct model *model, const struct epoch_work *work,
    struct storage_speed *speed)
{
	if (opens_of(work) > COLD_FEW_FILES || model->sync.read_file_s <= 0)
		return;
	speed->opens = 0;
	speed->open = model->sync.read_file_s;
}

bool load_speed_find(const struct model *model, const struct strategy *strategy,
    const struct load *load, const struct epoch_work *work,
    struct storage_speed *speed)
{
	const struct storage_limits *limits = &model->plan->limits;

	*speed = (struct storage_speed){ .bandwidth = 0 };
	if (model->machine.storage) {
		*speed = *model->machine.storage;
		return true;
	}
	if (!plan_emulates(model->plan)) {
		if (measured_speed(model_ceilings(model, strategy),
		        work->fetchers, speed)) {
			open_few(model, work, speed);
			return true;
		}
		/*
		 * It was not probed: a rough idea of the work folder, for the
		 * dataset as well.  Memory would be no better one, and favour
		 * strategies that store nothing.
		 */
		if (model->sync.read_byte_s <= 0)
			return false;
		speed->bandwidth = 1 / model->sync.read_byte_s;
		speed->open = model->sync.read_file_s;
		speed->latency = model->sync.read_file_s;
		return true;
	}
	if (load->cache == CACHE_SYSTEM)
		return false; /* what memory cannot keep is read as it is */
	speed->bandwidth = limits->bandwidth;
	speed->latency = limits->latency;
	speed->iops = limits->iops;
	speed->open = limits->open;
	speed->stream = limits->stream;
	speed->opens = limits->opens;
	return true;
}
