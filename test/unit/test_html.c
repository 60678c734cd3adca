/*
 * test_html.c - text of web pages: removed content, charsets, malicious input.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "datasets/generators/article.h"
#include "datasets/generators/lexicon.h"
#include "datasets/generators/web_page.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/utf8.h"
#include "lib/files/path.h"
#include "lib/files/path_tree.h"
#include "lib/web/html.h"
#include "lib/web/html_strip.h"
#include "test/unit/stepper.h"
#include "test/unit/test.h"

enum { PAGE_MOST = 1 << 20, WORDS_MOST = 1 << 15 };

static struct html_reader *new_reader(void)
{
	struct error err = ERROR_INIT;
	struct html_reader *reader = html_reader_new(&err);

	test_ok(reader ? 0 : -1, &err);
	return reader;
}

static struct span read_page(
    struct html_reader *reader, struct span page, enum html_keep keep)
{
	struct error err = ERROR_INIT;
	struct span text;

	test_ok(html_reader_run(reader, page, keep, &text, &err), &err);
	if (text.len)
		assert_int_equal(utf8_valid(text), text.len);
	return text;
}

static void expect(struct span page, enum html_keep keep, const char *wanted)
{
	struct html_reader *reader = new_reader();
	const struct span text = read_page(reader, page, keep);

	if (!span_equal(text, span_text(wanted)))
		fail_msg("'%.*s' instead of '%s'", (int)text.len,
		    (const char *)text.data, wanted);
	html_reader_free(reader);
}

static void test_html_text_is_what_is_seen(void **state)
{
	static const struct {
		const char *page, *text;
	} cases[] = {
		{ "", "" },
		{ "plain", "plain" },
		{ "a < b", "a < b" },
		{ "<p>one<p>two", "one\ntwo" },
		{ "<p> one \n\t two </p>\n<p></p><p>three</p>",
		    "one two\nthree" },
		{ "<p>a<b>b</b> <i>c</i>d</p>", "ab cd" },
		{ "<p>line<br>line<br><br/>line</p>", "line\nline\nline" },
		{ "<pre>int a;\n  int b;</pre>", "int a;\nint b;" },
		{ "<p>a&nbsp;&nbsp;b\xc2\xa0 c</p>", "a b c" },
		{ "<p>&lt;&eacute;&#8364;&#x1F600;&amp;&quot;</p>",
		    "<\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80&\"" },
		{ "<p>&nothing; R&D</p>", "&nothing; R&D" },
		{ "<title>t</title><style>p{}</style><p>x"
		  "<script>if (a < b) '</p>'</script>y<!-- c --></p>",
		    "xy" },
		{ "<p hidden>a</p><p style='color:red; DISPLAY : none'>b</p>"
		  "<p style='visibility:hidden'>c</p><p aria-hidden=true>d</p>"
		  "<p aria-hidden=false>e</p>",
		    "e" },
		{ "<noscript>n</noscript><svg><text>s</text></svg>"
		  "<iframe>i</iframe><template>t</template>"
		  "<select><option>o</select><button>b</button>x",
		    "x" },
		{ "<ul><li>a<li>b</ul><table><tr><td>c<td>d</table>",
		    "a\nb\nc\nd" },
		{ "<div>a<div>b</div>c</div>", "a\nb\nc" },
		{ "<my-element>a</my-element> <B>b</B>", "a b" },
		{ "</p></div>a</body></html>b", "a\nb" },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		expect(span_text(cases[i].page), HTML_KEEP_ALL, cases[i].text);
}

#define SENTENCE                                                        \
	"The river, which had been low all summer, rose within a day, " \
	"and the bridge, the only one, was closed. "

static void test_html_text_of_the_article_only(void **state)
{
	static const char page[] =
	    "<html><head><title>Flood</title></head><body>"
	    "<header><h1>News</h1></header>"
	    "<nav><ul><li><a href=a>Home</a><li><a href=b>Sport</a></ul></nav>"
	    "<div class=main><h1>Flood</h1>"
	    "<div class='article-body'><p>One. " SENTENCE "</p>"
	    "<div class=share-tools>Share this, please, with everyone.</div>"
	    "<ul><li><a href=c>Read on about it</a>"
	    "<li><a href=d>Read even more of it</a></ul>"
	    "<p>Two. " SENTENCE "</p></div>"
	    "<form><p>Your name, and your letter, please, here.</p></form>"
	    "<div id=comments><p>Comment. " SENTENCE "</p></div></div>"
	    "<footer><p>Copyright, by nobody, of nothing, ever.</p></footer>"
	    "</body></html>";
	struct html_reader *reader = new_reader();
	struct span text =
	    read_page(reader, span_text(page), HTML_KEEP_ARTICLE);
	static const char all[] = "News\nHome\nSport\nFlood\nOne. ";

	UNUSED(state);
	assert_true(text.len > 200 && text.len < 300);
	assert_memory_equal(text.data, "One. The", 8);
	assert_non_null(memchr(text.data, '\n', text.len));
	assert_memory_equal(
	    (const char *)memchr(text.data, '\n', text.len) + 1, "Two. ", 5);
	text = read_page(reader, span_text(page), HTML_KEEP_ALL);
	assert_memory_equal(text.data, all, sizeof(all) - 1);
	html_reader_free(reader);
}

static void test_html_text_of_any_charset(void **state)
{
#define PAGE(bytes)                                                        \
	{                                                                  \
		.data = (const void *)("" bytes), .len = sizeof(bytes) - 1 \
	}
	static const struct {
		struct span page;
		const char *text;
	} cases[] = {
		{ PAGE("gr\xfc\xdf"), "gr\xc3\xbc\xc3\x9f" },
		{ PAGE("\x93q\x94 \x80"), "\xe2\x80\x9cq\xe2\x80\x9d "
		                          "\xe2\x82\xac" },
		{ PAGE("<meta charset=iso-8859-1><p>\xe9"), "\xc3\xa9" },
		{ PAGE("<meta charset=\"utf-8\"><p>\xc3\xa9\xe9"),
		    "\xc3\xa9\xef\xbf\xbd" },
		{ PAGE("<META http-equiv=Content-Type content='text/html; "
		       "charset = KOI8-R'><p>\xf0\xd2\xc9"),
		    "\xd0\x9f\xd1\x80\xd0\xb8" },
		{ PAGE("<!-- <meta charset=utf-8> --><meta charset=gb2312>"
		       "<p>\xc4\xe3\xba\xc3\xff!"),
		    "\xe4\xbd\xa0\xe5\xa5\xbd\xef\xbf\xbd!" },
		{ PAGE("<meta charset=no-such><p>\xc3\xa9"), "\xc3\xa9" },
		{ PAGE("<meta charset=no-such><p>\xe9"), "\xc3\xa9" },
		{ PAGE("\xef\xbb\xbf<meta charset=latin1><p>\xc3\xa9"),
		    "\xc3\xa9" },
		{ PAGE("\xff\xfe<\0p\0>\0\xe9\0"), "\xc3\xa9" },
		{ PAGE("\xfe\xff\0<\0p\0>\0\xe9\xd8"), "\xc3\xa9\xef\xbf\xbd" },
		{ PAGE("\xff\xfe"), "" },
		{ PAGE("\xef\xbb\xbf"), "" },
		{ PAGE("a\0b\0\0<\0p>c"), "ab\nc" },
	};
#undef PAGE

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		expect(cases[i].page, HTML_KEEP_ALL, cases[i].text);
}

static void test_html_strip_leaves_what_is_read(void **state)
{
	static const struct {
		const char *page, *left;
	} cases[] = {
		{ "", "" },
		{ "a < b <", "a < b <" },
		{ "<p>a</p>", "<p>a</p>" },
		{ "<P CLASS=a href='b>c' ID = \"d\" data-x>e",
		    "<P CLASS=a ID = \"d\">e" },
		{ "<img src=a/><br/><br />", "<img><br/><br/>" },
		{ "<a/class=c>d", "<a class=c>d" },
		{ "<a id=\"x\"hidden @on=\"y>z\">b", "<a id=\"x\" hidden>b" },
		{ "<a x\"y>z\">", "<a>z\">" },
		{ "a<!-- <p> -->b<!-->c<!--->d<!--e--!>f", "abcdf" },
		{ "<script src=a>if (a</b) '<p>'</SCRIPT >x",
		    "<script></SCRIPT >x" },
		{ "<style>/style</style>", "<style></style>" },
		{ "<scripts>a</scripts>", "<scripts>a</scripts>" },
		{ "<script/>a <b c>", "<script/>a <b c>" },
		{ "<script>a <b c>", "<script>a <b c>" },
		{ "<i x='1'><a href='b c>d", "<i><a href='b c>d" },
		{ "<i x><a class=b y", "<i><a class=b y" },
		{ "<i><!-- <b x>", "<i><!-- <b x>" },
		{ "<!DOCTYPE html><?a b?></p x>",
		    "<!DOCTYPE html><?a b?></p x>" },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct buf out = BUF_INIT;
		struct error err = ERROR_INIT;

		test_ok(html_strip(span_text(cases[i].page), &out, &err), &err);
		if (!span_equal(buf_span(&out), span_text(cases[i].left)))
			fail_msg("'%s' became '%.*s'", cases[i].page,
			    (int)out.len, (const char *)out.data);
		buf_release(&out);
	}
}

/* ---- what is built to hurt ---- */

static void repeat(struct buf *page, const char *text, size_t times)
{
	struct error err = ERROR_INIT;

	for (size_t i = 0; i < times; i++)
		test_ok(buf_append(page, text, strlen(text), &err), &err);
}

static void test_html_text_of_deep_pages(void **state)
{
	static const struct {
		const char *open, *close;
	} cases[] = {
		{ "<div>", "</div>" },
		{ "<b>", "</u>" },
		{ "<div>", "</b>" },
		{ "<p><font>", "</p>" },
		{ "<table><tr><td>", "</table>" },
		{ "<b><i>", "</b>" },
		{ "<ul><li>", "" },
		{ "<x", ">" },
	};
	struct html_reader *reader = new_reader();

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct buf page = BUF_INIT;
		struct span text;

		repeat(&page, cases[i].open, 50000);
		repeat(&page, "in the middle", 1);
		repeat(&page, cases[i].close, 50000);
		repeat(&page, "<p>behind it", 1);
		text = read_page(reader, buf_span(&page), HTML_KEEP_ALL);
		if (i < ARRAY_LEN(cases) - 1)
			assert_true(
			    text.len == strlen("in the middle\nbehind it"));
		read_page(reader, buf_span(&page), HTML_KEEP_ARTICLE);
		buf_release(&page);
	}
	html_reader_free(reader);
}

static void test_html_text_of_tags_without_end(void **state)
{
	struct html_reader *reader = new_reader();
	struct error err = ERROR_INIT;
	struct buf page = BUF_INIT;
	struct span text;

	UNUSED(state);
	repeat(&page, "<p", 1); /* many attributes, all different */
	for (unsigned i = 0; i < 100000; i++)
		test_ok(buf_printf(&page, &err, " a%u=%u", i, i), &err);
	repeat(&page, ">text<p>more", 1);
	text = read_page(reader, buf_span(&page), HTML_KEEP_ALL);
	assert_true(span_equal(text, span_text("text\nmore")));
	repeat(&page, "<p", 1); /* the same, left for libxml2 to read */
	for (unsigned i = 0; i < 100000; i++)
		test_ok(buf_printf(&page, &err, " a%u=%u", i, i), &err);
	repeat(&page, " x='", 1);
	text = read_page(reader, buf_span(&page), HTML_KEEP_ALL);
	assert_true(span_equal(text, span_text("text\nmore")));
	page.len = 0;
	repeat(&page, "<img src='", 1); /* one that is large */
	repeat(&page, "0123456789abcdef", 200000);
	repeat(&page, "'>text", 1);
	text = read_page(reader, buf_span(&page), HTML_KEEP_ALL);
	assert_true(span_equal(text, span_text("text")));
	page.len = 0;
	repeat(&page, "<!--", 50000); /* and what never ends */
	read_page(reader, buf_span(&page), HTML_KEEP_ALL);
	page.len = 0;
	repeat(&page, "<script>", 50000);
	read_page(reader, buf_span(&page), HTML_KEEP_ALL);
	page.len = 0;
	repeat(&page, "&lt;", 100000);
	text = read_page(reader, buf_span(&page), HTML_KEEP_ALL);
	assert_int_equal(text.len, 100000);
	buf_release(&page);
	html_reader_free(reader);
}

/* Names fill the parser's dictionary: later pages must not suffer. */
static void test_html_reader_forgets_the_page_before(void **state)
{
	struct html_reader *reader = new_reader();
	struct error err = ERROR_INIT;
	struct buf page = BUF_INIT;

	UNUSED(state);
	for (unsigned i = 0; i < 300; i++) {
		struct span text;

		page.len = 0;
		for (unsigned k = 0; k < 50; k++)
			test_ok(buf_printf(&page, &err, "<x-%u-%u y%u=1>", i, k,
			            i * k),
			    &err);
		repeat(&page, "<div class=article><p>text<footer><p>foot", 1);
		text = read_page(reader, buf_span(&page), HTML_KEEP_ALL);
		assert_true(span_equal(text, span_text("text\nfoot")));
	}
	buf_release(&page);
	html_reader_free(reader);
}

static void test_html_text_refuses_what_is_too_large(void **state)
{
	static const unsigned char byte = 'x';
	const struct span page = { &byte, (size_t)HTML_BYTES_MOST + 1 };
	struct html_reader *reader = new_reader();
	struct error err = ERROR_INIT;
	struct span text;

	UNUSED(state);
	test_error_is(html_reader_run(reader, page, HTML_KEEP_ALL, &text, &err),
	    &err, "a page of 268435457 bytes; at most 268435456 are read");
	html_reader_free(reader);
}

/* ---- the steps ---- */

static const struct type file_type = {
	.dtype = DTYPE_U8,
	.layout = LAYOUT_ENCODED,
	.shape = { 1, { -1 } },
	.suffix = "html",
};

static void test_step_html_text(void **state)
{
	static const char page[] = "<nav>a</nav><p>" SENTENCE;
	struct tensor in = TENSOR_INIT, out = TENSOR_INIT;

	UNUSED(state);
	tensor_view_encoded(&in, page, sizeof(page) - 1, "html");
	stepper_once("html_text", &file_type, &in, &out);
	assert_string_equal(out.suffix, "txt");
	assert_int_equal(out.bytes, strlen(SENTENCE) - 1);
	assert_memory_equal(out.data, SENTENCE, out.bytes);
	stepper_once("html_text keep=all", &file_type, &in, &out);
	assert_int_equal(out.bytes, strlen(SENTENCE) + 1);
	tensor_view_encoded(&in, page, 0, "html");
	stepper_once("html_text", &file_type, &in, &out);
	assert_int_equal(out.bytes, 0);
	tensor_release(&out);
}

/* ---- pages ---- */

/* What is made around an article is taken away again. */
static void test_html_text_of_made_up_pages(void **state)
{
	struct error err = ERROR_INIT;
	struct lexicon *lexicon = lexicon_new(&err);
	struct html_reader *reader = new_reader();
	struct buf article = BUF_INIT, bytes = BUF_INIT;

	UNUSED(state);
	test_ok(lexicon ? 0 : -1, &err);
	for (uint64_t i = 0; i < 50; i++) {
		struct web_page page = {
			.lexicon = lexicon,
			.random = random_stream(1, 0, i, 0),
			.out = &bytes,
			.err = &err,
		};
		struct span text;
		size_t headline;

		article.len = bytes.len = 0;
		test_ok(article_text(lexicon, 1, i, &article, &err), &err);
		test_ok(web_page_write(&page, buf_span(&article)), &err);
		text = read_page(reader, buf_span(&bytes), HTML_KEEP_ARTICLE);
		headline = article.len - text.len - 1;
		assert_true(headline < 200);
		assert_int_equal(article.data[headline], '\n');
		assert_memory_equal(
		    text.data, article.data + headline + 1, text.len);
	}
	buf_release(&article);
	buf_release(&bytes);
	html_reader_free(reader);
	lexicon_free(lexicon);
}

struct words {
	struct span words[WORDS_MOST];
	size_t count;
};

static int compare_words(const void *a, const void *b)
{
	const struct span *x = a, *y = b;
	const size_t len = x->len < y->len ? x->len : y->len;
	const int order = memcmp(x->data, y->data, len);

	return order ? order : x->len < y->len ? -1 : x->len > y->len;
}

static void sort_words(struct span text, struct words *words)
{
	size_t at = 0;

	words->count = 0;
	while (at < text.len && words->count < WORDS_MOST) {
		size_t start;

		while (at < text.len && text.data[at] <= ' ')
			at++;
		start = at;
		while (at < text.len && text.data[at] > ' ')
			at++;
		if (at > start)
			words->words[words->count++] =
			    (struct span){ text.data + start, at - start };
	}
	qsort(words->words, words->count, sizeof(struct span), compare_words);
}

static size_t count_common(const struct words *a, const struct words *b)
{
	size_t i = 0, k = 0, common = 0;

	while (i < a->count && k < b->count) {
		const int order = compare_words(&a->words[i], &b->words[k]);

		common += order == 0;
		i += order <= 0;
		k += order >= 0;
	}
	return common;
}

/* Of the words of two texts: 2 * those in both / all. */
static double likeness(struct span text, struct span wanted)
{
	static struct words got, expected;

	sort_words(text, &got);
	sort_words(wanted, &expected);
	return 2.0 * (double)count_common(&got, &expected) /
	       (double)(got.count + expected.count + 1);
}

struct tally {
	struct html_reader *reader;
	const char *data;
	double sum;
	unsigned pages;
};

/* NAME.txt is the article of html/newspaper/NAME.html. */
static int compare_page(
    void *arg, const char *name, uint64_t bytes, struct error *err)
{
	struct tally *tally = arg;
	struct buf page = BUF_INIT, wanted = BUF_INIT;
	char path[4096];

	UNUSED(bytes);
	snprintf(path, sizeof(path), "%s/text/plain/newspaper/%s", tally->data,
	    name);
	test_ok(path_read(path, PAGE_MOST, &wanted, err), err);
	snprintf(path, sizeof(path), "%s/text/html/newspaper/%.*s.html",
	    tally->data, (int)strlen(name) - 4, name);
	test_ok(path_read(path, PAGE_MOST, &page, err), err);
	tally->sum += likeness(
	    read_page(tally->reader, buf_span(&page), HTML_KEEP_ARTICLE),
	    buf_span(&wanted));
	tally->pages++;
	buf_release(&page);
	buf_release(&wanted);
	return 0;
}

static void test_html_text_agrees_with_known_articles(void **state)
{
	const char *data = getenv("PRESTO_TEST_DATA");
	struct tally tally = { .data = data ? data : "../shared/data" };
	struct error err = ERROR_INIT;
	char dir[4096];

	UNUSED(state);
	snprintf(dir, sizeof(dir), "%s/text/plain/newspaper", tally.data);
	if (!path_exists(dir))
		skip();
	tally.reader = new_reader();
	test_ok(path_each(dir, compare_page, &tally, &err), &err);
	html_reader_free(tally.reader);
	assert_true(tally.pages >= 10);
	if (tally.sum / tally.pages < 0.95)
		fail_msg("%.3f of the words", tally.sum / tally.pages);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_html_text_is_what_is_seen),
		cmocka_unit_test(test_html_text_of_the_article_only),
		cmocka_unit_test(test_html_text_of_any_charset),
		cmocka_unit_test(test_html_strip_leaves_what_is_read),
		cmocka_unit_test(test_html_text_of_deep_pages),
		cmocka_unit_test(test_html_text_of_tags_without_end),
		cmocka_unit_test(test_html_reader_forgets_the_page_before),
		cmocka_unit_test(test_html_text_refuses_what_is_too_large),
		cmocka_unit_test(test_step_html_text),
		cmocka_unit_test(test_html_text_of_made_up_pages),
		cmocka_unit_test(test_html_text_agrees_with_known_articles),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
