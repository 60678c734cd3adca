/* sound_kind.c - see sound_kind.h. */
#include <string.h>

#include "lib/audio/sound_kind.h"
#include "lib/base/array.h"

enum {
	TAG_BEHIND = 128,
	TAG_HEADER = 10,
	TAG_FOOTER = 0x10,
	MARK = 4,
	MARK_AT = 8
};

static const struct mark {
	const char *first; /* bytes at the start */
	const char *then;  /* bytes at MARK_AT; NULL: any */
} marks[] = {
	{ "RIFF", "WAVE" }, { "RIFX", "WAVE" }, { "RF64", "WAVE" },
	{ "FORM", "AIFF" }, { "FORM", "AIFC" }, { "fLaC", NULL },
	{ "OggS", NULL }, { ".snd", NULL }, { "dns.", NULL }, { "caff", NULL },
	{ "riff", NULL }, /* W64 */
};

/* Returns the bytes of an ID3v2 tag at the start; 0: there is none. */
static size_t tag_bytes(struct span file)
{
	size_t bytes = 0;

	if (file.len < TAG_HEADER || memcmp(file.data, "ID3", 3) != 0)
		return 0;
	for (size_t i = 6; i < TAG_HEADER; i++)
		bytes = bytes << 7 | (file.data[i] & 0x7f);
	bytes += file.data[5] & TAG_FOOTER ? 2 * TAG_HEADER : TAG_HEADER;
	return bytes < file.len ? bytes : file.len;
}

/* Are the first four bytes a valid frame header, without reserved values? */
static bool is_mpeg(struct span file)
{
	const unsigned char *b = file.data;

	return file.len >= 4 && b[0] == 0xff && (b[1] & 0xe0) == 0xe0 &&
	       (b[1] & 0x18) != 0x08 && (b[1] & 0x06) != 0 &&
	       (b[2] & 0xf0) != 0xf0 && (b[2] & 0x0c) != 0x0c;
}

static bool is_marked(struct span file)
{
	for (size_t i = 0; i < ARRAY_LEN(marks); i++) {
		const struct mark *mark = &marks[i];

		if (file.len >= MARK_AT + MARK &&
		    memcmp(file.data, mark->first, MARK) == 0 &&
		    (!mark->then ||
		        memcmp(file.data + MARK_AT, mark->then, MARK) == 0))
			return true;
	}
	return false;
}

static void skip(struct span *file, size_t bytes)
{
	file->data += bytes;
	file->len -= bytes;
}

static struct span behind_tags(struct span file)
{
	size_t tag;

	while ((tag = tag_bytes(file)) > 0)
		skip(&file, tag);
	return file;
}

struct span sound_at_frame(struct span file)
{
	file = behind_tags(file);
	while (file.len && file.data[0] == 0) /* padding behind a tag */
		skip(&file, 1);
	if (!is_mpeg(file))
		file.len = 0;
	return file;
}

enum sound_kind sound_kind(struct span file)
{
	if (is_marked(behind_tags(file)))
		return SOUND_FILE;
	return sound_at_frame(file).len ? SOUND_MPEG : SOUND_UNKNOWN;
}

struct span sound_without_tags(struct span file)
{
	struct span bare = behind_tags(file);

	if (bare.len < MARK || memcmp(bare.data, "fLaC", MARK) != 0)
		return file;
	if (bare.len > TAG_BEHIND &&
	    memcmp(bare.data + bare.len - TAG_BEHIND, "TAG", 3) == 0)
		bare.len -= TAG_BEHIND;
	return bare;
}
