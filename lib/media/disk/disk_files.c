/* disk_files.c - see disk_files.h. */
#include "lib/media/disk/disk_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/files/temporary_sweep.h"

enum { URL_DIGITS = 32, VERSION_DIGITS = 16, PART_DIGITS = 8, FOLDERS = 256 };

void disk_url_name(const uint64_t url[2], char name[DISK_NAME])
{
	snprintf(name, DISK_NAME, "%02x/%016" PRIx64 "%016" PRIx64,
	    (unsigned)(url[0] >> 56), url[0], url[1]);
}

void disk_part_name(
    const struct disk_key *key, uint32_t part, char name[DISK_NAME])
{
	char url[DISK_NAME];

	disk_url_name(key->url, url);
	snprintf(name, DISK_NAME, "%.35s-%016" PRIx64 "-%08" PRIx32, url,
	    key->version, part);
}

/* Takes so many hexadecimal digits; NULL: they are not there. */
static const char *take_digits(const char *at, size_t count)
{
	return strspn(at, "0123456789abcdef") == count ? at + count : NULL;
}

bool disk_is_name(const char *name)
{
	const char *at = take_digits(name, URL_DIGITS);

	if (!at || *at == '\0')
		return at != NULL;
	at = *at == '-' ? take_digits(at + 1, VERSION_DIGITS) : NULL;
	at = at && *at == '-' ? take_digits(at + 1, PART_DIGITS) : NULL;
	return at && *at == '\0';
}

/* ---- removal ---- */

struct kept {
	char name[DISK_NAME];
	uint64_t bytes;
	struct timespec used;
};

struct all {
	struct kept *files;
	size_t count, capacity;
	uint64_t bytes;
};

static int add_file(struct all *all, int folder, const char *below,
    const char *name, struct error *err)
{
	struct kept *files;
	struct stat status;

	if (!disk_is_name(name) ||
	    fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) ||
	    !S_ISREG(status.st_mode))
		return 0;
	files = array_grow(
	    all->files, &all->capacity, all->count + 1, sizeof(*files), err);
	if (!files)
		return -1;
	all->files = files;
	files += all->count++;
	snprintf(files->name, sizeof(files->name), "%.2s/%.70s", below, name);
	files->bytes = (uint64_t)status.st_size;
	files->used = status.st_mtim;
	all->bytes += files->bytes;
	return 0;
}

/* Adds the files of one folder; 0 where there is none. */
static int add_folder(
    struct all *all, int parent, const char *name, struct error *err)
{
	const int fd = openat(
	    parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;
	int rc = 0;

	if (!dir) {
		if (fd >= 0)
			close(fd);
		return 0;
	}
	while (rc == 0 && (entry = readdir(dir)))
		rc = add_file(all, fd, name, entry->d_name, err);
	closedir(dir);
	return rc;
}

static int compare_used(const void *a, const void *b)
{
	const struct timespec x = ((const struct kept *)a)->used;
	const struct timespec y = ((const struct kept *)b)->used;

	if (x.tv_sec != y.tv_sec)
		return x.tv_sec < y.tv_sec ? -1 : 1;
	return (x.tv_nsec > y.tv_nsec) - (x.tv_nsec < y.tv_nsec);
}

static void sweep_folder(const char *folder, const char *below)
{
	struct swept swept = { .count = 0 };
	struct error ignored = ERROR_INIT;
	char *dir = path_join(folder, below, &ignored);

	if (dir && path_is_folder(dir))
		temporary_sweep(dir, false, &swept, &ignored);
	free(dir);
}

int disk_files_trim(const char *folder, uint64_t most, uint64_t least,
    uint64_t *bytes, struct error *err)
{
	const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct all all = { .files = NULL };
	int rc = 0;

	if (fd < 0)
		return error_errno(err, "open", folder);
	for (unsigned i = 0; rc == 0 && i < FOLDERS; i++) {
		char below[4];

		snprintf(below, sizeof(below), "%02x", i);
		sweep_folder(folder, below);
		rc = add_folder(&all, fd, below, err);
	}
	if (rc == 0 && all.bytes > most) {
		qsort(all.files, all.count, sizeof(*all.files), compare_used);
		for (size_t i = 0; i < all.count && all.bytes > least; i++)
			if (unlinkat(fd, all.files[i].name, 0) == 0 ||
			    errno == ENOENT)
				all.bytes -= all.files[i].bytes;
	}
	*bytes = all.bytes;
	free(all.files);
	close(fd);
	return rc;
}
