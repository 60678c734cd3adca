/*
 * medium.h - where bytes come from and go to: reads and writes files.  Sources
 * and stores need not know whether they are local, in memory, far, or behind an
 * emulated bandwidth and latency.
 *
 * A path is a place: a local path, or a URL (lib/files/url.h).  The medium
 * chooses the backend by the path, so one medium serves both.
 * Far files have no folders, are not mapped, and are cold by nature; those of
 * http:// and https:// cannot be listed or written.
 *
 * Many threads may use a medium at once, and a file that is only read.
 */
#ifndef LIB_MEDIA_MEDIUM_H
#define LIB_MEDIA_MEDIUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/bytes.h"
#include "lib/media/backends/backend.h"

/*
 * An emulated storage; 0 means not limited.  A request is one call of
 * medium_read, write or sync, of any size.  Reads and writes share the
 * bandwidth and the requests.
 */
struct storage_limits {
	double bandwidth; /* bytes per second of all threads together */
	double stream;    /* bytes per second of one open file */
	double latency;   /* seconds per request; requests of threads overlap */
	double iops;      /* requests per second of all threads together */
	double open;      /* seconds to open or create; threads overlap */
	double opens;     /* files opened per second, of all threads together */
};

/* Does any of them limit something? */
bool storage_limits_any(const struct storage_limits *limits);

struct medium *medium_new_local(struct error *err);
/* Local files, slowed down; copies `limits`. */
struct medium *medium_new_emulated(
    const struct storage_limits *limits, struct error *err);
/*
 * Files in memory, which are gone with the medium.  Paths are names only.  With
 * `dir`, the memory is the page cache of its file system, see memory_files.h.
 */
struct medium *medium_new_memory(const char *dir, struct error *err);
void medium_free(struct medium *medium);

/*
 * While warm, an emulated medium answers at once, like the page cache.  Each
 * call clears the credit for delays, so that a cold run owes nothing to what
 * was before.
 */
void medium_set_warm(struct medium *medium, bool warm);
/*
 * Ends the sleeps in an emulated medium, and lets it answer at once until the
 * matching call with false: for whoever waits for threads that use it.  Calls
 * that wait for a server fail until then, with ERROR_INTERRUPTED.
 */
void medium_hurry(struct medium *medium, bool begin);
const struct storage_limits *medium_limits(const struct medium *medium);
/*
 * Keeps the parts of far files that are read on the local disk, in a folder
 * that processes share, up to so many bytes in all: disk_cache.h.  Files that
 * are kept need no request as long as the process lives.  It holds for files
 * that are opened from now on, and the folder is made at the first one; `dir`
 * NULL: they are not kept.
 */
int medium_keep(
    struct medium *medium, const char *dir, uint64_t bytes, struct error *err);
/*
 * Lets the emulated limits hold for all processes of this machine together that
 * name the same file.  One of them creates it, before any of them reads; it is
 * the caller's to remove.  Nothing happens where nothing is emulated.
 */
int medium_share_limits(
    struct medium *medium, const char *path, bool create, struct error *err);

/*
 * Totals since the medium was made: bytes, requests, files opened.  Of far
 * files these are what servers were asked for, with attempts that were repeated
 * and bytes that were read ahead.
 */
uint64_t medium_bytes_read(const struct medium *medium);
uint64_t medium_requests(const struct medium *medium);
uint64_t medium_opened(const struct medium *medium);

/* Wall time, summed over all threads. */
struct medium_times {
	uint64_t opened, open_ns; /* files; the time includes closing */
	uint64_t requests, read_ns;
};

/* Starts timing from zero, or stops it: then the times stay. */
void medium_set_timed(struct medium *medium, bool timed);
struct medium_times medium_get_times(const struct medium *medium);

/* Opens a file for reading; NULL with "cannot open PATH: ...". */
struct medium_file *medium_open(
    struct medium *medium, const char *path, struct error *err);
/*
 * Begins a new file, which may be written and read.  It is invisible
 * (temporary.h) until medium_publish gives it its path; if not, it is removed.
 */
struct medium_file *medium_begin(
    struct medium *medium, const char *path, struct error *err);
/* Gives the file its path.  Replaces a file or link, not the link's target. */
int medium_publish(struct medium_file *file, struct error *err);
/* The same if nothing has the path yet: 1; 0: something has it. */
int medium_publish_new(struct medium_file *file, struct error *err);
/*
 * The same if what has the path is still of this version, as its status says:
 * 1; 0: it is not.  Only far files that can be written.
 */
int medium_publish_over(
    struct medium_file *file, const char *version, struct error *err);
/* Creates a file that is visible at once; fails if the path exists. */
struct medium_file *medium_create(
    struct medium *medium, const char *path, struct error *err);
void medium_close(struct medium_file *file); /* NULL is fine */

uint64_t medium_size(const struct medium_file *file);
/*
 * Are both the same local file?  One that took its place under the same path is
 * another; so is NULL.
 */
bool medium_is_same(const struct medium_file *a, const struct medium_file *b);
const char *medium_path(const struct medium_file *file);

/* Reads up to `len` bytes, fewer only at the end; returns how many, or -1. */
int64_t medium_read(struct medium_file *file, uint64_t offset, void *data,
    size_t len, struct error *err);
/* Reads exactly `len` bytes; ERROR_DATA "PATH: ends at byte N" otherwise. */
int medium_read_full(struct medium_file *file, uint64_t offset, void *data,
    size_t len, struct error *err);
/*
 * Maps the bytes if they are in memory already: true, and *data is valid until
 * mapping_release.  False: use medium_read_full.
 */
bool medium_map(struct medium_file *file, uint64_t offset, size_t len,
    struct mapping *mapping, unsigned char **data);
/* Lets further calls of medium_map share windows of so many bytes. */
void medium_widen(struct medium_file *file, size_t bytes);
/*
 * Notes the bytes if they are in memory already, and counts them as read: true.
 * False: use medium_map or medium_read_full.
 */
bool medium_note(struct medium_file *file, uint64_t offset, size_t len,
    struct late_read *late);
/* Appends all the bytes, or fails. */
int medium_write(
    struct medium_file *file, const void *data, size_t len, struct error *err);
/* Overwrites existing bytes. */
int medium_write_at(struct medium_file *file, uint64_t offset, const void *data,
    size_t len, struct error *err);
int medium_sync(struct medium_file *file, struct error *err);

/* ---- names and folders; a medium in memory has no folders of its own ---- */

/*
 * Tells what lies at the path; MEDIUM_NOTHING is no error.  At S3 a prefix with
 * keys below it is a folder.
 */
int medium_get_status(struct medium *medium, const char *path,
    struct medium_status *status, struct error *err);
/* Is something there?  False, too, where a server does not answer. */
bool medium_exists(struct medium *medium, const char *path);
/*
 * Visits all files below a folder, or a prefix of keys: names relative to it,
 * in any order.  Far listings have their versions, and memory bounded by a
 * page.  Stops with -1 when `visit` returns -1.
 */
int medium_list(struct medium *medium, const char *folder, medium_visit *visit,
    void *arg, struct error *err);
/* Removes a file; 0 if nothing is there. */
int medium_remove(struct medium *medium, const char *path, struct error *err);
/*
 * Ends what killed processes began to write below a far folder more than a day
 * ago, and adds their number to *count: at S3, multipart uploads.  A living
 * process may still write what is younger.
 */
int medium_sweep(struct medium *medium, const char *folder, uint64_t *count,
    struct error *err);
/* Is the path one of a server, not of this machine? */
bool medium_is_far(const struct medium *medium, const char *path);
/* Is it one of medium_new_memory? */
bool medium_is_memory(const struct medium *medium);
/* Returns the bytes of all its files in memory. */
uint64_t medium_bytes_held(const struct medium *medium);
/*
 * Drops these files from the page cache, if they have a folder: reading them
 * then takes what reading from the storage of the folder takes.  False: they
 * stayed in memory.
 */
bool medium_drop_held(struct medium *medium);
/*
 * Like path_make_dirs, path_rename, path_sync_dir and temporary_folder.  At S3
 * the first and the third do nothing, and the others fail: there, files are
 * published under their final names, the one that tells of all others last.
 */
int medium_make_dirs(
    struct medium *medium, const char *path, struct error *err);
int medium_rename(
    struct medium *medium, const char *from, const char *to, struct error *err);
int medium_sync_dir(struct medium *medium, const char *path, struct error *err);
char *medium_temporary_folder(
    struct medium *medium, const char *dir, struct error *err);

/* Appends a whole file to `out`. */
int medium_slurp(struct medium *medium, const char *path, struct buf *out,
    struct error *err);

#endif
