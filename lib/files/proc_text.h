/*
 * proc_text.h - reads the small text files of /proc and /sys. Their content is
 * not trusted: on another kernel, or in a container, a file may be missing,
 * empty or odd.
 */
#ifndef LIB_FILES_PROC_TEXT_H
#define LIB_FILES_PROC_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Opens "ROOT/NAME"; -1 when it cannot be opened. */
int proc_text_open(const char *root, const char *name);
/*
 * Reads the file from its beginning, terminated. A last line that does not fit
 * is left out. -1: nothing was read, and the text is "". `size` is at least 1.
 */
int proc_text_read(int fd, char *text, size_t size);
/* Opens and reads a file once. */
int proc_text_get(const char *root, const char *name, char *text, size_t size);

/* Returns the next line; NULL behind the last. */
const char *proc_text_next(const char *line);
/*
 * Finds the line that begins with `key` and parses the number behind it; false
 * when there is no such line or no number.
 */
bool proc_text_number(const char *text, const char *key, uint64_t *number);

#endif
