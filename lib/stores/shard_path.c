/* shard_path.c - see shard_path.h. */
#include <stdio.h>

#include "lib/files/path.h"
#include "lib/stores/layout.h"
#include "lib/stores/shard_path.h"

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

char *shard_path(const char *dir, const struct store_form *form,
    unsigned number, struct error *err)
{
	/* In a folder the files are compressed, not the folder. */
	const char *codec =
	    form->ops->layout == &layout_folder ? "" : form->codec.ops->suffix;
	char name[NAME_BYTES], suffix[NAME_BYTES / 2];

	put_suffix(form, suffix, sizeof(suffix));
	snprintf(name, sizeof(name), "shard-%06u%s%s", number, suffix, codec);
	return path_join(dir, name, err);
}

char *shard_index_path(const char *dir, unsigned number, struct error *err)
{
	char name[NAME_BYTES];

	snprintf(name, sizeof(name), "shard-%06u.index", number);
	return path_join(dir, name, err);
}
