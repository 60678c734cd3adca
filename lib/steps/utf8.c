/*
 * utf8.c - checks or repairs text in UTF-8.
 * in:  the bytes of a text
 * out: the same, or with U+FFFD in place of invalid bytes
 */
#include "lib/base/utf8.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/steps/step.h"
#include "lib/syntax/option.h"

enum invalid { FAIL, REPLACE };

struct options {
	unsigned invalid; /* an enum invalid */
};

static const struct option options[] = {
	OPTION_WORDS("invalid", struct options, invalid, "fail|replace",
	    "treatment of other bytes: an error, or U+FFFD in their place"),
	OPTION_TABLE_END,
};

struct utf8 {
	bool replaces;
	struct buf text;
};

static int utf8_bind(void *priv, const void *given, const struct type *in,
    struct type *out, struct error *err)
{
	struct utf8 *utf8 = priv;

	if (in->layout != LAYOUT_ENCODED)
		return type_refuse(in, "the bytes of a text", err);
	*out = (struct type){
		.dtype = DTYPE_U8,
		.layout = LAYOUT_ENCODED,
		.shape = { .count = 1, .dims = { -1 } },
		.suffix = "txt",
	};
	utf8->replaces = ((const struct options *)given)->invalid == REPLACE;
	return 0;
}

static int utf8_run(void *priv, struct random *random, const struct tensor *in,
    struct tensor *out, struct error *err)
{
	struct utf8 *utf8 = priv;
	struct span text = { .data = in->data, .len = in->bytes };
	struct tensor view = TENSOR_INIT;
	const size_t good = text.len ? utf8_valid(text) : 0;

	UNUSED(random);
	if (good < text.len && !utf8->replaces)
		return error_set(err, ERROR_DATA,
		    "byte %zu (0x%02x) is not UTF-8; invalid=replace goes on",
		    good, text.data[good]);
	if (good < text.len) {
		utf8->text.len = 0;
		if (utf8_append(&utf8->text, text, err))
			return -1;
		text = buf_span(&utf8->text);
	}
	tensor_view_encoded(&view, text.data, text.len, "txt");
	return tensor_copy(out, &view, err);
}

static void utf8_release(void *priv)
{
	buf_release(&((struct utf8 *)priv)->text);
}

const struct step_ops step_utf8 = {
	.name = "utf8",
	.summary = "check that a text is UTF-8",
	.in = "bytes of a text",
	.out = "the same, valid UTF-8",
	.any_alignment = true,
	.options = options,
	.options_size = sizeof(struct options),
	.priv_size = sizeof(struct utf8),
	.bind = utf8_bind,
	.run = utf8_run,
	.release = utf8_release,
};
