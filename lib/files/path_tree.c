/*
 * path_tree.c - lists and removes the content of folders; see path_tree.h.
 *
 * A broken link counts as a file of 0 bytes: opening it gives an error with its
 * name, whereas skipping it would silently make a dataset smaller.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/files/lock_held.h"
#include "lib/files/path.h"
#include "lib/files/path_tree.h"
#include "lib/files/temporary.h"

struct item {
	char *name; /* '/' after a folder's name makes the order right */
	uint64_t bytes;
};

struct list {
	struct item *items;
	size_t count, capacity;
};

/* A folder that is being walked, within the one above it. */
struct level {
	const struct level *above;
	dev_t device;
	ino_t inode;
};

struct walk {
	struct buf path; /* terminated; begins with the folder asked for */
	size_t skip;     /* length of that folder's path, with the slash */
	path_leave_out *leave_out; /* may be NULL */
	path_visit *visit;
	void *arg;
	struct error *err;
};

static void list_release(struct list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->items[i].name);
	free(list->items);
	*list = (struct list){ .items = NULL };
}

static int list_add(struct list *list, const char *name,
    const struct stat *status, struct error *err)
{
	const bool is_folder = S_ISDIR(status->st_mode);
	const size_t len = strlen(name);
	struct item *items = array_grow(
	    list->items, &list->capacity, list->count + 1, sizeof(*items), err);
	char *copy;

	if (!items)
		return -1;
	list->items = items;
	copy = malloc(len + 2);
	if (!copy)
		return error_memory(err, len + 2);
	memcpy(copy, name, len);
	copy[len] = is_folder ? '/' : '\0';
	copy[len + 1] = '\0';
	items[list->count++] = (struct item){
		.name = copy,
		.bytes =
		    S_ISREG(status->st_mode) ? (uint64_t)status->st_size : 0,
	};
	return 0;
}

static int compare_items(const void *a, const void *b)
{
	return strcmp(
	    ((const struct item *)a)->name, ((const struct item *)b)->name);
}

static bool is_dots(const char *name)
{
	return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

/*
 * Examines one name of a folder: 1 to list it, 0 to skip it.  A name that was
 * removed since the folder was read is skipped.
 */
static int examine(int fd, const char *name, struct stat *status)
{
	if (is_dots(name))
		return 0;
	if (fstatat(fd, name, status, 0) == 0)
		return S_ISREG(status->st_mode) || S_ISDIR(status->st_mode);
	if (errno != ENOENT && errno != ELOOP)
		return -1;
	return fstatat(fd, name, status, AT_SYMLINK_NOFOLLOW) == 0;
}

/* Reads the next name; NULL with errno 0 at the end. */
static const struct dirent *next_entry(DIR *dir)
{
	errno = 0;
	return readdir(dir);
}

static int list_read(
    struct list *list, DIR *dir, const char *path, struct error *err)
{
	const struct dirent *entry;
	struct stat status;

	while ((entry = next_entry(dir))) {
		const int wanted = examine(dirfd(dir), entry->d_name, &status);

		if (wanted < 0) {
			error_errno(err, "look at", entry->d_name);
			return error_prefix(err, "%s", path);
		}
		if (wanted && list_add(list, entry->d_name, &status, err))
			return -1;
	}
	if (errno)
		return error_errno(err, "read folder", path);
	if (list->count)
		qsort(list->items, list->count, sizeof(*list->items),
		    compare_items);
	return 0;
}

/* Opens the folder walk->path and lists it; 1 when it is a parent of itself. */
static int level_open(
    const struct walk *walk, struct level *level, struct list *list)
{
	const char *path = (const char *)walk->path.data;
	DIR *dir = opendir(path);
	struct stat status;
	int rc = -1;

	/* It was removed after its parent was read: skip it. */
	if (!dir && errno == ENOENT && level->above)
		return 1;
	if (!dir)
		return error_errno(walk->err, "open folder", path);
	if (fstat(dirfd(dir), &status)) {
		error_errno(walk->err, "open folder", path);
		goto done;
	}
	level->device = status.st_dev;
	level->inode = status.st_ino;
	for (const struct level *l = level->above; l; l = l->above)
		if (l->device == level->device && l->inode == level->inode) {
			rc = 1;
			goto done;
		}
	rc = list_read(list, dir, path, walk->err);
done:
	closedir(dir);
	return rc;
}

/* Is the folder that the walk has reached, with its slash, left out? */
static bool is_left_out(const struct walk *walk)
{
	unsigned char *slash = walk->path.data + walk->path.len - 1;
	bool is;

	if (!walk->leave_out)
		return false;
	*slash = '\0';
	is = walk->leave_out(
	    walk->arg, (const char *)walk->path.data + walk->skip);
	*slash = '/';
	return is;
}

static int walk_folder(struct walk *walk, const struct level *above)
{
	struct level level = { .above = above };
	struct list list = { .items = NULL };
	const size_t len = walk->path.len;
	int rc = level_open(walk, &level, &list);

	for (size_t i = 0; rc == 0 && i < list.count; i++) {
		const struct item *item = &list.items[i];

		walk->path.len = len;
		rc = buf_printf(&walk->path, walk->err, "%s", item->name);
		if (rc)
			break;
		if (walk->path.data[walk->path.len - 1] == '/')
			rc = is_left_out(walk) ? 0 : walk_folder(walk, &level);
		else
			rc = walk->visit(walk->arg,
			    (const char *)walk->path.data + walk->skip,
			    item->bytes, walk->err);
	}
	walk->path.len = len;
	list_release(&list);
	return rc < 0 ? -1 : 0;
}

int path_each(const char *dir, path_visit *visit, void *arg, struct error *err)
{
	return path_each_but(dir, NULL, visit, arg, err);
}

int path_each_but(const char *dir, path_leave_out *leave_out, path_visit *visit,
    void *arg, struct error *err)
{
	const size_t len = strlen(dir);
	struct walk walk = {
		.path = BUF_INIT,
		.leave_out = leave_out,
		.visit = visit,
		.arg = arg,
		.err = err,
	};
	int rc = buf_printf(&walk.path, err, "%s%s", dir,
	    len && dir[len - 1] == '/' ? "" : "/");

	walk.skip = walk.path.len;
	if (rc == 0)
		rc = walk_folder(&walk, NULL);
	buf_release(&walk.path);
	return rc;
}

static int add_bytes(
    void *arg, const char *name, uint64_t bytes, struct error *err)
{
	uint64_t *sum = arg;

	UNUSED(name);
	UNUSED(err);
	*sum += bytes;
	return 0;
}

int path_each_name(
    const char *dir, path_name_visit *visit, void *arg, struct error *err)
{
	struct dirent **names;
	const int count = scandir(dir, &names, NULL, alphasort);
	int rc = 0;

	if (count < 0)
		return error_errno(err, "open", dir);
	for (int i = 0; i < count; i++) {
		if (rc == 0 && !is_dots(names[i]->d_name))
			rc = visit(arg, names[i]->d_name, err);
		free(names[i]);
	}
	free(names);
	return rc;
}

/* Is it the name that does not count, or that of a file which locks it? */
static bool is_except(const char *name, const char *except)
{
	const size_t len = except ? strlen(except) : 0;

	return except && strncmp(name, except, len) == 0 &&
	       (!name[len] ||
	           strncmp(name + len, HELD_SUFFIX, strlen(HELD_SUFFIX)) == 0);
}

int path_find_any(
    const char *dir, const char *except, char name[256], struct error *err)
{
	const struct dirent *entry;
	DIR *open;
	int rc = 0;

	name[0] = '\0';
	if (!path_exists(dir))
		return 0;
	open = opendir(dir);
	if (!open)
		return error_errno(err, "open", dir);
	while (!name[0] && (entry = next_entry(open)))
		if (!is_dots(entry->d_name) &&
		    !is_except(entry->d_name, except) &&
		    !temporary_is_name(entry->d_name))
			snprintf(name, 256, "%s", entry->d_name);
	/* A folder that cannot be read is an error, not empty. */
	if (!name[0] && errno)
		rc = error_errno(err, "read folder", dir);
	closedir(open);
	return rc;
}

int path_bytes(const char *dir, uint64_t *bytes, struct error *err)
{
	*bytes = 0;
	return path_each(dir, add_bytes, bytes, err);
}

/* A removal in progress; `path` is the folder asked for, for messages. */
struct removal {
	const char *path;
	uint64_t bytes; /* sizes of the files removed */
};

static int remove_folder(
    struct removal *removal, int above, const char *name, struct error *err);

/* An entry that is already gone needs no removal. */
static int remove_entry(
    struct removal *removal, int fd, const char *name, struct error *err)
{
	struct stat status;
	int rc = fstatat(fd, name, &status, AT_SYMLINK_NOFOLLOW);

	if (rc == 0 && S_ISDIR(status.st_mode))
		return remove_folder(removal, fd, name, err);
	if (rc == 0)
		rc = unlinkat(fd, name, 0);
	if (rc && errno != ENOENT) {
		error_errno(err, "remove", name);
		return error_prefix(err, "%s", removal->path);
	}
	if (rc == 0 && S_ISREG(status.st_mode) && status.st_nlink == 1)
		removal->bytes += (uint64_t)status.st_size;
	return 0;
}

static int remove_entries(
    struct removal *removal, DIR *dir, const char *except, struct error *err)
{
	const struct dirent *entry;

	while ((entry = next_entry(dir)))
		if (!is_dots(entry->d_name) &&
		    !is_except(entry->d_name, except) &&
		    remove_entry(removal, dirfd(dir), entry->d_name, err))
			return -1;
	if (errno)
		return error_errno(err, "read folder", removal->path);
	return 0;
}

static int remove_folder(
    struct removal *removal, int above, const char *name, struct error *err)
{
	const int fd = openat(
	    above, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	int rc;

	if (!dir && errno == ENOENT)
		return 0;
	if (!dir) {
		error_errno(err, "remove", removal->path);
		if (fd >= 0)
			close(fd);
		return -1;
	}
	rc = remove_entries(removal, dir, NULL, err);
	closedir(dir);
	if (rc == 0 && unlinkat(above, name, AT_REMOVEDIR) && errno != ENOENT)
		rc = error_errno(err, "remove", removal->path);
	return rc;
}

int path_remove_tree(const char *dir, struct error *err)
{
	struct removal removal = { .path = dir };

	return remove_folder(&removal, AT_FDCWD, dir, err);
}

int path_remove_content(
    const char *dir, const char *except, uint64_t *bytes, struct error *err)
{
	struct removal removal = { .path = dir };
	DIR *open = opendir(dir);
	int rc;

	if (!open)
		return error_errno(err, "open", dir);
	rc = remove_entries(&removal, open, except, err);
	closedir(open);
	if (bytes)
		*bytes += removal.bytes;
	return rc;
}
