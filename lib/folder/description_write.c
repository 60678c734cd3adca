/* description_write.c - see description_write.h. */
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/folder/description.h"
#include "lib/folder/description_write.h"
#include "lib/sample/type_words.h"
#include "lib/stores/readable.h"
#include "lib/stores/shard_path.h"
#include "lib/syntax/json.h"

/*
 * The list of more shards would take a gigabyte of memory to read, and the
 * manifest has it, too.
 */
enum { SHARDS_LISTED = 65536 };

static void add_type(
    struct json_doc *doc, struct json_t *at, const struct type *type)
{
	struct json_t *shape;

	json_add_text(doc, at, "dtype", dtype_name(type->dtype));
	json_add_text(doc, at, "layout", layout_word(type->layout));
	shape = json_add_array(doc, at, "shape");
	for (unsigned i = 0; i < type->shape.count; i++)
		if (type->shape.dims[i] < 0)
			json_add_text(doc, shape, NULL, NULL);
		else
			json_add_integer(doc, shape, NULL, type->shape.dims[i]);
	if (type->suffix[0])
		json_add_text(doc, at, "suffix", type->suffix);
}

static void add_schema(struct json_doc *doc, struct json_t *at, const char *key,
    const struct schema *schema)
{
	struct json_t *list = json_add_array(doc, at, key);

	for (unsigned i = 0; i < schema->count; i++) {
		struct json_t *field = json_add_object(doc, list, NULL);

		json_add_text(doc, field, "name", schema->fields[i].name);
		add_type(doc, field, &schema->fields[i].type);
	}
}

static int add_shards(
    struct json_doc *doc, const struct manifest *manifest, struct error *err)
{
	struct json_t *list = json_add_array(doc, doc->root, "shards");

	for (size_t i = 0; i < manifest->count && i < SHARDS_LISTED; i++) {
		struct json_t *shard = json_add_object(doc, list, NULL);
		char *path = shard_path("", &manifest->form, (unsigned)i, err);

		if (!path)
			return -1;
		json_add_text(doc, shard, "name", path_base(path));
		json_add_uint(
		    doc, shard, "samples", manifest->shards[i].samples);
		json_add_uint(doc, shard, "bytes", manifest->shards[i].stored);
		free(path);
	}
	return 0;
}

static void add_step(struct json_doc *doc, struct json_t *list,
    const struct described_step *step, const struct schema *takes)
{
	struct json_t *at = json_add_object(doc, list, NULL), *part;

	json_add_text(doc, at, "name", step->name);
	json_add_text(doc, at, "step", step->step);
	if (step->target)
		json_add_text(doc, at, "target", step->target);
	part = json_add_object(doc, at, "options");
	for (size_t i = 0; i < step->option_count; i++)
		json_add_text(
		    doc, part, step->options[i].name, step->options[i].value);
	json_add_flag(doc, at, "random", step->random);
	part = json_add_array(doc, at, "works_on");
	for (unsigned f = 0; f < takes->count; f++)
		if (step->fields & 1u << f)
			json_add_text(doc, part, NULL, takes->fields[f].name);
	add_schema(doc, at, "gives", &step->gives);
	if (step->folder)
		json_add_text(doc, at, "folder", step->folder);
}

/* Lists the lines of code_print. */
static int add_code(struct json_doc *doc, const char *code, struct error *err)
{
	struct json_t *list = json_add_array(doc, doc->root, "code");

	while (*code) {
		const size_t len = strcspn(code, "\n");
		char *line = strndup(code, len);

		if (!line)
			return error_memory(err, len);
		json_add_text(doc, list, NULL, line);
		free(line);
		code += len + (code[len] == '\n');
	}
	return 0;
}

/* Lists the readers that can read it directly. */
static void add_readers(
    struct json_doc *doc, struct json_t *root, const struct store_form *form)
{
	struct json_t *list = json_add_array(doc, root, "readable_by");
	const struct stock_reader *reader;

	for (size_t i = 0; (reader = stock_reader_at(i)); i++)
		if (reader->takes &&
		    readable_by(reader, form->ops, &form->codec))
			json_add_text(doc, list, NULL, reader->name);
}

/* Lists the names of "decoded,centered,cropped". */
static int add_order(struct json_doc *doc, const char *order, struct error *err)
{
	struct json_t *list = json_add_array(doc, doc->root, "order");

	while (*order) {
		const size_t len = strcspn(order, ",");
		char *name = strndup(order, len);

		if (!name)
			return error_memory(err, len);
		json_add_text(doc, list, NULL, name);
		free(name);
		order += len + (order[len] == ',');
	}
	return 0;
}

static int add_all(struct json_doc *doc, const struct description *description,
    struct error *err)
{
	const struct manifest *manifest = &description->manifest;
	struct json_t *root = doc->root, *list;
	char label[CODEC_LABEL];

	json_add_text(doc, root, "format", "presto dataset");
	/* A reader that does not know of orders would run wrong steps. */
	json_add_uint(
	    doc, root, "version", description->order ? DESCRIPTION_ORDERS : 1);
	json_add_text(doc, root, "presto", description->presto);
	json_add_text(doc, root, "libraries", description->libraries);
	json_add_text(doc, root, "strategy", manifest->strategy);
	json_add_text(doc, root, "split", description->split);
	if (description->order && add_order(doc, description->order, err))
		return -1;
	json_add_text(doc, root, "store", manifest->form.ops->name);
	json_add_text(
	    doc, root, "codec", codec_label(&manifest->form.codec, label));
	add_readers(doc, root, &manifest->form);
	json_add_text(doc, root, "fingerprint", manifest->fingerprint);
	json_add_uint(doc, root, "samples", manifest->samples);
	json_add_uint(doc, root, "seed", description->seed);
	json_add_text(doc, root, "shuffle", manifest->shuffle);
	add_schema(doc, root, "fields", &manifest->form.decoded);
	list = json_add_array(doc, root, "classes");
	for (size_t i = 0; i < description->classes.count; i++)
		json_add_text(doc, list, NULL, description->classes.names[i]);
	if (add_shards(doc, manifest, err))
		return -1;
	list = json_add_array(doc, root, "online");
	for (size_t i = 0; i < description->step_count; i++)
		add_step(doc, list, &description->steps[i],
		    description_takes(description, i));
	json_add_text(doc, root, "pipeline", description->pipeline);
	return description->code ? add_code(doc, description->code, err) : 0;
}

int description_print(
    const struct description *description, struct buf *text, struct error *err)
{
	struct json_doc doc = json_doc_object();
	int rc = add_all(&doc, description, err);

	if (rc == 0)
		rc = json_doc_print(&doc, text, err);
	json_doc_release(&doc);
	return rc;
}

int description_write(const struct description *description, struct sink *sink,
    const char *dir, struct manifest *manifest, struct error *err)
{
	struct buf text = BUF_INIT;
	char name[HISTORY_NAME];
	int rc = description_print(description, &text, err);

	history_name(
	    DESCRIPTION_NAME, history_version(&manifest->history), name);
	if (rc == 0)
		rc = manifest_put_file(
		    manifest, sink, dir, name, buf_span(&text), err);
	buf_release(&text);
	return rc;
}
