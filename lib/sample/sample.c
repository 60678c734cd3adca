/* sample.c - see sample.h. */
#include <string.h>

#include "lib/base/error.h"
#include "lib/base/hash.h"
#include "lib/base/room.h"
#include "lib/sample/sample.h"
#include "lib/syntax/nearest.h"

int schema_find(const struct schema *schema, const char *name)
{
	for (unsigned i = 0; i < schema->count; i++)
		if (strcmp(schema->fields[i].name, name) == 0)
			return (int)i;
	return -1;
}

int schema_require(
    const struct schema *schema, const char *name, struct error *err)
{
	const int field = schema_find(schema, name);
	struct nearest nearest = nearest_to(name);
	char hint[NEAREST_HINT];

	if (field >= 0)
		return field;
	for (unsigned i = 0; i < schema->count; i++)
		nearest_try(&nearest, schema->fields[i].name);
	return error_set(err, ERROR_USAGE, "the samples have no field '%s'%s",
	    name, nearest_hint(&nearest, hint));
}

int64_t schema_bytes(const struct schema *schema)
{
	int64_t total = 0;

	for (unsigned i = 0; i < schema->count; i++) {
		const int64_t bytes = type_bytes(&schema->fields[i].type);

		if (bytes < 0)
			return -1;
		total += bytes;
	}
	return total;
}

static bool is_name(const char *name)
{
	const size_t len = strlen(name);

	return len > 0 && len < FIELD_NAME &&
	       strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") == len;
}

int schema_add(struct schema *schema, const char *name, const struct type *type,
    struct error *err)
{
	struct field *field;

	if (!is_name(name))
		return error_set(err, ERROR_DATA,
		    "'%.64s' is not a field name: 1 to %d of a-z, 0-9, _", name,
		    FIELD_NAME - 1);
	if (schema_find(schema, name) >= 0)
		return error_set(
		    err, ERROR_DATA, "there are two fields '%s'", name);
	if (schema->count == FIELDS_MAX)
		return error_set(err, ERROR_DATA,
		    "field '%s' is one too many; at most %d are possible", name,
		    FIELDS_MAX);
	field = &schema->fields[schema->count++];
	*field = (struct field){ .type = *type };
	memcpy(field->name, name, strlen(name) + 1);
	return 0;
}

int sample_check(
    const struct sample *sample, const struct schema *schema, struct error *err)
{
	if (sample->count != schema->count)
		return error_set(err, ERROR_DATA, "has %u fields, expected %u",
		    sample->count, schema->count);
	for (unsigned f = 0; f < sample->count; f++)
		if (tensor_check(
		        &sample->fields[f], &schema->fields[f].type, err))
			return error_prefix(
			    err, "field %s", schema->fields[f].name);
	return 0;
}

int sample_check_room(
    const struct sample *sample, uint64_t most, struct error *err)
{
	for (unsigned f = 0; most && f < sample->count; f++)
		if (sample->fields[f].bytes > most)
			return room_error_over("a field in the source",
			    sample->fields[f].bytes, most, err);
	return 0;
}

void sample_release(struct sample *sample)
{
	for (unsigned i = 0; i < FIELDS_MAX; i++)
		tensor_release(&sample->fields[i]);
	*sample = (struct sample)SAMPLE_INIT;
}

uint64_t sample_id(struct span key)
{
	return hash_bytes(key.data, key.len, 0);
}

/* Each hash is the seed of the next one, so that no state is allocated. */
static uint64_t hash_form(
    const char *name, const struct tensor *tensor, uint64_t seed)
{
	const struct shape *shape = &tensor->shape;
	const char *dtype = dtype_name(tensor->dtype);

	seed = hash_bytes(name, strlen(name), seed);
	seed = hash_bytes(dtype, strlen(dtype), seed);
	return hash_bytes(
	    shape->dims, shape->count * sizeof(shape->dims[0]), seed);
}

uint64_t sample_hash(const struct sample *sample, const struct schema *schema)
{
	uint64_t hash = hash_bytes(&sample->label, sizeof(sample->label), 0);

	for (unsigned i = 0; i < sample->count; i++) {
		const struct tensor *field = &sample->fields[i];

		hash = hash_form(schema->fields[i].name, field, hash);
		hash = hash_bytes(field->data, field->bytes, hash);
	}
	return hash;
}

uint64_t sample_form(const struct sample *sample, const struct schema *schema)
{
	uint64_t hash = hash_bytes(&sample->label, sizeof(sample->label), 0);

	for (unsigned i = 0; i < sample->count; i++)
		hash =
		    hash_form(schema->fields[i].name, &sample->fields[i], hash);
	return hash;
}
