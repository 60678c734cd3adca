/* splits.c - see splits.h. */
#include "datasets/tables/splits.h"

#include <stdbool.h>
#include <string.h>

#include "datasets/files/listing.h"
#include "lib/base/array.h"
#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/sample/reader.h"

static const char *const splits[] = { "train", "validation", "valid", "val",
	"dev", "eval", "test" };

/* Returns the split that a word of a name means; -1: none. */
static int find_split(const char *word, size_t len)
{
	for (size_t i = 0; i < ARRAY_LEN(splits); i++)
		if (strlen(splits[i]) == len &&
		    strncmp(splits[i], word, len) == 0)
			return (int)i;
	return -1;
}

/* Returns the split of a file, by the first word that is one; -1: none. */
static int split_of(const char *name)
{
	while (*name) {
		const size_t len = strcspn(name, "/-._");
		const int split = find_split(name, len);

		if (split >= 0)
			return split;
		name += len + (name[len] != '\0');
	}
	return -1;
}

static int add_note(const bool *found, struct reader *reader, struct error *err)
{
	struct buf note = BUF_INIT;
	const char *comma = "";
	int rc = buf_printf(&note, err, "reads the splits ");

	for (size_t i = 0; rc == 0 && i < ARRAY_LEN(splits); i++) {
		if (!found[i])
			continue;
		rc = buf_printf(&note, err, "%s%s", comma, splits[i]);
		comma = ", ";
	}
	if (rc == 0)
		rc = buf_printf(&note, err,
		    " as one dataset; to read one of them, set dataset.path or "
		    "dataset.match to its files");
	if (rc == 0)
		rc = reader_add_note(reader, (const char *)note.data, err);
	buf_release(&note);
	return rc;
}

int splits_tell(
    const struct listing *listing, struct reader *reader, struct error *err)
{
	bool found[ARRAY_LEN(splits)] = { false };
	unsigned count = 0;

	for (size_t i = 0; i < listing->count; i++) {
		const int split = split_of(listing_name(listing, i));

		if (split < 0 || found[split])
			continue;
		found[split] = true;
		count++;
	}
	return count > 1 ? add_note(found, reader, err) : 0;
}
