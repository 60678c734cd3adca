/*
 * memory_room.h - checks what fits into memory, and makes room for it.
 *
 * Trials that wait for their next run keep threads and buffers while there is
 * room for them; they give these back when another trial needs the memory.
 */
#ifndef STRATEGIES_SESSION_MEMORY_ROOM_H
#define STRATEGIES_SESSION_MEMORY_ROOM_H

#include <stdint.h>

#include "strategies/plan/plan.h"

struct error;
struct measured_strategy;
struct session;

struct memory_room {             /* bytes */
	uint64_t base;           /* resident when the session began */
	uint64_t base_anonymous; /* the same without pages of files */
	uint64_t waiting;        /* limit: held by trials that wait */
};

/* Notes what the process holds now, and limits what waiting trials may hold. */
void memory_room_begin(struct session *session);

/*
 * ERROR_LIMIT if the preparation, or a trial, does not fit; the message says
 * which option makes it smaller.
 */
int memory_room_check_preparation(
    const struct measured_strategy *measured, struct error *err);
int memory_room_check_load(const struct measured_strategy *measured,
    struct trial_mode mode, struct error *err);

/* Lets waiting trials rest where the next work needs their memory. */
void memory_room_for_preparation(struct measured_strategy *measured);
void memory_room_for_load(
    struct measured_strategy *measured, struct trial_mode mode);

#endif
