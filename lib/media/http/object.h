/*
 * object.h - a far object that is read by ranges; for the backends of HTTP and
 * S3, which differ in how a request is addressed and signed.
 *
 * Opening takes one request: the first bytes are asked for, and their answer
 * has the size and the version (ETag, else Last-Modified and the size).  Every
 * further answer must have the same version: an object that changes while it is
 * read is an error.  A small object is whole after that one request.
 *
 * Reads at scattered places are one request each, into the caller's memory; one
 * of more than 8 MiB is several, side by side.  As soon as reads follow each
 * other, further bytes are fetched ahead by threads
 * of the pool: as many as flow in the time of one request, measured while they
 * do, and bounded for all objects of a pool.
 *
 * A server that knows no ranges answers with the whole object.  One of up to
 * OBJECT_WHOLE_MOST bytes is then kept in memory; a larger one is refused.
 */
#ifndef LIB_MEDIA_HTTP_OBJECT_H
#define LIB_MEDIA_HTTP_OBJECT_H

#include "lib/media/backends/backend.h"
#include "lib/media/http/request.h"

enum { OBJECT_WHOLE_MOST = 256 << 20 };

/*
 * Fills the request of a path: url, sign, headers, refused.  What it points to
 * stays until `done` is called with the same `request`; both may be called by
 * several threads at once.  `done` may be NULL.
 */
struct object_address {
	int (*prepare)(void *arg, const char *path,
	    struct http_request *request, struct error *err);
	void (*done)(void *arg, struct http_request *request);
	void *arg;
	/* Bytes are as they were stored, whatever Content-Encoding says. */
	bool is_verbatim;
};

struct object;

/*
 * Opens the object of a path; `address`, the pool and the path live longer than
 * it does.  *size: its bytes; a missing one is "URL: no such object (404)".
 */
struct object *object_open(struct http_pool *pool,
    const struct object_address *address, const char *path, uint64_t *size,
    struct error *err);
/* As medium_read. */
int64_t object_read(struct object *object, uint64_t offset, void *data,
    size_t len, struct error *err);
/* The version that it was opened with, as object_get_status has it. */
void object_version(
    const struct object *object, char version[MEDIUM_VERSION_TEXT]);
void object_close(struct object *object); /* NULL is fine */

/*
 * Opens the object to see its size and version: for an answer to HEAD that does
 * not tell the size.
 */
int object_get_size(struct http_pool *pool,
    const struct object_address *address, const char *path,
    struct medium_status *status, struct error *err);
/*
 * Asks for the size and version by HEAD, as medium_get_status; where that does
 * not tell the size, the object is opened.
 */
int object_get_status(struct http_pool *pool,
    const struct object_address *address, const char *path,
    struct medium_status *status, struct error *err);

#endif
