/*
 * auto_codecs.c - see auto_codecs.h.
 *
 * The rows of codecs and filters name the kinds of data that each is tried
 * on.  They come from measurements of many kinds of data.  Compressed files
 * do not become smaller.  Photographs as bytes gain little from compression
 * alone, and much from compression behind delta.  Continuous floats gain from
 * shuffle.  Normalised images and token ids have few different values, which
 * compress better without shuffle.
 */
#include "strategies/plan/auto_codecs.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "lib/base/array.h"
#include "lib/codecs/data_kind.h"
#include "lib/codecs/transform.h"
#include "lib/sample/sample.h"

static const char *const packed[] = { "jpg", "jpeg", "png", "webp", "gif",
	"jp2", "jxl", "avif", "heic", "mp3", "flac", "ogg", "opus", "m4a",
	"aac", "mp4", "webm", "mkv", "mov", "bz2", "xz", "zip", "7z", "npz",
	"parquet" };
static const char *const texts[] = { "txt", "text", "json", "jsonl", "html",
	"htm", "xml", "csv", "tsv", "md", "srt", "tokens" };

static bool is_among(const char *suffix, const char *const *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strcasecmp(suffix, list[i]) == 0)
			return true;
	return false;
}

static bool is_codecs(const char *suffix)
{
	const struct codec_ops *codec;

	for (size_t i = 0; (codec = codec_at(i)); i++)
		if (codec->suffix[0] &&
		    strcasecmp(suffix, codec->suffix + 1) == 0)
			return true;
	return false;
}

static unsigned kind_of_file(const char *suffix)
{
	const char *dot = strrchr(suffix, '.'); /* "tar.gz" */
	const char *last = dot ? dot + 1 : suffix;

	if (is_codecs(last) || is_among(last, packed, ARRAY_LEN(packed)))
		return DATA_PACKED;
	return is_among(last, texts, ARRAY_LEN(texts)) ? DATA_TEXT : DATA_FILES;
}

static unsigned kind_of(const struct type *type)
{
	const bool image =
	    type->layout == LAYOUT_HWC || type->layout == LAYOUT_CHW;

	if (type->layout == LAYOUT_ENCODED)
		return kind_of_file(type->suffix);
	switch (type->dtype) {
	case DTYPE_F16:
	case DTYPE_F32:
	case DTYPE_F64:
		return image ? DATA_FLOAT_IMAGES : DATA_FLOATS;
	case DTYPE_U8:
		return image ? DATA_PIXELS : DATA_INTEGERS;
	case DTYPE_I16:
		return DATA_SOUND;
	default:
		return image ? DATA_PIXELS : DATA_INTEGERS;
	}
}

/*
 * Finds the n-th label and the kinds of data that it is tried on: none, then
 * what the rows of codecs and of filters say.  False: there are fewer.
 */
static bool find_trial(size_t n, char label[CODEC_LABEL], unsigned *kinds)
{
	const struct codec_ops *codec = &codec_none;
	const struct transform_ops *filter;

	for (size_t i = 0; codec; codec = codec_at(i++)) {
		const struct codec_trial *trial = codec->trials;

		for (; (i == 0 || codec != &codec_none) && trial->kinds;
		     trial++)
			if (n-- == 0) {
				*kinds = trial->kinds;
				codec_label(&(struct codec){ .ops = codec,
				                .level = trial->level },
				    label);
				return true;
			}
	}
	for (size_t i = 0; (filter = transform_at(i)); i++)
		if (filter->trial_behind && n-- == 0) {
			*kinds = filter->trial_kinds;
			snprintf(label, CODEC_LABEL, "%s+%s", filter->name,
			    filter->trial_behind);
			return true;
		}
	return false;
}

bool auto_codec_at(size_t i, char label[CODEC_LABEL])
{
	unsigned kinds;

	return find_trial(i, label, &kinds);
}

bool auto_codec_suits(const char *label, const struct schema *schema)
{
	char tried[CODEC_LABEL];
	unsigned given = 0, kinds;

	for (unsigned f = 0; f < schema->count; f++)
		given |= kind_of(&schema->fields[f].type);
	for (size_t i = 0; find_trial(i, tried, &kinds); i++)
		if (strcmp(tried, label) == 0)
			return (kinds & given) != 0;
	return false;
}
