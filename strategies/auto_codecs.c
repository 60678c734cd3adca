/*
 * auto_codecs.c - see auto_codecs.h.
 *
 * The rules come from measurements of many kinds of data.  Files that are
 * compressed do not become smaller.  Photographs as bytes gain little from a
 * compression alone, and much behind differences.  Floats that are continuous
 * gain from their bytes apart; those of normalised images have few different
 * values, which compress better whole, and so do token ids.
 */
#include "strategies/auto_codecs.h"

#include <string.h>
#include <strings.h>

#include "lib/base/array.h"
#include "lib/sample/sample.h"

enum kind { /* of data; bits */
	PACKED = 1,
	TEXT = 2,
	FILES = 4, /* others */
	PIXELS = 8,
	SOUND = 16, /* int16, as it comes from files */
	INTEGERS = 32,
	FLOATS = 64,  /* continuous */
	IMAGES = 128, /* of floats */
	LOOSE = TEXT | FILES | PIXELS | SOUND | INTEGERS | FLOATS | IMAGES,
};

static const struct rule {
	const char *label;
	unsigned kinds;
} rules[] = {
	{ .label = "none", .kinds = PACKED | LOOSE },
	{ .label = "lz4:1", .kinds = TEXT | INTEGERS },
	{ .label = "zstd:1", .kinds = LOOSE },
	{ .label = "zstd:3", .kinds = TEXT | INTEGERS },
	{ .label = "delta+zstd:1", .kinds = PIXELS | SOUND },
	{ .label = "shuffle+zstd:1", .kinds = FLOATS },
};

static const char *const packed[] = { "jpg", "jpeg", "png", "webp", "gif",
	"jp2", "jxl", "avif", "heic", "mp3", "flac", "ogg", "opus", "m4a",
	"aac", "mp4", "webm", "mkv", "mov", "gz", "bz2", "xz", "zst", "lz4",
	"zip", "7z", "npz", "parquet" };
static const char *const texts[] = { "txt", "text", "json", "jsonl", "html",
	"htm", "xml", "csv", "tsv", "md", "srt", "tokens" };

static bool is_among(const char *suffix, const char *const *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strcasecmp(suffix, list[i]) == 0)
			return true;
	return false;
}

static unsigned kind_of_file(const char *suffix)
{
	const char *dot = strrchr(suffix, '.'); /* "tar.gz" */
	const char *last = dot ? dot + 1 : suffix;

	if (is_among(last, packed, ARRAY_LEN(packed)))
		return PACKED;
	return is_among(last, texts, ARRAY_LEN(texts)) ? TEXT : FILES;
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
		return image ? IMAGES : FLOATS;
	case DTYPE_U8:
		return image ? PIXELS : INTEGERS;
	case DTYPE_I16:
		return SOUND;
	default:
		return image ? PIXELS : INTEGERS;
	}
}

const char *auto_codec_at(size_t i)
{
	return i < ARRAY_LEN(rules) ? rules[i].label : NULL;
}

bool auto_codec_suits(const char *label, const struct schema *schema)
{
	unsigned kinds = 0;

	for (unsigned f = 0; f < schema->count; f++)
		kinds |= kind_of(&schema->fields[f].type);
	for (size_t i = 0; i < ARRAY_LEN(rules); i++)
		if (strcmp(rules[i].label, label) == 0)
			return (rules[i].kinds & kinds) != 0;
	return false;
}
