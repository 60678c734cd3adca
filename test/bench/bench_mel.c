/*
 * bench_mel.c - files of recordings to log-mel spectra, as the PRESTO paper
 * has them (FLAC with transforms of the next power of two, and of the paper's
 * 1024), on one core, against a bare loop of libsndfile over the same files
 * in memory, which decodes and does no more; and the spectral steps alone, over
 * samples in memory, against the transform alone, which stores all spectra.  In
 * seconds of sound a second.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sndfile.h>

#include "lib/audio/fft.h"
#include "lib/audio/sound_writer.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/random.h"
#include "lib/files/path.h"
#include "lib/files/path_write.h"
#include "lib/pipeline/chain.h"
#include "test/bench/data.h"
#include "test/bench/load.h"

enum { FILES = 16, SECONDS = 12 };

static const struct bench_unit seconds_per_s = { .name = "s/s", .scale = 1 };

static const char spectral[] = "stft = spectrogram window=20ms hop=10ms%s\n"
                               "mel  = mel bins=80 fmin=125 fmax=3800%s\n"
                               "logs = log floor=1e-8\n";

/* ---- recordings ---- */

struct recordings {
	struct buf files[FILES];
	char *dir;
};

/* Syllables of a few harmonics, and noise. */
static void speak(int16_t *samples, size_t count, unsigned rate, uint64_t seed)
{
	struct random random = random_stream(seed, 0, 0, 0);

	for (size_t i = 0; i < count; i++) {
		const double t = (double)i / rate;
		const double pitch = 6.2831853 * (120 + 20 * sin(1.3 * t)) * t;
		double x = 0.004 * random_normal(&random);

		for (int k = 1; k < 12; k++)
			x += 0.1 / k * sin(k * pitch) *
			     fmax(0, sin(9 * t + (double)seed));
		samples[i] = (int16_t)lround(32767 * fmin(1, fmax(-1, x)));
	}
}

static void make_recordings(struct recordings *all, const char *work,
    enum sound_format format, unsigned rate)
{
	const size_t count = (size_t)rate * SECONDS;
	int16_t *samples = bench_alloc(count * sizeof(*samples));
	struct error err = ERROR_INIT;

	memset(all, 0, sizeof(*all));
	all->dir =
	    path_join(work, format == SOUND_WRITE_MP3 ? "mp3" : "flac", &err);
	if (!all->dir || path_make_dirs(all->dir, &err))
		bench_die(&err);
	for (size_t i = 0; i < FILES; i++) {
		const struct sound sound = { samples, count, 1, rate };
		char name[32], *path;

		speak(samples, count, rate, i);
		if (sound_write(&sound, format, &all->files[i], &err))
			bench_die(&err);
		snprintf(name, sizeof(name), "%zu.sound", i);
		path = path_join(all->dir, name, &err);
		if (!path || path_write(path, buf_span(&all->files[i]), &err))
			bench_die(&err);
		free(path);
	}
	free(samples);
}

static void recordings_release(struct recordings *all)
{
	for (size_t i = 0; i < FILES; i++)
		buf_release(&all->files[i]);
	free(all->dir);
}

/* ---- the limit: libsndfile ---- */

struct memory {
	struct span bytes;
	sf_count_t at;
};

static sf_count_t memory_len(void *arg)
{
	return (sf_count_t)((const struct memory *)arg)->bytes.len;
}

static sf_count_t memory_seek(sf_count_t offset, int whence, void *arg)
{
	struct memory *memory = arg;

	memory->at = whence == SEEK_SET   ? offset
	             : whence == SEEK_CUR ? memory->at + offset
	                                  : memory_len(arg) + offset;
	return memory->at;
}

static sf_count_t memory_read(void *out, sf_count_t count, void *arg)
{
	struct memory *memory = arg;
	const sf_count_t left = memory_len(arg) - memory->at;

	if (count > left)
		count = left;
	memcpy(out, memory->bytes.data + memory->at, (size_t)count);
	memory->at += count;
	return count;
}

static sf_count_t memory_tell(void *arg)
{
	return ((const struct memory *)arg)->at;
}

static double bare_decode(void *arg, unsigned times)
{
	static int16_t samples[48000 * (SECONDS + 1)];
	struct recordings *all = arg;
	SF_VIRTUAL_IO io = { .get_filelen = memory_len,
		.seek = memory_seek,
		.read = memory_read,
		.tell = memory_tell };
	double seconds = 0;

	for (size_t i = 0; i < (size_t)times * FILES; i++) {
		struct memory memory = { buf_span(&all->files[i % FILES]), 0 };
		SF_INFO info = { .format = 0 };
		SNDFILE *file = sf_open_virtual(&io, SFM_READ, &info, &memory);

		if (!file) {
			fprintf(stderr, "bench: %s\n", sf_strerror(NULL));
			exit(1);
		}
		seconds += (double)sf_readf_short(
		               file, samples, (sf_count_t)ARRAY_LEN(samples)) /
		           info.samplerate;
		sf_close(file);
	}
	return seconds;
}

/* ---- presto's side ---- */

static double load_seconds(void *load, unsigned epochs)
{
	return load_samples(load, epochs) * SECONDS;
}

static void open_load(
    struct data *data, struct load *load, const struct buf *text)
{
	data_open(data, (const char *)text->data);
	load_init(load, data, 1, 4);
}

static void bench_files(const struct bench_args *args, const char *name,
    enum sound_format format, unsigned rate, const char *size)
{
	struct recordings all;
	struct error err = ERROR_INIT;
	struct buf text = BUF_INIT;
	struct data data;
	struct load load;

	make_recordings(&all, args->work, format, rate);
	if (buf_printf(&text, &err,
	        "[dataset]\nsource = folder\npath = %s\n[pipeline]\n"
	        "decoded = audio_decode dtype=int16 channels=1\n",
	        all.dir) ||
	    buf_printf(&text, &err, spectral, size, ""))
		bench_die(&err);
	bench_pin(true);
	open_load(&data, &load, &text);
	bench_run(name, &seconds_per_s, args->rounds,
	    &(struct bench_side){ .run = load_seconds, .arg = &load },
	    &(struct bench_side){ .run = bare_decode, .arg = &all });
	load_release(&load);
	data_close(&data);
	bench_pin(false);
	buf_release(&text);
	recordings_release(&all);
}

/* ---- the spectral steps alone ---- */

struct transform {
	struct fft *fft;
	int16_t *samples;
	float *out;
	size_t count, frames;
};

static double bare_transform(void *arg, unsigned times)
{
	struct transform *t = arg;

	for (size_t i = 0; i < (size_t)times * FILES; i++)
		fft_run(t->fft, t->samples, t->count, t->frames, t->out);
	return (double)times * FILES * SECONDS;
}

/* The steps, on a sample that is in memory. */
struct steps {
	struct chain *chain;
	struct sample in, out;
};

static double run_steps(void *arg, unsigned times)
{
	struct steps *steps = arg;
	struct error err = ERROR_INIT;

	for (size_t i = 0; i < (size_t)times * FILES; i++)
		if (chain_run(steps->chain, &steps->in, &steps->out, &err))
			bench_die(&err);
	return (double)times * FILES * SECONDS;
}

static void steps_open(
    struct steps *steps, const struct data *data, const struct transform *t)
{
	const struct chain_plan plan = {
		.pipeline = &data->pipeline,
		.to = data->pipeline.count,
	};
	struct error err = ERROR_INIT;

	*steps = (struct steps){ .in = { .count = 1 } };
	tensor_view(&steps->in.fields[0], DTYPE_I16,
	    &(struct shape){ 1, { (int64_t)t->count } }, t->samples);
	steps->in.key = span_text("sample");
	steps->chain = chain_new(&plan, &err);
	if (!steps->chain)
		bench_die(&err);
}

static void bench_spectral(const struct bench_args *args)
{
	enum { RATE = 16000, COUNT = RATE * SECONDS };
	const struct fft_plan plan = { RATE / 50, 512, RATE / 100, FFT_HANN,
		DTYPE_I16, 1 };
	struct error err = ERROR_INIT;
	struct transform t = { .count = COUNT,
		.frames = (COUNT - plan.frame) / plan.hop + 1 };
	struct buf text = BUF_INIT;
	struct steps steps;
	struct data data;

	t.fft = fft_new(&plan, &err);
	t.samples = bench_alloc(COUNT * sizeof(*t.samples));
	t.out = bench_alloc(t.frames * fft_bins(&plan) * sizeof(*t.out));
	speak(t.samples, COUNT, RATE, 1);
	if (!t.fft ||
	    buf_printf(&text, &err,
	        "[dataset]\nsource = synthetic\ndtype = int16\n"
	        "shape = %d\ncount = %d\nfill = ramp\n[pipeline]\n",
	        COUNT, FILES) ||
	    buf_printf(&text, &err, spectral, " rate=16000", " rate=16000"))
		bench_die(&err);
	bench_pin(true);
	data_open(&data, (const char *)text.data);
	steps_open(&steps, &data, &t);
	bench_run("audio/mel/spectral", &seconds_per_s, args->rounds,
	    &(struct bench_side){ .run = run_steps, .arg = &steps },
	    &(struct bench_side){ .run = bare_transform, .arg = &t });
	chain_free(steps.chain);
	sample_release(&steps.out);
	data_close(&data);
	bench_pin(false);
	buf_release(&text);
	fft_free(t.fft);
	free(t.samples);
	free(t.out);
}

int main(int argc, char **argv)
{
	struct bench_args args;

	bench_args_read(&args, argc, argv);
	bench_files(&args, "audio/mel/flac", SOUND_WRITE_FLAC, 16000, "");
	bench_files(&args, "audio/mel/flac-1024", SOUND_WRITE_FLAC, 16000,
	    " n_fft=1024");
	bench_files(&args, "audio/mel/mp3", SOUND_WRITE_MP3, 48000, "");
	bench_spectral(&args);
	return 0;
}
