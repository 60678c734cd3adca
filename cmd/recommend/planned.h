/*
 * planned.h - the pipeline part of a plan: the file of a session, with one
 * strategy and one way to load it in the place of all that were measured.
 */
#ifndef CMD_RECOMMEND_PLANNED_H
#define CMD_RECOMMEND_PLANNED_H

#include <stdint.h>

struct error;
struct figures;
struct grid;
struct ini;
struct request;
struct session_data;

enum { PLANNED_CACHE = 256 };

/* A trial with its row; borrowed. */
struct planned_trial {
	const struct grid *rows;
	const struct figures *figures;
	long row; /* -1: there is none */
};

struct planned_trial planned_trial_of(
    const struct session_data *data, const struct figures *figures);
/* A number of its row; 0: it has none. */
uint64_t planned_number(const struct planned_trial *trial, const char *column);

/* Copies the caches that a session was asked for, "" for the default. */
int planned_caches(const struct ini *ini, char **asked, struct error *err);
/* Finds the word of `asked` that the trial was loaded by. */
void planned_cache(const struct planned_trial *trial, const char *asked,
    char text[PLANNED_CACHE]);

/* Puts the winner, and what was wanted, in the place of what was measured. */
int planned_fill(struct ini *ini, const struct planned_trial *winner,
    const char *asked, const struct request *request, struct error *err);

#endif
