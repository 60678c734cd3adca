/*
 * align.h - where the parts of a chunk begin: at multiples of 64 bytes, so that
 * the elements of .npy files are aligned and need not be copied.
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
