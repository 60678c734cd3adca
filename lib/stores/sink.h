/*
 * sink.h - writes the files of a store to a medium, and measures the time.
 *
 * All files of a store are written through these functions. Used by one thread.
 * The clocks are read for each write, not for each sample.
 */
#ifndef LIB_STORES_SINK_H
#define LIB_STORES_SINK_H

#include <stdint.h>

#include "lib/base/bytes.h"

struct error;
struct medium;
struct medium_file;

struct write_times {            /* wall time of one thread, except the last */
	uint64_t compress_ns;   /* in the codec; set by the caller */
	uint64_t write_ns;      /* creating files and writing into them */
	uint64_t sync_ns;       /* syncing and renaming */
	uint64_t frames_ns;     /* copying frames of another shard (frames.h) */
	uint64_t output_cpu_ns; /* CPU time of writing and syncing */
};

struct sink {
	struct medium *medium; /* borrowed */
	struct write_times times;
};

/* Like medium_begin, _create, _write, _write_at, _sync, _publish, _publish_new.
 */
struct medium_file *sink_begin(
    struct sink *sink, const char *path, struct error *err);
struct medium_file *sink_create(
    struct sink *sink, const char *path, struct error *err);
int sink_write(struct sink *sink, struct medium_file *file, struct span bytes,
    struct error *err);
int sink_write_at(struct sink *sink, struct medium_file *file, uint64_t offset,
    struct span bytes, struct error *err);
int sink_sync(struct sink *sink, struct medium_file *file, struct error *err);
int sink_publish(
    struct sink *sink, struct medium_file *file, struct error *err);
int sink_publish_new(
    struct sink *sink, struct medium_file *file, struct error *err);
/* Like path_sync_dir. */
int sink_sync_dir(struct sink *sink, const char *dir, struct error *err);
/* Like path_write: replaces the whole file, or leaves the old one. */
int sink_file(
    struct sink *sink, const char *path, struct span bytes, struct error *err);

#endif
