/* small_session.c - see small_session.h. */
#include "test/unit/small_session.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/media/medium.h"
#include "strategies/decide/derive.h"
#include "test/unit/test.h"

enum { STREAMS = 8 };

static void add(char told[SMALL_TOLD], const char *text)
{
	strncat(told, text, SMALL_TOLD - strlen(told) - 1);
	strncat(told, "\n", SMALL_TOLD - strlen(told) - 1);
}

static void warn(void *arg, const char *text)
{
	add(((struct small_session *)arg)->warnings, text);
}

static void note(void *arg, const char *text)
{
	add(((struct small_session *)arg)->notes, text);
}

static void progress(void *arg, double done_s, double all_s, const char *what)
{
	struct small_session *s = arg;

	(void)done_s;
	(void)all_s;
	if (s->stop_at && strstr(what, s->stop_at))
		atomic_store(&s->stop, true);
}

int small_session_open(void **state, const char *text)
{
	struct small_session *s = calloc(1, sizeof(*s));
	struct error err = ERROR_INIT;

	assert_non_null(s);
	fake_init(&s->fake, STREAMS, SMALL_SAMPLES / STREAMS);
	s->fake.varied = true;
	test_ok(planned_read(&s->planned, text, &s->fake.reader.schema, &err),
	    &err);
	s->scratch = test_scratch();
	s->db = test_path(s->scratch, "presto.db");
	s->results = derive_open(s->db, true, &err);
	test_ok(s->results ? 0 : -1, &err);
	s->plan = (struct session_plan){
		.plan = &s->planned.plan,
		.pipeline = &s->planned.pipeline,
		.strategies = &s->planned.strategies,
		.model = planned_model(&s->planned, &s->fake.reader, 100),
		.source = &s->fake.reader,
		.medium = medium_new_local(&err),
		.name = "fake",
		.dataset.path = "fake",
		.work_dir = s->scratch,
		.stop = &s->stop,
		.callbacks = {
			.progress = progress,
			.note = note,
			.warn = warn,
			.arg = s,
		},
	};
	*state = s;
	return 0;
}

int small_session_close(void **state)
{
	struct small_session *s = *state;

	results_close(s->results);
	test_scratch_remove(s->scratch);
	medium_free(s->plan.medium);
	free(s->plan.model);
	planned_release(&s->planned);
	free(s->db);
	free(s);
	return 0;
}

int small_session_run(struct small_session *s, struct error *err)
{
	s->warnings[0] = s->notes[0] = '\0';
	atomic_store(&s->stop, false);
	return session_run(&s->plan, s->results, &s->id, err);
}

struct grid small_session_read(
    const struct small_session *s, enum results_view view)
{
	struct grid grid = GRID_INIT;
	struct error err = ERROR_INIT;

	test_ok(results_read(s->results, view, s->id, &grid, &err), &err);
	return grid;
}

size_t small_session_row(
    const struct grid *grid, const char *strategy, unsigned threads)
{
	for (size_t r = 0; r < grid->row_count; r++)
		if (strcmp(grid_text(grid, r, "strategy"), strategy) == 0 &&
		    grid_number(grid, r, "threads") == threads)
			return r;
	fail_msg("no row of %s with %u threads", strategy, threads);
	return 0;
}
