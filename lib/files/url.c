/* url.c - see url.h. */
#include "lib/files/url.h"

#include <stdio.h>
#include <string.h>

#include "lib/base/array.h"

static const char *const schemes[] = { "http://", "https://", "s3://" };

/* Returns the bytes of "SCHEME://"; 0: no URL. */
static size_t scheme_len(const char *path)
{
	for (size_t i = 0; i < ARRAY_LEN(schemes); i++) {
		const size_t len = strlen(schemes[i]);

		if (strncmp(path, schemes[i], len) == 0)
			return len;
	}
	return 0;
}

bool url_is(const char *path)
{
	/* Most paths are local and begin with another letter. */
	return (*path == 'h' || *path == 's') && scheme_len(path) > 0;
}

size_t url_root(const char *path)
{
	const size_t scheme = scheme_len(path);

	if (!scheme)
		return 0;
	return scheme + strcspn(path + scheme, *path == 's' ? "/" : "/?#");
}

size_t url_path_len(const char *url)
{
	const size_t root = url_root(url);

	if (!root || *url == 's')
		return strlen(url);
	return root + strcspn(url + root, "?#");
}

/* Returns the bytes of "USER:PASSWORD@" behind the scheme. */
static size_t user_len(const char *url)
{
	const size_t scheme = scheme_len(url), root = url_root(url);
	size_t len = 0;

	if (*url == 's') /* a bucket's name has no '@' */
		return 0;
	for (size_t i = scheme; i < root; i++)
		if (url[i] == '@')
			len = i + 1 - scheme;
	return len;
}

bool url_has_user(const char *url)
{
	return user_len(url) > 0;
}

const char *url_text(const char *url, char text[URL_TEXT])
{
	const size_t scheme = scheme_len(url), skip = user_len(url);
	const size_t len = url_path_len(url);

	snprintf(text, URL_TEXT, "%.*s%.*s%s", (int)scheme, url,
	    (int)(len - scheme - skip), url + scheme + skip,
	    url[len] ? "?..." : "");
	return text;
}
