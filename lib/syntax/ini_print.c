/* ini_print.c - the content of a pipeline file, hashed or as text; see ini.h.
 */
#include <string.h>

#include "lib/base/bytes.h"
#include "lib/base/hash.h"
#include "lib/syntax/ini.h"

static bool is_one_of(const char *key, const char *const *keys)
{
	for (; keys && *keys; keys++)
		if (strcmp(key, *keys) == 0)
			return true;
	return false;
}

uint64_t ini_hash(const struct ini_section *section, const char *const *without,
    uint64_t seed)
{
	uint64_t hash = seed;

	for (size_t i = 0; section && i < section->count; i++) {
		const struct ini_entry *entry = &section->entries[i];

		if (is_one_of(entry->key, without))
			continue;
		hash = hash_bytes(entry->key, strlen(entry->key) + 1, hash);
		hash = hash_bytes(entry->value, strlen(entry->value) + 1, hash);
	}
	return hash;
}

int ini_print_value(const char *value, struct buf *out, struct error *err)
{
	while (*value) {
		const size_t blanks = strspn(value, " \t");
		const size_t slashes = strspn(value + blanks, "\\");
		const char sign = value[blanks + slashes];
		const bool is_sign = sign == '#' || sign == ';';
		size_t len = blanks + slashes;

		if (buf_printf(out, err, "%.*s%s", (int)len, value,
		        is_sign ? "\\" : ""))
			return -1;
		value += len;
		len = strcspn(value, " \t");
		if (buf_append(out, (const unsigned char *)value, len, err))
			return -1;
		value += len;
	}
	return 0;
}

static int print_section(
    const struct ini_section *section, struct buf *out, struct error *err)
{
	if (buf_printf(out, err, "[%s]\n", section->name))
		return -1;
	for (size_t i = 0; i < section->count; i++)
		if (buf_printf(out, err, "%s = ", section->entries[i].key) ||
		    ini_print_value(section->entries[i].value, out, err) ||
		    buf_printf(out, err, "\n"))
			return -1;
	return 0;
}

int ini_print(const struct ini *ini, struct buf *out, struct error *err)
{
	for (size_t i = 0; i < ini->count; i++)
		if ((i > 0 && buf_printf(out, err, "\n")) ||
		    print_section(&ini->sections[i], out, err))
			return -1;
	return 0;
}
