/*
 * html_text.c - extracts the text of an article from a web page.
 * in:  the bytes of an HTML file, in any charset
 * out: UTF-8 text: paragraphs, separated by newlines
 */
#include "lib/base/array.h"
#include "lib/steps/step.h"
#include "lib/syntax/option.h"
#include "lib/web/html.h"

struct options {
	unsigned keep; /* an enum html_keep */
};

static const struct option options[] = {
	OPTION_WORDS("keep", struct options, keep, "article|all",
	    "text to keep: the article, or all visible text"),
	OPTION_TABLE_END,
};

struct html_text {
	struct html_reader *reader;
	enum html_keep keep;
};

static int html_text_bind(void *priv, const void *given, const struct type *in,
    struct type *out, struct error *err)
{
	struct html_text *html = priv;

	if (in->layout != LAYOUT_ENCODED)
		return type_refuse(in, "the bytes of an HTML file", err);
	*out = (struct type){
		.dtype = DTYPE_U8,
		.layout = LAYOUT_ENCODED,
		.shape = { .count = 1, .dims = { -1 } },
		.suffix = "txt",
	};
	html->keep = ((const struct options *)given)->keep;
	html->reader = html_reader_new(err);
	return html->reader ? 0 : -1;
}

static int html_text_run(void *priv, struct random *random,
    const struct tensor *in, struct tensor *out, struct error *err)
{
	struct html_text *html = priv;
	const struct span file = { .data = in->data, .len = in->bytes };
	struct tensor view = TENSOR_INIT;
	struct span text;

	UNUSED(random);
	if (html_reader_run(html->reader, file, html->keep, &text, err))
		return -1;
	tensor_view_encoded(&view, text.data, text.len, "txt");
	return tensor_copy(out, &view, err);
}

static void html_text_release(void *priv)
{
	html_reader_free(((struct html_text *)priv)->reader);
}

const struct step_ops step_html_text = {
	.name = "html_text",
	.summary = "extract the text of a web page's article",
	.in = "bytes of an HTML file",
	.out = "bytes of a text, UTF-8",
	.any_alignment = true,
	.options = options,
	.options_size = sizeof(struct options),
	.priv_size = sizeof(struct html_text),
	.bind = html_text_bind,
	.run = html_text_run,
	.release = html_text_release,
};
