/*
 * wire.h - numbers and texts in messages: little-endian, and texts with their
 * length in 4 bytes in front.
 *
 * A writer and a reader note that something went wrong, and go on: ask once, at
 * the end.  A reader never reads behind its message.
 */
#ifndef LIB_SERVICE_WIRE_H
#define LIB_SERVICE_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/bytes.h"

struct error;

struct wire_writer {
	struct buf *to; /* borrowed; appended to */
	struct error *err;
	int rc; /* -1: no memory, and `err` says so */
};

struct wire_reader {
	struct span rest;
	bool is_short; /* more was asked for than there is */
};

/* Appends the low `bytes` bytes, 1 to 8, of a number. */
void wire_put(struct wire_writer *writer, uint64_t number, unsigned bytes);
void wire_put_text(struct wire_writer *writer, struct span text);

/* Takes a number of so many bytes, 1 to 8; 0 where there are fewer. */
uint64_t wire_get(struct wire_reader *reader, unsigned bytes);
/* Takes a text, a view of the message; empty where it is cut short. */
struct span wire_get_text(struct wire_reader *reader);
/* The same with a terminator in `text`; cut texts and NULs are `is_short`. */
void wire_get_words(struct wire_reader *reader, char *text, size_t room);

/* A number of `bytes` bytes at an address. */
uint64_t wire_number(const unsigned char *at, unsigned bytes);
void wire_set_number(unsigned char *at, uint64_t number, unsigned bytes);

#endif
