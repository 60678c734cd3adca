/*
 * input.h - opens the user's files for reading: the one place where a path
 * becomes a descriptor.
 *
 * A path may lead to something other than a file.  Opening a named pipe waits
 * for a writer, reading a terminal waits for a key, and opening some devices
 * has side effects.  So nothing here waits in open, and anything that is not a
 * regular file is refused with a message.
 *
 * Only a text that is read once from start to end may be a pipe, such as the
 * shell's <(COMMAND).  Data that is mapped, read at an offset or read again
 * must be a file.
 *
 * The descriptor of a regular file keeps O_NONBLOCK.  It has no effect there,
 * and clearing it would cost one call for every file of a dataset.
 */
#ifndef LIB_FILES_INPUT_H
#define LIB_FILES_INPUT_H

struct error;
struct stat;

/*
 * Opens a regular file with O_RDONLY or O_RDWR and fills *status by fstat.
 * Returns the descriptor, or -1: "cannot open PATH: ..." (ERROR_SYSTEM), or
 * what the path leads to instead (ERROR_DATA).
 */
int input_open(
    const char *path, int flags, struct stat *status, struct error *err);

/*
 * The same for a text to be read, which may be a pipe: reads then wait for its
 * writer.  A named pipe without a writer is refused after INPUT_WAIT_MS.
 */
int input_open_text(const char *path, struct stat *status, struct error *err);
enum { INPUT_WAIT_MS = 1000 };

/*
 * Checks a path without opening it.  Returns 0 for a regular file and for a
 * missing one; else -1 and a message that says what it is (ERROR_DATA).
 */
int input_check_path(const char *path, struct error *err);

#endif
