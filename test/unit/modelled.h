/*
 * modelled.h - for tests of forecasts: a pipeline file over generated images,
 * and a model of its strategies (planned_model) whose figures the test sets.
 */
#ifndef TEST_UNIT_MODELLED_H
#define TEST_UNIT_MODELLED_H

#include "test/unit/fake_reader.h"
#include "test/unit/planned.h"

struct modelled {
	struct planned planned;
	struct fake fake;
	struct model *model;
};

/* It must not be moved. */
void modelled_init(struct modelled *s, const char *text, size_t streams,
    uint64_t per_stream, double field_bytes);
void modelled_release(struct modelled *s);
int modelled_tear_down(void **state); /* for cmocka: releases *state */

#endif
