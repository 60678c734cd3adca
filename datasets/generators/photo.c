/* photo.c - see photo.h. */
#include <string.h>

#include "datasets/generators/photo.h"
#include "lib/base/random.h"

enum { SURFACES_MAX = 16, FIRST_OBJECT = 2 };

/* Colours and texture of one part of the picture. */
struct surface {
	int colour[3]; /* 0 to 255, at the top of the picture */
	int fall[3];   /* change from top to bottom */
	int coarse;    /* contrast of large texture, */
	int fine;      /* and of small texture, in levels per octave */
	int tint[3];   /* variation of the colour */
	int grain;     /* sensor noise in 1/16 levels */
};

struct scene {
	unsigned width, height;
	unsigned char *map; /* surface of each point */
	unsigned count;
	struct surface surfaces[SURFACES_MAX];
};

struct palette {
	const char *name;
	unsigned char sky[3], ground[3], things[3];
	int roughness; /* roughness of the horizon: levels per octave */
};

static const struct palette palettes[PHOTO_CLASSES] = {
	{ "beach", { 130, 180, 220 }, { 200, 180, 140 }, { 90, 140, 160 }, 10 },
	{ "city", { 170, 180, 190 }, { 110, 108, 105 }, { 140, 110, 95 }, 14 },
	{ "desert", { 150, 180, 210 }, { 190, 145, 90 }, { 140, 100, 70 }, 9 },
	{ "field", { 140, 185, 225 }, { 105, 140, 60 }, { 160, 140, 70 }, 18 },
	{ "forest", { 120, 140, 110 }, { 60, 85, 45 }, { 90, 70, 45 }, 26 },
	{ "lake", { 150, 175, 205 }, { 70, 105, 125 }, { 80, 95, 60 }, 8 },
	{ "mountain", { 145, 175, 215 }, { 110, 105, 100 }, { 90, 100, 85 },
	    20 },
	{ "night", { 25, 28, 48 }, { 40, 38, 40 }, { 170, 140, 80 }, 8 },
	{ "snow", { 185, 200, 220 }, { 225, 228, 235 }, { 95, 90, 85 }, 7 },
	{ "street", { 175, 185, 195 }, { 95, 95, 98 }, { 150, 60, 50 }, 15 },
};

const char *photo_class(unsigned kind)
{
	return palettes[kind].name;
}

static int between(struct random *random, int low, int high)
{
	return low + (int)random_below(random, (uint32_t)(high - low + 1));
}

/* How many times must the width of ImageNet be doubled to give this picture? */
static unsigned doublings(const struct photo *photo)
{
	unsigned n = 0;

	while (photo->width >> n > 1000)
		n++;
	return n;
}

/* Most pictures have 500 pixels along the longer side, as in ImageNet. */
static void choose_size(struct random *random, struct photo *photo)
{
	static const struct {
		unsigned width, height, weight;
	} sizes[] = {
		{ 500, 375, 40 },
		{ 375, 500, 12 },
		{ 500, 333, 16 },
		/* 0: any size */
		{ 333, 500, 6 },
		{ 640, 480, 10 },
		{ 0, 0, 16 },
	};
	unsigned draw = random_below(random, 100), i = 0;

	photo->channels = 3;
	if (photo->width)
		return;
	while (draw >= sizes[i].weight)
		draw -= sizes[i++].weight;
	photo->width = sizes[i].width;
	photo->height = sizes[i].height;
	if (photo->width == 0) {
		photo->width = (unsigned)between(random, 220, 640);
		photo->height = (unsigned)between(random, 220, 560);
	}
	photo->channels = random_below(random, 50) == 0 ? 1 : 3;
}

static void make_surface(struct surface *surface, const unsigned char base[3],
    int texture, struct random *random)
{
	const int light = between(random, -25, 25);
	const int fall = between(random, -40, 40);

	for (int c = 0; c < 3; c++) {
		surface->colour[c] = base[c] + light + between(random, -12, 12);
		surface->fall[c] = fall + between(random, -10, 10);
		surface->tint[c] = between(random, -7, 7);
	}
	surface->coarse = between(random, texture / 2 + 2, texture + 6);
	surface->fine = between(random, texture / 2 + 2, texture + 5);
	surface->grain = between(random, 8, 26);
}

/* Fills the ground, below a horizon that follows the noise. */
static void lay_ground(
    struct scene *scene, const struct noise *noise, struct random *random)
{
	const int height = (int)scene->height;
	const int horizon = between(random, height / 4, height * 3 / 4);
	const int relief = between(random, 0, height / 4);
	const size_t line =
	    random_below(random, scene->height) * (size_t)scene->width;

	for (unsigned x = 0; x < scene->width; x++) {
		const int wave = noise->values[line + x];
		int y = horizon + wave * relief / (3 * NOISE_OCTAVE);

		for (y = y < 0 ? 0 : y; y < height; y++)
			scene->map[(size_t)y * scene->width + x] = 1;
	}
}

/* Puts an upright ellipse with a rough edge, or a box. */
static void put_object(struct scene *scene, unsigned surface,
    const struct noise *noise, struct random *random)
{
	const int width = (int)scene->width, height = (int)scene->height;
	const int rx = between(random, width / 16, width / 4);
	const int ry = between(random, height / 16, height / 3);
	const int cx = between(random, 0, width - 1);
	const int cy = between(random, height / 5, height - 1);
	const bool is_box = random_below(random, 3) == 0;
	const int rough = is_box ? 0 : between(random, 0, rx / 2);
	const int top = cy - ry > 0 ? cy - ry : 0;
	const int bottom = cy + ry < height ? cy + ry : height;

	for (int y = top; y < bottom; y++) {
		const int64_t dy = y - cy;
		const int wave = noise->values[(size_t)y * scene->width];
		int64_t half = rx, left, right;

		/* A parabola is round enough, and needs no square root. */
		if (!is_box)
			half = rx - rx * dy * dy / ((int64_t)ry * ry) +
			       wave * rough / (3 * NOISE_OCTAVE);
		left = cx - half > 0 ? cx - half : 0;
		right = cx + half < width ? cx + half : width;
		if (left < right)
			memset(scene->map + (size_t)y * scene->width + left,
			    (int)surface, (size_t)(right - left));
	}
}

static void build_scene(struct scene *scene, const struct palette *palette,
    const struct noise *noise, struct random *random)
{
	const unsigned objects =
	    (unsigned)between(random, 2, SURFACES_MAX - FIRST_OBJECT);

	memset(scene->map, 0, (size_t)scene->width * scene->height);
	make_surface(&scene->surfaces[0], palette->sky, 3, random);
	make_surface(
	    &scene->surfaces[1], palette->ground, palette->roughness, random);
	lay_ground(scene, noise, random);
	for (unsigned i = 0; i < objects; i++) {
		const unsigned char *base =
		    i % 3 == 2 ? palette->ground : palette->things;

		make_surface(&scene->surfaces[FIRST_OBJECT + i], base,
		    between(random, 2, 22), random);
		put_object(scene, FIRST_OBJECT + i, noise, random);
	}
	scene->count = FIRST_OBJECT + objects;
}

static unsigned char clamp(int level)
{
	return (unsigned char)(level < 0 ? 0 : level > 255 ? 255 : level);
}

/* The sum of two random nibbles has a triangular distribution around 0. */
static int grain_of(unsigned char random_byte)
{
	return (random_byte & 15) + (random_byte >> 4) - 15;
}

/* Computes the colours of all surfaces in row y. */
static void shade(
    const struct scene *scene, unsigned y, int levels[SURFACES_MAX][3])
{
	for (unsigned i = 0; i < scene->count; i++)
		for (int c = 0; c < 3; c++)
			levels[i][c] = scene->surfaces[i].colour[c] +
			               scene->surfaces[i].fall[c] * (int)y /
			                   (int)scene->height;
}

static void paint_row(const struct photo_studio *studio,
    const struct scene *scene, unsigned y, const struct photo *photo)
{
	const int grain_unit = 16 << doublings(photo);
	const int grain_on = !photo->clean;
	const size_t row = (size_t)y * scene->width;
	int levels[SURFACES_MAX][3];
	unsigned char *out = photo->pixels + row * photo->channels;

	shade(scene, y, levels);
	for (size_t i = row; i < row + scene->width; i++) {
		const unsigned kind = scene->map[i];
		const struct surface *s = &scene->surfaces[kind];
		const int tint = studio->tint.values[i];
		const int light = (studio->coarse.values[i] * s->coarse +
		                      studio->fine.values[i] * s->fine) /
		                      NOISE_OCTAVE +
		                  grain_of(studio->grain.data[i]) * s->grain *
		                      grain_on / grain_unit;

		for (unsigned c = 0; c < photo->channels; c++)
			*out++ = clamp(levels[kind][c] + light +
			               tint * s->tint[c] / NOISE_OCTAVE);
	}
}

static int prepare(struct photo_studio *studio, const struct photo *photo,
    struct random *random, struct error *err)
{
	const unsigned w = photo->width, h = photo->height;
	const unsigned n = doublings(photo);
	const size_t points = (size_t)w * h;

	if (buf_reserve(&studio->pixels, points * 3, err) ||
	    buf_reserve(&studio->surfaces, points, err) ||
	    buf_reserve(&studio->grain, points, err) ||
	    noise_fill(&studio->coarse, w, h, 8 + n, 4 + n, random, err) ||
	    noise_fill(&studio->fine, w, h, 3 + n, 1 + n, random, err) ||
	    noise_fill(&studio->tint, w, h, 7 + n, 3 + n, random, err))
		return -1;
	random_fill(random, studio->grain.data, points);
	return 0;
}

int photo_take(struct photo_studio *studio, unsigned kind,
    struct random *random, struct photo *photo, struct error *err)
{
	struct scene scene = { .count = 0 };

	choose_size(random, photo);
	if (prepare(studio, photo, random, err))
		return -1;
	scene.width = photo->width;
	scene.height = photo->height;
	scene.map = studio->surfaces.data;
	photo->pixels = studio->pixels.data;
	build_scene(&scene, &palettes[kind], &studio->coarse, random);
	for (unsigned y = 0; y < photo->height; y++)
		paint_row(studio, &scene, y, photo);
	return 0;
}

void photo_studio_release(struct photo_studio *studio)
{
	noise_release(&studio->coarse);
	noise_release(&studio->fine);
	noise_release(&studio->tint);
	buf_release(&studio->pixels);
	buf_release(&studio->surfaces);
	buf_release(&studio->grain);
}
