/*
 * web_page.c - see web_page.h.
 *
 * The length of a page is drawn first. Pieces of random kinds are added around
 * the article until it is reached.
 */
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "datasets/generators/lexicon.h"
#include "datasets/generators/web_page.h"
#include "lib/base/array.h"
#include "lib/base/utf8.h"

enum {
	LEAST_BYTES = 4000,
	MOST_BYTES = 400000,
	FOOTER = 1500, /* bytes of the footer and half of the last piece */
	IN_FRONT = 55, /* percent of the pieces before the article */
};

/* Lengths of pages are log-normal. */
static const double spread = 0.7;

static const char *const properties[] = {
	"margin:%upx",
	"padding:%upx 0",
	"width:%upx",
	"font-size:%upx",
	"line-height:%upx",
	"border-radius:%upx",
	"top:%upx",
	"max-width:%u%%",
	"z-index:%u",
	"flex:0 0 %u%%",
};

static const char *const parts[] = {
	"menu",
	"item",
	"header",
	"title",
	"link",
	"icon",
	"list",
	"card",
	"image",
	"button",
	"row",
	"column",
	"label",
	"panel",
};

static const char *const styles[] = {
	"active",
	"hover",
	"small",
	"large",
	"dark",
	"wide",
	"first",
	"hidden",
};

#define PICK(page, table) \
	((table)[random_below(&(page)->random, (uint32_t)ARRAY_LEN(table))])

static uint32_t below(struct web_page *page, uint32_t bound)
{
	return random_below(&page->random, bound);
}

#define add(page, ...)                      \
	((page)->failed = (page)->failed || \
	                  buf_printf((page)->out, (page)->err, __VA_ARGS__))

static void add_bytes(struct web_page *page, const void *bytes, size_t len)
{
	page->failed =
	    page->failed || buf_append(page->out, bytes, len, page->err);
}

static void add_word(struct web_page *page)
{
	const struct span word = lexicon_word(page->lexicon,
	    lexicon_draw(page->lexicon, LEXICON_COMMON, &page->random));

	add_bytes(page, word.data, word.len);
}

static void add_words(
    struct web_page *page, const char *between, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		if (i)
			add_bytes(page, between, strlen(between));
		add_word(page);
	}
}

/* ---- pieces around the article ---- */

static void add_style(struct web_page *page)
{
	const uint32_t rules = 4 + below(page, 12);

	add(page, "<style type=\"text/css\">\n");
	for (uint32_t i = 0; i < rules; i++) {
		const uint32_t lines = 1 + below(page, 4);

		add(page, ".%s-%s.%s{", PICK(page, parts), PICK(page, parts),
		    PICK(page, styles));
		for (uint32_t k = 0; k < lines; k++) {
			const char *property = PICK(page, properties);

			/* each property has one number */
			add_bytes(page, property, strcspn(property, "%"));
			add(page, "%u", below(page, 64));
			property = strchr(property, '%') + 2;
			add(page, "%s;", *property == '%' ? "%" : property);
		}
		add(page, "color:#%03x}\n", below(page, 1 << 12));
	}
	add(page, "</style>\n");
}

static void add_script(struct web_page *page)
{
	const uint32_t calls = 3 + below(page, 9);

	add(page, "<script type=\"text/javascript\">\n"
	          "(function(w,d){var q=w.queue=w.queue||[];\n");
	for (uint32_t i = 0; i < calls; i++) {
		add(page,
		    "  if(d.getElementById('%s-%u')<%u&&!w.%s){"
		    "q.push(['",
		    PICK(page, parts), below(page, 100), below(page, 9),
		    PICK(page, styles));
		add_word(page);
		add(page, "',{\"id\":%u,\"%s\":%u}]);}\n", below(page, 1 << 16),
		    PICK(page, parts), below(page, 5000));
	}
	add(page, "})(window,document);\n</script>\n");
}

static void add_menu(struct web_page *page)
{
	const uint32_t items = 5 + below(page, 12);

	add(page, "<nav class=\"%s-menu\">\n  <ul class=\"menu %s\">\n",
	    PICK(page, parts), PICK(page, styles));
	for (uint32_t i = 0; i < items; i++) {
		add(page,
		    "    <li class=\"menu-item menu-item-%u\">"
		    "<a href=\"/",
		    below(page, 9000));
		add_words(page, "-", 1 + below(page, 2));
		add(page, "/\" class=\"menu-link\">");
		add_words(page, " ", 1 + below(page, 2));
		add(page, "</a></li>\n");
	}
	add(page, "  </ul>\n</nav>\n");
}

static void add_teasers(struct web_page *page)
{
	const uint32_t items = 3 + below(page, 6);

	add(page, "<aside class=\"related-%s\">\n<h3>", PICK(page, parts));
	add_words(page, " ", 2);
	add(page, "</h3>\n");
	for (uint32_t i = 0; i < items; i++) {
		const uint32_t number = below(page, 1 << 20);

		add(page, "  <div class=\"card card-%s\"><a href=\"/%u/%02u/",
		    PICK(page, styles), 2005 + below(page, 20),
		    1 + below(page, 12));
		add_words(page, "-", 3 + below(page, 4));
		add(page,
		    "-%u.html\"><img src=\"/media/%u-300x200.jpg\" "
		    "width=\"300\" height=\"200\" alt=\"\">"
		    "<span class=\"card-title\">",
		    number, number);
		add_words(page, " ", 4 + below(page, 5));
		add(page, "</span></a></div>\n");
	}
	add(page, "</aside>\n");
}

static void add_icon(struct web_page *page)
{
	const uint32_t lines = 6 + below(page, 20);

	add(page,
	    "<svg class=\"icon\" id=\"icon-%u\" viewBox=\"0 0 64 64\">"
	    "<path d=\"M%u %u",
	    page->icons++, below(page, 64), below(page, 64));
	for (uint32_t i = 0; i < lines; i++)
		add(page, "l%u.%u-%u.%u", below(page, 9), below(page, 100),
		    below(page, 9), below(page, 100));
	add(page, "z\"/></svg>\n");
}

typedef void add_piece(struct web_page *page);

/* Pieces are drawn as often as they are listed. */
static add_piece *const in_head[] = { add_style, add_style, add_script };
static add_piece *const in_body[] = { add_menu, add_menu, add_teasers,
	add_script, add_script, add_icon };

static void fill(
    struct web_page *page, add_piece *const *pieces, size_t count, size_t until)
{
	while (!page->failed && page->out->len < until)
		pieces[below(page, (uint32_t)count)](page);
}

/* ---- the article ---- */

/* Writes text with the marks of HTML escaped. */
static void add_text(struct web_page *page, struct span text, bool references)
{
	const unsigned char *end = text.data + text.len;

	for (const unsigned char *at = text.data; at < end;) {
		unsigned bytes;
		const int32_t code = utf8_decode(at, end, &bytes);

		if (code == '&')
			add(page, "&amp;");
		else if (code == '<')
			add(page, "&lt;");
		else if (references && code > 127)
			add(page, "&#%d;", code);
		else
			add_bytes(page, at, bytes);
		at += bytes;
	}
}

static const char *const tags[][2] = {
	{ "<a href=\"https://example.org/story/\">", "</a>" },
	{ "<em>", "</em>" },
	{ "<strong>", "</strong>" },
};

/* Writes a paragraph, with some words marked. */
static void add_paragraph(
    struct web_page *page, struct span text, bool references)
{
	add(page, "      <p>");
	while (text.len) {
		const unsigned char *blank = memchr(text.data, ' ', text.len);
		struct span word = text;
		const uint32_t kind = below(page, 40);

		if (blank)
			word.len = (size_t)(blank - text.data);
		if (kind < ARRAY_LEN(tags))
			add(page, "%s", tags[kind][0]);
		add_text(page, word, references);
		if (kind < ARRAY_LEN(tags))
			add(page, "%s", tags[kind][1]);
		if (blank)
			add_bytes(page, " ", 1);
		text.data += word.len + (blank ? 1 : 0);
		text.len -= word.len + (blank ? 1 : 0);
	}
	add(page, "</p>\n");
}

static struct span take_line(struct span *text)
{
	const unsigned char *end = memchr(text->data, '\n', text->len);
	struct span line = *text;

	if (end)
		line.len = (size_t)(end - text->data);
	text->data += line.len + (end ? 1 : 0);
	text->len -= line.len + (end ? 1 : 0);
	return line;
}

static void add_article(struct web_page *page, struct span article)
{
	const bool references = below(page, 3) == 0;
	const struct span headline = take_line(&article);

	add(page, "<div class=\"content-wrapper\">\n<header class=\"post-header"
	          "\">\n<h1 class=\"post-title\">");
	add_text(page, headline, references);
	add(page, "</h1>\n<span class=\"byline\">");
	add_words(page, " ", 2);
	add(page, "</span>\n</header>\n<div class=\"article-body\">\n");
	while (article.len)
		add_paragraph(page, take_line(&article), references);
	add(page, "</div>\n</div>\n");
}

/* ---- the page ---- */

static void add_head(struct web_page *page, struct span article, size_t until)
{
	add(page, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
	          "<meta charset=\"utf-8\">\n<title>");
	add_text(page, take_line(&article), false);
	add(page, "</title>\n<meta name=\"viewport\" "
	          "content=\"width=device-width, initial-scale=1\">\n"
	          "<meta name=\"keywords\" content=\"");
	add_words(page, ", ", 5);
	add(page,
	    "\">\n<link rel=\"stylesheet\" href=\"/css/%08" PRIx32 ".css\">\n",
	    random_u32(&page->random));
	fill(page, in_head, ARRAY_LEN(in_head), until);
	add(page, "</head>\n");
}

static void add_footer(struct web_page *page)
{
	add(page, "<footer class=\"site-footer\">\n<p>&copy; %u ",
	    2005 + below(page, 20));
	add_words(page, " ", 12);
	add(page, "</p>\n</footer>\n</body>\n</html>\n");
}

static size_t draw_length(struct web_page *page)
{
	const double deviation = random_normal(&page->random) * spread;
	const double bytes =
	    WEB_PAGE_BYTES * exp(deviation - spread * spread / 2);

	return bytes < LEAST_BYTES  ? LEAST_BYTES
	       : bytes > MOST_BYTES ? MOST_BYTES
	                            : (size_t)bytes;
}

int web_page_write(struct web_page *page, struct span article)
{
	const size_t start = page->out->len, length = draw_length(page);
	const size_t inside = article.len + FOOTER;
	const size_t around = length > inside ? length - inside : 0;
	const size_t front = start + around * IN_FRONT / 100;

	add_head(page, article, start + around * IN_FRONT / 200);
	add(page, "<body class=\"post %s\">\n", PICK(page, styles));
	fill(page, in_body, ARRAY_LEN(in_body), front);
	add_article(page, article);
	fill(page, in_body, ARRAY_LEN(in_body), start + length - FOOTER);
	add_footer(page);
	return page->failed ? -1 : 0;
}
