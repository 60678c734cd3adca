/*
 * library.h - how the wrapper of an optional library tells its version: it
 * writes a word and numbers, "soxr 0.1.3".  libraries.txt names its function.
 */
#ifndef LIB_BASE_LIBRARY_H
#define LIB_BASE_LIBRARY_H

enum { LIBRARY_VERSION = 64 };

#endif
