/*
 * layer_types.h - types of file systems, by where they keep data and names.
 */
#ifndef LIB_MEASURE_STORAGE_LAYER_TYPES_H
#define LIB_MEASURE_STORAGE_LAYER_TYPES_H

#include <stdbool.h>

enum layer_kind {
	LAYER_NAMES,   /* data is in the page cache of its files only; names and
	                * inodes are in the buffers of its device */
	LAYER_PAGES,   /* the same, but names and inodes are elsewhere */
	LAYER_BUFFERS, /* data is in the buffers of its device, too */
	LAYER_MEMORY,
	LAYER_STACKED,
	LAYER_OWN, /* it has a cache of its own */
	LAYER_PROGRAM,
	LAYER_SERVER,
};

struct layer_type {
	const char *name;
	enum layer_kind kind;
};

/* Finds a type such as "ext4" or "fuse.sshfs"; NULL: it is not known. */
const struct layer_type *layer_type_find(const char *name);
/* Says why a layer of this kind cannot be seen. */
const char *layer_kind_words(enum layer_kind kind);

/* Does it have no pages of its own, but those of the files behind it? */
bool layer_type_is_stacked(const char *name);
/* Are its files always in memory? */
bool layer_type_is_memory(const char *name);

#endif
