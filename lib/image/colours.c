/*
 * colours.c - see colours.h.
 *
 * Pixels are split into short rows of floats; all changes are made there, and
 * the rows are joined again.  Contrast needs the mean of the image at that
 * point: so there are two passes over the image, before and after it.
 */
#include "lib/image/colours.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "lib/base/cpu.h"

enum {
	LANES = 64,    /* pixels processed at a time */
	RUN = 1 << 14, /* pixels whose luma is summed in floats */
};

struct lanes {
	float red[LANES], green[LANES], blue[LANES];
};

/* One pass over the image. */
struct walk {
	const struct colours_step *steps;
	unsigned count;
	enum dtype dtype;
	size_t channels;
	float mean;    /* mean luma, for contrast */
	bool is_bytes; /* round, and limit to 255; else limit to 1 */
};

CPU_BODY float clamp(float value, float most)
{
	value = value < 0 ? 0 : value;
	return value > most ? most : value;
}

/* Works row by row, so that the compiler sees a loop of constant length. */
CPU_BODY void clamp_row(float row[LANES], bool is_bytes)
{
	if (is_bytes)
		for (size_t i = 0; i < LANES; i++)
			row[i] = (float)(int32_t)(clamp(row[i], 255) + 0.5f);
	else
		for (size_t i = 0; i < LANES; i++)
			row[i] = clamp(row[i], 1);
}

CPU_BODY void clamp_all(struct lanes *lanes, bool is_bytes)
{
	clamp_row(lanes->red, is_bytes);
	clamp_row(lanes->green, is_bytes);
	clamp_row(lanes->blue, is_bytes);
}

CPU_BODY float luma_at(const struct lanes *lanes, size_t i)
{
	return 0.299f * lanes->red[i] + 0.587f * lanes->green[i] +
	       0.114f * lanes->blue[i];
}

/* Mixes each value with a constant; for brightness that is black. */
CPU_BODY void mix(struct lanes *lanes, float part, float value)
{
	const float rest = (1 - part) * value;

	for (size_t i = 0; i < LANES; i++)
		lanes->red[i] = part * lanes->red[i] + rest;
	for (size_t i = 0; i < LANES; i++)
		lanes->green[i] = part * lanes->green[i] + rest;
	for (size_t i = 0; i < LANES; i++)
		lanes->blue[i] = part * lanes->blue[i] + rest;
}

CPU_BODY void saturate(struct lanes *lanes, float part)
{
	float rest[LANES];

	for (size_t i = 0; i < LANES; i++)
		rest[i] = (1 - part) * luma_at(lanes, i);
	for (size_t i = 0; i < LANES; i++)
		lanes->red[i] = part * lanes->red[i] + rest[i];
	for (size_t i = 0; i < LANES; i++)
		lanes->green[i] = part * lanes->green[i] + rest[i];
	for (size_t i = 0; i < LANES; i++)
		lanes->blue[i] = part * lanes->blue[i] + rest[i];
}

/* Four floats of a row, for code with choices: compilers would use branches. */
typedef float floats __attribute__((vector_size(16)));
typedef int32_t truths __attribute__((vector_size(16)));

enum { FLOATS = sizeof(floats) / sizeof(float) };

CPU_BODY floats chosen(truths is_a, floats a, floats b)
{
	return (floats)((is_a & (truths)a) | (~is_a & (truths)b));
}

CPU_BODY floats larger(floats a, floats b)
{
	return chosen(a > b, a, b);
}

CPU_BODY floats smaller(floats a, floats b)
{
	return chosen(a < b, a, b);
}

/* Moves hues, less than a turn off, onto the circle of 6. */
CPU_BODY floats on_circle(floats place)
{
	place = chosen(place < 0, place + 6, place);
	return chosen(place >= 6, place - 6, place);
}

/*
 * A channel of a colour: the largest value, minus nothing in the two sixths
 * around the channel's own hue, minus the whole spread in the opposite ones.
 */
CPU_BODY floats channel_of(floats most, floats spread, floats from)
{
	const floats none = { 0 };
	const floats place = on_circle(from);
	const floats near = smaller(place, 4 - place);

	return most - spread * larger(smaller(near, none + 1), none);
}

/* Converts to hue, saturation and value, turns the hue, and converts back. */
CPU_BODY void turn_pixels(struct lanes *lanes, size_t i, float turn)
{
	floats r, g, b, most, spread, over, hue;

	memcpy(&r, lanes->red + i, sizeof(r));
	memcpy(&g, lanes->green + i, sizeof(g));
	memcpy(&b, lanes->blue + i, sizeof(b));
	most = larger(larger(r, g), b);
	spread = most - smaller(smaller(r, g), b);
	over = chosen(spread > 0, spread, spread + 1);
	hue = chosen(most == g, 2 + (b - r) / over, 4 + (r - g) / over);
	hue = chosen(most == r, (g - b) / over, hue);
	hue = on_circle(on_circle(hue) + turn);
	r = channel_of(most, spread, hue + 5);
	g = channel_of(most, spread, hue + 3);
	b = channel_of(most, spread, hue + 1);
	memcpy(lanes->red + i, &r, sizeof(r));
	memcpy(lanes->green + i, &g, sizeof(g));
	memcpy(lanes->blue + i, &b, sizeof(b));
}

CPU_BODY void change(const struct walk *walk, const struct colours_step *step,
    struct lanes *lanes)
{
	switch (step->change) {
	case COLOURS_BRIGHTNESS:
		mix(lanes, step->amount, 0);
		break;
	case COLOURS_CONTRAST:
		mix(lanes, step->amount, walk->mean);
		break;
	case COLOURS_SATURATION:
		saturate(lanes, step->amount);
		break;
	default:
		for (size_t i = 0; i < LANES; i += FLOATS)
			turn_pixels(lanes, i, step->amount * 6);
	}
	clamp_all(lanes, walk->is_bytes);
}

CPU_BODY float value_at(enum dtype dtype, const void *data, size_t i)
{
	return dtype == DTYPE_U8 ? (float)((const uint8_t *)data)[i]
	                         : ((const float *)data)[i];
}

CPU_BODY void put_value(enum dtype dtype, void *data, size_t i, float value)
{
	if (dtype == DTYPE_U8)
		((uint8_t *)data)[i] = (uint8_t)(int32_t)value;
	else
		((float *)data)[i] = value;
}

CPU_BODY void take(enum dtype dtype, size_t channels, const void *in,
    size_t count, struct lanes *lanes)
{
	const size_t green = channels == 1 ? 0 : 1;
	const size_t blue = channels == 1 ? 0 : 2;

	for (size_t i = 0; i < count; i++) {
		lanes->red[i] = value_at(dtype, in, i * channels);
		lanes->green[i] = value_at(dtype, in, i * channels + green);
		lanes->blue[i] = value_at(dtype, in, i * channels + blue);
	}
}

CPU_BODY void give(enum dtype dtype, size_t channels, const struct lanes *lanes,
    size_t count, void *out)
{
	for (size_t i = 0; i < count; i++) {
		put_value(dtype, out, i * channels, lanes->red[i]);
		if (channels == 1)
			continue;
		put_value(dtype, out, i * channels + 1, lanes->green[i]);
		put_value(dtype, out, i * channels + 2, lanes->blue[i]);
	}
}

/*
 * Changes at most RUN pixels and returns the sum of their luma.  Padding after
 * the last pixel is 0 and adds nothing.  Only contrast could change it, and the
 * sum is not used after contrast.
 */
CPU_BODY double run_body(const struct walk *walk, enum dtype dtype,
    size_t channels, const unsigned char *in, unsigned char *out, size_t pixels)
{
	const size_t pixel = channels * (dtype == DTYPE_U8 ? 1 : sizeof(float));
	float sums[LANES] = { 0 };
	double sum = 0;

	for (size_t at = 0; at < pixels; at += LANES) {
		struct lanes lanes = { .red = { 0 } };
		const size_t left = pixels - at;

		if (left >= LANES)
			take(dtype, channels, in + at * pixel, LANES, &lanes);
		else
			take(dtype, channels, in + at * pixel, left, &lanes);
		for (unsigned i = 0; i < walk->count; i++)
			change(walk, &walk->steps[i], &lanes);
		for (size_t i = 0; i < LANES; i++)
			sums[i] += luma_at(&lanes, i);
		if (!out)
			continue;
		if (left >= LANES)
			give(dtype, channels, &lanes, LANES, out + at * pixel);
		else
			give(dtype, channels, &lanes, left, out + at * pixel);
	}
	for (size_t i = 0; i < LANES; i++)
		sum += (double)sums[i];
	return sum;
}

CPU_BODY double any_body(const struct walk *walk, const unsigned char *in,
    unsigned char *out, size_t pixels)
{
	if (walk->dtype == DTYPE_U8 && walk->channels == 3)
		return run_body(walk, DTYPE_U8, 3, in, out, pixels);
	if (walk->dtype == DTYPE_U8)
		return run_body(walk, DTYPE_U8, 1, in, out, pixels);
	if (walk->channels == 3)
		return run_body(walk, DTYPE_F32, 3, in, out, pixels);
	return run_body(walk, DTYPE_F32, 1, in, out, pixels);
}

CPU_AVX2 static double run_avx2(const struct walk *walk,
    const unsigned char *in, unsigned char *out, size_t pixels)
{
	return any_body(walk, in, out, pixels);
}

/* `out` may be NULL or `in`.  Returns the mean luma of the output. */
static float walk_over(const struct walk *walk, const unsigned char *in,
    unsigned char *out, size_t pixels)
{
	const size_t pixel = walk->channels * dtype_bytes(walk->dtype);
	double sum = 0;

	for (size_t at = 0; at < pixels; at += RUN) {
		const size_t n = pixels - at < RUN ? pixels - at : RUN;
		const unsigned char *from = in + at * pixel;
		unsigned char *to = out ? out + at * pixel : NULL;

		sum += cpu_has_avx2() ? run_avx2(walk, from, to, n)
		                      : any_body(walk, from, to, n);
	}
	return (float)(sum / (double)pixels);
}

void colours_run(
    const struct colours_plan *plan, const void *in, void *out, size_t pixels)
{
	struct walk walk = {
		.steps = plan->steps,
		.dtype = plan->dtype,
		.channels = plan->channels,
		.is_bytes = plan->dtype == DTYPE_U8,
	};
	unsigned contrast = 0;

	while (contrast < plan->count &&
	       plan->steps[contrast].change != COLOURS_CONTRAST)
		contrast++;
	walk.count = contrast;
	if (contrast == plan->count) {
		walk_over(&walk, in, out, pixels);
		return;
	}
	walk.mean = walk_over(&walk, in, contrast ? out : NULL, pixels);
	walk.steps += contrast;
	walk.count = plan->count - contrast;
	walk_over(&walk, contrast ? out : in, out, pixels);
}
