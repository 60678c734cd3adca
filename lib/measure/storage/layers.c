/* layers.c - see layers.h. */
#define _GNU_SOURCE /* realpath */
#include "lib/measure/storage/layers.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/files/proc_text.h"
#include "lib/measure/mount.h"
#include "lib/measure/storage/layer_types.h"

enum {
	PATH = 4096,
	NAME = 64,
	DEEPEST = 8, /* loop devices on loop devices, slaves of slaves */
};

/* Block devices whose blocks are not on a disk of this machine. */
static const struct layer_type devices[] = {
	{ "brd", LAYER_MEMORY },
	{ "nullb", LAYER_MEMORY },
	{ "ram", LAYER_MEMORY },
	{ "zram", LAYER_MEMORY },
	{ "zd", LAYER_OWN }, /* a volume of zfs */
	{ "ublkb", LAYER_PROGRAM },
	{ "drbd", LAYER_SERVER },
	{ "nbd", LAYER_SERVER },
	{ "rbd", LAYER_SERVER },
	{ "rnbd", LAYER_SERVER },
};

/*
 * Parts of the place of a disk in /sys that is reached through a network:
 * iSCSI, Fibre Channel, NVMe.
 */
static const char *const far[] = { "/session", "/rport-", "/nvme-fabrics/" };

__attribute__((format(printf, 2, 3))) static void set_unseen(
    struct layers *layers, const char *format, ...)
{
	va_list args;

	if (*layers->unseen)
		return;
	va_start(args, format);
	vsnprintf(layers->unseen, sizeof(layers->unseen), format, args);
	va_end(args);
}

/* ---- files and devices behind ---- */

/* Keeps an open file, unless it is known; closes it if there are too many. */
static void keep_file(struct layers *layers, const struct layer_file *file)
{
	for (size_t i = 0; i < layers->count; i++) {
		struct layer_file *known = &layers->files[i];

		if (known->device == file->device &&
		    known->inode == file->inode) {
			known->holds_data |= file->holds_data;
			close(file->fd);
			return;
		}
	}
	if (layers->count < LAYERS_FILES) {
		layers->files[layers->count++] = *file;
		return;
	}
	close(file->fd);
	set_unseen(layers, "more than %d files and devices hold the data",
	    LAYERS_FILES);
}

/* Opens a file or a block device: 0, or an errno. */
static int open_file(const struct layers *layers, const char *name,
    struct layer_file *file, struct stat *status)
{
	char path[PATH];

	if (snprintf(path, sizeof(path), "%s%s", layers->root, name) >= PATH)
		return ENAMETOOLONG;
	file->fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (file->fd < 0)
		return errno;
	if (fstat(file->fd, status) == 0 &&
	    (S_ISREG(status->st_mode) || S_ISBLK(status->st_mode))) {
		file->bytes = (uint64_t)status->st_size;
		file->device =
		    S_ISBLK(status->st_mode) ? status->st_rdev : status->st_dev;
		file->inode = S_ISBLK(status->st_mode) ? 0 : status->st_ino;
		return 0;
	}
	close(file->fd);
	return EINVAL;
}

static void add_mount(
    struct layers *layers, const struct mount *mount, unsigned depth);
static void add_device(
    struct layers *layers, const unsigned numbers[2], unsigned depth);

/* Adds the file system that an absolute path lies on. */
static void add_path(struct layers *layers, const char *path, unsigned depth)
{
	struct mount mount;

	if (!mount_of_path(layers->root, path, &mount)) {
		set_unseen(layers, "%s: its file system is not known", path);
		return;
	}
	add_mount(layers, &mount, depth);
	mount_release(&mount);
}

/* Adds the image behind a loop device, or behind a mount. */
static void add_image(
    struct layers *layers, const char *path, const char *of, unsigned depth)
{
	struct layer_file file = { .holds_data = true };
	const bool names = layers->names;
	struct stat status;
	const int rc = open_file(layers, path, &file, &status);

	if (rc) {
		set_unseen(layers, "%s: its image %s cannot be opened (%s)", of,
		    path, strerror(rc));
		return;
	}
	keep_file(layers, &file);
	if (S_ISBLK(status.st_mode))
		add_device(layers,
		    (unsigned[]){
		        major(status.st_rdev), minor(status.st_rdev) },
		    depth);
	else
		add_path(layers, path, depth);
	layers->names = names; /* an image is one file */
}

/* ---- block devices ---- */

/* Writes the place of a device in /sys. */
static void set_base(char base[NAME], const unsigned numbers[2])
{
	snprintf(base, NAME, "sys/dev/block/%u:%u", numbers[0], numbers[1]);
}

/* Writes the name of a device, such as "loop0p1", from its uevent. */
static bool get_device_name(
    const struct layers *layers, const char *base, char name[NAME])
{
	char path[PATH], text[1024];

	snprintf(path, sizeof(path), "%s/uevent", base);
	if (proc_text_get(layers->root, path, text, sizeof(text)))
		return false;
	for (const char *line = text; line; line = proc_text_next(line))
		if (sscanf(line, "DEVNAME=%63s", name) == 1)
			return true;
	return false;
}

/* Does a place of /sys, whose name may have links in it, have such a part? */
static bool is_place_far(const struct layers *layers, const char *name)
{
	char path[PATH], *place = NULL;
	bool is = false;

	if (snprintf(path, sizeof(path), "%s/%s", layers->root, name) < PATH)
		place = realpath(path, NULL);
	for (size_t i = 0; place && i < ARRAY_LEN(far); i++)
		is |= strstr(place, far[i]) != NULL;
	free(place);
	return is;
}

/* Is it a disk behind a network?  `base` is the disk, not a part of it. */
static bool is_far(const struct layers *layers, const char *base)
{
	bool is = is_place_far(layers, base);
	char path[PATH];
	const struct dirent *entry;
	DIR *dir;

	if (snprintf(path, sizeof(path), "%s/%s/..", layers->root, base) >=
	    PATH)
		return is;
	/* The ways to an NVMe disk that may have several lie beside it. */
	dir = opendir(path);
	while (dir && !is && (entry = readdir(dir)))
		if (strncmp(entry->d_name, "nvme", 4) == 0 &&
		    snprintf(path, sizeof(path), "%s/../%s", base,
		        entry->d_name) < PATH)
			is = is_place_far(layers, path);
	if (dir)
		closedir(dir);
	return is;
}

/* Judges a device without others below it, by its name and place. */
static void judge_device(
    struct layers *layers, const char *base, const char *name)
{
	const size_t len = strcspn(name, "0123456789");
	enum layer_kind kind =
	    is_far(layers, base) ? LAYER_SERVER : LAYER_PAGES;

	for (size_t i = 0; i < ARRAY_LEN(devices); i++)
		if (strlen(devices[i].name) == len &&
		    strncmp(devices[i].name, name, len) == 0)
			kind = devices[i].kind;
	if (kind == LAYER_MEMORY)
		layers->memory = true;
	else if (kind != LAYER_PAGES)
		set_unseen(layers, "%s: %s", name, layer_kind_words(kind));
}

/* Adds the devices that a device is made of; returns their number. */
static unsigned add_slaves(
    struct layers *layers, const char *base, unsigned depth)
{
	char path[PATH], text[NAME];
	unsigned count = 0, number[2];
	const struct dirent *entry;
	DIR *dir;

	if (snprintf(path, sizeof(path), "%s/%s/slaves", layers->root, base) >=
	    PATH)
		return 0;
	dir = opendir(path);
	while (dir && (entry = readdir(dir))) {
		if (*entry->d_name == '.' ||
		    snprintf(path, sizeof(path), "%s/slaves/%s/dev", base,
		        entry->d_name) >= PATH)
			continue;
		count++;
		if (proc_text_get(layers->root, path, text, sizeof(text)) ==
		        0 &&
		    sscanf(text, "%u:%u", &number[0], &number[1]) == 2)
			add_device(layers, number, depth);
		else
			set_unseen(
			    layers, "%s: it is not in /sys", entry->d_name);
	}
	if (dir)
		closedir(dir);
	return count;
}

static void add_device(
    struct layers *layers, const unsigned numbers[2], unsigned depth)
{
	char base[NAME], path[PATH], text[PATH], name[NAME];

	set_base(base, numbers);
	if (depth > DEEPEST || !get_device_name(layers, base, name)) {
		set_unseen(layers, "device %u:%u is not in /sys", numbers[0],
		    numbers[1]);
		return;
	}
	snprintf(path, sizeof(path), "%s/partition", base);
	if (proc_text_get(layers->root, path, text, sizeof(text)) == 0)
		/* The disk that it is a part of. */
		snprintf(
		    base + strlen(base), sizeof(base) - strlen(base), "/..");
	snprintf(path, sizeof(path), "%s/loop/backing_file", base);
	if (proc_text_get(layers->root, path, text, sizeof(text)) == 0) {
		text[strcspn(text, "\n")] = '\0';
		add_image(layers, text, name, depth + 1);
	} else if (add_slaves(layers, base, depth + 1) == 0) {
		judge_device(layers, base, name);
	}
}

/* ---- mounts ---- */

static int stat_source(
    const struct layers *layers, const char *name, struct stat *status)
{
	char path[PATH];

	if (*name != '/') /* any text, for some mounts */
		return ENOENT;
	if (snprintf(path, sizeof(path), "%s%s", layers->root, name) >= PATH)
		return ENAMETOOLONG;
	if (stat(path, status))
		return errno;
	return S_ISREG(status->st_mode) || S_ISBLK(status->st_mode) ? 0
	                                                            : EINVAL;
}

/* Opens a block device by a name, if it is that device: 0, or an errno. */
static int open_device(const struct layers *layers, const char *name,
    dev_t device, struct layer_file *file)
{
	struct stat status;
	int rc = stat_source(layers, name, &status);

	if (rc == 0 && status.st_rdev != device)
		rc = ENXIO;
	return rc ? rc : open_file(layers, name, file, &status);
}

/*
 * Adds the device or image that a mount was made from.  Its name may mean
 * another device in a container, or none ("/dev/root"): the mount's number
 * decides, and the kernel's name for it is tried as well.
 */
static void add_source(struct layers *layers, const struct mount *mount,
    const struct layer_type *type, unsigned depth)
{
	struct layer_file file = { .holds_data = type->kind == LAYER_BUFFERS };
	unsigned numbers[2] = { mount->major, mount->minor };
	char base[NAME], name[NAME], path[NAME + 8];
	struct stat status = { .st_mode = 0 };
	int rc = stat_source(layers, mount->source, &status);
	dev_t device;

	if (S_ISREG(status.st_mode)) {
		add_image(layers, mount->source, mount->type, depth + 1);
		return;
	}
	if (rc == 0 && numbers[0] == 0) {
		numbers[0] = major(status.st_rdev);
		numbers[1] = minor(status.st_rdev);
	}
	device = makedev(numbers[0], numbers[1]);
	rc = open_device(layers, mount->source, device, &file);
	set_base(base, numbers);
	if (rc && get_device_name(layers, base, name)) {
		snprintf(path, sizeof(path), "/dev/%s", name);
		if (open_device(layers, path, device, &file) == 0)
			rc = 0;
	}
	if (rc == 0)
		keep_file(layers, &file);
	else if (type->kind == LAYER_BUFFERS)
		set_unseen(layers, "%s: the buffers of %s cannot be seen (%s)",
		    mount->type, mount->source, strerror(rc));
	layers->names &= rc == 0 && type->kind == LAYER_NAMES;
	add_device(layers, numbers, depth);
}

static void set_overlay_unseen(struct layers *layers)
{
	set_unseen(layers, "overlay: its folders cannot be seen from here");
}

/* Adds a folder of an overlay, whose name may have links in it. */
static void add_folder(struct layers *layers, const char *path, unsigned depth)
{
	const size_t root = strlen(layers->root);
	char place[PATH], *real = NULL;

	if (*path == '/' &&
	    snprintf(place, sizeof(place), "%s%s", layers->root, path) < PATH)
		real = realpath(place, NULL);
	if (real && strncmp(real, layers->root, root) == 0)
		add_path(layers, real + root, depth);
	else
		set_overlay_unseen(layers);
	free(real);
}

/* Adds the folders "/a:/b"; "\:" is a colon of a name. */
static void add_folders(struct layers *layers, char *list, unsigned depth)
{
	char folder[PATH];
	size_t len = 0;

	mount_unescape(list);
	for (const char *at = list;; at++) {
		if (*at == '\\' && at[1] && len + 1 < sizeof(folder)) {
			folder[len++] = *++at;
		} else if (*at && *at != ':' && len + 1 < sizeof(folder)) {
			folder[len++] = *at;
		} else {
			folder[len] = '\0';
			if (len > 0)
				add_folder(layers, folder, depth);
			len = 0;
		}
		if (!*at)
			return;
	}
}

static void add_overlay(
    struct layers *layers, const struct mount *mount, unsigned depth)
{
	static const char *const keys[] = {
		"lowerdir=", "lowerdir+=", "datadir+=", "upperdir="
	};
	char *options = strdup(mount->options), *rest = options;
	unsigned found = 0;

	while (rest) {
		char *option = rest;

		rest = strchr(option, ',');
		if (rest)
			*rest++ = '\0';
		for (size_t i = 0; i < ARRAY_LEN(keys); i++)
			if (strncmp(option, keys[i], strlen(keys[i])) == 0) {
				add_folders(layers, option + strlen(keys[i]),
				    depth + 1);
				found++;
			}
	}
	free(options);
	if (!found)
		set_overlay_unseen(layers);
}

static void add_mount(
    struct layers *layers, const struct mount *mount, unsigned depth)
{
	const struct layer_type *type = layer_type_find(mount->type);

	if (depth > DEEPEST)
		set_unseen(layers, "%s: it lies too deep", mount->type);
	else if (!type)
		set_unseen(layers, "%s: presto does not know this file system",
		    mount->type);
	else if (type->kind <= LAYER_BUFFERS)
		add_source(layers, mount, type, depth);
	else if (type->kind == LAYER_STACKED)
		add_overlay(layers, mount, depth);
	else if (type->kind != LAYER_MEMORY) /* its pages are seen */
		set_unseen(layers, "%s: %s", mount->type,
		    layer_kind_words(type->kind));
}

void layers_add(struct layers *layers, const struct mount *mount)
{
	add_mount(layers, mount, 0);
}

void layers_release(struct layers *layers)
{
	for (size_t i = 0; i < layers->count; i++)
		close(layers->files[i].fd);
	layers->count = 0;
}
