/*
 * proc_text.h - the small text files of /proc and /sys.  Nothing is taken for
 * granted of what is in them: on another kernel, or in a container, a file may
 * be missing, empty or odd.
 */
#ifndef LIB_MEASURE_PROC_TEXT_H
#define LIB_MEASURE_PROC_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Opens "ROOT/NAME"; -1 when it cannot be. */
int proc_text_open(const char *root, const char *name);
/*
 * What the file has now, from its beginning, terminated; a last line that did
 * not fit is left out.  -1: nothing, and the text is "".  `size` is at least 1.
 */
int proc_text_read(int fd, char *text, size_t size);
/* Both, for a file that is read once. */
int proc_text_get(const char *root, const char *name, char *text, size_t size);

/* The line after this one; NULL behind the last. */
const char *proc_text_next(const char *line);
/*
 * The number behind `key` in the line that begins with it; false when there is
 * no such line, or no number.
 */
bool proc_text_number(const char *text, const char *key, uint64_t *number);

#endif
