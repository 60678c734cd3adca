/*
 * interrupt.h - what signals do.
 *
 * Ctrl-C, SIGTERM, a closed terminal and a pipe that nobody reads any more end
 * the work in order: what is unfinished is removed, what is finished stays.  A
 * Ctrl-C or SIGTERM after any of these ends the program at once, whichever came
 * first, and says what it leaves.  A closed terminal and a pipe are told more
 * than once and end nothing sooner; so may a SIGTERM be, and within a fifth of
 * a second the same signal counts once.
 *
 * A program that is started has none of this: handlers end with exec, and what
 * was ignored before presto began stays ignored.
 */
#ifndef CMD_PROGRAM_INTERRUPT_H
#define CMD_PROGRAM_INTERRUPT_H

#include <stdatomic.h>

/*
 * For main: a file that would grow beyond the limit (ulimit -f) is an error of
 * the write that names it, and no signal.
 */
void interrupt_prepare(void);

/*
 * From now on signals set the flag, which lives as long as the program.
 * `last_words`, a line that lives as long, is for who ends it at once: what is
 * left, and how to go on.
 */
const atomic_bool *interrupt_watch(const char *last_words);

#endif
