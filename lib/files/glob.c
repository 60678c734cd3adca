/* glob.c - see glob.h; fnmatch(3) matches the parts between slashes. */
#include "lib/files/glob.h"

#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/files/path.h"

/* Returns the path behind its first part; NULL: there is no more. */
static const char *behind(const char *path)
{
	const char *slash = strchr(path, '/');

	return slash ? slash + 1 : NULL;
}

static bool part_matches(const char *pattern, const char *name)
{
	char a[PATH_MAX], b[PATH_MAX];
	const size_t pattern_len = strcspn(pattern, "/");
	const size_t name_len = strcspn(name, "/");

	if (pattern_len >= sizeof(a) || name_len >= sizeof(b))
		return false;
	snprintf(a, sizeof(a), "%.*s", (int)pattern_len, pattern);
	snprintf(b, sizeof(b), "%.*s", (int)name_len, name);
	return fnmatch(a, b, 0) == 0;
}

static bool is_any_folders(const char *pattern)
{
	return strncmp(pattern, "**/", 3) == 0;
}

/*
 * If a part does not match, the last `**` takes one more folder.  Earlier
 * attempts need not be repeated.
 */
static bool path_matches(const char *pattern, const char *name)
{
	const char *any = NULL, *from = NULL;

	while (name) {
		if (pattern && is_any_folders(pattern)) {
			pattern += 3;
			any = pattern;
			from = name;
		} else if (pattern && part_matches(pattern, name) &&
		           (behind(pattern) || !behind(name))) {
			pattern = behind(pattern);
			name = behind(name);
		} else {
			from = from ? behind(from) : NULL;
			if (!from)
				return false;
			pattern = any;
			name = from;
		}
	}
	return pattern == NULL;
}

bool glob_matches(const char *pattern, const char *name)
{
	if (!strchr(pattern, '/'))
		return fnmatch(pattern, path_base(name), 0) == 0;
	return path_matches(pattern, name);
}

int glob_list_set(
    struct glob_list *list, const char *patterns, struct error *err)
{
	*list = (struct glob_list){ .texts = malloc(strlen(patterns) + 1) };
	if (!list->texts)
		return error_memory(err, strlen(patterns) + 1);
	while (*patterns) {
		char *text = list->texts + list->len;
		size_t n;

		patterns += strspn(patterns, ", \t");
		n = strcspn(patterns, ",");
		if (n == 0)
			continue;
		memcpy(text, patterns, n);
		patterns += n;
		while (n && strchr(" \t", text[n - 1]))
			n--;
		text[n] = '\0';
		list->len += n + 1;
	}
	return 0;
}

const char *glob_list_next(const struct glob_list *list, const char *pattern)
{
	const char *next = list->texts;

	if (pattern)
		next = pattern + strlen(pattern) + 1;
	return list->len == (size_t)(next - list->texts) ? NULL : next;
}

bool glob_list_matches(const struct glob_list *list, const char *name)
{
	const char *pattern = NULL;

	while ((pattern = glob_list_next(list, pattern)))
		if (glob_matches(pattern, name))
			return true;
	return false;
}

void glob_list_release(struct glob_list *list)
{
	free(list->texts);
	*list = (struct glob_list){ .texts = NULL };
}
