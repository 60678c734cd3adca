/* plot.c - see plot.h. */
#include "cmd/page/plot.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cmd/page/page.h"
#include "cmd/page/png.h"
#include "lib/base/array.h"
#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/files/path.h"

enum form { FORM_SVG, FORM_PNG };

static const char *const endings[] = {
	[FORM_SVG] = ".svg",
	[FORM_PNG] = ".png",
};

static int form_of(const char *path, enum form *form, struct error *err)
{
	const char *ending = strrchr(path_base(path), '.');

	*form = FORM_SVG;
	if (strcmp(path, "-") == 0)
		return 0;
	for (unsigned i = 0; ending && i < ARRAY_LEN(endings); i++)
		if (strcasecmp(ending, endings[i]) == 0) {
			*form = (enum form)i;
			return 0;
		}
	return error_set(err, ERROR_USAGE,
	    "--plot: the name '%s' must end in .svg or .png", path);
}

int plot_check(const char *path, struct error *err)
{
	enum form form;

	if (form_of(path, &form, err))
		return -1;
	return form == FORM_PNG ? png_check(err) : 0;
}

static int write_png(
    plot_draw *draw, const void *arg, FILE *out, struct error *err)
{
	char *svg = NULL;
	size_t len = 0;
	FILE *to = open_memstream(&svg, &len);
	int rc;

	if (!to)
		return error_memory(err, len);
	rc = draw(arg, to, err);
	if (fclose(to) && rc == 0)
		rc = error_memory(err, len);
	if (rc == 0)
		rc = png_write(
		    (struct span){ .data = (unsigned char *)svg, .len = len },
		    out, err);
	free(svg);
	return rc;
}

int plot_picture(const char *path, plot_draw *draw, const void *arg, FILE *out,
    struct error *err)
{
	enum form form;

	if (form_of(path, &form, err))
		return -1;
	return form == FORM_PNG ? write_png(draw, arg, out, err)
	                        : draw(arg, out, err);
}

/* A chart of a session. */
struct charted {
	struct results *results;
	int64_t session;
	unsigned chart;
};

static int draw_chart(const void *arg, FILE *out, struct error *err)
{
	const struct charted *it = arg;

	return page_plot(it->results, it->session, it->chart, out, err);
}

int plot_write(struct results *results, int64_t session, unsigned chart,
    const char *path, FILE *out, struct error *err)
{
	return plot_picture(path, draw_chart,
	    &(struct charted){ results, session, chart }, out, err);
}
