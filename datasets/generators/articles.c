/*
 * articles.c - web pages with the statistics of those that OpenWebText was
 * taken from: about 43 kB, of which 3.3 kB are the article; and articles.conf,
 * which reads them.
 *
 * Page i depends on the seed and i only, so the number of threads makes no
 * difference.
 */
#include <inttypes.h>
#include <stdio.h>

#include "datasets/generator.h"
#include "datasets/generators/article.h"
#include "datasets/generators/crew.h"
#include "datasets/generators/lexicon.h"
#include "datasets/generators/vocabulary.h"
#include "datasets/generators/web_page.h"
#include "lib/base/error.h"
#include "lib/base/random.h"

enum {
	STEP_PAGE = 0x70616765, /* its own random stream */
	FILE_NAME = 64,
};

static const char pipeline_text[] =
    "# articles.conf - the text of web pages, in the manner of the PRESTO\n"
    "# paper's NLP pipeline; made by:\n"
    "#     presto generate articles --count %" PRIu64 " --seed %" PRIu64 "\n"
    "[dataset]\n"
    "source = folder\n"
    "path   = .\n"
    "match  = *.html\n"
    "\n"
    "[pipeline]              ; name of the representation = step\n"
    "decoded  = html_text\n"
    "checked  = utf8\n"
    "%s"
    "\n"
    "[strategies]\n"
    "split = all\n"
    "store = tar, tfrecord\n"
    "codec = none, gzip, zstd:1\n"
    "\n"
    "[load]\n"
    "threads = 2\n"
    "cache   = none, system\n"
    "batch   = 64\n"
    "\n"
    "[measure]\n"
    "samples = %" PRIu64 "\n"
    "epochs  = 2\n"
    "runs    = 5\n";

/* Behind them, where there is a vocabulary. */
static const char tokens_text[] =
    "bpe      = bpe vocab=vocab\n"
    "embedded = embed tokens=%" PRIu32 " dim=128 seed=1  ; the paper: 768\n";

/* A worker's; the lexicon is small, and soon made. */
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

/* The steps behind the text; none without a vocabulary. */
static int print_tokens(
    const struct generate_plan *plan, struct buf *text, struct error *err)
{
	uint32_t tokens;

	if (!vocabulary_is_possible())
		return buf_printf(text, err, "%s", "");
	if (vocabulary_learn(plan, &tokens, err))
		return -1;
	return buf_printf(text, err, tokens_text, tokens);
}

static int write_pipeline(const struct generate_plan *plan, struct error *err)
{
	struct buf text = BUF_INIT, steps = BUF_INIT;
	int rc = -1;

	if (print_tokens(plan, &steps, err) == 0 &&
	    buf_printf(&text, err, pipeline_text, plan->count, plan->seed,
	        (const char *)steps.data, crew_samples(plan)) == 0)
		rc = crew_write(
		    plan->dir, "articles.conf", buf_span(&text), err);
	buf_release(&text);
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
	.summary = "web pages with the statistics of OpenWebText's",
	.default_count = 1000,
	.run = articles,
};
