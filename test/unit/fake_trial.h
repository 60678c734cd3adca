/*
 * fake_trial.h - a trial over 40 generated images in 4 streams, through the
 * steps of a pipeline text, with 2 threads.
 */
#ifndef TEST_UNIT_FAKE_TRIAL_H
#define TEST_UNIT_FAKE_TRIAL_H

#include "strategies/trial/trial.h"
#include "test/unit/fake_reader.h"
#include "test/unit/planned.h"

struct fake_trial {
	struct planned planned;
	struct fake fake;
	struct trial_plan trial; /* without a medium */
	bool drop_failed;
};

/* For set_up and tear_down of a test: *state is the fake trial. */
int fake_trial_open(void **state, const char *text);
int fake_trial_close(void **state);

#endif
