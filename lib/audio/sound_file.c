/*
 * sound_file.c - see sound_file.h.
 *
 * libsndfile keeps the reason for a failed open in one place for all threads.
 * While two threads open files, it may be the other's: so it is not used.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sndfile.h>

#include "lib/audio/flac.h"
#include "lib/audio/mpeg.h"
#include "lib/audio/sound_file.h"
#include "lib/audio/sound_kind.h"
#include "lib/audio/sound_length.h"
#include "lib/base/array.h"
#include "lib/base/error.h"

enum { BLOCK_BYTES = 1 << 15 };

struct sound_decoder {
	struct pcm_sink sink;
	struct mpeg *mpeg; /* created at the first MPEG file */
	struct flac *flac;
	struct span file; /* the current file */
	size_t at;
	struct buf block;
};

/* ---- input of the library ---- */

static sf_count_t file_len(void *arg)
{
	return (sf_count_t)((struct sound_decoder *)arg)->file.len;
}

static sf_count_t file_tell(void *arg)
{
	return (sf_count_t)((struct sound_decoder *)arg)->at;
}

static sf_count_t file_seek(sf_count_t offset, int whence, void *arg)
{
	struct sound_decoder *decoder = arg;
	const sf_count_t len = (sf_count_t)decoder->file.len;
	const sf_count_t from = whence == SEEK_CUR   ? (sf_count_t)decoder->at
	                        : whence == SEEK_END ? len
	                                             : 0;

	if (offset < -from || offset > len - from)
		return -1;
	decoder->at = (size_t)(from + offset);
	return from + offset;
}

static sf_count_t file_read(void *to, sf_count_t count, void *arg)
{
	struct sound_decoder *decoder = arg;
	const sf_count_t left = (sf_count_t)(decoder->file.len - decoder->at);

	if (count > left)
		count = left;
	if (count <= 0)
		return 0;
	memcpy(to, decoder->file.data + decoder->at, (size_t)count);
	decoder->at += (size_t)count;
	return count;
}

static sf_count_t file_write(const void *from, sf_count_t count, void *arg)
{
	UNUSED(from);
	UNUSED(count);
	UNUSED(arg);
	return 0;
}

static SF_VIRTUAL_IO virtual_file = {
	.get_filelen = file_len,
	.seek = file_seek,
	.read = file_read,
	.write = file_write,
	.tell = file_tell,
};

/* ---- creation ---- */

struct sound_decoder *sound_decoder_new(
    const struct pcm_wish *wish, struct error *err)
{
	struct sound_decoder *decoder = memory_zeroed(sizeof(*decoder), err);

	if (!decoder)
		return NULL;
	decoder->sink.wish = *wish;
	if (buf_reserve(&decoder->block, BLOCK_BYTES, err)) {
		sound_decoder_free(decoder);
		return NULL;
	}
	return decoder;
}

void sound_decoder_free(struct sound_decoder *decoder)
{
	if (!decoder)
		return;
#ifdef WITH_FLAC
	flac_free(decoder->flac);
#endif
#ifdef WITH_MPG123
	mpeg_free(decoder->mpeg);
#endif
	pcm_sink_release(&decoder->sink);
	buf_release(&decoder->block);
	free(decoder);
}

/* ---- frames ---- */

/* Returns the lossless element type: that of the file, or floats if wanted. */
static enum dtype native(const SF_INFO *info, enum dtype wanted)
{
	switch (info->format & SF_FORMAT_SUBMASK) {
	case SF_FORMAT_FLOAT:
	case SF_FORMAT_DOUBLE:
	case SF_FORMAT_VORBIS:
	case SF_FORMAT_OPUS:
	case SF_FORMAT_MPEG_LAYER_I:
	case SF_FORMAT_MPEG_LAYER_II:
	case SF_FORMAT_MPEG_LAYER_III:
		return DTYPE_F32;
	default:
		return wanted;
	}
}

/* Turns "Error : flac decoder lost sync." into the middle of a message. */
static int library_error(SNDFILE *sound, struct error *err)
{
	static const char unimplemented[] = "File contains data in an unimpl";
	const char *text = sf_strerror(sound);
	size_t len;

	if (strncmp(text, "Error : ", 8) == 0)
		text += 8;
	len = strlen(text);
	if (!sound && sf_error(NULL) == SF_ERR_NO_ERROR)
		return error_set(err, ERROR_DATA, "the header is damaged");
	while (len && (text[len - 1] == '.' || text[len - 1] == '\n'))
		len--;
	if (strncmp(text, unimplemented, strlen(unimplemented)) == 0)
		return error_set(err, ERROR_DATA,
		    "libsndfile cannot decode its encoding or its bits per "
		    "sample");
	return error_set(err, ERROR_DATA, "libsndfile: %.*s", (int)len, text);
}

static sf_count_t read_block(struct sound_decoder *decoder, SNDFILE *sound)
{
	const struct pcm_form *form = &decoder->sink.form;
	const size_t bytes = form->channels * dtype_bytes(form->dtype);
	const sf_count_t frames = (sf_count_t)(decoder->block.cap / bytes);

	if (form->dtype == DTYPE_I16)
		return sf_readf_short(
		    sound, (short *)decoder->block.data, frames);
	return sf_readf_float(
	    sound, (float *)(void *)decoder->block.data, frames);
}

static int read_all(struct sound_decoder *decoder, SNDFILE *sound,
    const SF_INFO *info, struct error *err)
{
	struct pcm_sink *sink = &decoder->sink;
	const int type = info->format & SF_FORMAT_TYPEMASK;
	sf_count_t count;

	while ((count = read_block(decoder, sound)) > 0) {
		if (pcm_put(sink, decoder->block.data, (size_t)count, err))
			return -1;
		if (sf_error(sound))
			break;
	}
	/* Behind the frames of FLAC's header there may be any data. */
	if (sf_error(sound) && (type != SF_FORMAT_FLAC || !sink->form.frames ||
	                           sink->frames != sink->form.frames)) {
		library_error(sound, err);
		return error_prefix(
		    err, "after %llu frames", (unsigned long long)sink->frames);
	}
	if (sink->frames < sink->form.frames && type != SF_FORMAT_MPEG)
		return error_set(err, ERROR_DATA,
		    "ends after %llu of %llu frames",
		    (unsigned long long)sink->frames,
		    (unsigned long long)sink->form.frames);
	return pcm_end(sink, err);
}

static int decode_sound(
    struct sound_decoder *decoder, struct tensor *out, struct error *err)
{
	struct pcm_form form = { .file_bytes = decoder->file.len };
	SF_INFO info = { .format = 0 };
	SNDFILE *sound;
	int rc = -1;

	sound = sf_open_virtual(&virtual_file, SFM_READ, &info, decoder);
	if (!sound)
		return library_error(NULL, err);
	form.dtype = native(&info, decoder->sink.wish.dtype);
	form.channels = (unsigned)info.channels;
	form.rate = (unsigned)info.samplerate;
	if (info.frames > 0 && info.frames != SF_COUNT_MAX)
		form.frames = (uint64_t)info.frames;
	if (pcm_begin(&decoder->sink, &form, out, err) == 0 &&
	    buf_reserve(&decoder->block, form.channels * sizeof(float), err) ==
	        0)
		rc = read_all(decoder, sound, &info, err);
	sf_close(sound);
	return rc;
}

#ifdef WITH_MPG123
static int decode_mpeg(
    struct sound_decoder *decoder, struct tensor *out, struct error *err)
{
	if (!decoder->mpeg)
		decoder->mpeg = mpeg_new(&decoder->sink.wish, err);
	if (!decoder->mpeg)
		return -1;
	return mpeg_decode(
	    decoder->mpeg, decoder->file, &decoder->sink, out, err);
}
#else
#define decode_mpeg decode_sound
#endif

static int decode_file(
    struct sound_decoder *decoder, struct tensor *out, struct error *err)
{
#ifdef WITH_FLAC
	if (decoder->file.len > 4 &&
	    memcmp(decoder->file.data, "fLaC", 4) == 0) {
		if (!decoder->flac)
			decoder->flac = flac_new(err);
		if (!decoder->flac)
			return -1;
		if (flac_decode(
		        decoder->flac, decoder->file, &decoder->sink, out))
			return 0;
		if (flac_has_other_md5(decoder->flac))
			return error_set(err, ERROR_DATA,
			    "the sound does not match its MD5: the file was "
			    "cut short or is damaged");
	}
#endif
	return decode_sound(decoder, out, err);
}

int sound_decode(struct sound_decoder *decoder, struct span file,
    struct tensor *out, unsigned *rate, struct error *err)
{
	int rc;

	decoder->file = sound_without_tags(file);
	decoder->at = 0;
	if (file.len == 0)
		return error_set(err, ERROR_DATA, "the file is empty");
	switch (sound_kind(file)) {
	case SOUND_MPEG:
		rc = decode_mpeg(decoder, out, err);
		break;
	case SOUND_FILE:
		rc = wav_check_length(decoder->file, err) ||
		             decode_file(decoder, out, err)
		         ? -1
		         : 0;
		break;
	default:
		return error_set(err, ERROR_DATA,
		    "is not a sound file of a known format: WAV, FLAC, MP3, "
		    "Ogg, AIFF, "
		    "AU, CAF, W64");
	}
	if (rc)
		return -1;
	*rate = decoder->sink.form.rate;
	return 0;
}

void sound_library_version(char text[LIBRARY_VERSION])
{
	snprintf(text, LIBRARY_VERSION, "%s", sf_version_string());
}
