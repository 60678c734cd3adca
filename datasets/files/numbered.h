/*
 * numbered.h - keys of samples that have no name: STEM-NUMBER, of the file that
 * they are in.
 */
#ifndef DATASETS_FILES_NUMBERED_H
#define DATASETS_FILES_NUMBERED_H

#include <stdint.h>

#include "lib/base/bytes.h"

enum { NUMBERED_MORE = 21 }; /* bytes besides the stem, at most */

/* Adds it behind the keys that there are, which do not move: there is room. */
struct span numbered_key(struct buf *keys, struct span stem, uint64_t number);

#endif
