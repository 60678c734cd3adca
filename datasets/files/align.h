/*
 * align.h - aligns the parts of a chunk to 64 bytes, so that elements of .npy
 * files are aligned and need no copy.
 */
#ifndef DATASETS_FILES_ALIGN_H
#define DATASETS_FILES_ALIGN_H

#include <stddef.h>

enum { PART_ALIGN = 64 };

static inline size_t align_up(size_t n)
{
	return (n + PART_ALIGN - 1) / PART_ALIGN * PART_ALIGN;
}

#endif
