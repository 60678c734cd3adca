/*
 * process_memory.h - memory of a process and of the processes that it has
 * started, from /proc.
 */
#ifndef LIB_PROCESS_PROCESS_MEMORY_H
#define LIB_PROCESS_PROCESS_MEMORY_H

#include <stdint.h>
#include <sys/types.h>

/*
 * Returns the resident bytes of a process, with those of its children that are
 * not pages of files; 0: not known.  Pages that a fork shares are counted for
 * each process.
 */
uint64_t process_memory(pid_t id);

#endif
