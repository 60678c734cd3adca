/*
 * tar_stream.h - reads samples from runs of archives, in the fetchers.
 *
 * A chunk is about 1 MiB of members, or samples by number.  Each sample has one
 * part for its key, whose item is the label and whose file is the archive; and
 * one for each field, whose item is the number of its rule, from 1.
 */
#ifndef DATASETS_ARCHIVES_TAR_STREAM_H
#define DATASETS_ARCHIVES_TAR_STREAM_H

#include "datasets/archives/tar_scan.h"
#include "lib/sample/reader.h"

struct medium;

struct tar { /* reader->priv of the source */
	struct medium *medium;
	struct tar_set set;
};

/* Functions of reader_ops. */
void *tar_stream_open(
    const struct reader *reader, size_t stream, struct error *err);
int tar_stream_fetch(void *stream, struct chunk *chunk, struct error *err);
/* Reads the heads of the members of a new stream's first sample. */
int tar_stream_peek(void *stream, struct chunk *chunk, struct error *err);
void tar_stream_close(void *stream);

/* Functions of reader_ops, for uncompressed archives only. */
void *tar_picker_open(const struct reader *reader, struct error *err);
int tar_picker_fetch(void *picker, const struct pick *picks, size_t count,
    struct chunk *chunk, struct error *err);
void tar_picker_close(void *picker);

/* Returns the path of a part's archive. */
const char *tar_part_path(const struct tar *tar, const struct chunk_part *part);

#endif
