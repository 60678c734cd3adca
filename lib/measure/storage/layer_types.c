/* layer_types.c - see layer_types.h. */
#include "lib/measure/storage/layer_types.h"

#include <stddef.h>
#include <string.h>

#include "lib/base/array.h"

/* By kind. */
static const struct layer_type types[] = {
	{ "ext2", LAYER_NAMES },
	{ "ext3", LAYER_NAMES },
	{ "ext4", LAYER_NAMES },
	{ "xfs", LAYER_NAMES },
	{ "bcachefs", LAYER_PAGES },
	{ "btrfs", LAYER_PAGES },
	{ "erofs", LAYER_PAGES },
	{ "exfat", LAYER_PAGES },
	{ "f2fs", LAYER_PAGES },
	{ "hfsplus", LAYER_PAGES },
	{ "iso9660", LAYER_PAGES },
	{ "jfs", LAYER_PAGES },
	{ "msdos", LAYER_PAGES },
	{ "nilfs2", LAYER_PAGES },
	{ "ntfs3", LAYER_PAGES },
	{ "reiserfs", LAYER_PAGES },
	{ "udf", LAYER_PAGES },
	{ "vfat", LAYER_PAGES },
	{ "cramfs", LAYER_BUFFERS },
	{ "romfs", LAYER_BUFFERS },
	{ "squashfs", LAYER_BUFFERS },
	{ "devtmpfs", LAYER_MEMORY },
	{ "hugetlbfs", LAYER_MEMORY },
	{ "ramfs", LAYER_MEMORY },
	{ "rootfs", LAYER_MEMORY },
	{ "tmpfs", LAYER_MEMORY },
	{ "overlay", LAYER_STACKED },
	{ "zfs", LAYER_OWN },
	{ "fuse", LAYER_PROGRAM },
	{ "fuseblk", LAYER_PROGRAM },
	{ "9p", LAYER_SERVER },
	{ "afs", LAYER_SERVER },
	{ "beegfs", LAYER_SERVER },
	{ "ceph", LAYER_SERVER },
	{ "cifs", LAYER_SERVER },
	{ "gpfs", LAYER_SERVER },
	{ "lustre", LAYER_SERVER },
	{ "nfs", LAYER_SERVER },
	{ "nfs4", LAYER_SERVER },
	{ "orangefs", LAYER_SERVER },
	{ "smb3", LAYER_SERVER },
	{ "vboxsf", LAYER_SERVER },
	{ "virtiofs", LAYER_SERVER },
	{ "wekafs", LAYER_SERVER },
};

static const char *const words[] = {
	[LAYER_OWN] = "it has a cache of its own, which cannot be seen",
	[LAYER_PROGRAM] = "the program behind it may keep the data in memory",
	[LAYER_SERVER] = "its server may keep the data in memory",
};

const char *layer_kind_words(enum layer_kind kind)
{
	return words[kind];
}

const struct layer_type *layer_type_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(types); i++)
		if (strcmp(types[i].name, name) == 0)
			return &types[i];
	if (strncmp(name, "fuse.", 5) == 0)
		return layer_type_find("fuse");
	return NULL;
}

bool layer_type_is_stacked(const char *name)
{
	const struct layer_type *type = layer_type_find(name);

	return type && type->kind == LAYER_STACKED;
}

bool layer_type_is_memory(const char *name)
{
	const struct layer_type *type = layer_type_find(name);

	return type && type->kind == LAYER_MEMORY;
}
