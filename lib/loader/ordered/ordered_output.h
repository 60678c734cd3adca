/*
 * ordered_output.h - the batches of an ordered loader that are being filled.
 *
 * Workers fill slots of any batch between the one that the consumer takes next
 * and output_count behind it.  A batch is full when all its slots are done:
 * filled, or left empty because a sample was skipped or dropped.
 */
#ifndef LIB_LOADER_ORDERED_ORDERED_OUTPUT_H
#define LIB_LOADER_ORDERED_ORDERED_OUTPUT_H

#include <stdbool.h>
#include <stdint.h>

struct batch;
struct ordered_loader;
struct ordered_worker;

/*
 * Returns the batch with this slot, and its number there; waits for room.
 * NULL: the run is over.
 */
struct batch *ordered_output_open(
    struct ordered_worker *worker, uint64_t slot, unsigned *in_batch);
enum slot_end {
	SLOT_FILLED,
	SLOT_SKIPPED, /* a step refused the sample */
	SLOT_DROPPED, /* a filter dropped it */
};

/* Notes that the slot of the last ordered_output_open is done. */
void ordered_output_done(struct ordered_worker *worker, enum slot_end end);
/* Tells of all slots that were noted; before the worker waits, or ends a take.
 */
void ordered_output_tell(struct ordered_worker *worker);
/* Wakes the consumer if it waits for what this worker has told quietly. */
void ordered_output_announce(struct ordered_worker *worker);

/* With the lock held, as the following: no slots come from this one on. */
void ordered_output_shorten(struct ordered_loader *loader, uint64_t slot);
/*
 * Takes the next batch if it is full; NULL: it is not.  Sets loader->gaps: so
 * many of its slots are empty, which batch_close_gaps closes without the lock.
 */
struct batch *ordered_output_take(struct ordered_loader *loader);
/* Wakes workers that wait for room, if batches were taken since the last time.
 */
void ordered_output_make_room(struct ordered_loader *loader);

#endif
