/* memory_files.c - see memory_files.h. */
#define _GNU_SOURCE /* memfd_create */
#include "lib/media/backends/memory_files.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/base/arena.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/names.h"
#include "lib/files/cached.h"

/* Contents begin at a page, so that each can be mapped alone. */
enum { ALIGN = 4096, OWN_PATH = 40 };

struct place {
	struct memory_part part;
	bool is_there;
};

/* What is known of paths.  One that has gone keeps its number. */
struct table {
	struct names names; /* in `texts`, each with a zero byte behind it */
	struct arena texts;
	struct place *places; /* by the numbers of the names */
	size_t capacity;
};

struct memory_files {
	int fd;
	char fd_path[OWN_PATH]; /* another name of it, to open it anew */
	uint64_t end;           /* end of the contents */
	pthread_mutex_t lock;   /* protects `end` and what follows */
	struct table table;
	struct table folders; /* part.bytes: number of files below */
};

/* Opens a file without a name. */
static int open_nameless(const char *dir)
{
	int fd = -1;

#ifdef O_TMPFILE
	if (dir)
		fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
#endif
	return fd < 0 ? memfd_create("presto", MFD_CLOEXEC) : fd;
}

struct memory_files *memory_files_new(const char *dir, struct error *err)
{
	struct memory_files *files = memory_zeroed(sizeof(*files), err);

	if (!files)
		return NULL;
	pthread_mutex_init(&files->lock, NULL);
	files->fd = open_nameless(dir);
	if (files->fd >= 0) {
		snprintf(files->fd_path, sizeof(files->fd_path),
		    "/proc/self/fd/%d", files->fd);
		return files;
	}
	error_set(err, ERROR_SYSTEM, "cannot make a file in memory: %s",
	    strerror(errno));
	memory_files_free(files);
	return NULL;
}

/* ---- tables ---- */

static void table_release(struct table *table)
{
	names_release(&table->names);
	arena_release(&table->texts);
	free(table->places);
}

static const char *path_at(const struct table *table, size_t i)
{
	return (const char *)table->names.list[i].data;
}

/* Returns the place of a path that is there; NULL: it is not. */
static struct place *table_find(const struct table *table, struct span path)
{
	const int32_t i = names_find(&table->names, path);

	return i >= 0 && table->places[i].is_there ? &table->places[i] : NULL;
}

/* Returns the place of a path, a new one if needed. */
static struct place *table_place(
    struct table *table, struct span path, struct error *err)
{
	const size_t count = table->names.count;
	const int32_t i = names_find(&table->names, path);
	struct place *places;
	unsigned char *copy;

	if (i >= 0)
		return &table->places[i];
	copy = arena_take(&table->texts, path.len + 1, 1, err);
	places = array_grow(
	    table->places, &table->capacity, count + 1, sizeof(*places), err);
	if (places)
		table->places = places;
	if (!copy || !places)
		return NULL;
	memcpy(copy, path.data, path.len);
	copy[path.len] = '\0';
	places[count] = (struct place){ .is_there = false };
	path.data = copy;
	return names_number(&table->names, path, err) < 0 ? NULL
	                                                  : &places[count];
}

/* ---- folders ---- */

/* A file has come into all the folders of its path, or has gone. */
static int count_file(struct memory_files *files, struct span path,
    bool has_come, struct error *err)
{
	for (size_t len = path.len; len-- > 1;) {
		const struct span folder = { path.data, len };
		struct place *place;

		if (path.data[len] != '/')
			continue;
		place = table_place(&files->folders, folder, err);
		if (!place)
			return -1;
		if (has_come)
			place->part.bytes++;
		else
			place->part.bytes--;
		place->is_there = place->part.bytes > 0;
	}
	return 0;
}

/* ---- files ---- */

void memory_files_free(struct memory_files *files)
{
	if (!files)
		return;
	table_release(&files->table);
	table_release(&files->folders);
	if (files->fd >= 0)
		close(files->fd);
	pthread_mutex_destroy(&files->lock);
	free(files);
}

static int add_entry(struct memory_files *files, struct span path,
    const struct memory_part *part, struct error *err)
{
	struct place *place = table_place(&files->table, path, err);

	if (!place || (!place->is_there && count_file(files, path, true, err)))
		return -1;
	*place = (struct place){ *part, true };
	return 0;
}

static int write_all(
    const struct memory_files *files, struct span bytes, uint64_t offset)
{
	size_t done = 0;

	while (done < bytes.len) {
		const ssize_t n = pwrite(files->fd, bytes.data + done,
		    bytes.len - done, (off_t)(offset + done));

		if (n < 0 && errno != EINTR)
			return -1;
		if (n > 0)
			done += (size_t)n;
	}
	return 0;
}

/* Stores a file: 1; 0: there is one already, and it should be new. */
static int put(struct memory_files *files, const char *path, struct span bytes,
    bool is_new, struct error *err)
{
	struct memory_part part = { .bytes = bytes.len };
	int rc = 0;

	pthread_mutex_lock(&files->lock);
	part.offset = files->end;
	files->end += (bytes.len + ALIGN - 1) / ALIGN * ALIGN;
	pthread_mutex_unlock(&files->lock);
	if (write_all(files, bytes, part.offset))
		return error_errno(err, "write to memory", path);
	pthread_mutex_lock(&files->lock);
	if (!is_new || !table_find(&files->table, span_text(path)))
		rc = add_entry(files, span_text(path), &part, err) ? -1 : 1;
	pthread_mutex_unlock(&files->lock);
	return rc;
}

int memory_files_put(struct memory_files *files, const char *path,
    struct span bytes, struct error *err)
{
	return put(files, path, bytes, false, err) < 0 ? -1 : 0;
}

int memory_files_put_new(struct memory_files *files, const char *path,
    struct span bytes, struct error *err)
{
	return put(files, path, bytes, true, err);
}

int memory_files_remove(
    struct memory_files *files, const char *path, struct error *err)
{
	struct place *place;
	int rc = 0;

	pthread_mutex_lock(&files->lock);
	place = table_find(&files->table, span_text(path));
	if (place) {
		place->is_there = false;
		rc = count_file(files, span_text(path), false, err);
	}
	pthread_mutex_unlock(&files->lock);
	return rc;
}

bool memory_files_find(
    struct memory_files *files, const char *path, struct memory_part *part)
{
	const struct place *place;

	pthread_mutex_lock(&files->lock);
	place = table_find(&files->table, span_text(path));
	if (place && part)
		*part = place->part;
	pthread_mutex_unlock(&files->lock);
	return place;
}

/* Is it `from`, or in the folder `from`? */
static bool is_below(const char *path, const char *from)
{
	const size_t len = strlen(from);

	return strncmp(path, from, len) == 0 &&
	       (path[len] == '\0' || path[len] == '/');
}

/* Returns the name of a file below the folder; NULL: it is not below. */
static const char *name_below(const char *path, const char *folder)
{
	size_t len = strlen(folder);

	if (!is_below(path, folder) || path[len] == '\0')
		return NULL;
	return path + len + 1;
}

bool memory_files_has_folder(struct memory_files *files, const char *folder)
{
	bool is;

	pthread_mutex_lock(&files->lock);
	is = table_find(&files->folders, span_text(folder));
	pthread_mutex_unlock(&files->lock);
	return is;
}

/* Appends a name, for which there is room. */
static int add_name(struct memory_names *names, const char *name,
    uint64_t bytes, struct error *err)
{
	char *copy = strdup(name);

	if (!copy)
		return error_memory(err, strlen(name));
	names->names[names->count] = copy;
	names->bytes[names->count++] = bytes;
	return 0;
}

int memory_files_list(struct memory_files *files, const char *folder,
    struct memory_names *names, struct error *err)
{
	const struct table *table = &files->table;
	size_t most;
	int rc = 0;

	pthread_mutex_lock(&files->lock);
	most = table->names.count + 1;
	names->names = calloc(most, sizeof(*names->names));
	names->bytes = calloc(most, sizeof(*names->bytes));
	if (!names->names || !names->bytes)
		rc = error_memory(err, most * sizeof(*names->names));
	for (size_t i = 0; rc == 0 && i < table->names.count; i++) {
		const struct place *place = &table->places[i];
		const char *name = place->is_there
		                       ? name_below(path_at(table, i), folder)
		                       : NULL;

		if (name)
			rc = add_name(names, name, place->part.bytes, err);
	}
	pthread_mutex_unlock(&files->lock);
	return rc;
}

void memory_names_release(struct memory_names *names)
{
	for (size_t i = 0; i < names->count; i++)
		free(names->names[i]);
	free(names->names);
	free(names->bytes);
	*names = (struct memory_names){ .names = NULL };
}

static char *new_path(const char *path, const char *from, const char *to)
{
	const size_t size = strlen(path) - strlen(from) + strlen(to) + 1;
	char *renamed = malloc(size);

	if (renamed)
		snprintf(renamed, size, "%s%s", to, path + strlen(from));
	return renamed;
}

/* Renames the file with this number. */
static int rename_one(struct memory_files *files, size_t i, const char *from,
    const char *to, struct error *err)
{
	const char *path = path_at(&files->table, i);
	const struct memory_part part = files->table.places[i].part;
	char *renamed = new_path(path, from, to);
	int rc;

	if (!renamed)
		return error_memory(err, strlen(to));
	files->table.places[i].is_there = false;
	rc = count_file(files, span_text(path), false, err);
	if (rc == 0)
		rc = add_entry(files, span_text(renamed), &part, err);
	free(renamed);
	return rc;
}

int memory_files_rename(struct memory_files *files, const char *from,
    const char *to, struct error *err)
{
	const struct table *table = &files->table;
	size_t count;
	int rc = 0;

	pthread_mutex_lock(&files->lock);
	count = table->names.count; /* new names are behind these */
	for (size_t i = 0; rc == 0 && i < count; i++)
		if (table->places[i].is_there &&
		    is_below(path_at(table, i), from))
			rc = rename_one(files, i, from, to, err);
	pthread_mutex_unlock(&files->lock);
	return rc;
}

uint64_t memory_files_bytes(struct memory_files *files)
{
	uint64_t bytes = 0;

	pthread_mutex_lock(&files->lock);
	for (size_t i = 0; i < files->table.names.count; i++)
		if (files->table.places[i].is_there)
			bytes += files->table.places[i].part.bytes;
	pthread_mutex_unlock(&files->lock);
	return bytes;
}

/* The largest content, which says whether the others were dropped. */
static struct memory_part find_largest(struct memory_files *files)
{
	struct memory_part largest = { .bytes = 0 };

	pthread_mutex_lock(&files->lock);
	for (size_t i = 0; i < files->table.names.count; i++)
		if (files->table.places[i].is_there &&
		    files->table.places[i].part.bytes > largest.bytes)
			largest = files->table.places[i].part;
	pthread_mutex_unlock(&files->lock);
	return largest;
}

bool memory_files_drop(struct memory_files *files)
{
	const struct memory_part largest = find_largest(files);
	const uint64_t last = largest.offset + largest.bytes - 1;

	return largest.bytes > 0 && fsync(files->fd) == 0 &&
	       posix_fadvise(files->fd, 0, 0, POSIX_FADV_DONTNEED) == 0 &&
	       !cached_ends(files->fd, largest.offset, 1) &&
	       !cached_ends(files->fd, last, 1);
}

int memory_files_open(const struct memory_files *files, struct error *err)
{
	int fd = open(files->fd_path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		fd = fcntl(files->fd, F_DUPFD_CLOEXEC, 0);
	return fd < 0 ? error_errno(err, "open", files->fd_path) : fd;
}
