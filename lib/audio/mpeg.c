/* mpeg.c - see mpeg.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include <mpg123.h>

#include "lib/audio/mpeg.h"
#include "lib/audio/sound_length.h"
#include "lib/base/array.h"
#include "lib/base/error.h"

enum { SEEK_MOST = 1 << 30 };

struct mpeg {
	mpg123_handle *handle;
	enum dtype dtype; /* dtype of its output */
	struct span file; /* the current file */
	size_t at;
};

/* ---- input of the library ---- */

static mpg123_ssize_t read_bytes(void *arg, void *to, size_t count)
{
	struct mpeg *mpeg = arg;
	const size_t left =
	    mpeg->at < mpeg->file.len ? mpeg->file.len - mpeg->at : 0;

	if (count > left)
		count = left;
	if (count)
		memcpy(to, mpeg->file.data + mpeg->at, count);
	mpeg->at += count;
	return (mpg123_ssize_t)count;
}

/* As with files, a position behind the end is valid. */
static off_t seek_bytes(void *arg, off_t offset, int whence)
{
	struct mpeg *mpeg = arg;
	const off_t from = whence == SEEK_CUR   ? (off_t)mpeg->at
	                   : whence == SEEK_END ? (off_t)mpeg->file.len
	                                        : 0;

	if (offset < -from || offset > SEEK_MOST) {
		errno = EINVAL;
		return -1;
	}
	mpeg->at = (size_t)(from + offset);
	return from + offset;
}

/* ---- creation ---- */

/* Accepts any rate, sets the output type, and skips tags. */
static int set_up(mpg123_handle *handle, const struct pcm_wish *wish)
{
	const int encoding = wish->dtype == DTYPE_I16 ? MPG123_ENC_SIGNED_16
	                                              : MPG123_ENC_FLOAT_32;
	const long flags = MPG123_QUIET | MPG123_SKIP_ID3V2 |
	                   (wish->channels == 1 ? MPG123_MONO_MIX : 0);
	const long *rates;
	size_t count;

	mpg123_rates(&rates, &count);
	if (mpg123_param(handle, MPG123_ADD_FLAGS, flags, 0) != MPG123_OK ||
	    mpg123_format_none(handle) != MPG123_OK)
		return -1;
	for (size_t i = 0; i < count; i++)
		if (mpg123_format(handle, rates[i], MPG123_MONO | MPG123_STEREO,
		        encoding) != MPG123_OK)
			return -1;
	return mpg123_replace_reader_handle(
	           handle, read_bytes, seek_bytes, NULL) == MPG123_OK
	           ? 0
	           : -1;
}

struct mpeg *mpeg_new(const struct pcm_wish *wish, struct error *err)
{
	struct mpeg *mpeg = memory_zeroed(sizeof(*mpeg), err);
	int code = MPG123_OK;

	if (!mpeg)
		return NULL;
	mpeg->dtype = wish->dtype;
	mpeg->handle = mpg123_new(NULL, &code);
	if (!mpeg->handle || set_up(mpeg->handle, wish)) {
		error_set(err, ERROR_SYSTEM, "libmpg123 cannot be used: %s",
		    mpeg->handle ? mpg123_strerror(mpeg->handle)
		                 : mpg123_plain_strerror(code));
		mpeg_free(mpeg);
		return NULL;
	}
	return mpeg;
}

void mpeg_free(struct mpeg *mpeg)
{
	if (!mpeg)
		return;
	if (mpeg->handle)
		mpg123_delete(mpeg->handle);
	free(mpeg);
}

/* ---- frames ---- */

static int library_error(struct mpeg *mpeg, struct error *err)
{
	return error_set(
	    err, ERROR_DATA, "MPEG audio: %s", mpg123_strerror(mpeg->handle));
}

/* Gets the form of the stream: 1; 0: there is none; -1. */
static int get_form(struct mpeg *mpeg, struct pcm_form *form, struct error *err)
{
	int channels = 0, encoding = 0, rc;
	off_t frames;
	long rate = 0;

	rc = mpg123_getformat(mpeg->handle, &rate, &channels, &encoding);
	if (rc == MPG123_DONE)
		return 0;
	if (rc != MPG123_OK)
		return library_error(mpeg, err);
	frames = mpg123_length(mpeg->handle);
	*form = (struct pcm_form){
		.dtype = mpeg->dtype,
		.channels = (unsigned)channels,
		.rate = (unsigned)rate,
		.frames = frames > 0 ? (uint64_t)frames : 0,
		.file_bytes = mpeg->file.len,
	};
	return 1;
}

static int check_same(
    struct mpeg *mpeg, const struct pcm_sink *sink, struct error *err)
{
	struct pcm_form form;

	if (get_form(mpeg, &form, err) != 1)
		return -1;
	if (form.rate == sink->form.rate &&
	    form.channels == sink->form.channels)
		return 0;
	return error_set(err, ERROR_DATA,
	    "MPEG audio: changes from %u Hz, %u channels to %u Hz, %u after "
	    "%llu frames",
	    sink->form.rate, sink->form.channels, form.rate, form.channels,
	    (unsigned long long)sink->frames);
}

/*
 * Fewer frames than announced: the file was truncated, or some are damaged.
 * Encoders differ in whether they count the frame with the announcement.
 */
static int check_count(struct mpeg *mpeg, uint64_t frames, struct error *err)
{
	const uint64_t told = mpeg_frames_told(mpeg->file);

	if (frames + 1 >= told)
		return 0;
	return error_set(err, ERROR_DATA,
	    "MPEG audio: has %llu of %llu frames: it was cut short or is "
	    "damaged",
	    (unsigned long long)frames, (unsigned long long)told);
}

static int decode(struct mpeg *mpeg, struct pcm_sink *sink, struct error *err)
{
	uint64_t frames = 0;
	const size_t frame = sink->form.channels * dtype_bytes(mpeg->dtype);

	for (;;) {
		unsigned char *audio = NULL;
		size_t bytes = 0;
		off_t number;
		const int rc =
		    mpg123_decode_frame(mpeg->handle, &number, &audio, &bytes);

		if (rc == MPG123_NEW_FORMAT && check_same(mpeg, sink, err))
			return -1;
		if (bytes && pcm_put(sink, audio, bytes / frame, err))
			return -1;
		frames += audio != NULL;
		if (rc == MPG123_DONE)
			return check_count(mpeg, frames, err)
			           ? -1
			           : pcm_end(sink, err);
		if (rc != MPG123_OK && rc != MPG123_NEW_FORMAT)
			return library_error(mpeg, err);
	}
}

static int open_file(struct mpeg *mpeg, struct error *err)
{
	mpeg->at = 0;
	if (mpg123_open_handle(mpeg->handle, mpeg) != MPG123_OK)
		return library_error(mpeg, err);
	return 0;
}

/*
 * The library confirms the first frame by a second.  A file with only one frame
 * must be accepted without.
 */
static int open_any(struct mpeg *mpeg, struct pcm_form *form, struct error *err)
{
	int rc;

	if (open_file(mpeg, err))
		return -1;
	rc = get_form(mpeg, form, err);
	if (rc != 0)
		return rc;
	mpg123_param(mpeg->handle, MPG123_ADD_FLAGS, MPG123_NO_READAHEAD, 0);
	if (open_file(mpeg, err) == 0)
		rc = get_form(mpeg, form, err);
	mpg123_param(mpeg->handle, MPG123_REMOVE_FLAGS, MPG123_NO_READAHEAD, 0);
	return rc;
}

int mpeg_decode(struct mpeg *mpeg, struct span file, struct pcm_sink *sink,
    struct tensor *out, struct error *err)
{
	struct pcm_form form;
	int rc;

	mpeg->file = file;
	rc = open_any(mpeg, &form, err);
	if (rc == 0)
		rc = error_set(
		    err, ERROR_DATA, "MPEG audio: there is no whole frame");
	else if (rc > 0)
		rc = pcm_begin(sink, &form, out, err) ? -1
		                                      : decode(mpeg, sink, err);
	mpg123_close(mpeg->handle);
	return rc;
}
