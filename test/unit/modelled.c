/* modelled.c - see modelled.h. */
#include "test/unit/modelled.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "test/unit/test.h"

void modelled_init(struct modelled *s, const char *text, size_t streams,
    uint64_t per_stream, double field_bytes)
{
	struct error err = ERROR_INIT;

	memset(s, 0, sizeof(*s));
	fake_init(&s->fake, streams, per_stream);
	test_ok(planned_read(&s->planned, text, &s->fake.reader.schema, &err),
	    &err);
	s->model = planned_model(&s->planned, &s->fake.reader, field_bytes);
}

void modelled_release(struct modelled *s)
{
	free(s->model);
	planned_release(&s->planned);
}

int modelled_tear_down(void **state)
{
	modelled_release(*state);
	return 0;
}
