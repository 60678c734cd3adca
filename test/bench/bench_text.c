/*
 * bench_text.c - web pages to the text of their article, against libxml2
 * parsing the same pages for nobody: events that are taken and dropped.
 *
 * The pages are made up, as large and as full of markup as real ones.
 */
#include <stdlib.h>
#include <string.h>

#include <libxml/HTMLparser.h>

#include "datasets/generators/article.h"
#include "datasets/generators/lexicon.h"
#include "datasets/generators/web_page.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/web/html.h"
#include "test/bench/bench.h"

enum { PAGES = 100 };

struct pages {
	struct buf files[PAGES];
	double bytes;
	struct html_reader *reader;
	htmlParserCtxtPtr parser;
	size_t seen; /* text, so that it is not for nothing */
};

static void make_pages(struct pages *pages)
{
	struct error err = ERROR_INIT;
	struct lexicon *lexicon = lexicon_new(&err);
	struct buf article = BUF_INIT;

	if (!lexicon)
		bench_die(&err);
	for (uint64_t i = 0; i < PAGES; i++) {
		struct web_page page = {
			.lexicon = lexicon,
			.random = random_stream(1, 0, i, 0),
			.out = &pages->files[i],
			.err = &err,
		};

		article.len = 0;
		if (article_text(lexicon, 1, i, &article, &err) ||
		    web_page_write(&page, buf_span(&article)))
			bench_die(&err);
		pages->bytes += (double)pages->files[i].len;
	}
	buf_release(&article);
	lexicon_free(lexicon);
}

/* ---- the limit ---- */

static void on_text(void *arg, const xmlChar *text, int len)
{
	UNUSED(text);
	((struct pages *)arg)->seen += (size_t)len;
}

static void on_start(void *arg, const xmlChar *name, const xmlChar **attributes)
{
	UNUSED(arg);
	UNUSED(name);
	UNUSED(attributes);
}

static void on_end(void *arg, const xmlChar *name)
{
	UNUSED(arg);
	UNUSED(name);
}

static void on_mistake(void *arg, xmlErrorPtr mistake)
{
	UNUSED(arg);
	UNUSED(mistake);
}

static const htmlSAXHandler events = {
	.startElement = on_start,
	.endElement = on_end,
	.characters = on_text,
	.ignorableWhitespace = on_text,
	.serror = on_mistake,
	.initialized = XML_SAX2_MAGIC,
};

static double bare_pages(void *arg, unsigned times)
{
	struct pages *pages = arg;

	for (unsigned t = 0; t < times; t++)
		for (size_t i = 0; i < PAGES; i++) {
			const struct buf *file = &pages->files[i];

			htmlCtxtReadMemory(pages->parser,
			    (const char *)file->data, (int)file->len, NULL,
			    "UTF-8",
			    HTML_PARSE_RECOVER | HTML_PARSE_NOERROR |
			        HTML_PARSE_NOWARNING | HTML_PARSE_NONET |
			        HTML_PARSE_IGNORE_ENC);
		}
	return pages->bytes * times;
}

/* ---- presto ---- */

static double presto_pages(void *arg, unsigned times)
{
	struct pages *pages = arg;
	struct error err = ERROR_INIT;
	struct span text;

	for (unsigned t = 0; t < times; t++)
		for (size_t i = 0; i < PAGES; i++) {
			if (html_reader_run(pages->reader,
			        buf_span(&pages->files[i]), HTML_KEEP_ARTICLE,
			        &text, &err))
				bench_die(&err);
			pages->seen += text.len;
		}
	return pages->bytes * times;
}

int main(int argc, char **argv)
{
	struct error err = ERROR_INIT;
	struct pages *pages = bench_alloc(sizeof(*pages));
	struct bench_args args;

	bench_args_read(&args, argc, argv);
	memset(pages, 0, sizeof(*pages));
	make_pages(pages);
	pages->reader = html_reader_new(&err);
	pages->parser = htmlNewParserCtxt();
	if (!pages->reader || !pages->parser)
		bench_die(&err);
	*pages->parser->sax = events;
	pages->parser->userData = pages;
	bench_run("text/html", &bench_mb_per_s, args.rounds,
	    &(struct bench_side){ .run = presto_pages, .arg = pages },
	    &(struct bench_side){
	        .run = bare_pages, .arg = pages, .is_library = true });
	htmlFreeParserCtxt(pages->parser);
	html_reader_free(pages->reader);
	for (size_t i = 0; i < PAGES; i++)
		buf_release(&pages->files[i]);
	free(pages);
	return 0;
}
