/* session.h - a loader that a worker serves; for lib/service only. */
#ifndef LIB_SERVICE_SESSION_H
#define LIB_SERVICE_SESSION_H

#include <stdbool.h>

#include "lib/service/server.h"

struct session;

/* Takes over the socket, and starts a thread; NULL: it could not. */
struct session *session_new(const struct server_plan *plan, int fd,
    bool is_one_too_many, struct error *err);
/* Has the session ended?  Then session_free does not wait. */
bool session_is_over(const struct session *session);
/* Tells the loader to ask another worker from now on. */
void session_leave(struct session *session);
/* Ends it at once. */
void session_stop(struct session *session);
/* Waits for its end, and adds what it did to the sums. */
void session_free(struct session *session, struct server_sums *sums);

#endif
