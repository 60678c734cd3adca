/*
 * record.h - TFRecord: a length and its checksum, the payload and its
 * checksum; little endian, CRC-32C in the masked form.
 */
#ifndef LIB_FORMATS_RECORD_H
#define LIB_FORMATS_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/bytes.h"

struct error;

enum { RECORD_HEAD = 12, RECORD_TAIL = 4 };

/*
 * Frames a payload that stands at record + RECORD_HEAD already; there is room
 * for the tail.
 */
void record_frame(unsigned char *record, size_t payload_len);

/* The bytes of the payload behind a head, whose checksum is verified. */
int record_length(
    const unsigned char head[RECORD_HEAD], uint64_t *len, struct error *err);

/*
 * The record at `at`: 1 with a view of its payload, 0 at the end, or -1
 * (ERROR_DATA).  The length's checksum is checked always, that of the payload
 * if wanted.
 */
int record_view(struct span bytes, size_t at, bool check_payload,
    struct span *payload, size_t *next, struct error *err);

#endif
