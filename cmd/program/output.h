/*
 * output.h - the output of a command: stdout, or a file.  A file is replaced as
 * a whole or not at all.  main calls output_end once for all commands, and
 * reports output that could not be written.
 */
#ifndef CMD_PROGRAM_OUTPUT_H
#define CMD_PROGRAM_OUTPUT_H

#include <stdio.h>

struct error;

/* The option --output; `args` has a char pointer `output`. */
#define OPTION_OUTPUT(args)                               \
	OPTION(TEXT, "output", 'o', args, output, "FILE", \
	    "write to FILE; - is stdout (default: -)")

/*
 * Call it first.  Replaces a closed standard stream (`>&-`) by /dev/null.
 * Otherwise the next file that is opened would get its number, and the output
 * of printf.
 */
void output_begin(void);
/* Flushes stdout. A full disk or a closed pipe is an error. */
int output_end(struct error *err);

typedef int output_print(const void *arg, FILE *out, struct error *err);

/*
 * ERROR_USAGE if no file can be written at `path`: it is a folder, or its
 * folder is missing.  For commands that work long before they call output_to.
 */
int output_check(const char *path, struct error *err);
/*
 * Runs `print` with stdout (`path` NULL or "-") or with the new content of a
 * file.  The file is written if `print` succeeds, or if it printed something
 * and ended with ERROR_GATE or ERROR_INCONCLUSIVE.
 */
int output_to(
    const char *path, output_print *print, const void *arg, struct error *err);

#endif
