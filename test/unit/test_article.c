/*
 * test_article.c - generated articles: reproducible, and similar to real text.
 */
#include <stdbool.h>
#include <string.h>

#include "datasets/generator.h"
#include "datasets/generators/article.h"
#include "datasets/generators/lexicon.h"
#include "datasets/generators/vocabulary.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/utf8.h"
#include "lib/sample/reader.h"
#include "test/unit/dataset.h"
#include "test/unit/test.h"

static struct lexicon *new_lexicon(void)
{
	struct error err = ERROR_INIT;
	struct lexicon *lexicon = lexicon_new(&err);

	test_ok(lexicon ? 0 : -1, &err);
	return lexicon;
}

static void write_article(const struct lexicon *lexicon, uint64_t seed,
    uint64_t number, struct buf *out)
{
	struct error err = ERROR_INIT;

	out->len = 0;
	test_ok(article_text(lexicon, seed, number, out, &err), &err);
}

static void test_lexicon_has_words_and_names(void **state)
{
	struct lexicon *lexicon = new_lexicon();

	UNUSED(state);
	assert_true(span_equal(lexicon_word(lexicon, 0), span_text("the")));
	assert_true(span_equal(
	    lexicon_word(lexicon, LEXICON_COMMON), span_text("after")));
	for (uint32_t i = 0; i < LEXICON_WORDS; i++) {
		const struct span word = lexicon_word(lexicon, i);

		assert_in_range(word.len, 1, 40);
		assert_int_equal(utf8_ascii(word), word.len);
		assert_null(memchr(word.data, ' ', word.len));
	}
	lexicon_free(lexicon);
}

static void test_lexicon_draws_by_zipfs_law(void **state)
{
	enum { DRAWS = 100000 };
	struct random random = random_stream(1, 0, 0, 0);
	struct lexicon *lexicon = new_lexicon();
	unsigned first = 0, common = 0, last = 0;

	UNUSED(state);
	for (unsigned i = 0; i < DRAWS; i++) {
		const uint32_t rank = lexicon_draw(lexicon, 0, &random);

		assert_true(rank < LEXICON_WORDS);
		first += rank == 0;
		common += rank < LEXICON_COMMON;
		last += rank >= LEXICON_WORDS / 2;
		assert_true(lexicon_draw(lexicon, LEXICON_COMMON, &random) >=
		            LEXICON_COMMON);
	}
	assert_in_range(first, DRAWS / 40, DRAWS / 15);
	assert_in_range(common, DRAWS * 2 / 5, DRAWS * 3 / 5);
	assert_in_range(last, DRAWS / 50, DRAWS / 10);
	lexicon_free(lexicon);
}

static void test_article_depends_on_seed_and_number_only(void **state)
{
	struct lexicon *lexicon = new_lexicon();
	struct buf first = BUF_INIT, other = BUF_INIT;

	UNUSED(state);
	write_article(lexicon, 1, 7, &first);
	write_article(lexicon, 1, 8, &other);
	assert_false(span_equal(buf_span(&first), buf_span(&other)));
	write_article(lexicon, 2, 7, &other);
	assert_false(span_equal(buf_span(&first), buf_span(&other)));
	write_article(lexicon, 1, 7, &other);
	assert_true(span_equal(buf_span(&first), buf_span(&other)));
	buf_release(&other);
	buf_release(&first);
	lexicon_free(lexicon);
}

static bool is_blank(unsigned char c)
{
	return c == ' ' || c == '\n';
}

static void test_article_is_a_headline_and_paragraphs(void **state)
{
	enum { ARTICLES = 300 };
	struct lexicon *lexicon = new_lexicon();
	struct buf text = BUF_INIT;
	size_t bytes = 0;

	UNUSED(state);
	for (unsigned i = 0; i < ARTICLES; i++) {
		const unsigned char *newline;

		write_article(lexicon, 1, i, &text);
		bytes += text.len;
		assert_int_equal(utf8_valid(buf_span(&text)), text.len);
		newline = memchr(text.data, '\n', text.len);
		assert_non_null(newline);
		assert_in_range(newline - text.data, 5, 300);
		assert_true(text.data[text.len - 1] != '\n');
		for (size_t c = 1; c < text.len; c++)
			assert_false(is_blank(text.data[c]) &&
			             is_blank(text.data[c - 1]));
	}
	assert_in_range(bytes / ARTICLES, 3000, 3900);
	buf_release(&text);
	lexicon_free(lexicon);
}

/* ---- pages ---- */

enum { PAGES = 200 };

static char *generate(uint64_t seed, unsigned threads)
{
	char *dir = test_scratch();
	const struct generate_plan plan = {
		.dir = dir,
		.count = PAGES,
		.seed = seed,
		.threads = threads,
	};
	struct error err = ERROR_INIT;

	test_ok(generator_find("articles")->run(&plan, &err), &err);
	return dir;
}

static void read_pages(struct opened *opened, const char *dir)
{
	opened_all(opened, dir, "source = folder\npath = .\nmatch = *.html", 0);
	assert_int_equal(opened->count, PAGES);
}

static void generate_hashes(
    uint64_t seed, unsigned threads, uint64_t hashes[PAGES])
{
	char *dir = generate(seed, threads);
	struct opened opened;

	read_pages(&opened, dir);
	for (size_t i = 0; i < PAGES; i++)
		hashes[i] = opened.seen[i].hash;
	opened_close(&opened);
	test_scratch_remove(dir);
}

static void test_articles_depend_on_the_seed_only(void **state)
{
	uint64_t first[PAGES], again[PAGES], other[PAGES];

	UNUSED(state);
	generate_hashes(1, 1, first);
	generate_hashes(1, 3, again);
	generate_hashes(2, 3, other);
	for (size_t i = 0; i < PAGES; i++) {
		assert_int_equal(first[i], again[i]);
		assert_int_not_equal(first[i], other[i]);
	}
}

/* For any number of threads the same; with few articles, there are fewer. */
static void test_articles_bring_a_vocabulary(void **state)
{
	static const char *const files[] = { "vocab/encoder.json",
		"vocab/vocab.bpe" };
	char *first = generate(1, 1), *again = generate(1, 3);
	struct buf a = BUF_INIT, b = BUF_INIT;

	UNUSED(state);
	for (size_t i = 0; vocabulary_is_possible() && i < 2; i++) {
		test_read_file(first, files[i], &a);
		test_read_file(again, files[i], &b);
		assert_true(a.len > 10000);
		assert_true(span_equal(buf_span(&a), buf_span(&b)));
	}
	test_read_file(first, "articles.conf", &a);
	test_ok(buf_append(&a, "", 1, &(struct error)ERROR_INIT), NULL);
	if (vocabulary_is_possible())
		test_contains((const char *)a.data,
		    "bpe      = bpe vocab=vocab\n"
		    "embedded = embed tokens=4096 ");
	buf_release(&a);
	buf_release(&b);
	test_scratch_remove(first);
	test_scratch_remove(again);
}

static void test_articles_are_as_long_as_real_pages(void **state)
{
	char *dir = generate(1, 2);
	struct opened opened;

	UNUSED(state);
	read_pages(&opened, dir);
	assert_in_range(opened.reader->bytes / PAGES, 36000, 50000);
	opened_close(&opened);
	test_scratch_remove(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lexicon_has_words_and_names),
		cmocka_unit_test(test_lexicon_draws_by_zipfs_law),
		cmocka_unit_test(test_article_depends_on_seed_and_number_only),
		cmocka_unit_test(test_article_is_a_headline_and_paragraphs),
		cmocka_unit_test(test_articles_depend_on_the_seed_only),
		cmocka_unit_test(test_articles_bring_a_vocabulary),
		cmocka_unit_test(test_articles_are_as_long_as_real_pages),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
