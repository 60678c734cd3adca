/*
 * secret.h - the token that a loader shows to a worker.  It is never on a
 * command line, nor in a message.
 */
#ifndef LIB_SERVICE_SECRET_H
#define LIB_SERVICE_SECRET_H

#include "lib/base/bytes.h"

struct error;

/*
 * Reads the token: from `path`, else from $PRESTO_TOKEN, else from the file
 * $PRESTO_TOKEN_FILE; without all of these it is empty.  White space at its
 * ends is left out.  ERROR_USAGE if the file has none, or one that is too long.
 */
int secret_read(const char *path, struct buf *token, struct error *err);

#endif
