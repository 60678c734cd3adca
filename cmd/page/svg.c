/* svg.c - see svg.h. */
#include "cmd/page/svg.h"

#include <string.h>

#include "cmd/html/html.h"
#include "lib/base/array.h"

/* ---- a picture ---- */

enum { HEADING = 30, HEADING_SIZE = 17 /* 15, in bold */ };

static const struct {
	const char *name;
	const char *attributes, *marks;
} patterns[] = {
	[SVG_SOLID] = { NULL, NULL, NULL },
	[SVG_HATCH] = { "hatch",
	    "width=\"6\" height=\"6\" patternTransform=\"rotate(45)\"",
	    "<rect class=\"over\" width=\"2\" height=\"6\"/>" },
	[SVG_DOTS] = { "dots", "width=\"6\" height=\"6\"",
	    "<circle class=\"over\" cx=\"2\" cy=\"2\" r=\"1.3\"/>"
	    "<circle class=\"over\" cx=\"5\" cy=\"5\" r=\"1.3\"/>" },
	[SVG_CROSS] = { "cross",
	    "width=\"7\" height=\"7\" patternTransform=\"rotate(45)\"",
	    "<path class=\"over\" d=\"M0 0h2v7h-2zM2 0h5v2h-5z\"/>" },
	[SVG_LINES] = { "lines", "width=\"5\" height=\"5\"",
	    "<rect class=\"over\" width=\"5\" height=\"1.8\"/>" },
};

static void define_patterns(const struct svg *svg)
{
	fputs("<defs>\n", svg->out);
	for (size_t i = 0; i < ARRAY_LEN(patterns); i++)
		if (patterns[i].name)
			fprintf(svg->out,
			    "<pattern id=\"%s-%s\" %s "
			    "patternUnits=\"userSpaceOnUse\">%s</pattern>\n",
			    svg->id, patterns[i].name, patterns[i].attributes,
			    patterns[i].marks);
	fputs("</defs>\n", svg->out);
}

/* Writes style, background and heading of a picture outside of a page. */
static void write_ground(
    const struct svg *svg, const struct svg_about *about, double top)
{
	char text[256];

	fprintf(svg->out,
	    "<style>\n%s</style>\n<rect class=\"paper\" y=\"%.0f\" "
	    "width=\"100%%\" height=\"100%%\"/>\n",
	    about->css, -top);
	if (about->heading)
		svg_text(svg, 2, 18 - top, SVG_START, "heading",
		    svg_fit(about->heading, HEADING_SIZE, svg->width - 4, text,
		        sizeof(text)));
}

void svg_begin(const struct svg *svg, const struct svg_about *about)
{
	const double top = about->heading ? HEADING : 0;

	fprintf(svg->out,
	    "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart %s\" "
	    "id=\"%s\" role=\"img\" aria-labelledby=\"%s-title %s-desc\" "
	    "viewBox=\"0 %.0f %.0f %.0f\" width=\"%.0f\" height=\"%.0f\">\n"
	    "<title id=\"%s-title\">",
	    about->class, svg->id, svg->id, svg->id, -top, svg->width,
	    svg->height + top, svg->width, svg->height + top, svg->id);
	html_text(about->title, svg->out);
	fprintf(svg->out, "</title>\n<desc id=\"%s-desc\">", svg->id);
	html_text(about->description, svg->out);
	fputs("</desc>\n", svg->out);
	if (about->css)
		write_ground(svg, about, top);
	define_patterns(svg);
}

void svg_end(const struct svg *svg)
{
	fputs("</svg>\n", svg->out);
}

/* ---- marks ---- */

void svg_text(const struct svg *svg, double x, double y, enum svg_anchor anchor,
    const char *class, const char *text)
{
	static const char *const anchors[] = {
		[SVG_START] = "",
		[SVG_MIDDLE] = " text-anchor=\"middle\"",
		[SVG_END] = " text-anchor=\"end\"",
	};

	fprintf(svg->out, "<text x=\"%.1f\" y=\"%.1f\"%s class=\"%s\">", x, y,
	    anchors[anchor], class);
	html_text(text, svg->out);
	fputs("</text>\n", svg->out);
}

void svg_line(const struct svg *svg, double x1, double y1, double x2, double y2,
    const char *class)
{
	fprintf(svg->out,
	    "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" "
	    "class=\"%s\"/>\n",
	    x1, y1, x2, y2, class);
}

static void write_colour(const struct svg *svg, unsigned colour)
{
	if (colour < SVG_COLOURS)
		fprintf(svg->out, "class=\"c%u\"", colour);
	else
		fprintf(svg->out, "class=\"p%u\"", colour - SVG_COLOURS);
}

static void write_place(const struct svg *svg, const struct svg_rect *rect)
{
	fprintf(svg->out,
	    " x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"", rect->x,
	    rect->y, rect->width, rect->height);
}

void svg_rect(const struct svg *svg, const struct svg_rect *rect)
{
	fputs("<rect ", svg->out);
	write_colour(svg, rect->colour);
	write_place(svg, rect);
	fputs(" fill=\"currentColor\"/>\n", svg->out);
	if (rect->pattern == SVG_SOLID)
		return;
	fputs("<rect", svg->out);
	write_place(svg, rect);
	fprintf(svg->out, " fill=\"url(#%s-%s)\"/>\n", svg->id,
	    patterns[rect->pattern].name);
}

void svg_outline(const struct svg *svg, const struct svg_rect *rect)
{
	fputs("<rect ", svg->out);
	write_colour(svg, rect->colour);
	write_place(svg, rect);
	fputs(" fill=\"none\" stroke=\"currentColor\" "
	      "stroke-dasharray=\"4 3\"/>\n",
	    svg->out);
}

static void write_shape(const struct svg *svg, const struct svg_point *p)
{
	const double r = p->radius;

	switch (p->shape) {
	case SVG_CIRCLE:
		fprintf(svg->out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"",
		    p->x, p->y, r);
		break;
	case SVG_SQUARE:
		fprintf(svg->out,
		    "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
		    "height=\"%.1f\"",
		    p->x - 0.9 * r, p->y - 0.9 * r, 1.8 * r, 1.8 * r);
		break;
	case SVG_TRIANGLE:
		fprintf(svg->out, "<path d=\"M%.1f %.1fl%.1f %.1fh%.1fz\"",
		    p->x, p->y - 1.2 * r, 1.15 * r, 2 * r, -2.3 * r);
		break;
	case SVG_DIAMOND:
		fprintf(svg->out,
		    "<path d=\"M%.1f %.1fl%.1f %.1fl%.1f %.1fl%.1f %.1fz\"",
		    p->x, p->y - 1.3 * r, 1.3 * r, 1.3 * r, -1.3 * r, 1.3 * r,
		    -1.3 * r, -1.3 * r);
		break;
	}
}

void svg_point(const struct svg *svg, const struct svg_point *point)
{
	fputs("<g ", svg->out);
	write_colour(svg, point->colour);
	fputs(">", svg->out);
	write_shape(svg, point);
	fprintf(svg->out, " %s/></g>\n",
	    point->is_hollow ? "class=\"hollow\" stroke=\"currentColor\""
	                     : "class=\"full\" fill=\"currentColor\"");
}

void svg_group_begin(
    const struct svg *svg, const char *href, const char *tooltip)
{
	if (href) {
		fputs("<a tabindex=\"-1\" href=\"", svg->out);
		html_text(href, svg->out);
		fputs("\">", svg->out);
	} else {
		fputs("<g>", svg->out);
	}
	if (tooltip) {
		fputs("<title>", svg->out);
		html_text(tooltip, svg->out);
		fputs("</title>", svg->out);
	}
	fputc('\n', svg->out);
}

void svg_colour_begin(const struct svg *svg, unsigned colour)
{
	fputs("<g ", svg->out);
	write_colour(svg, colour);
	fputs(">\n", svg->out);
}

void svg_group_end(const struct svg *svg, const char *href)
{
	fputs(href ? "</a>\n" : "</g>\n", svg->out);
}

/* ---- width of text ---- */

/* Width of a character, in parts of the size, in DejaVu Sans, a wide font. */
static double char_width(unsigned char c)
{
	if ((c & 0xc0) == 0x80) /* a byte within a character */
		return 0;
	if (strchr("ijlI.,:;'|!", c))
		return 0.33;
	if (strchr("frt()[]/ -", c))
		return 0.4;
	if (strchr("mwMW%@+=", c))
		return 0.9;
	if (c >= 0xe0) /* may be as wide as it is high */
		return 1;
	return c >= 'A' && c <= 'Z' ? 0.7 : 0.63;
}

double svg_text_width(const char *text, double size)
{
	double width = 0;

	for (; *text; text++)
		width += char_width((unsigned char)*text);
	return width * size;
}

/* The start of the character at or before `at`. */
static size_t to_start(const char *text, size_t at)
{
	while (at > 0 && ((unsigned char)text[at] & 0xc0) == 0x80)
		at--;
	return at;
}

const char *svg_fit(
    const char *text, double size, double width, char *out, size_t out_size)
{
	const size_t len = strlen(text);
	size_t keep = len < out_size - 4 ? len : out_size - 4;

	snprintf(out, out_size, "%s", text);
	while ((svg_text_width(out, size) > width || keep < len) && keep > 2) {
		const size_t head = to_start(text, (keep + 1) / 2);
		const size_t tail = to_start(text, len - keep / 2);

		snprintf(out, out_size, "%.*s\xe2\x80\xa6%s", (int)head, text,
		    text + tail);
		if (svg_text_width(out, size) <= width)
			break;
		keep--;
	}
	return out;
}
