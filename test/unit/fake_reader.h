/*
 * fake_reader.h - a reader of generated images, for tests of its users.  Sample
 * i is an 8x8x3 image of the byte i; every `bad`-th is only 2x2x3, which steps
 * refuse.
 */
#ifndef TEST_UNIT_FAKE_READER_H
#define TEST_UNIT_FAKE_READER_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "lib/sample/reader.h"

struct fake {
	struct reader reader; /* give out &fake->reader */
	uint64_t per_stream;  /* samples of a stream */
	uint64_t bad;         /* 0: none */
	bool varied;          /* pixels of an image differ */
	uint64_t fail_at;     /* the sample whose fetch fails; 0: none */
	/* So many samples more has the second stream, or a picked chunk. */
	int more;

	/* While it is closed, nothing can be fetched. */
	bool is_closed;
	pthread_mutex_t gate;
	pthread_cond_t opened;
};

void fake_init(struct fake *fake, size_t streams, uint64_t per_stream);
/* From now on its samples can be fetched by number, too. */
void fake_offer_picks(struct fake *fake);
/* From now on its chunks are known before they are fetched. */
void fake_offer_chunks(struct fake *fake);
/* Closes the gate, or opens it. */
void fake_close_gate(struct fake *fake, bool is_closed);

#endif
