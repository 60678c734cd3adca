/* description_read.c - see description_read.h. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/folder/description.h"
#include "lib/folder/description_read.h"
#include "lib/media/whole.h"
#include "lib/pipeline/pipeline.h"
#include "lib/sample/type_words.h"
#include "lib/stores/shard_path.h"
#include "lib/syntax/json.h"

enum { FILE_LIMIT = 1 << 30, VERSION = DESCRIPTION_ORDERS };

/* Refuses control characters: texts are printed, also into programs. */
static int check_line(const char *key, const char *text, struct error *err)
{
	for (; *text; text++)
		if ((unsigned char)*text < ' ' || *text == 0x7f)
			return error_set(err, ERROR_DATA,
			    "'%.40s' has a control character", key);
	return 0;
}

/* Takes a text without line breaks. */
static int take_text(struct description *description, const struct json_t *at,
    const char *key, const char **text, struct error *err)
{
	if (json_get_text(at, key, text, err) || check_line(key, *text, err))
		return -1;
	*text = description_keep(description, span_text(*text), err);
	return *text ? 0 : -1;
}

static int take_shape(
    const struct json_t *at, struct shape *shape, struct error *err)
{
	struct json_t *list;

	if (json_get_array(at, "shape", &list, err))
		return -1;
	if (json_count(list) > SHAPE_MAX)
		return error_set(err, ERROR_DATA,
		    "'shape' has %zu dimensions, more than %d",
		    json_count(list), SHAPE_MAX);
	shape->count = (unsigned)json_count(list);
	for (unsigned i = 0; i < shape->count; i++)
		if (json_item_size(list, i, &shape->dims[i]))
			return error_set(err, ERROR_DATA,
			    "'shape' must have whole numbers, or null");
	return 0;
}

static int take_type(
    const struct json_t *at, struct type *type, struct error *err)
{
	const char *dtype, *layout, *suffix = "";

	if (json_get_text(at, "dtype", &dtype, err) ||
	    json_get_text(at, "layout", &layout, err) ||
	    (json_has(at, "suffix") &&
	        json_get_text(at, "suffix", &suffix, err)))
		return -1;
	if (dtype_parse(dtype, &type->dtype))
		return error_set(err, ERROR_DATA, "'dtype' is '%.40s'", dtype);
	if (layout_word_parse(layout, &type->layout))
		return error_set(
		    err, ERROR_DATA, "'layout' is '%.40s'", layout);
	if (strlen(suffix) >= SUFFIX_MAX)
		return error_set(
		    err, ERROR_DATA, "'suffix' is '%.40s'", suffix);
	memcpy(type->suffix, suffix, strlen(suffix) + 1);
	return take_shape(at, &type->shape, err);
}

/* Checks the number of dimensions: 3 for images, 1 for bytes of files. */
static int check_type(const struct type *type, struct error *err)
{
	const unsigned wanted = type->layout == LAYOUT_PLAIN ? type->shape.count
	                        : type->layout == LAYOUT_ENCODED ? 1
	                                                         : 3;

	if (type->shape.count == wanted)
		return 0;
	return error_set(err, ERROR_DATA,
	    "'shape' has %u dimensions, its layout %u", type->shape.count,
	    wanted);
}

static int take_schema(const struct json_t *at, const char *key,
    struct schema *schema, struct error *err)
{
	struct json_t *list;

	if (json_get_array(at, key, &list, err))
		return -1;
	for (size_t i = 0; i < json_count(list); i++) {
		const struct json_t *field = json_item(list, i);
		struct type type = { .suffix = "" };
		const char *name;

		if (!field)
			return error_set(err, ERROR_DATA,
			    "'%s' must be a list of objects", key);
		if (json_get_text(field, "name", &name, err) ||
		    take_type(field, &type, err) || check_type(&type, err) ||
		    schema_add(schema, name, &type, err)) {
			err->code = ERROR_DATA;
			return error_prefix(err, "%s", key);
		}
	}
	return 0;
}

struct options_at {
	struct description *description;
	struct described_step *step;
	size_t room;
};

static int count_option(
    void *arg, const char *name, const char *value, struct error *err)
{
	struct options_at *at = arg;

	at->room++;
	if (!value)
		return error_set(
		    err, ERROR_DATA, "option '%.40s' must be a text", name);
	if (check_line("options", name, err))
		return -1;
	return check_line(name, value, err);
}

static int add_option(
    void *arg, const char *name, const char *value, struct error *err)
{
	struct options_at *at = arg;
	struct described_step *step = at->step;
	struct described_option *option = &step->options[step->option_count++];

	option->name = description_keep(at->description, span_text(name), err);
	option->value =
	    description_keep(at->description, span_text(value), err);
	return option->name && option->value ? 0 : -1;
}

static int take_options(struct description *description,
    const struct json_t *at, struct described_step *step, struct error *err)
{
	struct options_at options = { description, step, 0 };
	struct json_t *object;

	if (json_get_object(at, "options", &object, err) ||
	    json_each(object, count_option, &options, err) ||
	    description_take_options(description, step, options.room, err))
		return -1;
	return json_each(object, add_option, &options, err);
}

static int take_fields(const struct json_t *at, const struct schema *takes,
    struct described_step *step, struct error *err)
{
	struct json_t *list;

	if (json_get_array(at, "works_on", &list, err))
		return -1;
	for (size_t i = 0; i < json_count(list); i++) {
		const char *name = json_item_text(list, i);
		const int field = name ? schema_find(takes, name) : -1;

		if (field < 0)
			return error_set(err, ERROR_DATA,
			    "'works_on' names no field of its input");
		step->fields |= 1u << field;
	}
	return 0;
}

static int take_step(struct description *description, const struct json_t *at,
    size_t number, struct error *err)
{
	struct described_step *step = &description->steps[number];
	const struct schema *takes = description_takes(description, number);

	if (!at)
		return error_set(
		    err, ERROR_DATA, "'online' must be a list of objects");
	if (take_text(description, at, "name", &step->name, err) ||
	    take_text(description, at, "step", &step->step, err) ||
	    (json_has(at, "target") &&
	        take_text(description, at, "target", &step->target, err)) ||
	    take_options(description, at, step, err) ||
	    json_get_flag(at, "random", &step->random, err) ||
	    take_fields(at, takes, step, err) ||
	    take_schema(at, "gives", &step->gives, err) ||
	    (json_has(at, "folder") &&
	        take_text(description, at, "folder", &step->folder, err)))
		return error_prefix(err, "online: step %zu", number + 1);
	return 0;
}

static int take_steps(struct description *description,
    const struct json_t *root, struct error *err)
{
	struct json_t *list;

	if (json_get_array(root, "online", &list, err))
		return -1;
	if (json_count(list) > PIPELINE_STEPS)
		return error_set(err, ERROR_DATA,
		    "'online' has %zu steps, more than %d", json_count(list),
		    PIPELINE_STEPS);
	if (description_take_steps(description, json_count(list), err))
		return -1;
	for (size_t i = 0; i < json_count(list); i++)
		if (take_step(description, json_item(list, i), i, err))
			return -1;
	return 0;
}

static int take_classes(struct description *description,
    const struct json_t *root, struct error *err)
{
	struct span *names;
	struct json_t *list;
	size_t count;
	int rc = 0;

	if (json_get_array(root, "classes", &list, err))
		return -1;
	count = json_count(list);
	names = calloc(count + 1, sizeof(*names));
	if (!names)
		return error_memory(err, count * sizeof(*names));
	for (size_t i = 0; rc == 0 && i < count; i++) {
		const char *name = json_item_text(list, i);

		if (name)
			names[i] = span_text(name);
		else
			rc = error_set(err, ERROR_DATA,
			    "'classes' must be a list of texts");
	}
	if (rc == 0)
		rc = classes_set(&description->classes, names, count, err);
	free(names);
	return rc;
}

/* Does it belong to this manifest, and is its version known? */
static int check_belongs(const struct description *description,
    const struct json_t *root, struct error *err)
{
	const struct manifest *manifest = &description->manifest;
	const char *fingerprint;
	uint64_t version;

	if (json_get_uint(root, "version", &version, err))
		return -1;
	if (version < 1 || version > VERSION)
		return error_set(err, ERROR_DATA,
		    "has version %" PRIu64 ", this presto reads %d", version,
		    VERSION);
	if (json_get_text(root, "fingerprint", &fingerprint, err))
		return -1;
	if (strcmp(fingerprint, manifest->fingerprint) == 0)
		return 0;
	return error_set(err, ERROR_DATA,
	    "does not belong to the " MANIFEST_NAME " beside it");
}

static int take_pipeline(struct description *description,
    const struct json_t *root, struct error *err)
{
	const char *text;

	if (json_get_text(root, "pipeline", &text, err))
		return -1;
	description->pipeline =
	    description_keep(description, span_text(text), err);
	return description->pipeline ? 0 : -1;
}

/* Puts the lines together again, as code_print has them. */
static int take_code(struct description *description, const struct json_t *root,
    struct error *err)
{
	struct buf code = BUF_INIT;
	struct json_t *list;
	int rc = json_get_array(root, "code", &list, err);

	for (size_t i = 0; rc == 0 && i < json_count(list); i++) {
		const char *line = json_item_text(list, i);

		if (!line)
			rc = error_set(
			    err, ERROR_DATA, "'code' must be a list of texts");
		else if (check_line("code", line, err) ||
		         buf_printf(&code, err, "%s\n", line))
			rc = -1;
	}
	if (rc == 0) {
		description->code =
		    description_keep(description, buf_span(&code), err);
		rc = description->code ? 0 : -1;
	}
	buf_release(&code);
	return rc;
}

/* Puts the names together again, with commas. */
static int take_order(struct description *description,
    const struct json_t *root, struct error *err)
{
	struct buf names = BUF_INIT;
	struct json_t *list;
	int rc = json_get_array(root, "order", &list, err);

	for (size_t i = 0; rc == 0 && i < json_count(list); i++) {
		const char *name = json_item_text(list, i);

		if (!name || strchr(name, ','))
			rc = error_set(
			    err, ERROR_DATA, "'order' must be a list of names");
		else if (check_line("order", name, err) ||
		         buf_printf(&names, err, "%s%s", i ? "," : "", name))
			rc = -1;
	}
	if (rc == 0) {
		description->order =
		    description_keep(description, buf_span(&names), err);
		rc = description->order ? 0 : -1;
	}
	buf_release(&names);
	return rc;
}

static int take_all(struct description *description, const struct json_t *root,
    struct error *err)
{
	if (check_belongs(description, root, err) ||
	    take_text(description, root, "presto", &description->presto, err) ||
	    take_text(
	        description, root, "libraries", &description->libraries, err) ||
	    take_text(description, root, "split", &description->split, err) ||
	    (json_has(root, "order") && take_order(description, root, err)) ||
	    take_pipeline(description, root, err) ||
	    json_get_uint(root, "seed", &description->seed, err) ||
	    take_classes(description, root, err) ||
	    (json_has(root, "code") && take_code(description, root, err)))
		return -1;
	return take_steps(description, root, err);
}

int description_parse(struct description *description, const char *path,
    struct span text, struct error *err)
{
	struct json_doc doc;
	int rc = json_doc_parse(&doc, path, text, err);

	if (rc == 0 && take_all(description, doc.root, err))
		rc = error_prefix(err, "%s", path);
	description->is_whole = rc == 0;
	json_doc_release(&doc);
	return rc;
}

bool description_is_of(
    struct medium *medium, const char *dir, const char *fingerprint)
{
	struct error ignored = ERROR_INIT;
	char *path = path_join(dir, DESCRIPTION_NAME, &ignored);
	struct buf text = BUF_INIT;
	struct json_doc doc = { .root = NULL };
	const char *is;
	const bool found =
	    path &&
	    medium_read_any(medium, path, FILE_LIMIT, &text, &ignored) > 0 &&
	    json_doc_parse(&doc, path, buf_span(&text), &ignored) == 0 &&
	    json_get_text(doc.root, "fingerprint", &is, &ignored) == 0 &&
	    strcmp(is, fingerprint) == 0;

	json_doc_release(&doc);
	buf_release(&text);
	free(path);
	return found;
}

/* Takes the split of an older folder from its strategy. */
static int take_split(struct description *description, struct error *err)
{
	struct span label = span_text(description->manifest.strategy);
	const unsigned char *end = memchr(label.data, '/', label.len);

	if (end)
		label.len = (size_t)(end - label.data);
	description->split = description_keep(description, label, err);
	return description->split ? 0 : -1;
}

/* Trusts classes and steps only in a file that was not changed. */
static int read_text(struct description *description, const char *path,
    struct span text, struct error *err)
{
	if (manifest_check_text(
	        &description->manifest, path_base(path), text, err))
		return error_prefix(err, "%s", path);
	return description_parse(description, path, text, err);
}

/* Returns the path of the description that belongs to the manifest. */
static char *path_of(
    const struct manifest *manifest, const char *dir, struct error *err)
{
	char name[HISTORY_NAME];

	return path_join(dir,
	    history_name(
	        DESCRIPTION_NAME, history_version(&manifest->history), name),
	    err);
}

int description_read(struct description *description, struct medium *medium,
    const char *dir, struct error *err)
{
	return description_read_version(description, medium, dir, 0, err);
}

int description_read_version(struct description *description,
    struct medium *medium, const char *dir, uint64_t version, struct error *err)
{
	struct manifest *manifest = &description->manifest;
	struct buf text = BUF_INIT;
	char *path = NULL;
	int rc = -1;

	if (manifest_read_version(manifest, medium, dir, version, err))
		return -1;
	path = path_of(manifest, dir, err);
	if (!path)
		return -1;
	rc = medium_read_any(medium, path, FILE_LIMIT, &text, err);
	if (rc == 0)
		rc = take_split(description, err);
	else if (rc > 0)
		rc = read_text(description, path, buf_span(&text), err);
	if (rc)
		error_advise(err, STORE_MEND);
	buf_release(&text);
	free(path);
	return rc;
}
