/* shard_path.c - see shard_path.h. */
#include <stdio.h>

#include "lib/base/path.h"
#include "lib/stores/layout.h"
#include "lib/stores/shard_path.h"

enum { NAME_BYTES = 64 };

char *shard_path(const char *dir, const struct store_form *form,
    unsigned number, const char *end, struct error *err)
{
	/* In a folder it is the files that are compressed. */
	const char *codec =
	    form->ops->layout == &layout_folder ? "" : form->codec.ops->suffix;
	char name[NAME_BYTES];

	snprintf(name, sizeof(name), "shard-%06u%s%s%s", number,
	    form->ops->suffix, codec, end);
	return path_join(dir, name, err);
}

char *shard_index_path(const char *dir, unsigned number, struct error *err)
{
	char name[NAME_BYTES];

	snprintf(name, sizeof(name), "shard-%06u.index", number);
	return path_join(dir, name, err);
}
