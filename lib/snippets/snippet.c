/* snippet.c - see snippet.h. */
#include "lib/snippets/snippet.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/codecs/transform.h"
#include "lib/files/url.h"
#include "lib/sample/key.h"
#include "lib/snippets/common_code.h"
#include "lib/snippets/program.h"
#include "lib/stores/readable.h"
#include "lib/syntax/nearest.h"

static const struct framework *const frameworks[] = {
#define FRAMEWORK(name) &framework_##name,
#include "lib/snippets/frameworks.def"
#undef FRAMEWORK
};

const struct framework *framework_at(size_t i)
{
	return i < ARRAY_LEN(frameworks) ? frameworks[i] : NULL;
}

const char *framework_name(const struct framework *framework)
{
	return framework->name;
}

const struct framework *framework_parse(const char *name, struct error *err)
{
	struct nearest nearest = nearest_to(name);
	char hint[NEAREST_HINT];

	for (size_t i = 0; i < ARRAY_LEN(frameworks); i++) {
		if (strcmp(frameworks[i]->name, name) == 0)
			return frameworks[i];
		nearest_try(&nearest, frameworks[i]->name);
	}
	error_set(err, ERROR_USAGE, "unknown framework '%s'%s", name,
	    nearest_hint(&nearest, hint));
	return NULL;
}

bool framework_takes(
    const struct framework *framework, const struct description *description)
{
	const struct store_form *form = &description->manifest.form;

	return readable_by(
	    stock_reader_find(framework->reader), form->ops, &form->codec);
}

const struct framework *framework_best(const struct description *description)
{
	static const char *const order[] = { "webdataset", "tensorflow",
		"numpy", "pytorch", "jax", "dali", "streaming", "pyarrow" };
	struct error ignored;

	for (size_t i = 0; i < ARRAY_LEN(order); i++) {
		const struct framework *framework =
		    framework_parse(order[i], &ignored);

		if (framework_takes(framework, description))
			return framework;
	}
	return NULL;
}

/* Reports "small/tar/delta+gzip:6: numpy does not take ...". */
static int refuse(const struct framework *framework,
    const struct description *description, struct error *err)
{
	const struct store_form *form = &description->manifest.form;
	char label[CODEC_LABEL], others[160] = "";
	size_t len = 0;

	for (size_t i = 0; i < ARRAY_LEN(frameworks); i++)
		if (framework_takes(frameworks[i], description))
			len +=
			    (size_t)snprintf(others + len, sizeof(others) - len,
			        "%s%s", len ? ", " : "", frameworks[i]->name);
	return error_set(err, ERROR_USAGE,
	    "%s does not take store %s with codec %s (%s); %s%s",
	    framework->name, form->ops->name, codec_label(&form->codec, label),
	    description->manifest.strategy,
	    len ? "take --for " : "only presto reads it: source = presto",
	    others);
}

/* Adds steps that decode images made by the codec, field by field. */
static void add_decoding(struct program *program)
{
	const struct store_form *form = &program->about->manifest.form;
	const struct transform_ops *transform = form->codec.transform;

	for (unsigned f = 0; transform && f < form->schema.count; f++) {
		struct described_step *step = &program->decode[f];
		const struct type *type = &form->decoded.fields[f].type;

		if (!codec_transforms(&form->codec, &form->decoded, f))
			continue;
		program->mode[f] = (struct described_option){
			"mode",
			type->layout == LAYOUT_HWC && type->shape.dims[2] == 1
			    ? "grey"
			    : "rgb",
		};
		*step = (struct described_step){
			.name = "",
			.step = transform->file_step,
			.options = &program->mode[f],
			.option_count = 1,
			.fields = 1u << f,
		};
		step->gives = program_given(program)[0];
		step->gives.fields[f].type = *type;
		program->steps[program->count].step = step;
		program->steps[program->count].takes = program_given(program);
		program->known = ++program->count;
	}
}

static void add_steps(struct program *program)
{
	const struct description *about = program->about;

	for (size_t i = 0; i < about->step_count; i++) {
		struct program_step *step = &program->steps[program->count];

		step->step = &about->steps[i];
		step->takes = description_takes(about, i);
		if (program->known == program->count &&
		    program_knows(program, step))
			program->known++;
		program->count++;
	}
}

static int print_imports(
    const char *const list[PROGRAM_IMPORTS], struct buf *out, struct error *err)
{
	int rc = 0;

	for (unsigned i = 0; rc == 0 && i < PROGRAM_IMPORTS && list[i]; i++)
		rc = buf_printf(out, err, "%s\n", list[i]);
	if (rc == 0 && list[0])
		rc = buf_printf(out, err, "\n");
	return rc;
}

/* HTTP cannot be listed, so a folder cannot be copied from there. */
static int check_far(const struct program *program, struct error *err)
{
	if (!url_is(program->folder) || *program->folder == 's' ||
	    program_streams(program))
		return 0;
	return error_set(err, ERROR_USAGE,
	    "%s reads local files, and a web server cannot list the folder: "
	    "copy it here first, or read it with presto.Loader",
	    program->framework->name);
}

static int print(struct program *program, struct buf *out, struct error *err)
{
	const struct manifest *manifest = &program->about->manifest;
	char strategy[KEY_TEXT];

	key_text(span_text(manifest->strategy), strategy);
	program_constants(program);
	program->framework->print(program);
	if (program->failed ||
	    buf_printf(out, err,
	        "# Reads %" PRIu64 " samples, which presto stored as %s, with "
	        "%s.\n",
	        manifest->samples, strategy, program->framework->name) ||
	    print_imports(program->standard, out, err) ||
	    print_imports(program->library, out, err))
		return -1;
	return buf_append(out, program->body.data, program->body.len, err);
}

int snippet_print(const struct framework *framework,
    const struct description *description, const char *folder, struct buf *out,
    struct error *err)
{
	struct program *program;
	int rc;

	if (!framework_takes(framework, description))
		return refuse(framework, description, err);
	program = calloc(1, sizeof(*program));
	if (!program)
		return error_memory(err, sizeof(*program));
	program->framework = framework;
	program->about = description;
	program->folder = folder;
	program->err = err;
	rc = check_far(program, err);
	if (rc == 0) {
		add_decoding(program);
		add_steps(program);
		rc = print(program, out, err);
	}
	buf_release(&program->body);
	free(program);
	return rc;
}
