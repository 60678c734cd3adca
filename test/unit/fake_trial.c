/* fake_trial.c - see fake_trial.h. */
#include "test/unit/fake_trial.h"

#include <stdlib.h>

#include "lib/base/error.h"
#include "test/unit/test.h"

int fake_trial_open(void **state, const char *text)
{
	struct fake_trial *s = calloc(1, sizeof(*s));
	struct error err = ERROR_INIT;

	assert_non_null(s);
	fake_init(&s->fake, 4, 10);
	test_ok(planned_read(&s->planned, text, &s->fake.reader.schema, &err),
	    &err);
	s->trial = (struct trial_plan){
		.loading.plan = &s->planned.plan,
		.reader = &s->fake.reader,
		.loading.pipeline = &s->planned.pipeline,
		.loading.mode.threads = 2,
		.loading.cached = pipeline_last_split(&s->planned.pipeline),
		.loading.share = 1,
		.drop_failed = &s->drop_failed,
	};
	*state = s;
	return 0;
}

int fake_trial_close(void **state)
{
	struct fake_trial *s = *state;

	planned_release(&s->planned);
	free(s);
	return 0;
}
