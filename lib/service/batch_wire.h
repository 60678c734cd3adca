/*
 * batch_wire.h - a batch as the body of a message.  doc/formats.md has the
 * bytes: a head, labels, lengths of keys, keys, the dims of fields that vary,
 * then the elements, field after field and sample after sample.
 *
 * Elements are not copied: a packed batch refers to them, and a received one
 * gets them where they stay.  Those of a batch that is lent are where both
 * sides have them, so the body has those of fields that vary only.
 */
#ifndef LIB_SERVICE_BATCH_WIRE_H
#define LIB_SERVICE_BATCH_WIRE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include "lib/base/bytes.h"
#include "lib/sample/sample.h"

struct batch;
struct error;

struct batch_head {
	uint32_t epoch;
	uint64_t number;            /* number of the batch in its epoch */
	uint32_t count;             /* samples */
	uint32_t skipped, filtered; /* left out since the batch before */
	uint32_t place;             /* of a batch that is lent; 0: it is not */
};

/* A batch that is ready to be sent: recycled, for one batch at a time. */
struct batch_packer {
	struct buf head;     /* everything but the elements */
	struct iovec *parts; /* [count]; owned; `head` is the first but one */
	size_t count, capacity;
	uint64_t bytes;       /* bytes of the body */
	uint64_t bytes_there; /* bytes that are lent in place of that */
};

#define BATCH_PACKER_INIT      \
	{                      \
		.parts = NULL, \
	}

/*
 * parts[0] is left to the caller, for the frame.  They are valid as long as the
 * batch.  `batch` NULL: one without samples.
 */
int batch_pack(struct batch_packer *packer, const struct batch_head *head,
    const struct schema *schema, const struct batch *batch, struct error *err);
void batch_packer_release(struct batch_packer *packer);

/* The body of a message, as it comes. */
struct wire_input {
	int (*read)(void *arg, void *to, size_t bytes, struct error *err);
	void *arg;
	uint64_t left; /* bytes of the body that were not read yet */
};

/* Reads exactly so many bytes; ERROR_DATA where the body has fewer. */
int wire_read(
    struct wire_input *input, void *to, size_t bytes, struct error *err);

/* Reads the head, which is checked against the capacity of a batch. */
int batch_read_head(struct wire_input *input, unsigned capacity,
    struct batch_head *head, struct error *err);
/*
 * Reads the rest into an empty batch of that capacity and schema, which has a
 * key_room, and which is at that place if there is one.  `room` is recycled.
 * Everything of the body is read, or it is an error.
 */
int batch_read(struct wire_input *input, const struct batch_head *head,
    const struct schema *schema, struct batch *batch, struct buf *room,
    struct error *err);

#endif
