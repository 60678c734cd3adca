/* noise.c - see noise.h. */
#include <string.h>

#include "datasets/generators/noise.h"
#include "lib/base/random.h"

enum { WEIGHT_ONE = 256, CELL_MAX = 1 << NOISE_CELL_LOG_MAX };

/* 3t^2 - 2t^3: without it the slopes would show the grid. */
static void smooth_weights(unsigned cell_log, int weights[CELL_MAX])
{
	const int64_t cell = INT64_C(1) << cell_log;

	for (int64_t t = 0; t < cell; t++)
		weights[t] = (int)(WEIGHT_ONE * t * t * (3 * cell - 2 * t) /
		                   (cell * cell * cell));
}

/* One row of points between two rows of the grid, added to `values`. */
static void add_row(const int *between, const int *weights, unsigned cell,
    unsigned width, int16_t *values)
{
	for (unsigned x = 0; x < width; x += cell, between++) {
		const unsigned n = width - x < cell ? width - x : cell;
		const int left = between[0], step = between[1] - between[0];

		for (unsigned i = 0; i < n; i++)
			values[x + i] =
			    (int16_t)(values[x + i] + ((left * WEIGHT_ONE +
			                                   step * weights[i]) >>
			                                  12));
	}
}

/* Adds an octave: a grid of random bytes, interpolated. */
static int add_octave(struct noise *noise, unsigned cell_log,
    struct random *random, struct error *err)
{
	const unsigned cell = 1u << cell_log;
	const size_t columns = (noise->width >> cell_log) + 2;
	const size_t rows = (noise->height >> cell_log) + 2;
	int weights[CELL_MAX];
	const int8_t *grid;
	int *between;

	if (buf_reserve(&noise->grid, columns * rows, err) ||
	    buf_reserve(&noise->row, columns * sizeof(int), err))
		return -1;
	random_fill(random, noise->grid.data, columns * rows);
	grid = (const int8_t *)noise->grid.data;
	between = (int *)(void *)noise->row.data;
	smooth_weights(cell_log, weights);
	for (unsigned y = 0; y < noise->height; y++) {
		const int8_t *above = grid + (y >> cell_log) * columns;
		const int8_t *below = above + columns;
		const int w = weights[y & (cell - 1)];

		for (size_t i = 0; i < columns; i++)
			between[i] = above[i] * (WEIGHT_ONE - w) + below[i] * w;
		add_row(between, weights, cell, noise->width,
		    noise->values + (size_t)y * noise->width);
	}
	return 0;
}

int noise_fill(struct noise *noise, unsigned width, unsigned height,
    unsigned coarsest, unsigned finest, struct random *random,
    struct error *err)
{
	const size_t bytes = (size_t)width * height * sizeof(int16_t);

	if (buf_reserve(&noise->memory, bytes, err))
		return -1;
	noise->width = width;
	noise->height = height;
	noise->values = (int16_t *)(void *)noise->memory.data;
	memset(noise->values, 0, bytes);
	for (unsigned log = coarsest + 1; log-- > finest;)
		if (add_octave(noise, log, random, err))
			return -1;
	return 0;
}

void noise_release(struct noise *noise)
{
	buf_release(&noise->memory);
	buf_release(&noise->grid);
	buf_release(&noise->row);
	*noise = (struct noise)NOISE_INIT;
}
