/* rate.c - see rate.h. */
#include <string.h>

#include "lib/audio/rate.h"
#include "lib/base/error.h"

static const struct type rate_type = { .dtype = DTYPE_I32 };

int audio_rate_field(const struct schema *schema)
{
	const int field = schema_find(schema, AUDIO_RATE);

	if (field < 0 || !type_equal(&schema->fields[field].type, &rate_type))
		return -1;
	return field;
}

int audio_rate_add(struct schema *schema, unsigned *field, struct error *err)
{
	const int there = audio_rate_field(schema);
	char text[SHAPE_TEXT];
	int other;

	if (there >= 0) {
		*field = (unsigned)there;
		return 0;
	}
	other = schema_find(schema, AUDIO_RATE);
	if (other >= 0)
		return error_set(err, ERROR_USAGE,
		    "takes a field '" AUDIO_RATE "' of int32 scalar, not %s",
		    type_text(&schema->fields[other].type, text));
	*field = schema->count;
	if (schema_add(schema, AUDIO_RATE, &rate_type, err) == 0)
		return 0;
	err->code = ERROR_USAGE; /* too many fields: an error in the pipeline */
	return -1;
}

int audio_rate_get(
    const struct tensor *rate, unsigned *hertz, struct error *err)
{
	int32_t value = 0;

	if (rate->bytes == sizeof(value))
		memcpy(&value, rate->data, sizeof(value));
	if (value < 1 || value > AUDIO_RATE_MAX)
		return error_set(err, ERROR_DATA,
		    "the sample rate is %d Hz; it must be 1 to %d", (int)value,
		    (int)AUDIO_RATE_MAX);
	*hertz = (unsigned)value;
	return 0;
}

int audio_rate_set(struct tensor *rate, unsigned hertz, struct error *err)
{
	const int32_t value = (int32_t)hertz;

	if (tensor_reshape(rate, DTYPE_I32, &rate_type.shape, err))
		return -1;
	memcpy(rate->data, &value, sizeof(value));
	return 0;
}
