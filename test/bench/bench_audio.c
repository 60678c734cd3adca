/*
 * bench_audio.c - audio_decode over made-up recordings in memory, against a
 * bare loop of libsndfile over the same, in seconds of sound a second: one
 * core, int16, one channel.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sndfile.h>

#include "datasets/generator.h"
#include "lib/audio/rate.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/random.h"
#include "lib/files/path.h"
#include "lib/files/path_tree.h"
#include "lib/steps/step.h"
#include "lib/syntax/option.h"
#include "test/bench/bench.h"

enum { FILES = 32, FILE_MOST = 1 << 24, BLOCK = 4096 };

static const struct bench_unit seconds_per_s = { .name = "s/s", .scale = 1 };

/* ---- recordings ---- */

struct recordings {
	struct buf files[FILES];
	size_t count;
	const char *dir;
	double seconds; /* of sound, in all of them */
};

static int take(void *arg, const char *name, uint64_t bytes, struct error *err)
{
	struct recordings *all = arg;
	char *path;

	(void)bytes;
	if (strstr(name, ".conf") || all->count == FILES)
		return 0;
	path = path_join(all->dir, name, err);
	if (!path || path_read(path, FILE_MOST, &all->files[all->count], err))
		bench_die(err);
	all->count++;
	free(path);
	return 0;
}

static void make_recordings(
    struct recordings *all, const char *work, const char *format)
{
	const struct generator_ops *ops = generator_find("speech");
	struct generate_plan plan = { .count = FILES, .threads = 2 };
	struct error err = ERROR_INIT;
	void *options = bench_alloc(ops->options_size);
	char *dir = path_join(work, format, &err);

	*all = (struct recordings){ .dir = dir };
	memset(options, 0, ops->options_size);
	plan.dir = dir;
	plan.options = options;
	if (!dir || path_make_dirs(dir, &err) ||
	    option_set(ops->options, options, "format", format, &err) ||
	    ops->run(&plan, &err) || path_each(dir, take, all, &err))
		bench_die(&err);
	free(options);
	free(dir);
}

static void release_recordings(struct recordings *all)
{
	for (size_t i = 0; i < all->count; i++)
		buf_release(&all->files[i]);
}

/* ---- presto ---- */

struct decoder {
	void *priv;
	struct sample out;
	struct recordings *all;
};

static void decoder_init(struct decoder *decoder, struct recordings *all)
{
	const struct step_ops *ops = step_find("audio_decode");
	const struct type file = { DTYPE_U8, LAYOUT_ENCODED, { 1, { -1 } },
		"" };
	struct schema in = { .count = 0 }, out;
	struct error err = ERROR_INIT;
	void *options = bench_alloc(ops->options_size);

	*decoder = (struct decoder){ .all = all, .out = SAMPLE_INIT };
	decoder->priv = bench_alloc(ops->priv_size);
	memset(decoder->priv, 0, ops->priv_size);
	memcpy(options, ops->defaults, ops->options_size);
	if (schema_add(&in, "data", &file, &err) ||
	    option_set(ops->options, options, "channels", "1", &err) ||
	    option_set(ops->options, options, "dtype", "int16", &err))
		bench_die(&err);
	out = in;
	if (ops->sample->bind(decoder->priv, options, &in, 1, &out, &err))
		bench_die(&err);
	free(options);
}

static void decoder_release(struct decoder *decoder)
{
	step_audio_decode.release(decoder->priv);
	sample_release(&decoder->out);
	free(decoder->priv);
}

static double decode(void *arg, unsigned times)
{
	struct decoder *decoder = arg;
	struct random random = { .left = 0 };
	struct error err = ERROR_INIT;
	double seconds = 0;

	for (size_t i = 0; i < (size_t)times * decoder->all->count; i++) {
		const struct buf *file =
		    &decoder->all->files[i % decoder->all->count];
		struct sample in = { .label = -1, .count = 1 };
		unsigned hertz = 1;

		tensor_view_encoded(&in.fields[0], file->data, file->len, "");
		if (step_audio_decode.sample->make(
		        decoder->priv, &random, &in, 0, &decoder->out, &err) ||
		    audio_rate_get(&decoder->out.fields[1], &hertz, &err))
			bench_die(&err);
		seconds += (double)decoder->out.fields[0].shape.dims[0] / hertz;
	}
	return seconds;
}

/* ---- the bare library ---- */

struct memory {
	const struct buf *file;
	size_t at;
};

static sf_count_t memory_len(void *arg)
{
	return (sf_count_t)((struct memory *)arg)->file->len;
}

static sf_count_t memory_seek(sf_count_t offset, int whence, void *arg)
{
	struct memory *memory = arg;

	if (whence == SEEK_CUR)
		offset += (sf_count_t)memory->at;
	else if (whence == SEEK_END)
		offset += (sf_count_t)memory->file->len;
	memory->at = (size_t)offset;
	return offset;
}

static sf_count_t memory_read(void *to, sf_count_t count, void *arg)
{
	struct memory *memory = arg;
	const size_t left =
	    memory->at < memory->file->len ? memory->file->len - memory->at : 0;
	const size_t n = (size_t)count < left ? (size_t)count : left;

	memcpy(to, memory->file->data + memory->at, n);
	memory->at += n;
	return (sf_count_t)n;
}

static sf_count_t memory_tell(void *arg)
{
	return (sf_count_t)((struct memory *)arg)->at;
}

static double bare(void *arg, unsigned times)
{
	static SF_VIRTUAL_IO io = {
		.get_filelen = memory_len,
		.seek = memory_seek,
		.read = memory_read,
		.tell = memory_tell,
	};
	static short block[BLOCK];
	const struct recordings *all = arg;
	double seconds = 0;

	for (size_t i = 0; i < (size_t)times * all->count; i++) {
		struct memory memory = { &all->files[i % all->count], 0 };
		SF_INFO info = { .format = 0 };
		SNDFILE *sound = sf_open_virtual(&io, SFM_READ, &info, &memory);
		sf_count_t n, frames = 0;

		if (!sound || info.channels != 1) {
			fprintf(stderr, "bench: %s\n", sf_strerror(sound));
			exit(1);
		}
		while ((n = sf_readf_short(sound, block, BLOCK)) > 0)
			frames += n;
		seconds += (double)frames / info.samplerate;
		sf_close(sound);
	}
	return seconds;
}

int main(int argc, char **argv)
{
	static const char *const formats[] = { "flac", "mp3" };
	struct bench_args args;

	bench_args_read(&args, argc, argv);
	for (size_t i = 0; i < ARRAY_LEN(formats); i++) {
		char name[BENCH_NAME];
		struct recordings all;
		struct decoder decoder;

		make_recordings(&all, args.work, formats[i]);
		decoder_init(&decoder, &all);
		snprintf(name, sizeof(name), "audio/%s", formats[i]);
		bench_run(name, &seconds_per_s, args.rounds,
		    &(struct bench_side){ .run = decode, .arg = &decoder },
		    &(struct bench_side){
		        .run = bare, .arg = &all, .is_library = true });
		decoder_release(&decoder);
		release_recordings(&all);
	}
	return 0;
}
