/*
 * interrupt.h - Ctrl-C, SIGTERM, a closed terminal and a pipe that nobody
 * reads any more end the work in order: what is unfinished is removed, what is
 * finished stays.  A second Ctrl-C or SIGTERM ends the program.
 */
#ifndef CMD_INTERRUPT_H
#define CMD_INTERRUPT_H

#include <stdatomic.h>

/* From now on signals set the flag, which lives as long as the program. */
const atomic_bool *interrupt_watch(void);

#endif
