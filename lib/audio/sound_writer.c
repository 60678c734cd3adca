/* sound_writer.c - see sound_writer.h. */
#include <string.h>

#include <sndfile.h>

#include "lib/audio/sound_writer.h"
#include "lib/base/error.h"

struct target {
	struct buf *out;
	size_t at;
	struct error *err; /* set when out of memory */
};

static sf_count_t target_len(void *arg)
{
	return (sf_count_t)((struct target *)arg)->out->len;
}

static sf_count_t target_tell(void *arg)
{
	return (sf_count_t)((struct target *)arg)->at;
}

static sf_count_t target_seek(sf_count_t offset, int whence, void *arg)
{
	struct target *target = arg;
	const sf_count_t len = (sf_count_t)target->out->len;
	const sf_count_t from = whence == SEEK_CUR   ? (sf_count_t)target->at
	                        : whence == SEEK_END ? len
	                                             : 0;

	if (offset < -from || offset > len - from)
		return -1;
	target->at = (size_t)(from + offset);
	return from + offset;
}

static sf_count_t target_read(void *to, sf_count_t count, void *arg)
{
	struct target *target = arg;
	const sf_count_t left = (sf_count_t)(target->out->len - target->at);

	if (count > left)
		count = left;
	if (count <= 0)
		return 0;
	memcpy(to, target->out->data + target->at, (size_t)count);
	target->at += (size_t)count;
	return count;
}

static sf_count_t target_write(const void *from, sf_count_t count, void *arg)
{
	struct target *target = arg;
	struct buf *out = target->out;
	const size_t end = target->at + (size_t)count;

	if (count <= 0)
		return 0;
	if (end > out->cap && buf_reserve(out, end + end / 2, target->err))
		return 0;
	memcpy(out->data + target->at, from, (size_t)count);
	target->at = end;
	if (end > out->len)
		out->len = end;
	return count;
}

static int format_of(enum sound_format format)
{
	switch (format) {
	case SOUND_WRITE_WAV:
		return SF_FORMAT_WAV | SF_FORMAT_PCM_16;
	case SOUND_WRITE_OGG:
		return SF_FORMAT_OGG | SF_FORMAT_VORBIS;
	case SOUND_WRITE_MP3:
		return SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III;
	default:
		return SF_FORMAT_FLAC | SF_FORMAT_PCM_16;
	}
}

int sound_write(const struct sound *sound, enum sound_format format,
    struct buf *out, struct error *err)
{
	SF_VIRTUAL_IO file = {
		.get_filelen = target_len,
		.seek = target_seek,
		.read = target_read,
		.write = target_write,
		.tell = target_tell,
	};
	SF_INFO info = {
		.samplerate = (int)sound->rate,
		.channels = (int)sound->channels,
		.format = format_of(format),
	};
	struct target target = { .out = out, .err = err };
	sf_count_t done;
	SNDFILE *to;

	out->len = 0;
	to = sf_open_virtual(&file, SFM_WRITE, &info, &target);
	if (!to)
		return error_set(err, ERROR_SYSTEM,
		    "libsndfile cannot write such sound: %s",
		    sf_strerror(NULL));
	done = sf_writef_short(to, sound->samples, (sf_count_t)sound->frames);
	if (sf_close(to) || done != (sf_count_t)sound->frames)
		return err->code != ERROR_NONE
		           ? -1
		           : error_set(err, ERROR_SYSTEM,
		                 "libsndfile did not write all of the sound");
	return 0;
}
