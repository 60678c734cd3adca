/*
 * tar_stream.h - samples out of a run of an archive's members: what the tar
 * source does in fetchers.
 *
 * A chunk is about 1 MiB of members.  Each of its samples is a part for the
 * key, with the label as item, and a part a field, with the number of the
 * field's rule, from 1, as item.
 */
#ifndef DATASETS_TAR_STREAM_H
#define DATASETS_TAR_STREAM_H

#include "datasets/tar_scan.h"
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
void tar_stream_close(void *stream);

/* The path of the archive of a stream. */
const char *tar_stream_path(const struct tar *tar, size_t stream);

#endif
