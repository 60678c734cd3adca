/*
 * error.h - what went wrong, in the user's words, with an address.
 *
 * A function that can fail takes `struct error *err` last and returns -1 or
 * NULL.  The one who finds the mistake says what is wrong, with the offending
 * value; each level above may add where (error_prefix).  Only main prints.
 * The message has a fixed size, so that out-of-memory can be reported; a
 * longer one is cut at the end.
 */
#ifndef LIB_BASE_ERROR_H
#define LIB_BASE_ERROR_H

enum error_code {
	ERROR_NONE,
	ERROR_USAGE,  /* the command line or the pipeline file: exit 2 */
	ERROR_DATA,   /* a sample, record or file is not what it should be */
	ERROR_SYSTEM, /* the operating system refused */
	ERROR_MEMORY, /* out of memory */
	ERROR_LIMIT,  /* more than was allowed: disk, size */
	ERROR_GATE,   /* a gate was not passed: exit 3 */
	ERROR_INCONCLUSIVE, /* noise is larger than what was asked: exit 4 */
	ERROR_INTERRUPTED,  /* the user stopped the program */
};

struct error {
	enum error_code code;
	char text[1024];
};

#define ERROR_INIT                 \
	{                          \
		.code = ERROR_NONE \
	}

/* Sets the message; always returns -1, so that `return error_set(...)`. */
int error_set(struct error *err, enum error_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* "PREFIX: " in front of the message that is there; returns -1. */
int error_prefix(struct error *err, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* "; ADVICE" behind the message: what the user can do about it.  Returns -1. */
int error_advise(struct error *err, const char *advice);

enum { ERROR_CAUSE = 128 };

/*
 * What an errno means: "No space left on device"; of a file that would grow
 * beyond the limit, who sets it.  Returns `cause`.
 */
const char *error_cause(int number, char cause[ERROR_CAUSE]);

/* "cannot WHAT PATH: CAUSE" of errno; returns -1.  `what` is a verb: "open". */
int error_errno(struct error *err, const char *what, const char *path);

/* "out of memory (BYTES bytes)"; returns -1. */
int error_memory(struct error *err, unsigned long long bytes);

#endif
