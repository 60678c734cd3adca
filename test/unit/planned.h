/*
 * planned.h - a parsed pipeline file for tests: its plan, pipeline, strategies,
 * and a model of them.
 */
#ifndef TEST_UNIT_PLANNED_H
#define TEST_UNIT_PLANNED_H

#include "lib/pipeline/pipeline.h"
#include "lib/syntax/ini.h"
#include "strategies/forecast/predict.h"
#include "strategies/plan/plan.h"
#include "strategies/plan/strategies.h"

struct planned {
	struct ini ini;
	struct pipeline pipeline;
	struct plan plan;
	struct strategies strategies;
};

/* Reads the text, for samples like these: 0, or -1 with what is wrong. */
int planned_read(struct planned *planned, const char *text,
    const struct schema *schema, struct error *err);
void planned_release(struct planned *planned); /* also after -1 */

/*
 * A model for two cores, of steps that take no time.  Each makes one sample,
 * with fields of so many bytes.  The caller frees it.
 */
struct model *planned_model(const struct planned *planned,
    const struct reader *source, double field_bytes);

#endif
