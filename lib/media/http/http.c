/*
 * http.c - the backend of http:// and https://: see
 * lib/media/backends/backend.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/files/url.h"
#include "lib/media/backends/backend.h"
#include "lib/media/http/object.h"

struct http_file {
	struct medium_file base;
	struct object *object;
};

static bool http_takes(const char *path)
{
	return strncmp(path, "http", 4) == 0 && url_is(path);
}

/* ---- addresses ---- */

/* Is it a byte that a URL has as it is?  '%' begins one that is encoded. */
static bool is_plain(unsigned char c)
{
	return c > ' ' && c < 0x7f && !strchr("\"<>\\^`{|}", c);
}

/* Returns the URL as it is sent: without fragment, odd bytes as "%20". */
static char *encode(const char *path, struct error *err)
{
	const size_t len = strcspn(path, "#");
	char *url = malloc(3 * len + 1), *to = url;

	if (!url) {
		error_memory(err, 3 * len + 1);
		return NULL;
	}
	for (size_t i = 0; i < len; i++)
		if (is_plain((unsigned char)path[i]))
			*to++ = path[i];
		else
			to += snprintf(to, 4, "%%%02X", (unsigned char)path[i]);
	*to = '\0';
	return url;
}

static int http_prepare(void *arg, const char *path,
    struct http_request *request, struct error *err)
{
	char text[URL_TEXT];

	UNUSED(arg);
	if (url_has_user(path))
		return error_set(err, ERROR_USAGE,
		    "%s: a URL must not have a user or password, which would "
		    "be stored with the results; ~/.netrc has them",
		    url_text(path, text));
	request->url = encode(path, err);
	return request->url ? 0 : -1;
}

static void http_done(void *arg, struct http_request *request)
{
	UNUSED(arg);
	/* It was allocated above. */
	free((void *)(uintptr_t)request->url);
	request->url = NULL;
}

static const struct object_address address = {
	.prepare = http_prepare,
	.done = http_done,
};

/* ---- the backend ---- */

static void *http_state_new(struct medium_counts *counts, struct error *err)
{
	return http_pool_new(counts, err);
}

static void http_state_free(void *state)
{
	http_pool_free(state);
}

static void http_hurry(void *state, bool begin)
{
	http_pool_hurry(state, begin);
}

static int http_open(struct medium_file *base, struct error *err)
{
	struct http_file *file = (struct http_file *)base;

	file->object =
	    object_open(base->state, &address, base->path, &base->size, err);
	return file->object ? 0 : -1;
}

static void http_close(struct medium_file *base)
{
	object_close(((struct http_file *)base)->object);
}

static void http_get_version(
    const struct medium_file *base, char version[MEDIUM_VERSION_TEXT])
{
	object_version(((const struct http_file *)base)->object, version);
}

static int64_t http_read(struct medium_file *base, uint64_t offset, void *data,
    size_t len, struct error *err)
{
	return object_read(
	    ((struct http_file *)base)->object, offset, data, len, err);
}

static int http_get_status(void *state, const char *path,
    struct medium_status *status, struct error *err)
{
	return object_get_status(state, &address, path, status, err);
}

const struct backend backend_http = {
	.file_bytes = sizeof(struct http_file),
	.counts_itself = true,
	.takes = http_takes,
	.state_new = http_state_new,
	.state_free = http_state_free,
	.hurry = http_hurry,
	.open = http_open,
	.close = http_close,
	.get_version = http_get_version,
	.read = http_read,
	.get_status = http_get_status,
};
