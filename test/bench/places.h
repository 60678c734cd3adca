/*
 * places.h - where the samples of a dataset lie in its files, so that a loop
 * can read them without the reader of a source or of a store.
 *
 * They are found with the reader, which is run once: the bytes of each sample
 * are searched for in the files. So a sample must lie in one file as it is,
 * neither compressed nor transformed, and have one field.
 *
 * What fails ends the program.
 */
#ifndef TEST_BENCH_PLACES_H
#define TEST_BENCH_PLACES_H

#include "lib/base/bytes.h"
#include "lib/sample/tensor.h"

struct reader;

struct place {
	size_t file;
	uint64_t offset;
	struct tensor what; /* without data */
	struct span key;    /* its own memory */
};

struct place_file {
	char *path;
	uint64_t bytes;
};

struct places {
	struct place_file *files;
	size_t file_count, file_capacity;
	struct place *items; /* in the order of the reader */
	size_t count, capacity;
};

void places_find(struct places *places, const struct reader *reader);
void places_release(struct places *places);

#endif
