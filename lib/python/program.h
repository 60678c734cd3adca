/* program.h - the text of worker.py, which the Makefile puts into presto. */
#ifndef LIB_PYTHON_PROGRAM_H
#define LIB_PYTHON_PROGRAM_H

extern const char python_program[]; /* terminated */

#endif
