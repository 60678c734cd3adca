/* secret.c - see secret.h. */
#include "lib/service/secret.h"

#include <stdlib.h>

#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/service/message.h"

static bool is_space(unsigned char byte)
{
	return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

static void trim(struct buf *token)
{
	size_t from = 0;

	while (token->len > 0 && is_space(token->data[token->len - 1]))
		token->len--;
	while (from < token->len && is_space(token->data[from]))
		from++;
	token->len -= from;
	if (from > 0)
		memmove(token->data, token->data + from, token->len);
}

static int check(const struct buf *token, const char *from, struct error *err)
{
	if (token->len == 0 || token->len > MESSAGE_TOKEN)
		return error_set(err, ERROR_USAGE,
		    "%s has a token of %zu bytes: 1 to %d are possible", from,
		    token->len, MESSAGE_TOKEN);
	return 0;
}

int secret_read(const char *path, struct buf *token, struct error *err)
{
	const char *word = getenv("PRESTO_TOKEN");
	bool is_pipe;

	token->len = 0;
	if (!path && word && *word) {
		if (buf_append(token, word, strlen(word), err))
			return -1;
		trim(token);
		return check(token, "$PRESTO_TOKEN", err);
	}
	if (!path)
		path = getenv("PRESTO_TOKEN_FILE");
	if (!path || !*path)
		return 0;
	if (path_read_text(path, (size_t)1 << 16, token, &is_pipe, err))
		return -1;
	trim(token);
	return check(token, path, err);
}
