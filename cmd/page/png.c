/*
 * png.c - see png.h.
 *
 * librsvg is loaded when a picture is wanted, and not linked: with the fifty
 * libraries that it needs, it would take a third of the time of `presto list`.
 * It is never unloaded, since GLib does not support that.
 */
#include "cmd/page/png.h"

#include <dlfcn.h>
#include <fontconfig/fontconfig.h>
#include <librsvg/rsvg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"

#define LIBRARY "librsvg-2.so.2"

/* Pixels for each unit of the picture, so that small text stays clear. */
enum { SCALE = 2, MARGIN = 12 * SCALE, EDGE_MAX = 30000 };

#define FUNCTIONS(X)                                \
	X(FcConfigGetCurrent)                       \
	X(FcConfigGetFonts)                         \
	X(cairo_create)                             \
	X(cairo_destroy)                            \
	X(cairo_image_surface_create)               \
	X(cairo_paint)                              \
	X(cairo_set_source_rgb)                     \
	X(cairo_status)                             \
	X(cairo_status_to_string)                   \
	X(cairo_surface_destroy)                    \
	X(cairo_surface_write_to_png_stream)        \
	X(g_error_free)                             \
	X(g_object_unref)                           \
	X(rsvg_handle_get_intrinsic_size_in_pixels) \
	X(rsvg_handle_new_from_data)                \
	X(rsvg_handle_render_document)

struct library {
#define MEMBER(name) __typeof__(name) *name;
	FUNCTIONS(MEMBER)
#undef MEMBER
};

static const struct {
	const char *name;
	size_t offset;
} functions[] = {
#define ROW(name) { #name, offsetof(struct library, name) },
	FUNCTIONS(ROW)
#undef ROW
};

static int load(struct library *library, struct error *err)
{
	void *handle = dlopen(LIBRARY, RTLD_NOW);

	if (!handle)
		return error_set(err, ERROR_USAGE,
		    "a PNG needs %s, which is not installed: install "
		    "librsvg2-2, or name the file .svg",
		    LIBRARY);
	for (size_t i = 0; i < ARRAY_LEN(functions); i++) {
		void *symbol = dlsym(handle, functions[i].name);

		if (!symbol)
			return error_set(err, ERROR_USAGE,
			    "a PNG needs a newer %s, with %s: install it, or "
			    "name the file .svg",
			    LIBRARY, functions[i].name);
		memcpy((char *)library + functions[i].offset, &symbol,
		    sizeof(symbol));
	}
	return 0;
}

static int check_fonts(const struct library *library, struct error *err)
{
	const FcFontSet *fonts = library->FcConfigGetFonts(
	    library->FcConfigGetCurrent(), FcSetSystem);

	if (fonts && fonts->nfont > 0)
		return 0;
	return error_set(err, ERROR_SYSTEM,
	    "a PNG needs a font, and none is installed: install "
	    "fonts-dejavu-core, or name the file .svg");
}

int png_check(struct error *err)
{
	struct library library;

	return load(&library, err) || check_fonts(&library, err) ? -1 : 0;
}

/* ---- drawing ---- */

struct drawing {
	const struct library *library;
	RsvgHandle *svg;
	cairo_surface_t *surface;
	cairo_t *cairo;
	double width, height;
};

static int error_glib(
    const struct library *library, GError *failure, struct error *err)
{
	error_set(err, ERROR_DATA, "cannot draw the chart as PNG: %s",
	    failure ? failure->message : "unknown reason");
	if (failure)
		library->g_error_free(failure);
	return -1;
}

static int error_cairo(
    const struct drawing *d, cairo_status_t status, struct error *err)
{
	return error_set(err, ERROR_SYSTEM, "cannot draw the chart as PNG: %s",
	    d->library->cairo_status_to_string(status));
}

/* Prepares a white page: a PNG cannot be light or dark. */
static int prepare(struct drawing *d, struct span svg, struct error *err)
{
	const struct library *library = d->library;
	GError *failure = NULL;
	cairo_status_t status;

	d->svg =
	    library->rsvg_handle_new_from_data(svg.data, svg.len, &failure);
	if (!d->svg)
		return error_glib(library, failure, err);
	if (!library->rsvg_handle_get_intrinsic_size_in_pixels(
	        d->svg, &d->width, &d->height) ||
	    !(d->width >= 1 && d->width * SCALE <= EDGE_MAX) ||
	    !(d->height >= 1 && d->height * SCALE <= EDGE_MAX))
		return error_set(err, ERROR_LIMIT,
		    "the chart is too large for a PNG: name the file .svg");
	d->surface = library->cairo_image_surface_create(CAIRO_FORMAT_RGB24,
	    (int)(d->width * SCALE) + 2 * MARGIN,
	    (int)(d->height * SCALE) + 2 * MARGIN);
	d->cairo = library->cairo_create(d->surface);
	library->cairo_set_source_rgb(d->cairo, 1, 1, 1);
	library->cairo_paint(d->cairo);
	status = library->cairo_status(d->cairo);
	return status == CAIRO_STATUS_SUCCESS ? 0 : error_cairo(d, status, err);
}

static int draw(struct drawing *d, struct error *err)
{
	const RsvgRectangle all = { .x = MARGIN,
		.y = MARGIN,
		.width = d->width * SCALE,
		.height = d->height * SCALE };
	GError *failure = NULL;

	if (!d->library->rsvg_handle_render_document(
	        d->svg, d->cairo, &all, &failure))
		return error_glib(d->library, failure, err);
	return 0;
}

static cairo_status_t write_bytes(
    void *out, const unsigned char *bytes, unsigned len)
{
	return fwrite(bytes, 1, len, out) == len ? CAIRO_STATUS_SUCCESS
	                                         : CAIRO_STATUS_WRITE_ERROR;
}

static void release(struct drawing *d)
{
	if (d->cairo)
		d->library->cairo_destroy(d->cairo);
	if (d->surface)
		d->library->cairo_surface_destroy(d->surface);
	if (d->svg)
		d->library->g_object_unref(d->svg);
}

int png_write(struct span svg, FILE *out, struct error *err)
{
	struct library library;
	struct drawing drawing = { .library = &library };
	cairo_status_t status;
	int rc;

	if (load(&library, err) || check_fonts(&library, err))
		return -1;
	rc = prepare(&drawing, svg, err);
	if (rc == 0)
		rc = draw(&drawing, err);
	if (rc == 0) {
		status = library.cairo_surface_write_to_png_stream(
		    drawing.surface, write_bytes, out);
		if (status != CAIRO_STATUS_SUCCESS)
			rc = error_cairo(&drawing, status, err);
	}
	release(&drawing);
	return rc;
}
