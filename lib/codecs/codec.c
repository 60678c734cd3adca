/* codec.c - see codec.h: the table, and codecs by their labels. */
#include <stdio.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/units.h"
#include "lib/codecs/codec.h"
#include "lib/codecs/transform.h"
#include "lib/syntax/nearest.h"

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

/* Name and range of levels of a codec or a transform. */
struct named {
	const char *name;
	int min, max, normal; /* max 0: no levels */
};

static struct named codec_named(const struct codec_ops *ops)
{
	return (struct named){
		.name = ops->name,
		.min = ops->level_min,
		.max = ops->level_max,
		.normal = ops->level_default,
	};
}

static struct named transform_named(const struct transform_ops *ops)
{
	return (struct named){
		.name = ops->name,
		.min = ops->level_min,
		.max = ops->level_max,
		.normal = ops->level_default,
	};
}

static int unknown_codec(const char *name, struct error *err)
{
	struct nearest nearest = nearest_to(name);
	char hint[NEAREST_HINT];

	nearest.see = "presto list codecs";
	for (size_t i = 0; i < ARRAY_LEN(codecs); i++)
		nearest_try(&nearest, codecs[i]->name);
	for (size_t i = 0; transform_at(i); i++)
		nearest_try(&nearest, transform_at(i)->name);
	if (strcmp(name, "auto") == 0)
		return error_set(err, ERROR_USAGE,
		    "auto stands for several codecs: it takes no level or "
		    "filter, and names no single strategy");
	return error_set(err, ERROR_USAGE, "unknown codec '%s'%s", name,
	    nearest_hint(&nearest, hint));
}

/* `text` is the text behind the colon; NULL: there is no colon. */
static int parse_level(
    const char *text, const struct named *named, int *level, struct error *err)
{
	uint64_t number = 0;

	*level = named->normal;
	if (!text)
		return 0;
	if (named->max == 0)
		return error_set(err, ERROR_USAGE, "%s takes no level, got %s",
		    named->name, text);
	if (units_parse_uint(text, &number) || number < (uint64_t)named->min ||
	    number > (uint64_t)named->max)
		return error_set(err, ERROR_USAGE,
		    "%s takes levels %d to %d, got %s", named->name, named->min,
		    named->max, *text ? text : "nothing");
	*level = (int)number;
	return 0;
}

/* Checks that a codec may follow the '+' of a filter. */
static int check_filtered(
    const struct codec *codec, const char *second, struct error *err)
{
	const char *first = codec->transform->name;

	if (!codec->transform->is_filter && second)
		return error_set(err, ERROR_USAGE,
		    "%s compresses by itself: nothing goes behind it", first);
	if (codec->transform->is_filter && !codec->ops->encode)
		return error_set(err, ERROR_USAGE,
		    "%s is a filter in front of a codec, as in %s+zstd:1",
		    first, first);
	return 0;
}

/* Parses NAME or NAME:LEVEL. Only the first part may name a transform. */
static int parse_part(
    char *text, bool is_first, struct codec *codec, struct error *err)
{
	char *colon = strchr(text, ':');
	const char *level = colon ? colon + 1 : NULL;
	const struct codec_ops *ops;
	struct named named;

	if (colon)
		*colon = '\0';
	ops = codec_find(text);
	if (is_first)
		codec->transform = transform_find(text);
	else if (transform_find(text))
		return error_set(err, ERROR_USAGE,
		    "%s does not go behind another codec", text);
	if (ops) {
		codec->ops = ops;
		named = codec_named(ops);
		return parse_level(level, &named, &codec->level, err);
	}
	if (!codec->transform || !is_first)
		return unknown_codec(text, err);
	named = transform_named(codec->transform);
	return parse_level(level, &named, &codec->quality, err);
}

int codec_parse(const char *text, struct codec *codec, struct error *err)
{
	char copy[2 * CODEC_LABEL], *second;

	*codec = (struct codec){ .ops = &codec_none };
	if (strlen(text) >= sizeof(copy))
		return error_set(err, ERROR_USAGE, "unknown codec '%s'", text);
	memcpy(copy, text, strlen(text) + 1);
	second = strchr(copy, '+');
	if (second)
		*second++ = '\0';
	if (!*copy || (second && !*second))
		return error_set(err, ERROR_USAGE,
		    "codec '%s' is not complete: it is NAME, or a filter and "
		    "NAME as in delta+zstd:1",
		    text);
	if (parse_part(copy, true, codec, err))
		return -1;
	if (second && !codec->transform)
		return error_set(err, ERROR_USAGE,
		    "%s is no filter: nothing goes behind it", copy);
	if (second && strchr(second, '+'))
		return error_set(err, ERROR_USAGE,
		    "one filter stands in front of a codec, not several: '%s'",
		    text);
	if (second && codec->transform->is_filter &&
	    parse_part(second, false, codec, err))
		return -1;
	return codec->transform ? check_filtered(codec, second, err) : 0;
}

static void add_part(char label[CODEC_LABEL], const char *name, int level)
{
	const size_t used = strlen(label);
	char *end = label + used;

	if (level > 0)
		snprintf(end, CODEC_LABEL - used, "%s:%d", name, level);
	else
		snprintf(end, CODEC_LABEL - used, "%s", name);
}

static void put(const struct codec *codec, bool levels, char out[CODEC_LABEL])
{
	const struct transform_ops *transform = codec->transform;

	out[0] = '\0';
	if (transform)
		add_part(out, transform->name, levels ? codec->quality : 0);
	if (transform && transform->is_filter)
		add_part(out, "+", 0);
	if (!transform || transform->is_filter)
		add_part(out, codec->ops->name, levels ? codec->level : 0);
}

const char *codec_label(const struct codec *codec, char label[CODEC_LABEL])
{
	put(codec, true, label);
	return label;
}

const char *codec_name(const struct codec *codec, char name[CODEC_LABEL])
{
	put(codec, false, name);
	return name;
}

bool codec_equal(const struct codec *a, const struct codec *b)
{
	return a->ops == b->ops && a->level == b->level &&
	       a->transform == b->transform && a->quality == b->quality;
}

bool codec_shares_frames(const struct codec *a, const struct codec *b)
{
	return a->ops->encode && a->ops->encode == b->ops->encode &&
	       a->ops->decode == b->ops->decode && a->level == b->level &&
	       !a->transform && !b->transform;
}

bool codec_is_lossy(const struct codec *codec)
{
	return codec->transform && codec->transform->is_lossy;
}
