/* secret.c - see secret.h. */
#define _DEFAULT_SOURCE /* explicit_bzero */
#include "lib/media/s3/secret.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/bytes.h"

void secret_wipe(void *data, size_t len)
{
	if (len)
		explicit_bzero(data, len);
}

void secret_free(char *text)
{
	if (text)
		secret_wipe(text, strlen(text));
	free(text);
}

void secret_release(struct buf *buf)
{
	secret_wipe(buf->data, buf->cap);
	buf_release(buf);
}
