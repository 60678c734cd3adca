/*
 * sample.h - one data item on its way through a pipeline: a key, a label, and
 * one or more named fields.  The names stand once, in the schema.
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
	char name[FIELD_NAME]; /* [a-z0-9_]+; "data" when there is only one */
	struct type type;
};

/* What a representation promises of its samples. */
struct schema {
	unsigned count;
	struct field fields[FIELDS_MAX];
};

struct sample {
	struct span key; /* borrowed: from the chunk, or the batch */
	int64_t label;   /* -1 when the source has none */
	unsigned count;  /* fields */
	struct tensor fields[FIELDS_MAX];
};

#define SAMPLE_INIT         \
	{                   \
		.label = -1 \
	}

/* Index of the field, or -1. */
int schema_find(const struct schema *schema, const char *name);
/* Its number; -1: ERROR_USAGE names the fields that there are. */
int schema_require(
    const struct schema *schema, const char *name, struct error *err);
/* Sum of type_bytes; -1 when a field has not a known size. */
int64_t schema_bytes(const struct schema *schema);
/* Adds a field; fails when there are too many, or the name is not one. */
int schema_add(struct schema *schema, const char *name, const struct type *type,
    struct error *err);

/*
 * Has each field at most `most` bytes (0: any)?  Else ERROR_DATA.  What a
 * reader gives may be larger: then its fields are not to be looked at before.
 */
int sample_check_room(
    const struct sample *sample, uint64_t most, struct error *err);

/* Frees what the fields own; the sample is empty and usable again. */
void sample_release(struct sample *sample);

/* Of all its fields. */
static inline uint64_t sample_bytes(const struct sample *sample)
{
	uint64_t bytes = 0;

	for (unsigned f = 0; f < sample->count; f++)
		bytes += sample->fields[f].bytes;
	return bytes;
}

/* Key as random steps and checks know it: XXH3 of its bytes. */
uint64_t sample_id(struct span key);
/*
 * XXH3 over label, and name, dtype, shape and bytes of every field (not the
 * suffix): what the same-output check compares (doc/design.md 6.2).
 */
uint64_t sample_hash(const struct sample *sample, const struct schema *schema);
/* The same without the bytes: what lossy data must keep. */
uint64_t sample_form(const struct sample *sample, const struct schema *schema);

#endif
