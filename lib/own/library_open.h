/*
 * library_open.h - the code of a step in C, opened and checked: its library,
 * the version of its ABI, and the values of its options.
 */
#ifndef LIB_OWN_LIBRARY_OPEN_H
#define LIB_OWN_LIBRARY_OPEN_H

#include <stdbool.h>

#include "api/presto.h"
#include "lib/own/own.h"

struct error;
struct one_thread;

/* own->code of such a step. */
struct library {
	void *handle; /* of dlopen; NULL: the program brought the step */
	const struct presto_step *step;
	const char *values[OWN_WORDS]; /* of its options */
	struct one_thread *one_thread; /* NULL: any thread may call it */
	bool draws;
};

/* Sets own->code, and what the step says of itself; close it in any case. */
int library_open(struct own *own, struct error *err);
void library_close(struct own *own);

#endif
