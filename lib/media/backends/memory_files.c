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

struct memory_files {
	int fd;
	char fd_path[OWN_PATH]; /* another name of it, to open it anew */
	uint64_t end;           /* end of the contents */
	pthread_mutex_t lock;   /* protects `end` and what follows */
	struct entry *table;    /* open addressing, at most half full */
	size_t size, count;     /* size: a power of two, or 0 */
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

void memory_files_free(struct memory_files *files)
{
	if (!files)
		return;
	for (size_t i = 0; i < files->size; i++)
		free(files->table[i].path);
	free(files->table);
	if (files->fd >= 0)
		close(files->fd);
	pthread_mutex_destroy(&files->lock);
	free(files);
}

/* Returns the place of the path, or the free place where it belongs. */
static struct entry *place_of(struct memory_files *files, const char *path)
{
	size_t i = (size_t)hash_bytes(path, strlen(path), 0);

	for (;; i++) {
		struct entry *entry = &files->table[i & (files->size - 1)];

		if (!entry->path || strcmp(entry->path, path) == 0)
			return entry;
	}
}

/* Puts all entries into a table of `size` places. */
static int rebuild(struct memory_files *files, size_t size, struct error *err)
{
	struct entry *old = files->table;
	const size_t old_size = files->size;
	struct entry *table = calloc(size, sizeof(*table));

	if (!table)
		return error_memory(err, size * sizeof(*table));
	files->table = table;
	files->size = size;
	for (size_t i = 0; i < old_size; i++)
		if (old[i].path)
			*place_of(files, old[i].path) = old[i];
	free(old);
	return 0;
}

/* Takes the path over, also on failure. */
static int add_entry(struct memory_files *files, char *path,
    const struct memory_part *part, struct error *err)
{
	struct entry *entry;

	if (2 * (files->count + 1) > files->size &&
	    rebuild(files, files->size ? 2 * files->size : TABLE_LEAST, err)) {
		free(path);
		return -1;
	}
	entry = place_of(files, path);
	if (entry->path)
		free(entry->path);
	else
		files->count++;
	*entry = (struct entry){ path, *part };
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

static bool has(struct memory_files *files, const char *path)
{
	return files->size > 0 && place_of(files, path)->path;
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
	if (is_new && has(files, path)) {
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
	int rc = 0;

	pthread_mutex_lock(&files->lock);
	if (has(files, path)) {
		struct entry *entry = place_of(files, path);

		free(entry->path);
		entry->path = NULL;
		files->count--;
		/* Entries behind it would not be found else. */
		rc = rebuild(files, files->size, err);
	}
	pthread_mutex_unlock(&files->lock);
	return rc;
}

bool memory_files_find(
    struct memory_files *files, const char *path, struct memory_part *part)
{
	const struct entry *entry = NULL;
	bool is_there;

	pthread_mutex_lock(&files->lock);
	if (files->size > 0)
		entry = place_of(files, path);
	is_there = entry && entry->path;
	if (is_there && part)
		*part = entry->part;
	pthread_mutex_unlock(&files->lock);
	return is_there;
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
	bool is = false;

	pthread_mutex_lock(&files->lock);
	for (size_t i = 0; !is && i < files->size; i++)
		is = files->table[i].path &&
		     name_below(files->table[i].path, folder);
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
	names->names = calloc(files->count + 1, sizeof(*names->names));
	names->bytes = calloc(files->count + 1, sizeof(*names->bytes));
	if (!names->names || !names->bytes)
		rc = error_memory(err, files->count * sizeof(*names->names));
	for (size_t i = 0; rc == 0 && i < files->size; i++) {
		const struct entry *entry = &files->table[i];
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

/* Renames what is below `from`; the table must then be built anew. */
static int rename_all(struct memory_files *files, const char *from,
    const char *to, size_t *renamed, struct error *err)
{
	for (size_t i = 0; i < files->size; i++) {
		struct entry *entry = &files->table[i];
		char *path;

		if (!entry->path || !is_below(entry->path, from))
			continue;
		path = new_path(entry->path, from, to);
		if (!path)
			return error_memory(err, strlen(to));
		free(entry->path);
		entry->path = path;
		(*renamed)++;
	}
	return 0;
}

int memory_files_rename(struct memory_files *files, const char *from,
    const char *to, struct error *err)
{
	size_t renamed = 0;
	int rc;

	pthread_mutex_lock(&files->lock);
	rc = rename_all(files, from, to, &renamed, err);
	if (renamed > 0 && rebuild(files, files->size, err))
		rc = -1;
	pthread_mutex_unlock(&files->lock);
	return rc;
}

uint64_t memory_files_bytes(struct memory_files *files)
{
	uint64_t bytes = 0;

	pthread_mutex_lock(&files->lock);
	for (size_t i = 0; i < files->size; i++)
		if (files->table[i].path)
			bytes += files->table[i].part.bytes;
	pthread_mutex_unlock(&files->lock);
	return bytes;
}

/* The largest content, which says whether the others were dropped. */
static struct memory_part find_largest(struct memory_files *files)
{
	struct memory_part largest = { .bytes = 0 };

	pthread_mutex_lock(&files->lock);
	for (size_t i = 0; i < files->size; i++)
		if (files->table[i].path &&
		    files->table[i].part.bytes > largest.bytes)
			largest = files->table[i].part;
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
