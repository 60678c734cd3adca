/* sound_length.c - see sound_length.h. */
#include "lib/audio/sound_length.h"

#include <stdbool.h>
#include <string.h>

#include "lib/audio/sound_kind.h"
#include "lib/base/error.h"

enum {
	RIFF_HEADER = 12,
	CHUNK_HEADER = 8,
	UNKNOWN = 0x7fff0000, /* data lengths from here on: unknown */
	TOLD_AT = 36,         /* largest offset of the tag in the frame */
	TOLD = 18,            /* bytes of a VBRI tag up to its frames */
};

static uint32_t number(const unsigned char *at, bool is_big)
{
	return is_big ? (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 |
	                    (uint32_t)at[2] << 8 | at[3]
	              : (uint32_t)at[3] << 24 | (uint32_t)at[2] << 16 |
	                    (uint32_t)at[1] << 8 | at[0];
}

static bool has(struct span file, size_t at, const char *word)
{
	return file.len >= at + 4 && memcmp(file.data + at, word, 4) == 0;
}

int wav_check_length(struct span file, struct error *err)
{
	const bool is_big = has(file, 0, "RIFX");
	size_t at = RIFF_HEADER;

	if ((!is_big && !has(file, 0, "RIFF")) || !has(file, 8, "WAVE"))
		return 0;
	while (file.len >= at + CHUNK_HEADER) {
		const size_t len = number(file.data + at + 4, is_big);
		const size_t rest = file.len - at - CHUNK_HEADER;

		if (has(file, at, "data") && len > rest && len < UNKNOWN)
			return error_set(err, ERROR_DATA,
			    "is cut short: has %zu of %zu bytes of sound", rest,
			    len);
		if (has(file, at, "data") || len > rest)
			break;
		at += CHUNK_HEADER + len + len % 2;
	}
	return 0;
}

/* Returns the size of the side information, which precedes the tag. */
static size_t side_bytes(const unsigned char *frame)
{
	const bool is_mono = frame[3] >> 6 == 3;

	if ((frame[1] & 0x18) == 0x18) /* MPEG 1 */
		return is_mono ? 17 : 32;
	return is_mono ? 9 : 17;
}

uint64_t mpeg_frames_told(struct span file)
{
	const struct span bare = sound_at_frame(file);
	size_t at;

	if (bare.len < TOLD_AT + TOLD || (bare.data[1] & 0x06) != 0x02)
		return 0; /* only layer III has it */
	at = 4 + side_bytes(bare.data);
	if ((has(bare, at, "Xing") || has(bare, at, "Info")) &&
	    bare.data[at + 7] & 1)
		return number(bare.data + at + 8, true);
	if (has(bare, TOLD_AT, "VBRI"))
		return number(bare.data + TOLD_AT + 14, true);
	return 0;
}
