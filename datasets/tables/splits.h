/*
 * splits.h - splits of a dataset, such as train and test, by the names of its
 * files: "train-00000-of-00002.parquet", "test/data-00000-of-00001.arrow".
 */
#ifndef DATASETS_TABLES_SPLITS_H
#define DATASETS_TABLES_SPLITS_H

struct error;
struct listing;
struct reader;

/* Adds a note to the reader if the files are of several splits. */
int splits_tell(
    const struct listing *listing, struct reader *reader, struct error *err);

#endif
