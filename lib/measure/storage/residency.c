/* residency.c - see residency.h. */
#define _GNU_SOURCE /* syncfs */
#include "lib/measure/storage/residency.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/error.h"
#include "lib/files/input.h"
#include "lib/files/path.h"
#include "lib/files/path_tree.h"
#include "lib/files/url.h"
#include "lib/measure/mount.h"
#include "lib/measure/storage/layer_types.h"
#include "lib/measure/storage/page_cache.h"
#include "lib/sample/reader.h"

enum { PLACES = 16 };

/* A mount that holds some of the files. */
struct place {
	uint64_t number; /* 0: not known */
	bool stacked, memory;
	bool tested, shows; /* page_cache_shows, of its first file */
	int fd;             /* one of its files, for syncfs */
};

/* One walk over all files. */
struct visit {
	bool drop;
	const char *dir; /* goes before the names of path_each; or NULL */
	struct cold_facts facts; /* the files alone, until `tell` */
	uint64_t kept;           /* resident pages of files in memory (tmpfs) */
	uint64_t below;          /* resident pages of the layers below */
	const char *hidden;      /* why pages could not be seen; or NULL */
	struct layers layers;
	struct place places[PLACES];
	size_t count;
};

/* ---- places ---- */

static void set_unseen(struct visit *visit, const char *type, const char *why)
{
	if (!*visit->layers.unseen)
		snprintf(visit->layers.unseen, sizeof(visit->layers.unseen),
		    "%.40s: %s", type, why);
}

static void fill_place(struct visit *visit, struct place *place, int fd)
{
	struct mount mount;

	place->fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	if (!mount_find("", place->number, &mount)) {
		set_unseen(visit, "its mount", "it is not known");
		return;
	}
	place->stacked = layer_type_is_stacked(mount.type);
	place->memory = layer_type_is_memory(mount.type);
	if (visit->drop)
		layers_add(&visit->layers, &mount);
	mount_release(&mount);
}

/* Returns the place of an open file. */
static struct place *find_place(struct visit *visit, int fd)
{
	const uint64_t number = mount_number(fd);
	struct place *place;

	for (size_t i = 0; i < visit->count; i++)
		if (visit->places[i].number == number)
			return &visit->places[i];
	if (visit->count == PLACES) {
		set_unseen(visit, "its mounts", "there are too many");
		return &visit->places[PLACES - 1];
	}
	place = &visit->places[visit->count++];
	*place = (struct place){ .number = number, .fd = -1 };
	fill_place(visit, place, fd);
	return place;
}

/* Reads a page of the first file, to see whether pages are shown. */
static bool is_shown(struct place *place, int fd)
{
	if (!place->tested)
		place->shows = page_cache_shows(fd, place->stacked);
	place->tested = true;
	return place->shows;
}

/* ---- files ---- */

/* Counts right after dropping: a reader may need an index to find files. */
static void look_at(struct visit *visit, int fd, uint64_t bytes)
{
	const uint64_t page = page_cache_page(),
	               pages = (bytes + page - 1) / page;
	struct place *place = find_place(visit, fd);
	bool seen = true;
	int64_t resident;

	visit->facts.files++;
	if (visit->drop) {
		seen = bytes == 0 || is_shown(place, fd);
		page_cache_sync(fd, place->stacked);
		page_cache_drop(fd);
	}
	if (bytes == 0)
		return;
	resident = page_cache_count(fd, bytes, place->stacked);
	visit->facts.pages += pages;
	if (resident > 0)
		visit->facts.resident += (uint64_t)resident;
	if (resident > 0 && place->memory)
		visit->kept += (uint64_t)resident;
	if (resident > 0 || (resident == 0 && seen))
		return;
	visit->facts.unseen += pages;
	visit->hidden = resident < 0
	                    ? "the kernel shows the pages of these files only "
	                      "to their owner and to root"
	                    : "the file system shows no page of a file that "
	                      "was just read";
}

static int visit_file(
    void *arg, const char *path, uint64_t bytes, struct error *err)
{
	struct visit *visit = arg;
	struct stat status;
	int fd;

	if ((bytes == 0 && !visit->drop) || url_is(path))
		return 0;
	fd = input_open(path, O_RDONLY, &status, err);
	if (fd < 0)
		return -1;
	look_at(visit, fd, bytes);
	close(fd);
	return 0;
}

/* The same for a file of a folder. */
static int visit_name(
    void *arg, const char *name, uint64_t bytes, struct error *err)
{
	const struct visit *visit = arg;
	char *path = path_join(visit->dir, name, err);
	const int rc = path ? visit_file(arg, path, bytes, err) : -1;

	free(path);
	return rc;
}

/* Drops images and devices behind the files. */
static void drop_layers(struct visit *visit)
{
	visit->below = 0;
	for (size_t i = 0; visit->drop && i < visit->layers.count; i++) {
		const struct layer_file *file = &visit->layers.files[i];
		int64_t resident;

		if (!file->holds_data)
			continue;
		page_cache_sync(file->fd, false);
		page_cache_drop(file->fd);
		resident = page_cache_count(file->fd, file->bytes, false);
		if (resident < 0)
			set_unseen(visit, "the image or device below",
			    "its pages cannot be seen");
		else
			visit->below += (uint64_t)resident;
	}
}

/* ---- walks ---- */

static void release(struct visit *visit)
{
	for (size_t i = 0; i < visit->count; i++)
		if (visit->places[i].fd >= 0)
			close(visit->places[i].fd);
	layers_release(&visit->layers);
}

/* Walks over the reader's files, or over those of the folder. */
static int walk(
    struct visit *visit, const struct reader *reader, struct error *err)
{
	int rc;

	*visit = (struct visit){ .drop = visit->drop,
		.dir = visit->dir,
		.layers = LAYERS_INIT("") };
	rc = reader ? reader->ops->each_file(reader, visit_file, visit, err)
	            : path_each(visit->dir, visit_name, visit, err);
	if (rc == 0)
		drop_layers(visit);
	return rc;
}

static double percent_of(uint64_t part, const struct visit *visit)
{
	return visit->facts.pages
	           ? 100.0 * (double)part / (double)visit->facts.pages
	           : 0.0;
}

static uint64_t resident_of(const struct visit *visit)
{
	return visit->facts.resident + visit->below;
}

/* Is it worth dropping the page cache of the whole machine? */
static bool is_worth_it(const struct visit *visit)
{
	return percent_of(resident_of(visit) - visit->kept, visit) >
	       COLD_PERCENT;
}

/*
 * Drops names and inodes, which must not be used any more then.  An inode that
 * was not written out stays, and so do the buffers that hold it.
 */
static void drop_names(struct visit *visit)
{
	bool done = visit->layers.names && !*visit->layers.unseen;

	if (!done || visit->facts.files <= COLD_FEW_FILES)
		return;
	for (size_t i = 0; i < visit->count; i++)
		done &= syncfs(visit->places[i].fd) == 0;
	drop_layers(visit);
	done = done && page_cache_drop_names();
	for (size_t i = 0; done && i < visit->layers.count; i++)
		page_cache_drop(visit->layers.files[i].fd);
	visit->facts.names_dropped = done;
}

static void tell(struct visit *visit, struct residency *found)
{
	struct cold_facts *facts = &visit->facts;

	facts->resident = resident_of(visit);
	facts->layer_unseen = *visit->layers.unseen;
	facts->memory = visit->layers.memory;
	*found = (struct residency){ .cold = cold_judge(facts),
		.percent = cold_percent(facts) };
	if (visit->hidden)
		set_unseen(visit, "the page cache", visit->hidden);
	if (found->cold == COLD_UNKNOWN)
		snprintf(found->unseen, sizeof(found->unseen), "%s",
		    visit->layers.unseen);
}

static int drop(struct visit *visit, const struct reader *reader,
    bool *drop_failed, struct error *err)
{
	uint64_t before;

	if (walk(visit, reader, err))
		return -1;
	before = resident_of(visit);
	if (!is_worth_it(visit) || *drop_failed || !page_cache_drop_all())
		return 0;
	release(visit);
	if (walk(visit, reader, err))
		return -1;
	*drop_failed = is_worth_it(visit) && resident_of(visit) > before / 2;
	return 0;
}

int residency_drop(const struct reader *reader, bool *drop_failed,
    struct residency *found, struct error *err)
{
	struct visit visit = { .drop = true };
	const int rc = drop(&visit, reader, drop_failed, err);

	if (rc == 0) {
		drop_names(&visit);
		tell(&visit, found);
	}
	release(&visit);
	return rc;
}

int residency_percent(
    const struct reader *reader, double *percent, struct error *err)
{
	struct visit visit = { .drop = false };
	const int rc = walk(&visit, reader, err);

	*percent = percent_of(visit.facts.resident, &visit);
	release(&visit);
	return rc;
}

bool residency_is_memory(const char *path)
{
	const int fd = open(path, O_PATH | O_CLOEXEC);
	struct mount mount;
	bool is;

	if (fd < 0)
		return false;
	is = mount_find("", mount_number(fd), &mount) &&
	     layer_type_is_memory(mount.type);
	mount_release(&mount);
	close(fd);
	return is;
}

/* ---- folders ---- */

int residency_of_folder(const char *dir, double *percent, struct error *err)
{
	struct visit visit = { .dir = dir };
	const int rc = walk(&visit, NULL, err);

	*percent = percent_of(visit.facts.resident, &visit);
	release(&visit);
	return rc;
}

int residency_drop_folder(
    const char *dir, struct residency *found, struct error *err)
{
	struct visit visit = { .drop = true, .dir = dir };
	bool drop_failed = false;
	const int rc = drop(&visit, NULL, &drop_failed, err);

	if (rc == 0)
		tell(&visit, found);
	release(&visit);
	return rc;
}
