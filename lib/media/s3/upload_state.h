/* upload_state.h - the state of an upload; for the files of upload.h only. */
#ifndef LIB_MEDIA_S3_UPLOAD_STATE_H
#define LIB_MEDIA_S3_UPLOAD_STATE_H

#include <pthread.h>
#include <stdbool.h>

#include "lib/base/error.h"
#include "lib/media/http/request.h"
#include "lib/media/s3/answers.h"
#include "lib/media/s3/client.h"
#include "lib/media/s3/spool.h"
#include "lib/media/s3/upload.h"

enum {
	UPLOAD_SENDERS_MOST = 8,
	UPLOAD_PARTS_MOST = 10000,
	UPLOAD_MARK_TEXT = 17,
	UPLOAD_CONDITION_TEXT = HTTP_VERSION_TEXT + 16,
	CHECKSUM_TEXT = 9, /* 4 bytes in base64 */
};

enum part_state { PART_WAITING, PART_SENDING, PART_SENT };

struct upload_part {
	enum part_state state;
	bool is_changed; /* while it was sent */
	uint64_t bytes;
	char etag[HTTP_VERSION_TEXT], checksum[CHECKSUM_TEXT];
};

struct upload {
	struct s3_client *client;
	const struct upload_limits *limits;
	char *url; /* owned; the address points into it */
	struct s3_address address;
	struct spool spool;
	/* Metadata of the object, to know it again: 16 random digits. */
	char mark[UPLOAD_MARK_TEXT];
	bool has_checksums;
	/* The header under which it is published; "": under none. */
	char condition[UPLOAD_CONDITION_TEXT];
	bool replaces; /* the condition is an ETag that must be there */

	char id[S3_UPLOAD_TEXT]; /* names the multipart upload; "": none is open
	                          */
	int64_t began_s;         /* since 1970 */
	bool may_have_twin; /* its beginning was asked for more than once */

	pthread_mutex_t
	    lock; /* protects all below, and the size of the spool */
	pthread_cond_t changed;
	pthread_t senders[UPLOAD_SENDERS_MOST];
	unsigned sender_count;
	struct upload_part *parts;
	size_t part_count, part_capacity;
	bool is_whole;       /* no further part comes */
	bool is_stopped;     /* no part is sent any more */
	bool is_gone;        /* the server no longer knows the upload */
	struct error failed; /* the first error of a sender */
	uint64_t sender_cpu_ns;
};

/* Asks the server to begin a multipart upload. */
int upload_begin(struct upload *upload, struct error *err);
/* Queues a part of so many bytes for the senders, and starts one if needed. */
int upload_queue(struct upload *upload, uint64_t bytes, struct error *err);
/* Waits until all parts are sent, or with `stop` until none is being sent. */
int upload_join(struct upload *upload, bool stop, struct error *err);
/* Aborts the open multipart upload, if there is one; -1: it stays open. */
int upload_abort(struct upload *upload, struct error *err);
/* Aborts other uploads of the same key that began at that time or later. */
void upload_abort_others(struct upload *upload, int64_t since_s);

/* "x-amz-checksum-crc32c" of the bytes. */
void upload_checksum(struct span bytes, char text[CHECKSUM_TEXT]);

#endif
