/*
 * key_room.h - memory for the keys of a batch that several threads fill.
 *
 * A key gets its place by one atomic addition.  Keys never move: when the
 * memory is full, more is added, and key_room_reset makes one piece of it.
 */
#ifndef LIB_SAMPLE_KEY_ROOM_H
#define LIB_SAMPLE_KEY_ROOM_H

#include <stddef.h>

#include "lib/base/bytes.h"

struct error;
struct key_room;

/* `bytes`: expected for all keys. */
struct key_room *key_room_new(size_t bytes, struct error *err);
void key_room_free(struct key_room *room); /* NULL is fine */
/* Copies a key; *copy is valid until the room is reset.  For any thread. */
int key_room_put(struct key_room *room, struct span key, struct span *copy,
    struct error *err);
/* Forgets all keys; no other thread may use the room meanwhile. */
void key_room_reset(struct key_room *room);

#endif
