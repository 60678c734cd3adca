/* session_begin.h - begins a session, or resumes one that did not end. */
#ifndef STRATEGIES_SESSION_SESSION_BEGIN_H
#define STRATEGIES_SESSION_SESSION_BEGIN_H

struct error;
struct session;

/*
 * Begins the session in the database and in a work folder, and takes the
 * folder's lock.  If its plan says so, it goes on with an unfinished session of
 * the same fingerprint.
 */
int session_begin(struct session *session, struct error *err);

#endif
