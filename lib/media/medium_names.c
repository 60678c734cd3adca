/* medium_names.c - see medium.h: names and folders. */
#include <stdlib.h>

#include "lib/base/error.h"
#include "lib/files/url.h"
#include "lib/media/medium_ops.h"

/* "VERB URL: not possible over this protocol". */
static int refuse(const char *verb, const char *path, struct error *err)
{
	char text[URL_TEXT];

	return error_set(err, ERROR_USAGE,
	    "cannot %s %s: %.*s:// cannot do that", verb, url_text(path, text),
	    (int)strcspn(path, ":"), path);
}

int medium_get_status(struct medium *medium, const char *path,
    struct medium_status *status, struct error *err)
{
	struct place place;

	*status = (struct medium_status){ .kind = MEDIUM_NOTHING };
	if (medium_place(medium, path, &place, err))
		return -1;
	return place.backend->get_status(place.state, path, status, err);
}

bool medium_exists(struct medium *medium, const char *path)
{
	struct medium_status status;
	struct error ignored = ERROR_INIT;

	return medium_get_status(medium, path, &status, &ignored) == 0 &&
	       status.kind != MEDIUM_NOTHING;
}

int medium_list(struct medium *medium, const char *folder, medium_visit *visit,
    void *arg, struct error *err)
{
	struct place place;

	if (medium_place(medium, folder, &place, err))
		return -1;
	if (!place.backend->list)
		return refuse("list", folder, err);
	return place.backend->list(place.state, folder, visit, arg, err);
}

int medium_remove(struct medium *medium, const char *path, struct error *err)
{
	struct place place;

	if (medium_place(medium, path, &place, err))
		return -1;
	if (!place.backend->remove)
		return refuse("remove", path, err);
	medium_forget(medium, path);
	return place.backend->remove(place.state, path, err);
}

int medium_sweep(struct medium *medium, const char *folder, uint64_t *count,
    struct error *err)
{
	struct place place;

	if (medium_place(medium, folder, &place, err))
		return -1;
	if (!place.backend->sweep)
		return 0;
	return place.backend->sweep(place.state, folder, count, err);
}

int medium_make_dirs(struct medium *medium, const char *path, struct error *err)
{
	struct place place;

	if (medium_place(medium, path, &place, err))
		return -1;
	if (!place.backend->begin)
		return refuse("write", path, err);
	if (!place.backend->make_dirs)
		return 0;
	return place.backend->make_dirs(place.state, path, err);
}

int medium_rename(
    struct medium *medium, const char *from, const char *to, struct error *err)
{
	struct place place;

	if (medium_place(medium, from, &place, err))
		return -1;
	if (!place.backend->rename)
		return refuse("rename", from, err);
	return place.backend->rename(place.state, from, to, err);
}

int medium_sync_dir(struct medium *medium, const char *path, struct error *err)
{
	struct place place;

	if (medium_place(medium, path, &place, err))
		return -1;
	if (!place.backend->sync_dir)
		return 0;
	return place.backend->sync_dir(place.state, path, err);
}

char *medium_temporary_folder(
    struct medium *medium, const char *dir, struct error *err)
{
	struct place place;

	if (medium_place(medium, dir, &place, err))
		return NULL;
	if (place.backend->temporary_folder)
		return place.backend->temporary_folder(place.state, dir, err);
	refuse("make a temporary folder in", dir, err);
	return NULL;
}
