/* key_room.c - see key_room.h. */
#include "lib/sample/key_room.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"

struct piece {
	struct piece *older; /* full ones */
	size_t capacity;
	atomic_size_t used; /* may exceed the capacity: then it is full */
	unsigned char bytes[];
};

struct key_room {
	_Atomic(struct piece *) piece;
	pthread_mutex_t lock; /* held while a piece is added */
};

static struct piece *new_piece(size_t capacity, struct error *err)
{
	struct piece *piece = NULL;
	size_t bytes;

	if (size_add(capacity, sizeof(*piece), &bytes) == 0)
		piece = malloc(bytes);
	if (!piece) {
		error_memory(err, capacity);
		return NULL;
	}
	piece->older = NULL;
	piece->capacity = capacity;
	atomic_init(&piece->used, 0);
	return piece;
}

struct key_room *key_room_new(size_t bytes, struct error *err)
{
	struct key_room *room = memory_zeroed(sizeof(*room), err);
	struct piece *piece = room ? new_piece(bytes, err) : NULL;

	if (!piece) {
		free(room);
		return NULL;
	}
	atomic_init(&room->piece, piece);
	pthread_mutex_init(&room->lock, NULL);
	return room;
}

static void free_pieces(struct piece *piece)
{
	while (piece) {
		struct piece *older = piece->older;

		free(piece);
		piece = older;
	}
}

void key_room_free(struct key_room *room)
{
	if (!room)
		return;
	free_pieces(atomic_load(&room->piece));
	pthread_mutex_destroy(&room->lock);
	free(room);
}

/* Adds a piece with room for `len` bytes, unless another thread has done so. */
static int grow(
    struct key_room *room, struct piece *full, size_t len, struct error *err)
{
	struct piece *piece = full;

	pthread_mutex_lock(&room->lock);
	if (atomic_load(&room->piece) == full) {
		piece = new_piece(2 * full->capacity + len, err);
		if (piece) {
			piece->older = full;
			atomic_store(&room->piece, piece);
		}
	}
	pthread_mutex_unlock(&room->lock);
	return piece ? 0 : -1;
}

int key_room_put(struct key_room *room, struct span key, struct span *copy,
    struct error *err)
{
	for (;;) {
		struct piece *piece =
		    atomic_load_explicit(&room->piece, memory_order_acquire);
		const size_t at = atomic_fetch_add_explicit(
		    &piece->used, key.len, memory_order_relaxed);

		if (at <= piece->capacity && key.len <= piece->capacity - at) {
			if (key.len)
				memcpy(piece->bytes + at, key.data, key.len);
			copy->data = piece->bytes + at;
			copy->len = key.len;
			return 0;
		}
		if (grow(room, piece, key.len, err))
			return -1;
	}
}

void key_room_reset(struct key_room *room)
{
	struct piece *piece = atomic_load(&room->piece);
	struct error ignored;
	size_t bytes = 0;

	for (struct piece *p = piece; p; p = p->older)
		bytes += p->capacity;
	if (piece->older) {
		struct piece *one = new_piece(bytes, &ignored);

		if (one) {
			free_pieces(piece);
			piece = one;
			atomic_store(&room->piece, piece);
		}
	}
	free_pieces(piece->older);
	piece->older = NULL;
	atomic_store(&piece->used, 0);
}
