/*
 * mount.h - the mount that a file lies on, as /proc/self/mountinfo lists it.
 *
 * A file is looked up by the number of its mount, not by its device: files of
 * btrfs and overlay have devices that no mount has.  The list shows the mounts
 * of this container, and no others.
 */
#ifndef LIB_MEASURE_MOUNT_H
#define LIB_MEASURE_MOUNT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mount {                 /* MOUNT_INIT: none */
	char *line;            /* owned; the texts lie in it */
	unsigned major, minor; /* the device; major 0: not a block device */
	const char *point;     /* folder where it is mounted */
	const char *type;      /* "ext4", "fuse.sshfs" */
	const char *source;    /* "/dev/vda"; any text for other types */
	const char *options;   /* words of the file system, with commas */
};

#define MOUNT_INIT           \
	{                    \
		.line = NULL \
	}

/* Returns the number of the mount of an open file; 0: not known. */
uint64_t mount_number(int fd);

/*
 * Find the mount with a number; and the one below which a path lies, which has
 * no links in it.  false: there is none.  `root` goes before the list's path.
 */
bool mount_find(const char *root, uint64_t number, struct mount *mount);
bool mount_of_path(const char *root, const char *path, struct mount *mount);
void mount_release(struct mount *mount);

/* Replaces the octal escapes of the list ("\040") by their bytes, in place. */
void mount_unescape(char *text);

#endif
