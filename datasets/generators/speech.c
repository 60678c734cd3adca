/*
 * speech.c - recordings with the statistics of those in the PRESTO paper: FLAC
 * at 16 kHz like LibriSpeech, 12.7 seconds and 0.23 MB each, or MP3 at 48 kHz
 * like Common Voice, 2.5 seconds; and speech.conf, which reads them.
 *
 * Recording i depends on the seed and i only.
 */
#include <inttypes.h>
#include <stdio.h>

#include "datasets/generator.h"
#include "datasets/generators/crew.h"
#include "datasets/generators/pipeline_file.h"
#include "datasets/generators/voice.h"
#include "lib/audio/sound_writer.h"
#include "lib/base/error.h"
#include "lib/base/random.h"
#include "lib/syntax/option.h"

enum { STEP_SPEECH = 0x73706565, FILE_NAME = 64 };

struct options {
	unsigned format; /* index in kinds */
};

static const struct option options[] = {
	OPTION_WORDS("format", struct options, format, "flac|mp3",
	    "file format; flac: 16 kHz; mp3: single words at 48 kHz"),
	OPTION_TABLE_END,
};

static const struct kind {
	const char *suffix;
	enum sound_format format;
	unsigned rate;
	/* Seconds: most last from .. to; one in five is shorter. */
	double shortest, from, to;
	const char *like;
} kinds[] = {
	{ "flac", SOUND_WRITE_FLAC, 16000, 2, 11.5, 16.9, "FLAC" },
	{ "mp3", SOUND_WRITE_MP3, 48000, 1.2, 1.9, 3.5, "MP3" },
};

static const char steps_text[] =
    "decoded     = audio_decode dtype=int16 channels=1\n"
    "stft        = spectrogram window=20ms hop=10ms n_fft=1024\n"
    "mel         = mel bins=80 fmin=125 fmax=3800\n"
    "spectrogram = log floor=1e-8\n";

struct studio {
	struct buf samples, file;
};

static const struct kind *kind_of(const struct generate_plan *plan)
{
	const struct options *given = plan->options;

	return &kinds[given ? given->format : 0];
}

static double draw_seconds(const struct kind *kind, struct random *random)
{
	const bool is_short = random_below(random, 5) == 0;
	const double low = is_short ? kind->shortest : kind->from;
	const double high = is_short ? kind->from : kind->to;

	return low + random_unit(random) * (high - low);
}

static int record(void *state, const struct generate_plan *plan,
    uint64_t number, struct error *err)
{
	const struct kind *kind = kind_of(plan);
	struct random random =
	    random_stream(plan->seed, 0, number, STEP_SPEECH);
	const size_t frames =
	    (size_t)(draw_seconds(kind, &random) * kind->rate);
	struct studio *studio = state;
	struct sound sound = {
		.frames = frames,
		.channels = 1,
		.rate = kind->rate,
	};
	char name[FILE_NAME];

	if (buf_reserve(&studio->samples, frames * sizeof(int16_t), err))
		return -1;
	voice_speak(
	    &random, kind->rate, (int16_t *)studio->samples.data, frames);
	sound.samples = (const int16_t *)studio->samples.data;
	if (sound_write(&sound, kind->format, &studio->file, err))
		return -1;
	snprintf(
	    name, sizeof(name), "rec_%06" PRIu64 ".%s", number, kind->suffix);
	return crew_write(plan->dir, name, buf_span(&studio->file), err);
}

static void release(void *state)
{
	struct studio *studio = state;

	buf_release(&studio->samples);
	buf_release(&studio->file);
}

static const struct crew_job job = {
	.state_size = sizeof(struct studio),
	.make = record,
	.release = release,
};

static int print_lines(const struct kind *kind, struct buf *about,
    struct buf *dataset, struct buf *steps, struct error *err)
{
	if (buf_printf(about, err,
	        "the %s pipeline of the PRESTO paper, over recordings",
	        kind->like) ||
	    buf_printf(dataset, err,
	        "source = folder\npath   = .\nmatch  = *.%s\n", kind->suffix))
		return -1;
	return buf_printf(steps, err, "%s", steps_text);
}

static int write_pipeline(const struct generate_plan *plan, struct error *err)
{
	struct buf about = BUF_INIT, dataset = BUF_INIT, steps = BUF_INIT;
	int rc = print_lines(kind_of(plan), &about, &dataset, &steps, err);

	if (rc == 0)
		rc = pipeline_file_write(&generator_speech, plan,
		    &(struct pipeline_file){
		        .about = (const char *)about.data,
		        .dataset = (const char *)dataset.data,
		        .steps = (const char *)steps.data,
		    },
		    err);
	buf_release(&about);
	buf_release(&dataset);
	buf_release(&steps);
	return rc;
}

static int speech(const struct generate_plan *plan, struct error *err)
{
	if (crew_run(plan, &job, err))
		return -1;
	return write_pipeline(plan, err);
}

const struct generator_ops generator_speech = {
	.name = "speech",
	.makes = "recordings",
	.summary = "recordings with the statistics of LibriSpeech, or of "
	           "Common Voice",
	.default_count = 200,
	.options = options,
	.options_size = sizeof(struct options),
	.run = speech,
};
