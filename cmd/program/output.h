/*
 * output.h - where a command's output goes: to stdout, or to a file that is
 * complete or as it was.  What was printed must have arrived: main asks once,
 * for all commands.
 */
#ifndef CMD_PROGRAM_OUTPUT_H
#define CMD_PROGRAM_OUTPUT_H

#include <stdio.h>

struct error;

/*
 * Before all else: a standard stream that is closed (`>&-`) is held, so that
 * no file that is opened gets its number and what is printed.
 */
void output_begin(void);
/* At the end: a full disk or a pipe that nobody reads is an error. */
int output_end(struct error *err);

typedef int output_print(const void *arg, FILE *out, struct error *err);

/*
 * ERROR_USAGE when no file can be written there: a folder has that name, or its
 * own folder is missing.  For commands that work long before output_to.
 */
int output_check(const char *path, struct error *err);
/*
 * `path` NULL or "-" is stdout.  A file is written when `print` succeeds, or
 * ends with ERROR_GATE behind what it printed.
 */
int output_to(
    const char *path, output_print *print, const void *arg, struct error *err);

#endif
