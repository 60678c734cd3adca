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

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/hash.h"
#include "lib/files/cached.h"

/* Contents begin at a page, so that each can be mapped alone. */
enum { ALIGN = 4096, TABLE_LEAST = 64, OWN_PATH = 40 };

struct entry {
	char *path; /* owned; NULL: free */
	struct memory_part part;
};

/* Entries by their paths: open addressing, at most half full. */
struct table {
	struct entry *places;
	size_t size, count; /* size: a power of two, or 0 */
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
	for (size_t i = 0; i < table->size; i++)
		free(table->places[i].path);
	free(table->places);
}

static size_t hash_of(const struct table *table, const char *path)
{
	return (size_t)hash_bytes(path, strlen(path), 0) & (table->size - 1);
}

/* Returns the place of the path, or the free place where it belongs. */
static struct entry *place_of(const struct table *table, const char *path)
{
	for (size_t i = hash_of(table, path);; i++) {
		struct entry *entry = &table->places[i & (table->size - 1)];

		if (!entry->path || strcmp(entry->path, path) == 0)
			return entry;
	}
}

/* Returns the entry of the path; NULL: there is none. */
static struct entry *table_find(const struct table *table, const char *path)
{
	struct entry *entry = table->size ? place_of(table, path) : NULL;

	return entry && entry->path ? entry : NULL;
}

static int table_grow(struct table *table, struct error *err)
{
	const struct table old = *table;
	const size_t size = old.size ? 2 * old.size : TABLE_LEAST;
	struct entry *places = calloc(size, sizeof(*places));

	if (!places)
		return error_memory(err, size * sizeof(*places));
	table->places = places;
	table->size = size;
	for (size_t i = 0; i < old.size; i++)
		if (old.places[i].path)
			*place_of(table, old.places[i].path) = old.places[i];
	free(old.places);
	return 0;
}

/* Takes the path over, also on failure. */
static int table_put(struct table *table, char *path,
    const struct memory_part *part, struct error *err)
{
	struct entry *entry;

	if (2 * (table->count + 1) > table->size && table_grow(table, err)) {
		free(path);
		return -1;
	}
	entry = place_of(table, path);
	if (entry->path)
		free(entry->path);
	else
		table->count++;
	*entry = (struct entry){ path, *part };
	return 0;
}

/* Removes an entry, and moves those behind it that could not be found else. */
static void table_remove(struct table *table, struct entry *entry)
{
	const size_t mask = table->size - 1;
	size_t hole = (size_t)(entry - table->places);

	free(entry->path);
	for (size_t i = hole + 1; table->places[i & mask].path; i++) {
		const size_t first =
		    hash_of(table, table->places[i & mask].path);

		if (((i - first) & mask) < ((i - hole) & mask))
			continue;
		table->places[hole & mask] = table->places[i & mask];
		hole = i;
	}
	table->places[hole & mask].path = NULL;
	table->count--;
}

/* ---- folders ---- */

/* A file has come into the folder of so many bytes of its path, or has gone. */
static int count_below(struct memory_files *files, const char *path, size_t len,
    bool has_come, struct error *err)
{
	const struct memory_part one = { .bytes = 1 };
	char *folder = strndup(path, len);
	struct entry *entry;

	if (!folder)
		return error_memory(err, len);
	entry = table_find(&files->folders, folder);
	if (!entry && has_come)
		return table_put(&files->folders, folder, &one, err);
	free(folder);
	if (entry && has_come)
		entry->part.bytes++;
	else if (entry && --entry->part.bytes == 0)
		table_remove(&files->folders, entry);
	return 0;
}

/* The same for all folders above it. */
static int count_file(struct memory_files *files, const char *path,
    bool has_come, struct error *err)
{
	for (size_t len = strlen(path); len > 1; len--)
		if (path[len - 1] == '/' &&
		    count_below(files, path, len - 1, has_come, err))
			return -1;
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

/* Takes the path over, also on failure. */
static int add_entry(struct memory_files *files, char *path,
    const struct memory_part *part, struct error *err)
{
	if (!table_find(&files->table, path) &&
	    count_file(files, path, true, err)) {
		free(path);
		return -1;
	}
	return table_put(&files->table, path, part, err);
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
	char *copy = strdup(path);
	int rc;

	if (!copy)
		return error_memory(err, strlen(path));
	pthread_mutex_lock(&files->lock);
	part.offset = files->end;
	files->end += (bytes.len + ALIGN - 1) / ALIGN * ALIGN;
	pthread_mutex_unlock(&files->lock);
	if (write_all(files, bytes, part.offset)) {
		free(copy);
		return error_errno(err, "write to memory", path);
	}
	pthread_mutex_lock(&files->lock);
	if (is_new && table_find(&files->table, path)) {
		free(copy);
		rc = 0;
	} else {
		rc = add_entry(files, copy, &part, err) ? -1 : 1;
	}
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
	struct entry *entry;
	int rc = 0;

	pthread_mutex_lock(&files->lock);
	entry = table_find(&files->table, path);
	if (entry) {
		rc = count_file(files, path, false, err);
		table_remove(&files->table, entry);
	}
	pthread_mutex_unlock(&files->lock);
	return rc;
}

bool memory_files_find(
    struct memory_files *files, const char *path, struct memory_part *part)
{
	const struct entry *entry;

	pthread_mutex_lock(&files->lock);
	entry = table_find(&files->table, path);
	if (entry && part)
		*part = entry->part;
	pthread_mutex_unlock(&files->lock);
	return entry;
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
	is = table_find(&files->folders, folder);
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
	int rc = 0;

	pthread_mutex_lock(&files->lock);
	names->names = calloc(files->table.count + 1, sizeof(*names->names));
	names->bytes = calloc(files->table.count + 1, sizeof(*names->bytes));
	if (!names->names || !names->bytes)
		rc = error_memory(
		    err, files->table.count * sizeof(*names->names));
	for (size_t i = 0; rc == 0 && i < files->table.size; i++) {
		const struct entry *entry = &files->table.places[i];
		const char *name =
		    entry->path ? name_below(entry->path, folder) : NULL;

		if (name)
			rc = add_name(names, name, entry->part.bytes, err);
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

/* Moves the entries of `old`, which is then empty, renamed if below `from`. */
static int move_all(struct memory_files *files, struct table *old,
    const char *from, const char *to, struct error *err)
{
	int rc = 0;

	for (size_t i = 0; i < old->size; i++) {
		struct entry *entry = &old->places[i];
		char *path = entry->path;

		if (!path)
			continue;
		entry->path = NULL;
		if (rc == 0 && is_below(path, from)) {
			char *renamed = new_path(path, from, to);

			if (!renamed)
				rc = error_memory(err, strlen(to));
			free(path);
			path = renamed;
		}
		if (path && add_entry(files, path, &entry->part, err))
			rc = -1;
	}
	return rc;
}

int memory_files_rename(struct memory_files *files, const char *from,
    const char *to, struct error *err)
{
	struct table old;
	int rc;

	pthread_mutex_lock(&files->lock);
	old = files->table;
	table_release(&files->folders);
	files->table = (struct table){ .places = NULL };
	files->folders = (struct table){ .places = NULL };
	rc = move_all(files, &old, from, to, err);
	table_release(&old);
	pthread_mutex_unlock(&files->lock);
	return rc;
}

uint64_t memory_files_bytes(struct memory_files *files)
{
	uint64_t bytes = 0;

	pthread_mutex_lock(&files->lock);
	for (size_t i = 0; i < files->table.size; i++)
		if (files->table.places[i].path)
			bytes += files->table.places[i].part.bytes;
	pthread_mutex_unlock(&files->lock);
	return bytes;
}

/* The largest content, which says whether the others were dropped. */
static struct memory_part find_largest(struct memory_files *files)
{
	struct memory_part largest = { .bytes = 0 };

	pthread_mutex_lock(&files->lock);
	for (size_t i = 0; i < files->table.size; i++)
		if (files->table.places[i].path &&
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
