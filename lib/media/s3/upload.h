/*
 * upload.h - an object of S3 that is written, and appears when it is complete.
 *
 * Up to a part's size it is one PUT.  A larger one is a multipart upload: its
 * parts are sent by a few threads while it is written, and it is visible only
 * when the server has been told that it is complete.  Parts grow, so that the
 * 10,000 that S3 permits are enough for 5 TiB.
 *
 * An upload that is not published is aborted after an error, and when it is
 * freed; an error says when that failed.  That of a killed process stays on the
 * server: whoever writes the same key later aborts
 * it, and uploads_sweep does for a whole prefix.
 *
 * Each part has its CRC-32C, which the server checks.  SDKs have a word for
 * servers that know no such checksum, which is kept to here:
 * AWS_REQUEST_CHECKSUM_CALCULATION=when_required sends none.
 *
 * An upload is used by one thread.
 */
#ifndef LIB_MEDIA_S3_UPLOAD_H
#define LIB_MEDIA_S3_UPLOAD_H

#include <stddef.h>
#include <stdint.h>

#include "lib/base/bytes.h"

struct error;
struct s3_client;
struct upload;

struct upload_limits {
	uint64_t
	    part_bytes; /* size of the first parts, limit for a single PUT */
	unsigned grow_every; /* parts, then their size is doubled */
	unsigned senders;    /* threads of an object */
};

extern const struct upload_limits upload_limits_default;

/* Begins an object; nothing is sent yet.  `client` and `limits` live longer. */
struct upload *upload_new(struct s3_client *client, const char *url,
    const struct upload_limits *limits, struct error *err);
int upload_write(struct upload *upload, struct span bytes, struct error *err);
/* Changes written bytes: a part that was sent is sent again. */
int upload_write_at(struct upload *upload, uint64_t offset, struct span bytes,
    struct error *err);
/* Reads written bytes; fewer than `len` only at the end. */
int64_t upload_read(struct upload *upload, uint64_t offset, void *data,
    size_t len, struct error *err);
/* Makes the object visible in place of another one. */
int upload_publish(struct upload *upload, struct error *err);
/* The same if nothing has the key yet: 1; 0: something has it. */
int upload_publish_new(struct upload *upload, struct error *err);
/*
 * The same if the object that has the key has this ETag: 1; 0: it has another
 * one, or nothing has the key.  A single PUT is sent after an interrupt, too,
 * since a claim must not stay.
 */
int upload_publish_over(
    struct upload *upload, const char *etag, struct error *err);
void upload_free(struct upload *upload); /* NULL is fine */

/*
 * Aborts the uploads below a prefix, "s3://BUCKET/PREFIX/", that began more
 * than so many seconds ago and have not ended.  Adds to *count.
 */
int uploads_sweep(struct s3_client *client, const char *prefix,
    int64_t older_than_s, uint64_t *count, struct error *err);

/* Returns the offset of a part, from 0, or its size, under these limits. */
uint64_t upload_part_offset(const struct upload_limits *limits, unsigned part);
uint64_t upload_part_bytes(const struct upload_limits *limits, unsigned part);

#endif
