/*
 * fuzz_plan.c - any bytes as a plan: a mistake has words, and what is read is
 * printed as a plan that reads the same.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "strategies/planfile/plan_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static void require(int truth)
{
	if (!truth)
		abort();
}

/* Reads the bytes as a plan; 1: they are one. */
static int read_plan(struct plan_file *plan, struct ini *ini, struct span text)
{
	struct error err = ERROR_INIT;
	int rc = ini_parse_text(
	    ini, "fuzz.plan", (const char *)text.data, text.len, &err);

	require(rc == 0 || err.text[0]);
	if (rc || !plan_file_is(ini))
		return 0;
	rc = plan_file_take(plan, ini, &err);
	require(rc == 0 || err.text[0]);
	return rc == 0;
}

/* What a plan is printed as is a plan again, with a seal that holds. */
static void check(const struct plan_file *plan, const struct ini *ini)
{
	struct plan_file back = plan_file_none();
	struct ini pipeline = INI_INIT;
	struct error err = ERROR_INIT;
	struct buf text = BUF_INIT;

	if (plan_file_print(plan, ini, &text, &err) == 0) {
		require(read_plan(&back, &pipeline, buf_span(&text)));
		require(!back.is_edited);
		require(strcmp(back.strategy, plan->strategy) == 0);
		require(back.rival_count == plan->rival_count);
	} else {
		require(err.text[0]);
	}
	ini_release(&pipeline);
	plan_file_release(&back);
	buf_release(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	struct plan_file plan = plan_file_none();
	struct ini ini = INI_INIT;

	if (read_plan(&plan, &ini, (struct span){ data, len }))
		check(&plan, &ini);
	ini_release(&ini);
	plan_file_release(&plan);
	return 0;
}
