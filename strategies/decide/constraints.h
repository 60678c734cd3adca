/* constraints.h - the limits that a strategy must keep to be ranked. */
#ifndef STRATEGIES_DECIDE_CONSTRAINTS_H
#define STRATEGIES_DECIDE_CONSTRAINTS_H

#include <stdbool.h>

struct candidate;
struct error;
struct ranking;
struct request;

bool constraints_met(
    const struct candidate *candidate, const struct request *request);

enum { CONSTRAINTS_TEXT = 64 };

/* Adds the options that the candidate misses: "--max-prep, --max-storage". */
void constraints_add_missed(const struct candidate *candidate,
    const struct request *request, char text[CONSTRAINTS_TEXT]);

/* ERROR_GATE: names the constraints that no strategy meets, and the nearest. */
int constraints_error(const struct ranking *ranking,
    const struct request *request, struct error *err);

#endif
