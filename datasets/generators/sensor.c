/* sensor.c - see sensor.h. */
#include "datasets/generators/sensor.h"
#include "lib/base/random.h"
#include "lib/sample/tensor.h"

enum {
	LEVELS = 256,
	DARK_NOISE = 5,  /* noise of the electronics, in counts */
	NOISE_BYTES = 4, /* the sum of 4 random bytes is nearly normal */
	NOISE_MEAN = NOISE_BYTES * 255 / 2,
	NOISE_DEVIATION = 148,
	BLOCK = 1 << 10, /* values */
};

/* Counts of the sensor for each level of the picture, and their deviation. */
struct response {
	int counts[LEVELS], noise[LEVELS];
};

/*
 * A level is about the square root of the light, and so is the deviation of the
 * number of photons: here five photons are two counts.
 */
static void respond(struct response *response)
{
	for (int level = 0; level < LEVELS; level++) {
		response->counts[level] = level * level / 8;
		response->noise[level] = DARK_NOISE + level * 7 / 32;
	}
}

static uint16_t count_of(
    const struct response *response, unsigned level, const unsigned char *draws)
{
	const int draw = draws[0] + draws[1] + draws[2] + draws[3] - NOISE_MEAN;
	const int count = response->counts[level] +
	                  draw * response->noise[level] / NOISE_DEVIATION;

	return (uint16_t)(count > 0 ? count : 0);
}

int sensor_expose(const struct photo *photo, struct random *random,
    struct tensor *out, struct error *err)
{
	const struct shape shape = { .count = 3,
		.dims = { photo->height, photo->width, 3 } };
	const size_t values = (size_t)photo->height * photo->width * 3;
	unsigned char draws[BLOCK * NOISE_BYTES];
	struct response response;
	uint16_t *counts;

	if (tensor_reshape(out, DTYPE_U16, &shape, err))
		return -1;
	counts = out->data;
	respond(&response);
	for (size_t i = 0; i < values; i++) {
		const size_t k = i % BLOCK;

		if (k == 0)
			random_fill(random, draws, sizeof(draws));
		counts[i] = count_of(
		    &response, photo->pixels[i], draws + k * NOISE_BYTES);
	}
	return 0;
}
