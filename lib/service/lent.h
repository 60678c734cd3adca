/*
 * lent.h - batches that a worker lends to a loader on its machine, seen by the
 * loader: they lie in memory that both processes map.
 *
 * Who owns what: the memory is the worker's.  From the message that lends a
 * place until the one that returns it, the worker neither writes nor reads
 * there, and its batch is the loader's, as any batch is: the program may write
 * into it.  Elements alone lie there; a loader that writes to a place which it
 * has returned spoils batches of its own, and no others.
 *
 * Where the loader dies, its connection ends, and with that the worker takes
 * all of its places back.  Where the worker dies, batches stay as they are, as
 * long as the loader has the last one of its memory.  A loader that never gives
 * back is lent a number of batches, and is sent the bytes of further ones.
 *
 * Where the worker lies: sizes follow from the schema, and are held against
 * those of the memory, whose size is sealed.  A place that is out, or that is
 * not there, ends the connection; so does one that the loader returns and does
 * not have.
 *
 * Where the memory cannot be had, or the loader cannot map it (remote_open),
 * the worker sends bytes.  When the loader forks, batches that the program has
 * become private before: both processes keep them, and write into copies.
 *
 * Batches may be given back by any thread, also when the loader is freed: the
 * memory then lives until the last one comes back.
 */
#ifndef LIB_SERVICE_LENT_H
#define LIB_SERVICE_LENT_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/sample/sample.h"

struct batch;
struct error;
struct lent;

enum {
	LENT_PLACES = 1 << 20, /* of a worker, at most */
	LENT_SOON = 4,         /* places that are worth a message */
	LENT_MESSAGE = 64,     /* places of a message, at most */
};

/*
 * Maps memory with so many places for batches of this capacity and schema,
 * which is borrowed until lent_close.  `wake`: an eventfd, likewise, that is
 * written to when LENT_SOON places wait to be returned.  `fd` is taken over,
 * also where this fails.
 */
struct lent *lent_new(int fd, unsigned places, unsigned capacity,
    const struct schema *schema, int wake, struct error *err);
/* No place is taken or returned any more; NULL is fine. */
void lent_close(struct lent *lent);

/*
 * Returns the batch of a place that the worker has lent, with the elements of
 * its fields of known size.  ERROR_DATA: the loader has it already, or there is
 * no such place; `lent` NULL: there is none.
 */
struct batch *lent_take(struct lent *lent, uint32_t place, struct error *err);
/* The program gets the batch: it may be in use when the program forks. */
void lent_hand_over(struct batch *batch);
/*
 * Takes places that are to be returned, and their number: 0 if there are fewer
 * than LENT_SOON, unless `force`.
 */
unsigned lent_returned(
    struct lent *lent, bool force, uint32_t places[LENT_MESSAGE]);

#endif
