/*
 * python_examples.h - a python step's function is called for the first samples,
 * to learn the type of its output and whether it is as its line says.
 */
#ifndef LIB_OWN_PYTHON_EXAMPLES_H
#define LIB_OWN_PYTHON_EXAMPLES_H

#include "lib/own/own.h"

struct error;

struct python_examples {
	const struct tensor *list;
	unsigned count;
};

/*
 * Sets *out, see find_type of own_ops.  ERROR_USAGE: the function gives unequal
 * types, or two results for one sample without saying so.  `batch`: it gets up
 * to so many samples at a time, and none must depend on the others; 0: one.
 */
int python_examples_type(const struct own *own, unsigned batch,
    const struct type *in, struct python_examples examples, struct type *out,
    struct error *err);
/* Tries one, for check of own_ops. */
int python_examples_check(
    const struct own *own, const struct tensor *example, struct error *err);

#endif
