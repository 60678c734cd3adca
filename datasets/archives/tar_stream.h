/*
 * tar_stream.h - samples out of a run of an archive's members: what the tar
 * source does in fetchers.
 *
 * A chunk is about 1 MiB of members, or samples by number.  Each of its samples
 * is a part for the key, with the label as item and the archive as file, and a
 * part a field, with the number of the field's rule, from 1, as item.
 */
#ifndef DATASETS_ARCHIVES_TAR_STREAM_H
#define DATASETS_ARCHIVES_TAR_STREAM_H

#include "datasets/archives/tar_scan.h"
#include "lib/sample/reader.h"

struct medium;

/* What the tar source's reader->priv is. */
struct tar {
	struct medium *medium;
	struct tar_set set;
};

/* As in reader_ops. */
void *tar_stream_open(
    const struct reader *reader, size_t stream, struct error *err);
int tar_stream_fetch(void *stream, struct chunk *chunk, struct error *err);
/* The first sample of a stream that was just opened, of members the heads. */
int tar_stream_peek(void *stream, struct chunk *chunk, struct error *err);
void tar_stream_close(void *stream);

/* Of uncompressed archives only: those wanted of one are read in a row. */
void *tar_picker_open(const struct reader *reader, struct error *err);
int tar_picker_fetch(void *picker, const struct pick *picks, size_t count,
    struct chunk *chunk, struct error *err);
void tar_picker_close(void *picker);

/* The path of the archive that the sample of this part came from. */
const char *tar_part_path(const struct tar *tar, const struct chunk_part *part);

#endif
