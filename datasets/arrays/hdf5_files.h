/* hdf5_files.h - the open files of the source `hdf5`, with their labels. */
#ifndef DATASETS_ARRAYS_HDF5_FILES_H
#define DATASETS_ARRAYS_HDF5_FILES_H

#include "datasets/files/passed_by.h"
#include "lib/media/medium.h"
#include "lib/sample/sample.h"
#include "lib/signal/hdf5.h"

struct hdf5_source_options {
	const char *fields, *labels, *match;
};

struct hdf5_part {         /* a file */
	char *path, *stem; /* keys begin with the stem */
	struct medium_file *opened;
	struct hdf5_file file;
	struct hdf5_dataset datasets[FIELDS_MAX];
	int64_t *labels; /* [rows]; NULL: there are none */
	uint64_t first;  /* number of its first row in the dataset */
	uint64_t rows;
};

struct hdf5_files {
	struct hdf5_part **parts; /* sorted by path; do not move */
	size_t count, capacity;
	uint64_t rows;   /* rows of all files */
	size_t stem_max; /* bytes */
	struct passed_by passed;
};

/*
 * Opens the file, or the matching ones of a folder, and adds the fields to the
 * schema. Rows must have the same types in all files, and there must be one.
 */
int hdf5_files_open(struct hdf5_files *files, const char *path,
    const struct hdf5_source_options *wanted, struct medium *medium,
    struct schema *schema, struct error *err);
/* Returns the file of a row of the dataset. */
const struct hdf5_part *hdf5_files_find(
    const struct hdf5_files *files, uint64_t row);
void hdf5_files_release(struct hdf5_files *files);

#endif
