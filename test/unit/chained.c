/* chained.c - see chained.h. */
#include "test/unit/chained.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "test/unit/test.h"

enum { TEXT = 4096 };

struct type chained_file(const char *suffix)
{
	struct type type = {
		.dtype = DTYPE_U8,
		.layout = LAYOUT_ENCODED,
		.shape = { 1, { -1 } },
	};

	snprintf(type.suffix, sizeof(type.suffix), "%s", suffix);
	return type;
}

struct type chained_pixels(void)
{
	return (struct type){
		.dtype = DTYPE_U8,
		.layout = LAYOUT_HWC,
		.shape = { 3, { -1, -1, 3 } },
	};
}

/* Binds what is in chained->ini. */
static int open_ini(struct chained *chained, const struct type *in,
    const struct presto_step *brought, struct error *err)
{
	struct schema schema = { .count = 1 };

	schema.fields[0].type = *in;
	memcpy(schema.fields[0].name, "data", sizeof("data"));
	if (pipeline_read_behind(
	        &chained->pipeline, &chained->ini, "raw", NULL, brought, err) ||
	    pipeline_bind(&chained->pipeline, &schema, err))
		return -1;
	chained->chain = chained_worker(chained);
	return 0;
}

int chained_open(struct chained *chained, const char *lines,
    const struct type *in, const struct presto_step *brought, struct error *err)
{
	char text[TEXT];

	*chained = (struct chained){ .ini = INI_INIT, .out = SAMPLE_INIT };
	assert_true(
	    snprintf(text, sizeof(text), "[pipeline]\n%s\n", lines) < TEXT);
	if (ini_parse_text(&chained->ini, "p.conf", text, strlen(text), err))
		return -1;
	return open_ini(chained, in, brought, err);
}

void chained_open_file(struct chained *chained, const char *dir,
    const char *lines, const struct type *in)
{
	char text[TEXT], *path = test_path(dir, "p.conf");
	struct error err = ERROR_INIT;

	*chained = (struct chained){ .ini = INI_INIT, .out = SAMPLE_INIT };
	assert_true(
	    snprintf(text, sizeof(text), "[pipeline]\n%s\n", lines) < TEXT);
	test_write(dir, "p.conf", text);
	test_ok(ini_read(&chained->ini, path, &err), &err);
	test_ok(open_ini(chained, in, NULL, &err), &err);
	free(path);
}

struct chain *chained_worker(const struct chained *chained)
{
	const struct chain_plan plan = {
		.pipeline = &chained->pipeline,
		.to = chained->pipeline.count,
	};
	struct error err = ERROR_INIT;
	struct chain *chain = chain_new(&plan, &err);

	if (!chain)
		fail_msg("%s", err.text);
	return chain;
}

int chained_run(struct chained *chained, const struct tensor *in,
    const char *key, struct error *err)
{
	const struct sample sample = {
		.key = span_text(key),
		.label = -1,
		.count = 1,
		.fields = { *in },
	};

	return chain_run(chained->chain, &sample, &chained->out, err);
}

int chained_run_text(
    struct chained *chained, const char *text, struct error *err)
{
	struct tensor in = TENSOR_INIT;

	tensor_view_encoded(&in, text, strlen(text),
	    chained->pipeline.schemas[0].fields[0].type.suffix);
	return chained_run(chained, &in, "key", err);
}

void chained_close(struct chained *chained)
{
	sample_release(&chained->out);
	chain_free(chained->chain);
	pipeline_release(&chained->pipeline);
	ini_release(&chained->ini);
}

void chained_gave(const struct chained *chained, const char *text)
{
	const struct tensor *out = &chained->out.fields[0];

	assert_int_equal(out->bytes, strlen(text));
	assert_memory_equal(out->data, text, out->bytes);
}
