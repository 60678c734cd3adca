/* sealed.c - see sealed.h. */
#include "strategies/parts/sealed.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/base/hash.h"
#include "lib/base/units.h"
#include "lib/syntax/ini.h"
#include "lib/syntax/words.h"

static const char end_head[] = "[end]\nchecksum = ";

enum { HASH_LEN = 16, VERSION = 1 };

int sealed_end(struct buf *text, struct error *err)
{
	return buf_printf(text, err, "%s%016" PRIx64 "\n", end_head,
	    hash_bytes(text->data, text->len, 0));
}

/* Finds the end: a line of its own. Sets the lengths before and behind it. */
static int find_end(struct span bytes, size_t *before, size_t *all)
{
	const size_t head = sizeof(end_head) - 1, len = head + HASH_LEN + 1;

	for (size_t at = 0; at + len <= bytes.len;) {
		const unsigned char *line = bytes.data + at;
		const unsigned char *next = memchr(line, '\n', bytes.len - at);

		if (memcmp(line, end_head, head) == 0) {
			*before = at;
			*all = at + len;
			return line[len - 1] == '\n' ? 0 : -1;
		}
		if (!next)
			return -1;
		at = (size_t)(next - bytes.data) + 1;
	}
	return -1;
}

static int error_damaged(const char *path, const char *how, struct error *err)
{
	return error_set(err, ERROR_DATA, "%s: %s", path, how);
}

int sealed_parse(struct ini *ini, const char *path, const char *section,
    struct span bytes, struct span *rest, struct error *err)
{
	size_t before = 0, all = 0;
	uint64_t hash = 0, version = 0;
	struct span word;

	*ini = (struct ini)INI_INIT;
	if (find_end(bytes, &before, &all))
		return error_damaged(path, "its end is missing", err);
	word = (struct span){ bytes.data + all - HASH_LEN - 1, HASH_LEN };
	if (words_hash(&word, &hash) ||
	    hash != hash_bytes(bytes.data, before, 0))
		return error_damaged(path,
		    "its own checksum differs: it was edited or damaged", err);
	if (ini_parse_text(ini, path, (const char *)bytes.data, before, err)) {
		err->code = ERROR_DATA; /* the user did not type it */
		return -1;
	}
	if (sealed_number(ini, section, "version", UINT64_MAX, &version, err))
		return -1;
	if (version != VERSION)
		return error_set(err, ERROR_DATA,
		    "%s: has version %" PRIu64 ", this presto reads %d: let "
		    "the same presto write all parts",
		    path, version, VERSION);
	*rest = (struct span){ bytes.data + all, bytes.len - all };
	return 0;
}

static const char *find_value(const struct ini *ini, const char *section,
    const char *key, struct error *err)
{
	const struct ini_section *found = ini_section(ini, section);
	const struct ini_entry *entry = found ? ini_entry(found, key) : NULL;

	if (entry)
		return entry->value;
	error_set(err, ERROR_DATA, "%s: '%s' is missing in [%s]", ini->path,
	    key, section);
	return NULL;
}

int sealed_number(const struct ini *ini, const char *section, const char *key,
    uint64_t most, uint64_t *number, struct error *err)
{
	const char *value = find_value(ini, section, key, err);

	if (!value)
		return -1;
	if (units_parse_uint(value, number) == 0 && *number <= most)
		return 0;
	return error_set(err, ERROR_DATA,
	    "%s: %s must be 0 to %" PRIu64 ", got '%.80s'", ini->path, key,
	    most, value);
}

int sealed_text(const struct ini *ini, const char *section, const char *key,
    char *text, size_t size, struct error *err)
{
	const char *value = find_value(ini, section, key, err);

	if (!value)
		return -1;
	if (value[0] == '\0' || strlen(value) >= size)
		return error_set(err, ERROR_DATA,
		    "%s: %s must have 1 to %zu bytes", ini->path, key,
		    size - 1);
	snprintf(text, size, "%s", value);
	return 0;
}
