/*
 * one_session.h - a copy of one session, in memory.
 *
 * Views derive the figures of all trials that there are before one session is
 * picked from them, so that with a hundred sessions in a database to look at
 * one took as long as to look at all.
 */
#ifndef LIB_DB_ONE_SESSION_H
#define LIB_DB_ONE_SESSION_H

#include <stdint.h>

struct error;
struct sqlite3;

/*
 * A database in memory with what `from`, of the newest version and at `path`,
 * has of this session; NULL on an error.  The caller closes it.
 */
struct sqlite3 *one_session_copy(
    struct sqlite3 *from, const char *path, int64_t session, struct error *err);

#endif
