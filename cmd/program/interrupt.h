/*
 * interrupt.h - how presto reacts to signals.
 *
 * Ctrl-C, SIGTERM, a closed terminal and a broken pipe end the work in order:
 * unfinished data is removed, finished results stay.  Another Ctrl-C or SIGTERM
 * ends the program at once, and a line says what is left behind.
 *
 * The kernel may report a closed terminal or pipe several times, so these never
 * end the program at once.  A repeated signal within 0.2 s counts once.
 *
 * Child programs do not inherit the handlers.  Signals that were ignored when
 * presto started stay ignored.
 */
#ifndef CMD_PROGRAM_INTERRUPT_H
#define CMD_PROGRAM_INTERRUPT_H

#include <stdatomic.h>

/*
 * Called first by main: a file that would grow beyond its limit (ulimit -f)
 * makes the write fail, instead of ending the program by a signal.
 */
void interrupt_prepare(void);

/*
 * From now on signals set the returned flag, which lives as long as the
 * program.  Call it once.  `last_words` is printed when a second signal ends
 * the program at once: what is left behind, and how to continue.  It lives as
 * long as the program.
 */
const atomic_bool *interrupt_watch(const char *last_words);

#endif
