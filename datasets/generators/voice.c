/*
 * voice.c - see voice.h.
 *
 * A pulse with the spectrum of a throat passes through resonators in series
 * (Klatt, "Software for a cascade/parallel formant synthesizer", 1980). Their
 * targets change from phone to phone and are approached in steps.
 */
#include <math.h>

#include "datasets/generators/voice.h"
#include "lib/base/random.h"

enum { FORMANTS = 3, VOWELS = 8, STEPS_PER_S = 200 };

static const double turn = 6.283185307179586;

/* Formants in Hz of an adult man; other speakers differ by a factor. */
static const double vowels[VOWELS][FORMANTS] = {
	{ 270, 2290, 3010 }, /* heed */
	{ 390, 1990, 2550 }, /* hid */
	{ 530, 1840, 2480 }, /* head */
	{ 660, 1720, 2410 }, /* had */
	{ 730, 1090, 2440 }, /* hod */
	{ 570, 840, 2410 },  /* hawed */
	{ 300, 870, 2240 },  /* hoot */
	{ 490, 1350, 1690 }, /* heard */
};

static const double widths[FORMANTS] = { 60, 90, 150 };

struct resonator {
	double a, b, c; /* y = a x + b y1 + c y2 */
	double y1, y2;
};

/* Slowly changing parameters: the current ones, or their targets. */
struct mouth {
	double formants[FORMANTS];
	double voiced, hissing; /* loudness */
};

struct voice {
	unsigned rate;
	double size, pitch, breath, loud, room; /* speaker */
	struct mouth is, goal;
	struct resonator throat[FORMANTS];
	struct resonator teeth;
	double phase, before; /* state of the pulse */
	uint64_t noise;
	size_t left; /* steps left in this phone */
};

static double between(struct random *random, double low, double high)
{
	return low + random_unit(random) * (high - low);
}

/* Returns a uniform number in -1 to 1; fast, as samples need several. */
static double hiss(struct voice *voice)
{
	voice->noise ^= voice->noise << 13;
	voice->noise ^= voice->noise >> 7;
	voice->noise ^= voice->noise << 17;
	return (double)(int64_t)voice->noise / 9223372036854775808.0;
}

static void tune(
    struct resonator *resonator, double hertz, double width, unsigned rate)
{
	const double radius = exp(-turn / 2 * width / rate);

	resonator->c = -radius * radius;
	resonator->b = 2 * radius * cos(turn * hertz / rate);
	resonator->a = 1 - resonator->b - resonator->c;
}

static double ring(struct resonator *resonator, double x)
{
	const double y = resonator->a * x + resonator->b * resonator->y1 +
	                 resonator->c * resonator->y2;

	resonator->y2 = resonator->y1;
	resonator->y1 = y;
	return y;
}

/* Draws a vowel, a voiced or a hissing consonant, or a pause. */
static void next_phone(struct voice *voice, struct random *random)
{
	const double *vowel = vowels[random_below(random, VOWELS)];
	const uint32_t kind = random_below(random, 100);
	double seconds = between(random, 0.05, 0.15);

	for (unsigned i = 0; i < FORMANTS; i++)
		voice->goal.formants[i] =
		    vowel[i] * voice->size * between(random, 0.95, 1.05);
	voice->goal.voiced = kind < 50   ? between(random, 0.6, 1)
	                     : kind < 72 ? between(random, 0.1, 0.4)
	                                 : 0;
	voice->goal.hissing =
	    kind >= 65 && kind < 88 ? between(random, 0.2, 1) : 0;
	if (kind >= 88) /* between words, and sometimes between sentences */
		seconds = kind >= 98 ? between(random, 0.3, 0.8)
		                     : between(random, 0.03, 0.2);
	voice->left = (size_t)(seconds * STEPS_PER_S) + 1;
}

static double towards(double is, double goal)
{
	return is + (goal - is) * 0.25;
}

static void step(struct voice *voice, struct random *random)
{
	if (voice->left-- == 0)
		next_phone(voice, random);
	for (unsigned i = 0; i < FORMANTS; i++) {
		double *hertz = &voice->is.formants[i];

		*hertz = towards(*hertz, voice->goal.formants[i]);
		tune(&voice->throat[i], *hertz, widths[i], voice->rate);
	}
	voice->is.voiced = towards(voice->is.voiced, voice->goal.voiced);
	voice->is.hissing = towards(voice->is.hissing, voice->goal.hissing);
	voice->pitch *= between(random, 0.99, 1.01);
	voice->pitch = voice->pitch < 75    ? 75
	               : voice->pitch > 280 ? 280
	                                    : voice->pitch;
}

/* Opens slowly and closes fast; returns the change of the air flow. */
static double pulse(struct voice *voice)
{
	double flow, change;

	voice->phase += voice->pitch / voice->rate;
	if (voice->phase >= 1)
		voice->phase -= 1;
	flow = voice->phase < 0.6
	           ? voice->phase * voice->phase * (0.6 - voice->phase)
	           : 0;
	change = (flow - voice->before) * voice->rate / voice->pitch;
	voice->before = flow;
	return change * 4;
}

static double sample(struct voice *voice)
{
	double x =
	    voice->is.voiced * (pulse(voice) + voice->breath * hiss(voice));

	for (unsigned i = 0; i < FORMANTS; i++)
		x = ring(&voice->throat[i], x);
	x += voice->is.hissing * 0.15 * ring(&voice->teeth, hiss(voice));
	return x * voice->loud + voice->room * hiss(voice);
}

static struct voice speaker(struct random *random, unsigned rate)
{
	const double high = random_unit(random); /* from men to children */
	struct voice voice = {
		.rate = rate,
		.size = 0.95 + 0.25 * high,
		.pitch = 90 + 120 * high,
		.breath = between(random, 0.02, 0.15),
		.loud = between(random, 2500, 9000),
		.room = exp(between(random, log(3), log(80))),
		.noise = random_u64(random) | 1,
	};

	tune(&voice.teeth, 0.3 * rate < 5000 ? 0.3 * rate : 5000, 2500, rate);
	for (unsigned i = 0; i < FORMANTS; i++)
		voice.is.formants[i] = vowels[0][i];
	return voice;
}

void voice_speak(
    struct random *random, unsigned rate, int16_t *out, size_t frames)
{
	struct voice voice = speaker(random, rate);
	const size_t steps = rate / STEPS_PER_S;

	for (size_t i = 0; i < frames; i++) {
		double x;

		if (i % steps == 0)
			step(&voice, random);
		x = sample(&voice);
		x = x > 32000 ? 32000 : x < -32000 ? -32000 : x;
		out[i] = (int16_t)floor(x + 0.5);
	}
}
