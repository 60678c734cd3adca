/*
 * program.h - the programs in Python that presto brings, and how an interpreter
 * gets them: from a descriptor, so that a command line stays short.
 *
 * Each has a module beside it, user_code, which finds code of the user's.
 */
#ifndef LIB_PYTHON_PROGRAM_H
#define LIB_PYTHON_PROGRAM_H

#include <stddef.h>

struct error;

enum { PROGRAM_WORDS = 320 };

/* The text of worker.py, which the Makefile puts into presto; terminated. */
extern const char python_worker_program[];

/* Returns the bytes of a program with its module. */
size_t python_program_bytes(const char *program);
/* Writes it to `to`, which has room for these bytes. */
void python_program_write(const char *program, void *to);
/* Writes what comes behind `python -c`; the program is at the beginning of fd.
 */
void python_program_words(
    const char *program, int fd, char words[PROGRAM_WORDS]);
/* Returns a descriptor of a file in memory that has the program; -1. */
int python_program_open(const char *program, struct error *err);

#endif
