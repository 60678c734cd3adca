/*
 * output.h - where a command's output goes: to stdout, or to a file that is
 * complete or as it was.
 */
#ifndef CMD_OUTPUT_H
#define CMD_OUTPUT_H

#include <stdio.h>

struct error;

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
