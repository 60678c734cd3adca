/* shard_path.c - see shard_path.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/files/path.h"
#include "lib/stores/layout.h"
#include "lib/stores/shard_path.h"

static const char name_begin[] = "shard-";

const char *shard_name(unsigned number, char name[SHARD_NAME])
{
	snprintf(name, SHARD_NAME, "%s%06u", name_begin, number);
	return name;
}

bool shard_is_name(const char *name)
{
	return strncmp(name, name_begin, sizeof(name_begin) - 1) == 0;
}

enum { NAME_BYTES = 64 };

/*
 * Writes ".tar", or ".delta-tar" for tensors behind a filter, so that other
 * readers do not find files that they cannot read.
 */
static void put_suffix(const struct store_form *form, char *suffix, size_t size)
{
	const char *plain = form->ops->suffix;

	snprintf(suffix, size, "%s", plain);
	for (unsigned i = 0; *plain && i < form->schema.count; i++) {
		const struct type *type = &form->schema.fields[i].type;

		if (type_is_filtered(type)) {
			snprintf(
			    suffix, size, ".%s-%s", type->suffix, plain + 1);
			return;
		}
	}
}

int64_t shard_number(const char *name)
{
	char wanted[SHARD_NAME];
	unsigned long number;

	if (!shard_is_name(name))
		return -1;
	number = strtoul(name + sizeof(name_begin) - 1, NULL, 10);
	shard_name((unsigned)number, wanted);
	return strcmp(name, wanted) == 0 ? (int64_t)number : -1;
}

const char *shard_codec_suffix(const struct store_form *form)
{
	return form->ops->layout == &layout_folder || form->ops->pack
	           ? ""
	           : form->codec.ops->suffix;
}

char *shard_path(const char *dir, const struct store_form *form,
    unsigned number, struct error *err)
{
	char name[NAME_BYTES], suffix[NAME_BYTES / 2], shard[SHARD_NAME];

	put_suffix(form, suffix, sizeof(suffix));
	snprintf(name, sizeof(name), "%s%s%s", shard_name(number, shard),
	    suffix, shard_codec_suffix(form));
	return path_join(dir, name, err);
}

char *shard_index_path(const char *dir, unsigned number, struct error *err)
{
	char name[NAME_BYTES], shard[SHARD_NAME];

	snprintf(name, sizeof(name), "%s.index", shard_name(number, shard));
	return path_join(dir, name, err);
}
