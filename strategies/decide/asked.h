/*
 * asked.h - makes a request of what the user asked for: options of a command,
 * or section [decision] of a pipeline file.
 */
#ifndef STRATEGIES_DECIDE_ASKED_H
#define STRATEGIES_DECIDE_ASKED_H

struct error;
struct ini;
struct plan_decision;
struct request;

/*
 * Sets objective, weights, epochs, constraints and what lossy data is
 * taken of a request.
 * Errors name a key with `prefix` in front: "--" for options, "" for a file.
 */
int request_ask(struct request *request, const struct plan_decision *decision,
    const char *prefix, struct error *err);

/*
 * Returns the PSNR from which on lossy data is as good as the original, by
 * section [decision] of a session's pipeline file; 0: not given.
 */
double asked_tolerance_db(const struct ini *ini);

#endif
