/* features.c - see features.h. */
#include "datasets/records/features.h"

#include <stdio.h>
#include <string.h>

#include "datasets/files/content.h"
#include "datasets/files/field_names.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/codecs/transform.h"
#include "lib/formats/example.h"

enum { FEATURES_MOST = 256, LIST_TEXT = 300 };

struct features { /* the features of the first record */
	unsigned count;
	struct example_feature at[FEATURES_MOST];
};

static int add_field(struct examples *examples, struct schema *schema,
    const char *name, const char *feature, struct error *err)
{
	const struct type unknown = { .layout = LAYOUT_ENCODED };

	if (schema_add(schema, name, &unknown, err)) {
		err->code = ERROR_USAGE;
		return -1;
	}
	snprintf(examples->fields[examples->count++].feature, FEATURE_MAX, "%s",
	    feature);
	return 0;
}

struct adding {
	struct examples *examples;
	struct schema *schema;
};

static int add_named(
    void *arg, const char *field, const char *feature, struct error *err)
{
	const struct adding *adding = arg;

	return add_field(adding->examples, adding->schema, field, feature, err);
}

static int set_name(char name[FEATURE_MAX], const char *option,
    const char *text, struct error *err)
{
	if (strlen(text) >= FEATURE_MAX)
		return error_set(err, ERROR_USAGE,
		    "%s: a feature has 1 to %d bytes", option, FEATURE_MAX - 1);
	snprintf(name, FEATURE_MAX, "%s", text);
	return 0;
}

int features_parse(struct examples *examples, struct schema *schema,
    const char *fields, const char *label, const char *key, struct error *err)
{
	struct adding adding = { examples, schema };

	if (fields && field_names_parse(fields, add_named, &adding, err))
		return -1;
	if (key && set_name(examples->key, "key", key, err))
		return -1;
	if (!label)
		return 0;
	examples->is_label_wanted = true;
	return set_name(examples->label, "label", label, err);
}

/* ---- the first record ---- */

static const struct example_feature *find(
    const struct features *features, const char *name)
{
	for (unsigned i = 0; i < features->count; i++)
		if (span_equal(features->at[i].name, span_text(name)))
			return &features->at[i];
	return NULL;
}

static bool has_part(
    const struct features *features, struct span name, const char *part)
{
	char text[FEATURE_MAX + 8];

	if (name.len >= FEATURE_MAX || memchr(name.data, '\0', name.len))
		return false;
	snprintf(text, sizeof(text), "%.*s%s", (int)name.len,
	    (const char *)name.data, part);
	return find(features, text) != NULL;
}

/* Copies a name; false for names that are too long. */
static bool copy_name(struct span name, char text[FEATURE_MAX])
{
	if (name.len == 0 || name.len >= FEATURE_MAX ||
	    memchr(name.data, '\0', name.len))
		return false;
	memcpy(text, name.data, name.len);
	text[name.len] = '\0';
	return true;
}

/* Refuses "NAME.delta", filtered data of presto's own store. */
static int refuse_filtered(
    const struct features *features, const char *name, struct error *err)
{
	const char *dot = strrchr(name, '.');
	const struct transform_ops *filter =
	    dot ? transform_find(dot + 1) : NULL;

	if (!filter || !filter->is_filter ||
	    !has_part(features, span_text(name), "/dtype"))
		return 0;
	return error_set(err, ERROR_DATA,
	    "feature '%s' is behind a filter of presto's own: read its folder "
	    "with 'source = presto'",
	    name);
}

/* Adds all features with a dtype or suffix, as presto's store writes them. */
static int choose_own(struct examples *examples, struct schema *schema,
    const struct features *features, struct error *err)
{
	for (unsigned i = 0; i < features->count; i++) {
		const struct span name = features->at[i].name;
		char text[FEATURE_MAX];

		if ((!has_part(features, name, "/dtype") &&
		        !has_part(features, name, "/suffix")) ||
		    !copy_name(name, text))
			continue;
		if (refuse_filtered(features, text, err) ||
		    add_field(examples, schema, text, text, err))
			return -1;
	}
	return 0;
}

/* Finds the only feature besides label and key; "" if there are others. */
static void choose_only(const struct examples *examples,
    const struct features *features, bool bytes, char name[FEATURE_MAX])
{
	unsigned count = 0;

	for (unsigned i = 0; i < features->count; i++) {
		const struct example_feature *it = &features->at[i];

		if (it->kind == 0 ||
		    (bytes && it->kind != EXAMPLE_KIND_BYTES) ||
		    span_equal(it->name, span_text(examples->label)) ||
		    span_equal(it->name, span_text(examples->key)))
			continue;
		if (count++ == 0 && !copy_name(it->name, name))
			count++;
	}
	if (count != 1)
		name[0] = '\0';
}

static void list_features(const struct features *features, char text[LIST_TEXT])
{
	static const char *const kinds[] = { "nothing", "bytes", "floats",
		"integers" };
	size_t len = 0;

	text[0] = '\0';
	for (unsigned i = 0; i < features->count && len < LIST_TEXT - 64; i++) {
		const struct example_feature *it = &features->at[i];

		len += (size_t)snprintf(text + len, LIST_TEXT - len,
		    "%s%.*s (%s)", i ? ", " : "",
		    (int)(it->name.len < 40 ? it->name.len : 40),
		    (const char *)it->name.data, kinds[it->kind]);
	}
}

static int choose_fields(struct examples *examples, struct schema *schema,
    const struct features *features, struct error *err)
{
	static const char *const usual[] = { "data", "image/encoded" };
	char name[FEATURE_MAX] = "", list[LIST_TEXT];

	if (choose_own(examples, schema, features, err))
		return -1;
	if (schema->count > 0)
		return 0;
	for (size_t i = 0; !*name && i < ARRAY_LEN(usual); i++)
		if (find(features, usual[i]))
			snprintf(name, sizeof(name), "%s", usual[i]);
	if (!*name)
		choose_only(examples, features, true, name);
	if (!*name)
		choose_only(examples, features, false, name);
	if (*name)
		return add_field(examples, schema, "data", name, err);
	list_features(features, list);
	return error_set(err, ERROR_DATA,
	    "which feature is the sample? Give 'fields = data:FEATURE'; there "
	    "are %s",
	    *list ? list : "none");
}

static int encoded_type(
    const struct example_feature *feature, struct type *type, struct error *err)
{
	struct span bytes;

	if (example_bytes(feature, &bytes, err))
		return -1;
	return content_type(bytes, "", type, err);
}

static int tensor_type(const struct features *features, const char *name,
    struct type *type, struct error *err)
{
	char part[FEATURE_MAX + 8], word[16] = "";
	const struct example_feature *shape;
	int64_t dims[SHAPE_MAX];
	struct span dtype;

	snprintf(part, sizeof(part), "%s/dtype", name);
	if (example_bytes(find(features, part), &dtype, err))
		return -1;
	if (dtype.len < sizeof(word))
		memcpy(word, dtype.data, dtype.len);
	snprintf(part, sizeof(part), "%s/shape", name);
	shape = find(features, part);
	if (dtype_parse(word, &type->dtype) || !shape ||
	    example_ints(shape, dims, SHAPE_MAX, &type->shape.count, err))
		return error_set(err, ERROR_DATA,
		    "its /dtype '%s' or its /shape cannot be read", word);
	type->layout = LAYOUT_PLAIN;
	memcpy(type->shape.dims, dims, sizeof(dims));
	if (shape_is_image(&type->shape))
		type->layout = LAYOUT_HWC;
	for (unsigned i = 0; i < type->shape.count; i++)
		type->shape.dims[i] = -1;
	return 0;
}

static int learn_type(const struct features *features, const char *name,
    enum feature_form *form, struct type *type, struct error *err)
{
	const struct example_feature *feature = find(features, name);
	char list[LIST_TEXT];

	*type = (struct type){ .shape = { .count = 1, .dims = { -1 } } };
	if (!feature) {
		list_features(features, list);
		return error_set(
		    err, ERROR_DATA, "it is missing; there are %s", list);
	}
	*form = FEATURE_BYTES;
	if (feature->kind == EXAMPLE_KIND_FLOATS) {
		*form = FEATURE_FLOATS;
		type->dtype = DTYPE_F32;
	} else if (feature->kind == EXAMPLE_KIND_INTS) {
		*form = FEATURE_INTS;
		type->dtype = DTYPE_I64;
	} else if (has_part(features, feature->name, "/dtype")) {
		*form = FEATURE_TENSOR;
		return tensor_type(features, name, type, err);
	} else {
		return encoded_type(feature, type, err);
	}
	return 0;
}

/* Without the option, a feature of a usual name is the label. */
static void choose_label(
    struct examples *examples, const struct features *features)
{
	static const char *const usual[] = { "label", "image/class/label" };

	if (examples->is_label_wanted) {
		if (strcmp(examples->label, "none") == 0) {
			examples->label[0] = '\0';
			examples->is_label_wanted = false;
		}
		return;
	}
	for (size_t i = 0; !*examples->label && i < ARRAY_LEN(usual); i++)
		if (find(features, usual[i]))
			snprintf(examples->label, FEATURE_MAX, "%s", usual[i]);
}

int features_choose(struct examples *examples, struct schema *schema,
    struct span payload, struct error *err)
{
	struct example_cursor cursor = { .message = payload };
	struct features features = { .count = 0 };
	struct example_feature it;
	int got;

	while ((got = example_next(&cursor, &it, err)) > 0)
		if (features.count < FEATURES_MOST)
			features.at[features.count++] = it;
	if (got < 0)
		return -1;
	choose_label(examples, &features);
	if (schema->count == 0 &&
	    choose_fields(examples, schema, &features, err))
		return -1;
	for (unsigned f = 0; f < schema->count; f++) {
		const char *name = examples->fields[f].feature;

		if (refuse_filtered(&features, name, err))
			return -1;
		if (learn_type(&features, name, &examples->fields[f].form,
		        &schema->fields[f].type, err))
			return error_prefix(err, "feature '%s'", name);
	}
	return 0;
}
