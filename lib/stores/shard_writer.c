/* shard_writer.c - see store.h: writes a shard, from first sample to name. */
#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/base/hash.h"
#include "lib/files/path.h"
#include "lib/files/url.h"
#include "lib/media/medium.h"
#include "lib/sample/key.h"
#include "lib/stores/frames.h"
#include "lib/stores/layout.h"
#include "lib/stores/manifest.h"
#include "lib/stores/shard_path.h"
#include "lib/stores/writer.h"

static int begin(struct shard_writer *writer, const char *dir, unsigned number,
    struct error *err)
{
	const struct store_form *form = writer->form;
	const struct codec *codec = &form->codec;

	if (form->ops->check && form->ops->check(&form->schema, err))
		return -1;
	writer->dir = path_join(dir, "", err);
	writer->path = shard_path(dir, form, number, err);
	writer->index_path = shard_index_path(dir, number, err);
	if (!writer->dir || !writer->path || !writer->index_path)
		return -1;
	writer->hash = hash_new();
	if (!writer->hash)
		return error_set(err, ERROR_MEMORY, "out of memory");
	if (codec->ops->state_new) {
		writer->codec = codec->ops->state_new(codec->level, err);
		if (!writer->codec)
			return -1;
	}
	return form->ops->layout->begin(writer, err);
}

struct shard_writer *shard_writer_new(struct medium *medium, const char *dir,
    const struct store_form *form, unsigned number, struct error *err)
{
	struct shard_writer *writer = memory_zeroed(sizeof(*writer), err);

	if (!writer)
		return NULL;
	writer->sink.medium = medium;
	writer->form = form;
	writer->number = number;
	writer->index.form = store_index_form(form);
	if (begin(writer, dir, number, err)) {
		shard_writer_free(writer);
		return NULL;
	}
	return writer;
}

void shard_writer_expect(struct shard_writer *writer, uint64_t samples)
{
	writer->expected = samples;
}

void shard_writer_sum(struct shard_writer *writer, struct frame_sums *sums)
{
	frame_sums_begin(sums);
	writer->sums = sums;
}

int shard_writer_copy(struct shard_writer *writer, const struct reader *stored,
    const struct frame_sums *sums, uint64_t *samples, struct error *err)
{
	struct frames *frames = frames_open(stored, writer->number, err);
	int rc = -1;

	if (frames) {
		rc = file_copy(writer, frames, sums, err);
		*samples = writer->index.samples;
	}
	frames_close(frames);
	return rc;
}

int shard_writer_add(
    struct shard_writer *writer, const struct sample *sample, struct error *err)
{
	const struct store_form *form = writer->form;
	char key[KEY_TEXT];
	int rc = sample_check(sample, &form->schema, err);

	if (rc == 0)
		rc = form->ops->layout->add(writer, sample, err);
	if (rc)
		error_prefix(err, "sample %s", key_text(sample->key, key));
	return rc;
}

int writer_list_file(struct shard_writer *writer, const char *path,
    const struct file_sum *sum, struct error *err)
{
	return file_list_add(
	    &writer->index.files, span_text(path_base(path)), sum, err);
}

int writer_publish(struct shard_writer *writer, struct medium_file *file,
    const char *path, bool *is_ours, struct error *err)
{
	const int rc = url_is(path) ? sink_publish_new(&writer->sink, file, err)
	                            : sink_publish(&writer->sink, file, err);

	*is_ours = rc >= 0;
	if (rc != 0 || !url_is(path))
		return rc < 0 ? -1 : 0;
	*is_ours = false;
	return sink_publish(&writer->sink, file, err);
}

int writer_put(struct shard_writer *writer, const char *path, struct span bytes,
    bool *is_ours, struct error *err)
{
	struct medium_file *file;
	int rc = -1;

	if (!url_is(path)) {
		rc = sink_file(&writer->sink, path, bytes, err);
		*is_ours = rc == 0;
		return rc;
	}
	*is_ours = false;
	file = sink_begin(&writer->sink, path, err);
	if (file && sink_write(&writer->sink, file, bytes, err) == 0)
		rc = writer_publish(writer, file, path, is_ours, err);
	medium_close(file);
	return rc;
}

void writer_remove(struct shard_writer *writer, const char *path)
{
	struct error ignored = ERROR_INIT;

	medium_remove(writer->sink.medium, path, &ignored);
}

int shard_writer_finish(
    struct shard_writer *writer, struct manifest_shard *made, struct error *err)
{
	if (writer->failed)
		return error_set(err, ERROR_SYSTEM,
		    "%s: the shard is incomplete", writer->path);
	if (!writer->index_text.len &&
	    (writer->form->ops->layout->finish(writer, err) ||
	        shard_index_print(&writer->index, &writer->index_text, err)))
		return -1;
	if (made)
		*made = (struct manifest_shard){
			.samples = writer->index.samples,
			.stored = writer->index.stored,
			.checksum = writer->index.checksum,
			.index = file_sum_of(buf_span(&writer->index_text)),
		};
	return 0;
}

int shard_writer_commit(struct shard_writer *writer, struct error *err)
{
	const struct store_layout *layout = writer->form->ops->layout;
	bool is_ours = false;

	if (shard_writer_finish(writer, NULL, err) ||
	    writer_put(writer, writer->index_path,
	        buf_span(&writer->index_text), &is_ours, err))
		return -1;
	writer->owns_index = is_ours;
	if (layout->rename(writer, err))
		return -1;
	writer->committed = true;
	return sink_sync_dir(&writer->sink, writer->dir, err);
}

const struct write_times *shard_writer_times(const struct shard_writer *writer)
{
	return &writer->sink.times;
}

int writer_encode(
    struct shard_writer *writer, struct span bytes, struct error *err)
{
	const uint64_t start = clock_now(&clock_monotonic);
	const int rc = writer->form->codec.ops->encode(
	    writer->codec, bytes, &writer->packed, err);

	writer->sink.times.compress_ns += clock_now(&clock_monotonic) - start;
	return rc;
}

static void discard(struct shard_writer *writer)
{
	if (!writer->index_path || writer->committed)
		return;
	writer->form->ops->layout->discard(writer);
	if (writer->owns_index)
		writer_remove(writer, writer->index_path);
}

void shard_writer_free(struct shard_writer *writer)
{
	const struct store_layout *layout;
	const struct codec_ops *codec;

	if (!writer)
		return;
	codec = writer->form->codec.ops;
	layout = writer->form->ops->layout;
	medium_close(writer->file);
	discard(writer);
	if (layout->release)
		layout->release(writer);
	if (codec->state_free)
		codec->state_free(writer->codec);
	hash_free(writer->hash);
	shard_index_release(&writer->index);
	buf_release(&writer->raw);
	buf_release(&writer->packed);
	buf_release(&writer->idx);
	buf_release(&writer->lengths);
	buf_release(&writer->notes);
	buf_release(&writer->index_text);
	buf_release(&writer->file_path);
	free(writer->last_dir);
	free(writer->index_path);
	free(writer->temporary);
	free(writer->path);
	free(writer->dir);
	free(writer);
}
