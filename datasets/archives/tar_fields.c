/* tar_fields.c - see tar_fields.h. */
#include "datasets/archives/tar_fields.h"

#include <ctype.h>
#include <string.h>

#include "lib/base/error.h"

/* Writes the field's name in "mask.png"; "" if there is none, as in "png". */
static void named_field(const char *extension, char name[ENDING_MAX])
{
	const char *dot = strrchr(extension, '.');
	const size_t len = dot ? (size_t)(dot - extension) : 0;

	for (size_t i = 0; i < len; i++) {
		const unsigned char c = (unsigned char)extension[i];

		name[i] = c < 0x80 && isalnum(c) ? (char)c : '_';
	}
	name[len] = '\0';
}

/* Ranks how well an extension fits the field `data`. */
static int data_rank(const char *extension)
{
	char name[ENDING_MAX];

	named_field(extension, name);
	if (strcmp(name, "data") == 0)
		return 3;
	if (*name)
		return 0;
	return strcmp(extension, "json") == 0 || strcmp(extension, "txt") == 0
	           ? 1
	           : 2;
}

static unsigned find_data(const char (*extensions)[ENDING_MAX], unsigned count)
{
	unsigned best = 0;

	for (unsigned i = 1; i < count; i++)
		if (data_rank(extensions[i]) > data_rank(extensions[best]))
			best = i;
	return best;
}

int tar_guess_fields(struct field_rules *rules, struct schema *schema,
    const char (*extensions)[ENDING_MAX], unsigned count, struct error *err)
{
	const unsigned data = find_data(extensions, count);
	const bool is_named = count > 1 && data_rank(extensions[data]) == 0;

	if (!is_named &&
	    field_rules_add(rules, schema, "data", extensions[data], err))
		return -1;
	for (unsigned i = 0; i < count; i++) {
		char name[ENDING_MAX];

		if (i == data && !is_named)
			continue;
		named_field(extensions[i], name);
		if (schema_find(schema, *name ? name : extensions[i]) >= 0)
			return error_set(err, ERROR_DATA,
			    "its member .%s would be a second field '%s'; "
			    "give 'fields = ...'",
			    extensions[i], *name ? name : extensions[i]);
		if (field_rules_add(rules, schema, *name ? name : extensions[i],
		        extensions[i], err))
			return error_prefix(
			    err, "give 'fields = ...', because");
	}
	return 0;
}
