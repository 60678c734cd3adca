/*
 * memory.h - the backend of files in memory (medium_new_memory).  Its state is
 * made by memory_state_new, which needs a folder.
 */
#ifndef LIB_MEDIA_BACKENDS_MEMORY_H
#define LIB_MEDIA_BACKENDS_MEMORY_H

#include "lib/media/backends/backend.h"

extern const struct backend backend_memory;

/* See memory_files_new; to be freed by backend_memory.state_free. */
void *memory_state_new(const char *dir, struct error *err);
/* Returns the bytes of all files in memory. */
uint64_t memory_state_bytes(void *state);
/* See memory_files_drop. */
bool memory_state_drop(void *state);

#endif
