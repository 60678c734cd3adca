/*
 * record.h - TFRecord frames: a length with its checksum, the payload with its
 * checksum; little endian, masked CRC-32C.
 */
#ifndef LIB_FORMATS_RECORD_H
#define LIB_FORMATS_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/bytes.h"

struct error;

enum { RECORD_HEAD = 12, RECORD_TAIL = 4 };

/* Frames the payload at record + RECORD_HEAD. The tail must fit behind it. */
void record_frame(unsigned char *record, size_t payload_len);

/* Verifies the checksum of the length and returns the length in bytes. */
int record_length(
    const unsigned char head[RECORD_HEAD], uint64_t *len, struct error *err);

/*
 * Views the payload of the record at `at`: 1, 0 at the end, or -1 (ERROR_DATA).
 * The length is always verified, the payload only with check_payload.
 */
int record_view(struct span bytes, size_t at, bool check_payload,
    struct span *payload, size_t *next, struct error *err);

#endif
