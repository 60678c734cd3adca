/*
 * medium.h - where bytes come from and go to.  Sources and stores do not know
 * whether it is a local folder, one at an emulated bandwidth and latency, or
 * something far away.
 *
 * A medium may be used by many threads, and so may a file that is only read.
 */
#ifndef LIB_MEDIA_MEDIUM_H
#define LIB_MEDIA_MEDIUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/bytes.h"

struct error;
struct mapping;
struct medium;
struct medium_file;

/*
 * An emulated storage; 0 means: not limited.  A request is one call of
 * medium_read, write or sync, however many bytes it is of; reading and writing
 * share the bandwidth and the requests.
 */
struct storage_limits {
	double bandwidth; /* bytes per second, of all threads together */
	double latency;   /* seconds per request; those of threads overlap */
	double iops;      /* requests per second, of all threads together */
	double open;      /* seconds to open or create a file; they overlap */
};

struct medium *medium_new_local(struct error *err);
/* Local files, slowed down; `limits` is copied. */
struct medium *medium_new_emulated(
    const struct storage_limits *limits, struct error *err);
void medium_free(struct medium *medium);

/*
 * An emulated medium answers at once while warm, as the page cache would.  Not
 * warm, also again: what comes owes nothing to what was.
 */
void medium_set_warm(struct medium *medium, bool warm);
const struct storage_limits *medium_limits(const struct medium *medium);

/* What went through since it was made: bytes, requests, files opened. */
uint64_t medium_bytes_read(const struct medium *medium);
uint64_t medium_requests(const struct medium *medium);
uint64_t medium_opened(const struct medium *medium);

/* Wall time of all threads together. */
struct medium_times {
	uint64_t opened, open_ns; /* files; with closing them */
	uint64_t requests, read_ns;
};

/* From now on, from nothing, times are taken; or no more: then they stay. */
void medium_set_timed(struct medium *medium, bool timed);
struct medium_times medium_get_times(const struct medium *medium);

/* Opens to read; NULL with "cannot open PATH: ...". */
struct medium_file *medium_open(
    struct medium *medium, const char *path, struct error *err);
/*
 * Begins a new file, which nobody sees (temporary.h) until medium_publish gives
 * it its path; what is closed before is gone.  It can be read, too.
 */
struct medium_file *medium_begin(
    struct medium *medium, const char *path, struct error *err);
/* In place of what has the path; a link is replaced and not followed. */
int medium_publish(struct medium_file *file, struct error *err);
/*
 * Creates a file to write that is there at once: where nothing is, and never
 * through a link.
 */
struct medium_file *medium_create(
    struct medium *medium, const char *path, struct error *err);
void medium_close(struct medium_file *file); /* NULL is fine */

uint64_t medium_size(const struct medium_file *file);
const char *medium_path(const struct medium_file *file);

/*
 * Reads up to `len` bytes at `offset`: fewer only at the end of the file.
 * Returns the number, or -1.
 */
int64_t medium_read(struct medium_file *file, uint64_t offset, void *data,
    size_t len, struct error *err);
/* Exactly `len` bytes, or ERROR_DATA "PATH: ends at byte N". */
int medium_read_full(struct medium_file *file, uint64_t offset, void *data,
    size_t len, struct error *err);
/*
 * The same without a copy, where it is in memory already: true, and *data
 * lives until mapping_release.  False: medium_read_full it.
 */
bool medium_map(struct medium_file *file, uint64_t offset, size_t len,
    struct mapping *mapping, unsigned char **data);
/* Appends; everything is written or it is an error. */
int medium_write(
    struct medium_file *file, const void *data, size_t len, struct error *err);
/* Writes over bytes that are there. */
int medium_write_at(struct medium_file *file, uint64_t offset, const void *data,
    size_t len, struct error *err);
int medium_sync(struct medium_file *file, struct error *err);

/* Opens, appends the whole file behind out->len, closes. */
int medium_slurp(struct medium *medium, const char *path, struct buf *out,
    struct error *err);

#endif
