/* secret.h - memory that held a secret is wiped before it is freed. */
#ifndef LIB_MEDIA_S3_SECRET_H
#define LIB_MEDIA_S3_SECRET_H

#include <stddef.h>

struct buf;

/* Overwrites the bytes; no compiler leaves this out. */
void secret_wipe(void *data, size_t len);
/* Wipes and frees a text.  NULL is fine. */
void secret_free(char *text);
/* Wipes all that the buffer has, and releases it. */
void secret_release(struct buf *buf);

#endif
