/*
 * fuzz_ini.c - any bytes as a pipeline file: an error with a line, or entries
 * that are whole.  Built with clang's -fsanitize=fuzzer.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/syntax/ini.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static void require(int truth)
{
	if (!truth)
		abort();
}

/* What the header promises of every section. */
static void check_section(const struct ini *ini, const struct ini_section *s)
{
	require(*s->name && s->line > 0);
	require(ini_section(ini, s->name) == s);
	for (size_t i = 0; i < s->count; i++) {
		const struct ini_entry *entry = &s->entries[i];

		require(*entry->key && *entry->value);
		require(entry->line > s->line);
		require(i == 0 || entry->line > entry[-1].line);
		require(ini_entry(s, entry->key) == entry);
		require(strlen(entry->value) < 200);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	struct error err = ERROR_INIT;
	struct ini ini = INI_INIT;

	if (ini_parse_text(&ini, "fuzz", (const char *)data, len, &err)) {
		require(err.code == ERROR_USAGE);
		require(strncmp(err.text, "fuzz:", 5) == 0);
		require(ini.count == 0);
		return 0;
	}
	for (size_t i = 0; i < ini.count; i++)
		check_section(&ini, &ini.sections[i]);
	ini_release(&ini);
	return 0;
}
