/* fake_trial.c - see fake_trial.h. */
#include "test/unit/fake_trial.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "test/unit/test.h"

int fake_trial_open(void **state, const char *text)
{
	struct fake_trial *s = calloc(1, sizeof(*s));
	struct error err = ERROR_INIT;

	assert_non_null(s);
	fake_init(&s->fake, 4, 10);
	test_ok(
	    ini_parse_text(&s->ini, "t.conf", text, strlen(text), &err), &err);
	test_ok(plan_read(&s->plan, &s->ini, &err), &err);
	test_ok(pipeline_read(&s->pipeline, &s->ini, &err), &err);
	test_ok(
	    pipeline_bind(&s->pipeline, &s->fake.reader.schema, &err), &err);
	s->trial = (struct trial_plan){
		.plan = &s->plan,
		.reader = &s->fake.reader,
		.pipeline = &s->pipeline,
		.threads = 2,
	};
	*state = s;
	return 0;
}

int fake_trial_close(void **state)
{
	struct fake_trial *s = *state;

	pipeline_release(&s->pipeline);
	ini_release(&s->ini);
	free(s);
	return 0;
}
