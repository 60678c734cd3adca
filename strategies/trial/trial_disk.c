/* trial_disk.c - see trial_disk.h. */
#include "strategies/trial/trial_disk.h"

#include <stdlib.h>

#include "lib/base/error.h"
#include "lib/files/own_folder.h"
#include "lib/files/path.h"
#include "lib/media/medium.h"
#include "strategies/plan/far_cache.h"

int trial_disk_begin(
    struct trial_disk *disk, const struct trial_plan *plan, struct error *err)
{
	const struct far_cache *cache = plan->loading.plan->far_cache;

	if (plan->loading.mode.cache != CACHE_DISK || !cache || !cache->dir)
		return 0;
	if (path_make_dirs(cache->dir, err))
		return -1;
	disk->dir = own_folder_new(
	    cache->dir, OWN_FOLDER_WORK, false, &disk->lock, err);
	if (!disk->dir)
		return -1;
	return medium_keep(plan->medium, disk->dir, cache->bytes, err);
}

int trial_disk_end(struct trial_disk *disk, const struct trial_plan *plan,
    int rc, struct error *err)
{
	struct error other = ERROR_INIT;

	if (!disk->dir)
		return rc;
	/* Without a folder it cannot fail. */
	medium_keep(plan->medium, NULL, 0, &other);
	if (own_folder_remove(disk->dir, &disk->lock, &other) && rc == 0) {
		*err = other;
		rc = -1;
	}
	lock_release(&disk->lock);
	free(disk->dir);
	return rc;
}
