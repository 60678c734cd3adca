/*
 * error.h - error messages, in the user's words and with a location.
 *
 * A function that can fail takes `struct error *err` as its last parameter and
 * returns -1 or NULL.  The function that detects the problem describes it, with
 * the offending value.  Its callers may add where it happened (error_prefix).
 * Only main prints.
 *
 * The message has a fixed size, so that out-of-memory can be reported.  A
 * longer message is cut.
 */
#ifndef LIB_BASE_ERROR_H
#define LIB_BASE_ERROR_H

enum error_code {
	ERROR_NONE,
	ERROR_USAGE,        /* the command line or the pipeline file: exit 2 */
	ERROR_DATA,         /* a sample, record or file is invalid */
	ERROR_SYSTEM,       /* the operating system refused a request */
	ERROR_MEMORY,       /* out of memory */
	ERROR_LIMIT,        /* a limit was exceeded: disk, size */
	ERROR_GATE,         /* a gate failed: exit 3 */
	ERROR_INCONCLUSIVE, /* the noise is too large for a verdict: exit 4 */
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

/* Sets the message.  Returns -1, so that one can `return error_set(...)`. */
int error_set(struct error *err, enum error_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Puts "PREFIX: " before the message; returns -1. */
int error_prefix(struct error *err, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Appends "; ADVICE", which says what the user can do; returns -1. */
int error_advise(struct error *err, const char *advice);

enum { ERROR_CAUSE = 128 };

/*
 * Writes the meaning of an errno into `cause`, such as "No space left on
 * device".  For a file size limit it names who sets that.  Returns `cause`.
 */
const char *error_cause(int number, char cause[ERROR_CAUSE]);

/* "cannot VERB PATH: CAUSE", the cause from errno; returns -1. */
int error_errno(struct error *err, const char *verb, const char *path);

/* "out of memory (BYTES bytes)"; returns -1. */
int error_memory(struct error *err, unsigned long long bytes);

#endif
