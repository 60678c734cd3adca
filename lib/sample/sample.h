/*
 * sample.h - a data item in a pipeline: a key, a label, and one or more fields.
 * The names of the fields are in the schema only.
 */
#ifndef LIB_SAMPLE_SAMPLE_H
#define LIB_SAMPLE_SAMPLE_H

#include <stdint.h>

#include "lib/base/bytes.h"
#include "lib/sample/tensor.h"

struct error;

enum {
	FIELDS_MAX = 8,
	FIELD_NAME = 32,
	KEY_MAX = 4096, /* bytes */
};

struct field {
	char name[FIELD_NAME]; /* [a-z0-9_]+; "data" if there is only one */
	struct type type;
};

/* The fields common to all samples of a representation. */
struct schema {
	unsigned count;
	struct field fields[FIELDS_MAX];
};

struct sample {
	struct span key; /* borrowed from the chunk or the batch */
	int64_t label;   /* -1: the source has none */
	unsigned count;  /* number of fields */
	struct tensor fields[FIELDS_MAX];
};

#define SAMPLE_INIT         \
	{                   \
		.label = -1 \
	}

/* Returns the index of the field, or -1. */
int schema_find(const struct schema *schema, const char *name);
/* The same, but -1 with ERROR_USAGE, which lists the fields. */
int schema_require(
    const struct schema *schema, const char *name, struct error *err);
/* Returns the sum of type_bytes; -1 if the size of a field is unknown. */
int64_t schema_bytes(const struct schema *schema);
/* Adds a field; fails if there are too many, or the name is invalid. */
int schema_add(struct schema *schema, const char *name, const struct type *type,
    struct error *err);

/* ERROR_DATA if its fields are not of the schema's number and types. */
int sample_check(const struct sample *sample, const struct schema *schema,
    struct error *err);
/*
 * Checks that each field has at most `most` bytes (0: any), else ERROR_DATA.
 * Call it before looking at the data: a reader may have withheld larger fields.
 */
int sample_check_room(
    const struct sample *sample, uint64_t most, struct error *err);

/* Frees the memory that fields own; the sample is empty and usable again. */
void sample_release(struct sample *sample);

/* Makes views of the key and of all fields; `to` must not own memory. */
static inline void sample_view(struct sample *to, const struct sample *from)
{
	to->key = from->key;
	to->label = from->label;
	to->count = from->count;
	for (unsigned f = 0; f < from->count; f++)
		to->fields[f] = from->fields[f];
}

/* Returns the bytes of all fields. */
static inline uint64_t sample_bytes(const struct sample *sample)
{
	uint64_t bytes = 0;

	for (unsigned f = 0; f < sample->count; f++)
		bytes += sample->fields[f].bytes;
	return bytes;
}

/* Returns the XXH3 of the key, which random steps and checks use. */
uint64_t sample_id(struct span key);
/*
 * Hashes label, and name, dtype, shape and bytes of every field (not the
 * suffix), with XXH3.  Verification compares these hashes (doc/design.md).
 */
uint64_t sample_hash(const struct sample *sample, const struct schema *schema);
/* The same without the bytes, for lossy data. */
uint64_t sample_form(const struct sample *sample, const struct schema *schema);

#endif
