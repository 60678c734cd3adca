/*
 * fingerprint.h - tells apart the works that a folder can be written by.
 *
 * It is a hash of everything that must be the same to go on with a folder.
 * Files of the dataset are compared by its inventory (origin.h) instead,
 * wherever they are.
 */
#ifndef STRATEGIES_PREPARE_FINGERPRINT_H
#define STRATEGIES_PREPARE_FINGERPRINT_H

#include <stdbool.h>

struct prepare_plan;

enum { FINGERPRINT = 17 }; /* 16 hex digits and the NUL */

/*
 * Writes the fingerprint of the plan. `is_early`: that of earlier versions,
 * which had no inventory.
 */
void fingerprint_set(
    const struct prepare_plan *plan, bool is_early, char text[FINGERPRINT]);

#endif
