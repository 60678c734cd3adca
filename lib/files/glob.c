/* glob.c - see glob.h; fnmatch(3) matches the parts between slashes. */
#include "lib/files/glob.h"

#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

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
