/* transform.c - see transform.h: the table, and schemas of stored samples. */
#include "lib/codecs/transform.h"

#include <stdio.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/codecs/codec.h"
#include "lib/sample/sample.h"

static const struct transform_ops *const transforms[] = {
#define TRANSFORM(name) &transform_##name,
#include "lib/codecs/transforms.def"
#undef TRANSFORM
};

const struct transform_ops *transform_at(size_t i)
{
	return i < ARRAY_LEN(transforms) ? transforms[i] : NULL;
}

const struct transform_ops *transform_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(transforms); i++)
		if (strcmp(transforms[i]->name, name) == 0)
			return transforms[i];
	return NULL;
}

static int stored_type(const struct codec *codec, const struct schema *schema,
    unsigned field, struct type *stored, struct error *err)
{
	const struct transform_ops *transform = codec->transform;

	if (transform->is_lossy && field > 0)
		return error_set(err, ERROR_USAGE,
		    "%s is for the first field only", transform->name);
	if (transform->stored(&schema->fields[field].type, stored, err))
		return -1;
	if (transform->is_filter)
		snprintf(stored->suffix, SUFFIX_MAX, "%s", transform->name);
	return 0;
}

bool codec_transforms(
    const struct codec *codec, const struct schema *schema, unsigned field)
{
	struct error ignored;
	struct type stored;

	return codec->transform &&
	       stored_type(codec, schema, field, &stored, &ignored) == 0;
}

int codec_stored_schema(const struct codec *codec, const struct schema *schema,
    struct schema *stored, struct error *err)
{
	bool any = !codec->transform;

	*stored = *schema;
	for (unsigned f = schema->count; codec->transform && f-- > 0;)
		if (stored_type(
		        codec, schema, f, &stored->fields[f].type, err) == 0)
			any = true;
		else
			stored->fields[f].type = schema->fields[f].type;
	return any ? 0 : -1;
}
