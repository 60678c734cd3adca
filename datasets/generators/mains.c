/* mains.c - see mains.h. */
#include <math.h>
#include <stdbool.h>

#include "datasets/generators/mains.h"
#include "lib/base/array.h"
#include "lib/base/random.h"

enum {
	TABLE = 1024,     /* points of a period */
	NOISES = 1 << 13, /* drawn once, then used from any position */
	PIECE = 64,       /* counts with the same frequency and amplitude */
};

static const double pi = 3.14159265358979323846;

const double mains_volts = 325.0 / 9000;
const double mains_amperes = 1.0 / 400;
const double mains_volts_offset = 12;
const double mains_amperes_offset = -7;

/* An appliance: its peak current, and how the current follows the voltage. */
struct appliance {
	double amperes;
	double lag;         /* behind the voltage, as a fraction of a period */
	double sharpness;   /* 1: a sine; more: peaks, as power supplies have */
	double inrush;      /* factor of the current when switched on */
	double on_s, off_s; /* mean times */
};

static const struct appliance appliances[] = {
	{ 0.35, 0.02, 5, 1, 1e9, 1 }, /* the base load */
	{ 5.1, 0, 1, 1, 40, 60 },     /* heater */
	{ 0.9, 0.13, 1, 6, 25, 50 },  /* compressor */
	{ 1.6, 0.01, 7, 3, 30, 30 },  /* electronics */
	{ 3.0, 0.05, 1.5, 2, 8, 70 }, /* grinder */
};

enum { APPLIANCES = ARRAY_LEN(appliances) };

struct state {
	bool on;
	double left;  /* counts until it switches */
	double extra; /* rest of the inrush, decaying */
};

struct mains {
	double volts[TABLE];
	double amperes[APPLIANCES][TABLE];
	double noise[NOISES];
	struct state states[APPLIANCES];
};

static void fill_tables(struct mains *mains, struct random *random)
{
	for (size_t i = 0; i < TABLE; i++) {
		const double x = 2 * pi * (double)i / TABLE;

		mains->volts[i] = sin(x) + 0.009 * sin(3 * x + 0.4) +
		                  0.021 * sin(5 * x + 2.8) +
		                  0.008 * sin(7 * x + 1);
		for (size_t a = 0; a < APPLIANCES; a++) {
			const double y = sin(x - 2 * pi * appliances[a].lag);

			mains->amperes[a][i] =
			    appliances[a].amperes *
			    copysign(pow(fabs(y), appliances[a].sharpness), y);
		}
	}
	for (size_t i = 0; i < NOISES; i++)
		mains->noise[i] = random_normal(random);
}

static double draw_time(struct random *random, double mean_s)
{
	return -log(1 - random_unit(random)) * mean_s * MAINS_RATE;
}

static void begin(struct mains *mains, struct random *random)
{
	fill_tables(mains, random);
	for (size_t a = 0; a < APPLIANCES; a++) {
		const struct appliance *what = &appliances[a];
		struct state *state = &mains->states[a];

		state->on = random_unit(random) <
		            what->on_s / (what->on_s + what->off_s);
		state->left =
		    draw_time(random, state->on ? what->on_s : what->off_s);
		state->extra = 0;
	}
}

/* Switches appliances for the next piece. */
static void advance(struct mains *mains, struct random *random)
{
	for (size_t a = 0; a < APPLIANCES; a++) {
		const struct appliance *what = &appliances[a];
		struct state *state = &mains->states[a];

		state->left -= PIECE;
		state->extra *= 0.97;
		if (state->left > 0)
			continue;
		state->on = !state->on;
		state->left =
		    draw_time(random, state->on ? what->on_s : what->off_s);
		state->extra = state->on ? what->inrush - 1 : 0;
	}
}

static int16_t to_count(double value)
{
	return (int16_t)(value > 32767    ? 32767
	                 : value < -32768 ? -32768
	                                  : lrint(value));
}

/* Fills a piece; phase and amplitude continue from the one before. */
static void fill_piece(const struct mains *mains, struct random *random,
    double phase, double step, double level, int16_t *v, int16_t *c,
    size_t count)
{
	const uint32_t noise = random_below(random, NOISES - 2 * PIECE);

	for (size_t i = 0; i < count; i++) {
		const double x = phase + (double)i * step;
		const size_t at = (size_t)(x * TABLE) % TABLE;
		double amperes = 0;

		for (size_t a = 0; a < APPLIANCES; a++)
			if (mains->states[a].on)
				amperes += mains->amperes[a][at] *
				           (1 + mains->states[a].extra);
		v[i] =
		    to_count(325 * level * mains->volts[at] / mains_volts +
		             mains_volts_offset + 11 * mains->noise[noise + i]);
		c[i] = to_count(amperes * level / mains_amperes +
		                mains_amperes_offset +
		                14 * mains->noise[noise + PIECE + i]);
	}
}

void mains_fill(
    struct random *random, int16_t *voltage, int16_t *current, size_t length)
{
	static _Thread_local struct mains mains;
	double phase = random_unit(random), hertz = 50, level = 1;

	begin(&mains, random);
	for (size_t at = 0; at < length; at += PIECE) {
		const size_t n = length - at < PIECE ? length - at : PIECE;
		const double step = hertz / MAINS_RATE;

		fill_piece(&mains, random, phase, step, level, voltage + at,
		    current + at, n);
		phase += (double)n * step;
		phase -= floor(phase);
		hertz += 0.02 * (50 - hertz) + 0.001 * random_normal(random);
		level += 0.02 * (1 - level) + 0.0004 * random_normal(random);
		advance(&mains, random);
	}
}
