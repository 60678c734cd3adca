/*
 * html.c - see html.h.
 *
 * The parser's events build a struct page; content that is not needed is
 * removed before parsing (html_strip.h).
 *
 * At each end tag libxml2 searches the names of all open elements, and for each
 * attribute all others of its tag: with many of either, the time would grow
 * with the square.  So an element that is nested too deeply replaces the one
 * around it, and names beyond a limit of the dictionary are dropped.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libxml/HTMLparser.h>
#include <libxml/dict.h>
#include <libxml/parser.h>
#include <libxml/xmlerror.h>
#include <libxml/xmlversion.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/web/charset.h"
#include "lib/web/html.h"
#include "lib/web/html_strip.h"
#include "lib/web/page.h"
#include "lib/web/readable.h"

enum {
	NAMES_MOST = 20000, /* bytes of all names in a page, approximately */
	OPTIONS = HTML_PARSE_RECOVER | HTML_PARSE_NOERROR |
	          HTML_PARSE_NOWARNING | HTML_PARSE_NONET | HTML_PARSE_COMPACT |
	          HTML_PARSE_IGNORE_ENC | XML_PARSE_HUGE,
};

struct html_reader {
	htmlParserCtxtPtr parser; /* owned; may be NULL */
	struct charset *charset;
	struct html_tags tags;
	struct page page;
	struct buf source, text;
	struct error *err; /* error of the current page */
};

static pthread_once_t initialized = PTHREAD_ONCE_INIT;

static bool word_is(const xmlChar *word, const char *text)
{
	return strcmp((const char *)word, text) == 0;
}

/* Looks at one attribute; the first letter tells most of them apart. */
static void read_attribute(const struct html_tags *tags, const xmlChar *name,
    const xmlChar *value, struct page_look *look)
{
	switch (*name) {
	case 'a':
		if (value && word_is(name, "aria-hidden"))
			look->hidden |= word_is(value, "true");
		break;
	case 'c':
	case 'i':
		if (tags && value &&
		    (word_is(name, "class") || word_is(name, "id")))
			look->words +=
			    html_words_weight(tags, (const char *)value);
		break;
	case 'h':
		look->hidden |= word_is(name, "hidden");
		break;
	case 's':
		if (value && word_is(name, "style"))
			look->hidden |= html_style_hides((const char *)value);
		break;
	default:
		break;
	}
}

/* Makes parser and page forget the element around the newest one. */
static void make_flat(struct html_reader *reader)
{
	htmlParserCtxtPtr parser = reader->parser;
	const int newest = parser->nameNr - 1;

	parser->nameTab[newest - 1] = parser->nameTab[newest];
	parser->nameNr--;
	page_close(&reader->page, reader->err);
}

static void on_start(void *arg, const xmlChar *name, const xmlChar **attributes)
{
	struct html_reader *reader = arg;
	const struct html_tag *tag =
	    html_tag_find(&reader->tags, (const char *)name);
	struct page_look look = { .words = 0 };

	/* libxml2 ends some elements without an event: end them here. */
	while ((int)reader->page.depth >= reader->parser->nameNr)
		page_close(&reader->page, reader->err);
	for (; attributes && *attributes; attributes += 2)
		read_attribute(html_is_box(tag->role) ? &reader->tags : NULL,
		    attributes[0], attributes[1], &look);
	if (reader->parser->nameNr > PAGE_DEPTH)
		make_flat(reader);
	page_open(&reader->page, tag, &look, reader->err);
}

static void on_end(void *arg, const xmlChar *name)
{
	struct html_reader *reader = arg;

	UNUSED(name);
	page_close(&reader->page, reader->err);
}

static void on_text(void *arg, const xmlChar *text, int len)
{
	struct html_reader *reader = arg;
	const struct span span = { .data = text, .len = (size_t)len };

	page_text(&reader->page, span, reader->err);
}

static void on_mistake(void *arg, xmlErrorPtr mistake)
{
	UNUSED(arg);
	UNUSED(mistake);
}

/* The events used; all others are ignored. */
static const htmlSAXHandler events = {
	.startElement = on_start,
	.endElement = on_end,
	.characters = on_text,
	.ignorableWhitespace = on_text,
	.serror = on_mistake,
	.initialized = XML_SAX2_MAGIC,
};

static int new_parser(struct html_reader *reader, struct error *err)
{
	reader->parser = htmlNewParserCtxt();
	if (!reader->parser)
		return error_memory(err, sizeof(*reader->parser));
	*reader->parser->sax = events;
	reader->parser->userData = reader;
	return 0;
}

/* Makes a new parser if the dictionary of this one is nearly full. */
static int ready_parser(struct html_reader *reader, struct error *err)
{
	if (reader->parser &&
	    xmlDictGetUsage(reader->parser->dict) > NAMES_MOST / 2) {
		htmlFreeParserCtxt(reader->parser);
		reader->parser = NULL;
	}
	if (!reader->parser && new_parser(reader, err))
		return -1;
	xmlDictSetLimit(reader->parser->dict, NAMES_MOST);
	return 0;
}

struct html_reader *html_reader_new(struct error *err)
{
	struct html_reader *reader = memory_zeroed(sizeof(*reader), err);

	pthread_once(&initialized, xmlInitParser);
	if (!reader)
		return NULL;
	html_tags_init(&reader->tags);
	reader->charset = charset_new(err);
	if (!reader->charset || new_parser(reader, err)) {
		html_reader_free(reader);
		return NULL;
	}
	return reader;
}

void html_reader_free(struct html_reader *reader)
{
	if (!reader)
		return;
	if (reader->parser)
		htmlFreeParserCtxt(reader->parser);
	charset_free(reader->charset);
	page_release(&reader->page);
	buf_release(&reader->source);
	buf_release(&reader->text);
	free(reader);
}

static int parse(
    struct html_reader *reader, struct span source, struct error *err)
{
	xmlDocPtr none;

	if (page_begin(&reader->page, err) || ready_parser(reader, err))
		return -1;
	reader->source.len = 0;
	if (html_strip(source, &reader->source, err))
		return -1;
	reader->err = err;
	none = htmlCtxtReadMemory(reader->parser,
	    (const char *)reader->source.data, (int)reader->source.len, NULL,
	    "UTF-8", OPTIONS);
	if (none)
		xmlFreeDoc(none);
	page_end(&reader->page, err);
	reader->err = NULL;
	return reader->page.failed ? -1 : 0;
}

int html_reader_run(struct html_reader *reader, struct span file,
    enum html_keep keep, struct span *text, struct error *err)
{
	struct span source;

	if (file.len > HTML_BYTES_MOST)
		return error_set(err, ERROR_LIMIT,
		    "a page of %zu bytes; at most %d are read", file.len,
		    HTML_BYTES_MOST);
	if (charset_decode(reader->charset, file, &source, err))
		return -1;
	reader->text.len = 0;
	if (source.len && parse(reader, source, err))
		return -1;
	if (source.len &&
	    readable_write(&reader->page, keep, &reader->text, err))
		return -1;
	*text = buf_span(&reader->text);
	return 0;
}

void html_library_version(char text[LIBRARY_VERSION])
{
	snprintf(text, LIBRARY_VERSION, "libxml2 %s", LIBXML_DOTTED_VERSION);
}
