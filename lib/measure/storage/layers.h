/*
 * layers.h - the layers between a file and its medium that can hold the file's
 * bytes in memory.  A file is cold when none of them does.
 *
 *	layer                            dropped by        seen by
 *	page cache of the file           fadvise           cachestat, mincore
 *	overlay, bind mount              none of its own: the page cache is that
 *	                                 of the file behind
 *	file behind a loop device        as any file, where it can be opened
 *	buffers of a block device        fadvise, by root  cachestat
 *	names and inodes                 global drop       -
 *	cache of a file system (zfs)     -                 -
 *	program of a file system (fuse)  -                 -
 *	server (nfs, lustre, iscsi)      -                 -
 *	host of a virtual machine        -                 virtual.h, once
 *	cache of a disk                  -                 -
 *
 * The data of most file systems is in the page cache of its files, and names
 * and inodes in the buffers of the block device.  squashfs and its like read
 * data through these buffers too, so that they hold it as well.
 *
 * The last two layers are not part of the answer: a session says once that it
 * runs in a virtual machine, and no program can empty the cache of a disk.
 *
 * Types of file systems and of devices that are not listed count as unseen.
 *
 * O_DIRECT is no witness for any of these layers.  It passes the page cache of
 * the file, which can be seen, and is answered by the same lower caches as any
 * other read (doc/measuring.md has figures).
 */
#ifndef LIB_MEASURE_STORAGE_LAYERS_H
#define LIB_MEASURE_STORAGE_LAYERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mount;

enum { LAYERS_FILES = 16, LAYERS_TEXT = 200 };

/* A file or block device behind the data, open for reading. */
struct layer_file {
	int fd;
	uint64_t bytes;         /* 0 for a device */
	uint64_t device, inode; /* to know it again */
	bool holds_data;        /* false: it holds names and inodes only */
};

struct layers {           /* LAYERS_INIT: none */
	const char *root; /* goes before all paths; borrowed */
	bool memory;      /* data is on a device in memory (zram) */
	/*
	 * The first layer that can be neither dropped nor seen: "nfs4: its
	 * server may keep the data in memory".  "": there is none.
	 */
	char unseen[LAYERS_TEXT];
	/*
	 * Are names and inodes cold once the kernel's are dropped, and then the
	 * files?  Only root can open the devices.
	 */
	bool names;
	struct layer_file files[LAYERS_FILES];
	size_t count;
};

#define LAYERS_INIT(before)                   \
	{                                     \
		.root = before, .names = true \
	}

/* Adds the layers below the file systems of a mount. */
void layers_add(struct layers *layers, const struct mount *mount);
/* Closes the files. */
void layers_release(struct layers *layers);

#endif
