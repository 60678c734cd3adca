/*
 * backend.h - one kind of storage behind a medium (lib/media/medium.h): local
 * files, files in memory, HTTP, S3.
 *
 * The medium in front counts, times and throttles; a backend moves bytes.  It
 * is a table of functions, `const struct backend`, and is found by the path.
 * Each medium has at most one state of a backend, made at its first use: the
 * connections of HTTP, the contents in memory.
 */
#ifndef LIB_MEDIA_BACKENDS_BACKEND_H
#define LIB_MEDIA_BACKENDS_BACKEND_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error;
struct late_read;
struct mapping;
struct medium;
struct backend;

enum medium_kind { MEDIUM_NOTHING, MEDIUM_FILE, MEDIUM_FOLDER };

enum { MEDIUM_VERSION_TEXT = 80 };

struct medium_status {
	enum medium_kind kind;
	uint64_t bytes; /* 0 but for files */
	/*
	 * Changes when the bytes change: of far objects the ETag, or what the
	 * server has in its place; of local files the time of the last change.
	 * One that begins with "W/" is weak: other bytes may have it as well.
	 * "": not known.
	 */
	char version[MEDIUM_VERSION_TEXT];
};

typedef int medium_visit(void *arg, const char *name,
    const struct medium_status *status, struct error *err);

/* Bytes and requests of a medium so far, in all threads. */
struct medium_counts {
	atomic_uint_fast64_t bytes_read, requests;
};

/*
 * An open file: the part that all backends have.  It is the first member of the
 * backend's own struct of `file_bytes` bytes, which the medium allocates zeroed
 * and frees.
 */
struct medium_file {
	const struct backend *backend;
	struct medium *medium; /* for the medium only */
	void *state;           /* the backend's, in this medium */
	struct medium_counts *counts;
	char *path; /* owned by the medium */
	uint64_t
	    size; /* bytes; set by open, and raised by the medium's write */
	_Atomic double stream_free_ns; /* for the medium's throttle */
};

struct backend {
	size_t file_bytes;
	/* It adds to the counts itself, since a read is not one request. */
	bool counts_itself;
	/* Is a path one of its URLs?  NULL: it is chosen without a path. */
	bool (*takes)(const char *path);

	/* NULL: it has no state.  `counts` lives as long as the state. */
	void *(*state_new)(struct medium_counts *counts, struct error *err);
	void (*state_free)(void *state);
	/*
	 * While hurried, waiting calls end at once, with ERROR_INTERRUPTED, and
	 * so do new ones: see medium_hurry.  NULL: nothing waits.
	 */
	void (*hurry)(void *state, bool begin);

	/*
	 * Files: see medium_open and its neighbours.  `close` is called after a
	 * failure of open, begin and create, too, and undoes a file that was
	 * begun and not published.  Reads may come from many threads at once.
	 * NULL: map and note: bytes are never in memory.  begin, create, write,
	 * write_at, sync, publish, publish_new, remove: it cannot be written.
	 */
	int (*open)(struct medium_file *file, struct error *err);
	int (*begin)(struct medium_file *file, struct error *err);
	int (*create)(struct medium_file *file, struct error *err);
	void (*close)(struct medium_file *file);
	/* The version of an open file, as in its status.  NULL: "". */
	void (*get_version)(
	    const struct medium_file *file, char version[MEDIUM_VERSION_TEXT]);
	int64_t (*read)(struct medium_file *file, uint64_t offset, void *data,
	    size_t len, struct error *err);
	/* As medium_is_same; NULL: it cannot tell. */
	bool (*is_same)(
	    const struct medium_file *a, const struct medium_file *b);
	bool (*map)(struct medium_file *file, uint64_t offset, size_t len,
	    struct mapping *mapping, unsigned char **data);
	void (*widen)(struct medium_file *file, size_t bytes);
	bool (*note)(struct medium_file *file, uint64_t offset, size_t len,
	    struct late_read *late);
	int (*write)(struct medium_file *file, const void *data, size_t len,
	    struct error *err);
	int (*write_at)(struct medium_file *file, uint64_t offset,
	    const void *data, size_t len, struct error *err);
	int (*sync)(struct medium_file *file, struct error *err);
	int (*publish)(struct medium_file *file, struct error *err);
	int (*publish_new)(struct medium_file *file, struct error *err);
	/* NULL: only an object store replaces a file by its version. */
	int (*publish_over)(
	    struct medium_file *file, const char *version, struct error *err);

	/*
	 * Names and folders.  NULL: get_status cannot be, list: it cannot be
	 * listed, make_dirs and sync_dir: nothing to do, the others: refused.
	 */
	int (*get_status)(void *state, const char *path,
	    struct medium_status *status, struct error *err);
	int (*list)(void *state, const char *folder, medium_visit *visit,
	    void *arg, struct error *err);
	int (*remove)(void *state, const char *path, struct error *err);
	/* See medium_sweep.  NULL: killed processes leave nothing there. */
	int (*sweep)(void *state, const char *folder, uint64_t *count,
	    struct error *err);
	int (*make_dirs)(void *state, const char *path, struct error *err);
	int (*rename)(
	    void *state, const char *from, const char *to, struct error *err);
	int (*sync_dir)(void *state, const char *path, struct error *err);
	char *(*temporary_folder)(
	    void *state, const char *dir, struct error *err);
};

extern const struct backend backend_local;

/* The backends of URLs. */
#define BACKEND(name) extern const struct backend backend_##name;
#include "lib/media/backends/far.def"
#undef BACKEND

#endif
