/* codec.c - see codec.h: the table, and codecs by their labels. */
#include <stdio.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/nearest.h"
#include "lib/base/units.h"
#include "lib/codecs/codec.h"

static const struct codec_ops *const codecs[] = {
#define CODEC(name) &codec_##name,
#include "lib/codecs/codecs.def"
#undef CODEC
};

const struct codec_ops *codec_at(size_t i)
{
	return i < ARRAY_LEN(codecs) ? codecs[i] : NULL;
}

const struct codec_ops *codec_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(codecs); i++)
		if (strcmp(codecs[i]->name, name) == 0)
			return codecs[i];
	return NULL;
}

static bool has_levels(const struct codec_ops *ops)
{
	return ops->level_max > 0;
}

static int unknown_codec(const char *name, struct error *err)
{
	struct nearest nearest = nearest_to(name);
	char hint[NEAREST_HINT];

	for (size_t i = 0; i < ARRAY_LEN(codecs); i++)
		nearest_try(&nearest, codecs[i]->name);
	return error_set(err, ERROR_USAGE, "unknown codec '%s'%s", name,
	    nearest_hint(&nearest, hint));
}

static int parse_level(const char *text, struct codec *codec, struct error *err)
{
	const struct codec_ops *ops = codec->ops;
	uint64_t level = 0;

	if (!has_levels(ops))
		return error_set(err, ERROR_USAGE, "%s takes no level, got %s",
		    ops->name, text);
	if (units_parse_uint(text, &level) ||
	    level < (uint64_t)ops->level_min ||
	    level > (uint64_t)ops->level_max)
		return error_set(err, ERROR_USAGE,
		    "%s takes levels %d to %d, got %s", ops->name,
		    ops->level_min, ops->level_max, *text ? text : "nothing");
	codec->level = (int)level;
	return 0;
}

int codec_parse(const char *text, struct codec *codec, struct error *err)
{
	const char *colon = strchr(text, ':');
	const size_t len = colon ? (size_t)(colon - text) : strlen(text);
	char name[CODEC_LABEL];

	if (len >= sizeof(name))
		return error_set(err, ERROR_USAGE, "unknown codec '%s'", text);
	memcpy(name, text, len);
	name[len] = '\0';
	codec->ops = codec_find(name);
	if (!codec->ops)
		return unknown_codec(name, err);
	codec->level = codec->ops->level_default;
	return colon ? parse_level(colon + 1, codec, err) : 0;
}

const char *codec_label(const struct codec *codec, char label[CODEC_LABEL])
{
	if (has_levels(codec->ops))
		snprintf(label, CODEC_LABEL, "%s:%d", codec->ops->name,
		    codec->level);
	else
		snprintf(label, CODEC_LABEL, "%s", codec->ops->name);
	return label;
}
