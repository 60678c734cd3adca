/* far_listing.c - see far_listing.h. */
#include "datasets/files/far_listing.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/folder/inventory.h"
#include "lib/folder/made.h"
#include "lib/media/medium.h"

/* A name of the listing that is being sorted. */
struct sorted_file {
	const char *name;
	struct listed_file file;
};

static int compare_names(const void *a, const void *b)
{
	return strcmp(((const struct sorted_file *)a)->name,
	    ((const struct sorted_file *)b)->name);
}

static int sort(struct listing *listing, struct error *err)
{
	const size_t count = listing->count;
	struct sorted_file *files = calloc(count + 1, sizeof(*files));

	if (!files)
		return error_memory(err, count * sizeof(*files));
	for (size_t i = 0; i < count; i++)
		files[i] = (struct sorted_file){ listing_name(listing, i),
			listing->files[i] };
	qsort(files, count, sizeof(*files), compare_names);
	for (size_t i = 0; i < count; i++)
		listing->files[i] = files[i].file;
	free(files);
	return 0;
}

/* An object whose name ends with '/' stands for a folder, and has no data. */
static int add(void *arg, const char *name, const struct medium_status *status,
    struct error *err)
{
	struct far_listing *far = arg;
	const size_t len = strlen(name);

	if (len == 0 || name[len - 1] == '/')
		return 0;
	return listing_add(&far->all, name, status->bytes, err);
}

int far_listing_take(struct far_listing *far, struct medium *medium,
    const char *dir, struct error *err)
{
	if (medium_list(medium, dir, add, far, err))
		return -1;
	return sort(&far->all, err);
}

int far_listing_take_known(struct far_listing *far,
    const struct inventory_known *known, unsigned each, struct error *err)
{
	struct inventory_cursor cursor = INVENTORY_CURSOR_INIT;
	struct inventory_file file;
	uint64_t left = 0;
	int rc = 1;

	if (__builtin_mul_overflow(known->samples, each, &left))
		left = UINT64_MAX;
	inventory_cursor_begin(&cursor, known->inventory);
	for (; rc > 0 && left > 0; left--) {
		rc = inventory_cursor_next(&cursor, &file, err);
		if (rc > 0 &&
		    listing_add(&far->all, file.name, file.bytes, err))
			rc = -1;
	}
	inventory_cursor_release(&cursor);
	return rc < 0 ? -1 : sort(&far->all, err);
}

/* A walk over the sorted names. */
struct walk {
	path_leave_out *leave_out;
	void *arg;
	struct buf folder; /* of the name before, with its '/'; terminated */
	size_t left_out;   /* bytes of it that are a folder left out; 0: none */
};

/* Is the file in a folder that is left out?  1, 0, or -1. */
static int is_left_out(struct walk *walk, const char *name, struct error *err)
{
	const size_t len = strlen(name);
	const char *last = strrchr(name, '/');
	size_t same = 0;
	char *folder;

	while (same < walk->folder.len && name[same] &&
	       walk->folder.data[same] == (unsigned char)name[same])
		same++;
	if (walk->left_out && same >= walk->left_out)
		return 1;
	walk->left_out = 0;
	walk->folder.len = 0;
	if (!last)
		return 0;
	if (buf_append(&walk->folder, name, len + 1, err))
		return -1;
	folder = (char *)walk->folder.data;
	walk->folder.len = (size_t)(last - name) + 1;
	for (size_t i = same; !walk->left_out && i < walk->folder.len; i++) {
		if (folder[i] != '/')
			continue;
		folder[i] = '\0';
		if (walk->leave_out(walk->arg, folder))
			walk->left_out = i + 1;
		folder[i] = '/';
	}
	return walk->left_out > 0;
}

int far_listing_each_but(const struct far_listing *far,
    path_leave_out *leave_out, path_visit *visit, void *arg, struct error *err)
{
	struct walk walk = { leave_out, arg, BUF_INIT, 0 };
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < far->all.count; i++) {
		const char *name = listing_name(&far->all, i);

		rc = is_left_out(&walk, name, err);
		if (rc == 0)
			rc = visit(arg, name, far->all.files[i].bytes, err);
		else if (rc > 0)
			rc = 0;
	}
	buf_release(&walk.folder);
	return rc;
}

/* Does the folder have this file? */
static bool has(
    const struct far_listing *far, const char *folder, const char *name)
{
	const size_t len = strlen(folder);
	size_t low = 0, high = far->all.count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		const char *at = listing_name(&far->all, middle);
		int order = strncmp(at, folder, len);

		if (order == 0)
			order = at[len] == '/' ? strcmp(at + len + 1, name)
			                       : (unsigned char)at[len] - '/';
		if (order == 0)
			return true;
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return false;
}

bool far_listing_is_made(const struct far_listing *far, const char *folder)
{
	if (made_is_folder_name(folder))
		return true;
	for (size_t i = 0; made_mark(i); i++)
		if (has(far, folder, made_mark(i)))
			return true;
	return false;
}

void far_listing_release(struct far_listing *far)
{
	listing_release(&far->all);
}
