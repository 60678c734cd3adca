/* program.c - see program.h. */
#include "lib/python/program.h"

const char python_program[] = {
#include "lib/python/worker.py.inc"
	0
};
