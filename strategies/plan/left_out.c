/*
 * left_out.c - see strategy.h: strategies that the pipeline file asks for and
 * that are not possible, with the reason.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/syntax/ini.h"
#include "strategies/plan/strategy.h"

/* Is it a word of the list "a, b"? */
static bool is_listed(const char *list, const char *what)
{
	const size_t len = strlen(what);

	for (const char *at = list; at; at = strstr(at, ", ")) {
		at += at == list ? 0 : 2;
		if (strncmp(at, what, len) == 0 &&
		    (at[len] == ',' || at[len] == '\0'))
			return true;
	}
	return false;
}

static int add_to_list(char **list, const char *what, struct error *err)
{
	const size_t used = strlen(*list), size = used + strlen(what) + 3;
	char *longer;

	if (is_listed(*list, what))
		return 0;
	longer = realloc(*list, size);
	if (!longer)
		return error_memory(err, size);
	*list = longer;
	snprintf(longer + used, size - used, ", %s", what);
	return 0;
}

int strategies_leave_out(
    struct strategies *strategies, const char *what, struct error *err)
{
	struct left_out *list = strategies->left_out, *last;

	for (size_t i = 0; i < strategies->left_count; i++)
		if (strcmp(list[i].why, err->text) == 0)
			return add_to_list(&list[i].what, what, err);
	list = array_grow(list, &strategies->left_capacity,
	    strategies->left_count + 1, sizeof(*list), err);
	if (!list)
		return -1;
	strategies->left_out = list;
	last = &list[strategies->left_count++];
	*last = (struct left_out){
		.what = strdup(what),
		.why = strdup(err->text),
	};
	return last->what && last->why ? 0
	                               : error_memory(err, sizeof(err->text));
}

/* Where it was asked: the key that is at fault, as far as one is given. */
static int blame(const struct ini *ini, struct error *err)
{
	static const char *const keys[] = { "codec", "store", "split" };
	const struct ini_section *section = ini_section(ini, "strategies");
	const struct ini_entry *entry = NULL;

	for (size_t i = 0; section && !entry && i < ARRAY_LEN(keys); i++)
		entry = ini_entry(section, keys[i]);
	return entry ? ini_error_at(ini, entry, err) : -1;
}

int strategies_check_any(const struct strategies *strategies,
    const struct ini *ini, struct error *err)
{
	char text[sizeof(err->text)] = "";

	if (strategies->count > 1 || strategies->left_count == 0)
		return 0;
	for (size_t i = 0; i < strategies->left_count; i++) {
		const struct left_out *left = &strategies->left_out[i];
		const size_t used = strlen(text);

		snprintf(text + used, sizeof(text) - used, "%s%s: %s",
		    i ? "; " : "", left->what, left->why);
	}
	error_set(err, ERROR_USAGE,
	    "nothing is left to store: %s; presto list says what each is "
	    "for",
	    text);
	return blame(ini, err);
}
