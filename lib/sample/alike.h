/*
 * alike.h - a sample that is parsed by comparing it with one before.
 *
 * Records of a chunk often differ only in keys, labels and elements.  Then the
 * bytes that say how to parse them (names, lengths, types, shapes) are equal,
 * and so are the distances from a record's start to its key and its fields.  A
 * parser notes one record: its views, and the parts that it was parsed by.  A
 * later record of the same chunk with equal parts is not parsed again.
 *
 * Only what no parser looks into may lie outside all parts: keys, elements,
 * padding, checksums that are not verified.  A label may lie outside if it is
 * parsed each time.
 */
#ifndef LIB_SAMPLE_ALIKE_H
#define LIB_SAMPLE_ALIKE_H

#include <stdbool.h>

#include "lib/base/bytes.h"
#include "lib/sample/sample.h"

enum { ALIKE_PARTS = 2 * FIELDS_MAX + 4 };

struct alike_part {
	size_t at, len; /* `at` counts from the record's start */
};

struct alike {
	bool is_noted;
	const unsigned char *memory; /* of the chunk */
	size_t start, len;           /* of the record noted, in it */
	unsigned count;
	struct alike_part parts[ALIKE_PARTS]; /* to be equal */
	unsigned keys;
	size_t key_at[FIELDS_MAX]; /* where the key must stand once more */
	struct alike_part label;   /* as the parser takes it; length 0: none */
	struct sample sample;      /* views of the record noted */
};

/*
 * Begins to note the record at `start` of a chunk's memory, which stays as it
 * is, outside keys and elements, until the chunk is reset.
 */
void alike_begin(
    struct alike *alike, const unsigned char *memory, size_t start);
/*
 * Adds the bytes from `from` to before `end`, which must be equal.  Of a field
 * and the label there are two such parts at most, and two besides.
 */
void alike_add(
    struct alike *alike, const unsigned char *from, const unsigned char *end);
/* The key must stand here, too. */
void alike_add_key(struct alike *alike, const unsigned char *key);
void alike_set_label(struct alike *alike, struct span label);
/* Ends the record, before `end` of the memory. */
void alike_end(struct alike *alike, size_t end, const struct sample *sample);

/*
 * Is the record at `at` of the chunk's memory like the one noted?  Then sets
 * the sample's views, and its label to -1.
 */
bool alike_take(const struct alike *alike, struct span memory, size_t at,
    struct sample *sample);
/* After alike_take: returns the bytes of that record's label, or none. */
struct span alike_label(const struct alike *alike, size_t at);

#endif
