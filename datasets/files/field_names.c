/* field_names.c - see field_names.h. */
#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "datasets/files/field_names.h"
#include "lib/base/error.h"

/* Takes the next word up to one of `ends`, without blanks around it. */
static int take_word(const char **text, const char *ends,
    char word[FIELD_NAMES_MAX], struct error *err)
{
	size_t len;

	while (isspace((unsigned char)**text))
		++*text;
	len = strcspn(*text, ends);
	if (len < FIELD_NAMES_MAX) {
		memcpy(word, *text, len);
		*text += len;
		while (len && isspace((unsigned char)word[len - 1]))
			len--;
		word[len] = '\0';
		if (len > 0)
			return 0;
	}
	return error_set(
	    err, ERROR_USAGE, "a name has 1 to %d bytes", FIELD_NAMES_MAX - 1);
}

static int parse(
    const char *text, field_names_add *add, void *arg, struct error *err)
{
	const bool is_single = !strchr(text, ',');

	for (;;) {
		char field[FIELD_NAMES_MAX], name[FIELD_NAMES_MAX];

		if (take_word(&text, ":,", field, err))
			return -1;
		memcpy(name, field, sizeof(name));
		if (*text == ':') {
			text++;
			if (take_word(&text, ",", name, err))
				return -1;
		} else if (is_single) {
			memcpy(field, "data", sizeof("data"));
		}
		if (add(arg, field, name, err))
			return -1;
		if (!*text)
			return 0;
		text++;
	}
}

int field_names_parse(
    const char *text, field_names_add *add, void *arg, struct error *err)
{
	if (parse(text, add, arg, err))
		return error_prefix(err, "fields '%s'", text);
	return 0;
}
