/*
 * fuzz_html.c - any bytes as a web page, in any charset: text that is valid
 * UTF-8, the same from a reader that has read other pages, or an error in
 * words.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "lib/base/error.h"
#include "lib/base/utf8.h"
#include "lib/web/html.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static void require(int truth)
{
	if (!truth)
		abort();
}

static struct html_reader *used; /* from page to page */

static struct span read_page(
    struct html_reader *reader, struct span page, enum html_keep keep)
{
	struct error err = ERROR_INIT;
	struct span text = { NULL, 0 };

	require(reader != NULL);
	require(html_reader_run(reader, page, keep, &text, &err) == 0);
	require(!text.len || utf8_valid(text) == text.len);
	return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	const struct span page = { .data = data, .len = len };
	struct error err = ERROR_INIT;
	struct html_reader *fresh = html_reader_new(&err);
	struct span one, other;

	if (!used)
		used = html_reader_new(&err);
	one = read_page(fresh, page, HTML_KEEP_ALL);
	other = read_page(used, page, HTML_KEEP_ALL);
	require(span_equal(one, other));
	one = read_page(fresh, page, HTML_KEEP_ARTICLE);
	other = read_page(used, page, HTML_KEEP_ARTICLE);
	require(span_equal(one, other));
	html_reader_free(fresh);
	return 0;
}
