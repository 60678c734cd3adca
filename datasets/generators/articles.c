/*
 * articles.c - web pages with the statistics of those behind OpenWebText: about
 * 43 kB, 3.3 kB of it the article; and articles.conf, which reads them.
 *
 * Page i depends on the seed and i only, so threads do not matter.
 */
#include <inttypes.h>
#include <stdio.h>

#include "datasets/generator.h"
#include "datasets/generators/article.h"
#include "datasets/generators/crew.h"
#include "datasets/generators/lexicon.h"
#include "datasets/generators/pipeline_file.h"
#include "datasets/generators/vocabulary.h"
#include "datasets/generators/web_page.h"
#include "lib/base/error.h"
#include "lib/base/random.h"

enum {
	STEP_PAGE = 0x70616765, /* own random stream */
	FILE_NAME = 64,
};

static const char text_steps[] = "decoded  = html_text\n"
                                 "checked  = utf8\n";

/* Further steps, if there is a vocabulary. */
static const char tokens_text[] =
    "bpe      = bpe vocab=vocab\n"
    "embedded = embed tokens=%" PRIu32 " dim=128 seed=1  ; the paper: 768\n";

/* State of a worker; the lexicon is small and quickly made. */
struct press {
	struct lexicon *lexicon;
	struct buf article, page;
};

static int make_page(void *state, const struct generate_plan *plan,
    uint64_t number, struct error *err)
{
	struct press *press = state;
	struct web_page page = { .out = &press->page, .err = err };
	char name[FILE_NAME];

	if (!press->lexicon)
		press->lexicon = lexicon_new(err);
	if (!press->lexicon)
		return -1;
	page.lexicon = press->lexicon;
	page.random = random_stream(plan->seed, 0, number, STEP_PAGE);
	press->article.len = press->page.len = 0;
	if (article_text(
	        press->lexicon, plan->seed, number, &press->article, err) ||
	    web_page_write(&page, buf_span(&press->article)))
		return -1;
	snprintf(name, sizeof(name), "article_%06" PRIu64 ".html", number);
	return crew_write(plan->dir, name, buf_span(&press->page), err);
}

static void release_press(void *state)
{
	struct press *press = state;

	lexicon_free(press->lexicon);
	buf_release(&press->article);
	buf_release(&press->page);
}

static int print_steps(
    const struct generate_plan *plan, struct buf *steps, struct error *err)
{
	uint32_t tokens;

	if (buf_printf(steps, err, "%s", text_steps))
		return -1;
	if (!vocabulary_is_possible())
		return 0;
	if (vocabulary_learn(plan, &tokens, err))
		return -1;
	return buf_printf(steps, err, tokens_text, tokens);
}

static int write_pipeline(const struct generate_plan *plan, struct error *err)
{
	struct pipeline_file file = {
		.about =
		    "the text pipeline of the PRESTO paper, over web pages",
		.dataset = "source = folder\npath   = .\nmatch  = *.html\n",
	};
	struct buf steps = BUF_INIT;
	int rc = print_steps(plan, &steps, err);

	file.steps = (const char *)steps.data;
	if (rc == 0)
		rc = pipeline_file_write(&generator_articles, plan, &file, err);
	buf_release(&steps);
	return rc;
}

static const struct crew_job job = {
	.state_size = sizeof(struct press),
	.make = make_page,
	.release = release_press,
};

static int articles(const struct generate_plan *plan, struct error *err)
{
	return crew_run(plan, &job, err) ? -1 : write_pipeline(plan, err);
}

const struct generator_ops generator_articles = {
	.name = "articles",
	.makes = "articles",
	.summary = "web pages with the statistics of OpenWebText's",
	.default_count = 1000,
	.run = articles,
};
