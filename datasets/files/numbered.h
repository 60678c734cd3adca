/* numbered.h - keys of samples without a name: STEM-NUMBER, by their file. */
#ifndef DATASETS_FILES_NUMBERED_H
#define DATASETS_FILES_NUMBERED_H

#include <stdint.h>

#include "lib/base/bytes.h"

enum { NUMBERED_MORE = 21 }; /* most bytes that are added to the stem */

/* Appends a key to `keys`, which has room and does not move. */
struct span numbered_key(struct buf *keys, struct span stem, uint64_t number);

#endif
