/*
 * input.h - files of the user's, opened to be read: the one place where a path
 * becomes a descriptor.
 *
 * A path may lead to something that is no file.  To open a named pipe waits
 * until somebody writes into it, to read a terminal waits for a key, and some
 * devices do something when they are opened.  So nothing here waits to open,
 * and whatever is not a regular file is refused in words.
 *
 * Only a text that is read once, from its start to its end, may be a pipe: a
 * shell gives one for <(COMMAND).  What is mapped, read at an offset or read
 * again must be a file.
 *
 * The descriptor of a regular file keeps O_NONBLOCK, which means nothing there
 * and would take a call for every file of a dataset to be cleared.
 */
#ifndef LIB_FILES_INPUT_H
#define LIB_FILES_INPUT_H

struct error;
struct stat;

/*
 * A descriptor of a regular file and what fstat says of it, or -1: "cannot open
 * PATH: ..." (ERROR_SYSTEM), or what the path leads to instead (ERROR_DATA).
 * `flags` are O_RDONLY or O_RDWR.
 */
int input_open(
    const char *path, int flags, struct stat *status, struct error *err);

/*
 * The same, to read; a pipe is taken as well, and then it is waited for what
 * its writer says.  A named one that nobody writes to is refused after
 * INPUT_WAIT_MS.
 */
int input_open_text(const char *path, struct stat *status, struct error *err);
enum { INPUT_WAIT_MS = 1000 };

/*
 * Looks at a path that is not opened: 0 for a regular file, and where there is
 * nothing; else -1, with what it is instead (ERROR_DATA).
 */
int input_check_path(const char *path, struct error *err);

#endif
