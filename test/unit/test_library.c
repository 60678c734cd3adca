/* test_library.c - steps in C of the user's own: their contract, and mistakes.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/presto.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/own/own.h"
#include "lib/pipeline/own_step.h"
#include "test/unit/chained.h"
#include "test/unit/test.h"

/* ---- steps ---- */

/* An instance, which its option `how` tells what to do. */
struct mine {
	const struct presto_host *host;
	char how[32];
	unsigned char top;
	pthread_t thread;
};

static unsigned alive; /* instances */
static pthread_t used_by;
static bool used_by_several;

static void *mine_create(const struct presto_host *host,
    const char *const *values, const struct presto_type *in,
    struct presto_type *out)
{
	struct mine *mine;
	struct presto_tensor none = { .data = NULL };

	if (strcmp(values[0], "silent") == 0)
		return NULL;
	if (strcmp(values[0], "refuse") == 0) {
		(host->fail)(
		    host->self, "takes %s, not %u dims", "bytes", in->rank);
		return NULL;
	}
	mine = calloc(1, sizeof(*mine));
	if (!mine)
		return NULL;
	alive++;
	mine->host = host;
	mine->top = (unsigned char)atoi(values[1]);
	mine->thread = pthread_self();
	snprintf(mine->how, sizeof(mine->how), "%s", values[0]);
	*out = *in;
	if (strcmp(mine->how, "untyped") == 0)
		out->dtype = (enum presto_dtype)0;
	if (strcmp(mine->how, "badrank") == 0)
		out->rank = 99;
	if (strcmp(mine->how, "floats") == 0)
		out->dtype = PRESTO_F32;
	if (strcmp(mine->how, "early") == 0)
		host->draw(host->self);
	if (strcmp(mine->how, "room") == 0 &&
	    host->reshape(host->self, &none, in)) {
		free(mine);
		alive--;
		return NULL;
	}
	return mine;
}

static int mine_fails(const struct mine *mine, const struct presto_tensor *in,
    struct presto_tensor *out)
{
	struct presto_type type = in->type;

	if (strcmp(mine->how, "fail") == 0)
		return (mine->host->fail)(mine->host->self, "bad %d", 7);
	if (strcmp(mine->how, "mute") == 0)
		return -1;
	if (strcmp(mine->how, "nothing") == 0)
		return 0;
	if (strcmp(mine->how, "other") == 0)
		type.dtype = PRESTO_F64;
	if (strcmp(mine->how, "unknown") == 0)
		type.dims[0] = -1;
	if (strcmp(mine->how, "huge") == 0)
		type.dims[0] = INT64_MAX / 2;
	return mine->host->reshape(mine->host->self, out, &type);
}

static int mine_run(
    void *instance, const struct presto_tensor *in, struct presto_tensor *out)
{
	const struct mine *mine = instance;
	const unsigned char *from = in->data;
	unsigned char *to;

	used_by_several |= used_by && !pthread_equal(used_by, pthread_self());
	used_by = pthread_self();
	if (mine_fails(mine, in, out))
		return -1;
	to = out->data; /* NULL: "nothing" */
	for (size_t i = 0; to && i < in->bytes; i++)
		to[i] = (unsigned char)(mine->top - from[i]);
	if (strcmp(mine->how, "draw") == 0 && out->bytes)
		to[0] = (unsigned char)mine->host->draw(mine->host->self);
	return 0;
}

static void mine_destroy(void *instance)
{
	free(instance);
	alive--;
}

static const char *const mine_options[] = { "how=well", "top=200", NULL };
static const char *const strict_options[] = { "how", "top=200", NULL };

#define MINE(word, some_flags, some_options)                                 \
	{                                                                    \
		.size = sizeof(struct presto_step), .abi = PRESTO_STEP_ABI,  \
		.flags = (some_flags), .name = (word), .summary = "test it", \
		.takes = "uint8", .gives = "the same", .version = "3",       \
		.options = (some_options), .create = mine_create,            \
		.run = mine_run, .destroy = mine_destroy                     \
	}

static const struct presto_step steps[] = {
	MINE("mine", 0, mine_options),
	MINE("chance", PRESTO_RANDOM, mine_options),
	MINE("single", PRESTO_ONE_THREAD, mine_options),
	MINE("losing", PRESTO_LOSSY, mine_options),
	MINE("strict", 0, strict_options),
	{ 0 },
};

/* ---- tests ---- */

static const struct type text = { DTYPE_U8, LAYOUT_ENCODED, { 1, { -1 } },
	"txt" };

static void open_it(struct chained *chained, const char *line)
{
	struct error err = ERROR_INIT;

	test_ok(chained_open(chained, line, &text, steps, &err), &err);
}

static void test_library_runs_a_step(void **state)
{
	struct chained chained;
	struct error err = ERROR_INIT;

	(void)state;
	open_it(&chained, "own = mine top=199");
	assert_true(alive > 0);
	test_ok(chained_run_text(&chained, "ABC", &err), &err);
	chained_gave(&chained, "\x86\x85\x84");
	/* It stays a file of the same kind. */
	assert_string_equal(chained.out.fields[0].suffix, "txt");
	assert_int_equal(
	    chained.pipeline.schemas[1].fields[0].type.layout, LAYOUT_ENCODED);
	test_ok(chained_run_text(&chained, "", &err), &err);
	assert_int_equal(chained.out.fields[0].bytes, 0);
	assert_false(chained.pipeline.steps[0].random);
	assert_false(chained.pipeline.steps[0].lossy);
	assert_string_equal(
	    (const char *)own_step(&chained.pipeline.steps[0])->print.data,
	    "mine 3");
	chained_close(&chained);
	assert_int_equal(alive, 0);
}

static void test_library_takes_declared_types(void **state)
{
	struct chained chained;
	struct error err = ERROR_INIT;
	char words[SHAPE_TEXT];

	(void)state;
	open_it(&chained, "own = mine suffix=neg");
	test_ok(chained_run_text(&chained, "x", &err), &err);
	assert_string_equal(chained.out.fields[0].suffix, "neg");
	chained_close(&chained);
	open_it(&chained, "own = mine gives=uint8:3");
	assert_string_equal(
	    type_text(&chained.pipeline.schemas[1].fields[0].type, words),
	    "uint8 3");
	test_ok(chained_run_text(&chained, "xyz", &err), &err);
	assert_int_equal(chained_run_text(&chained, "xy", &err), -1);
	test_contains(err.text, "step mine: ");
	chained_close(&chained);
}

static void test_library_refuses_options_in_words(void **state)
{
	static const struct {
		const char *line, *want;
	} cases[] = {
		{ "own = mine tpo=1",
		    "p.conf:2: step mine: unknown option 'tpo'; did you mean "
		    "'top'?" },
		{ "own = mine top=1 top=2", "'top' is given twice" },
		{ "own = strict", "option how must be given" },
		{ "own = mine how=refuse",
		    "step mine: takes bytes, not 1 dims" },
		{ "own = mine how=silent", "does not say why" },
		{ "own = mine how=untyped", "which type it gives" },
		{ "own = mine how=badrank", "which type it gives" },
		{ "own = mine how=early", "it draws in create" },
		{ "own = mine how=room", "host->reshape in create" },
		{ "own = mine how=floats gives=uint8",
		    "declares uint8 ?, and the step gives float32 ?" },
		{ "own = chance random=no", "random=no is wrong" },
		{ "own = mien", "no step 'mien'; did you mean 'mine'?" },
		{ "own = library mine", "names no step: write FILE.so:STEP" },
		{ "own = library lib.so:", "names no step" },
		{ "own = library /nope/lib.so:x", "lib.so" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct chained chained;
		struct error err = ERROR_INIT;

		assert_int_equal(
		    chained_open(&chained, cases[i].line, &text, steps, &err),
		    -1);
		assert_int_equal(err.code, ERROR_USAGE);
		if (!strstr(err.text, cases[i].want))
			fail_msg(
			    "'%s' is not in '%s'", cases[i].want, err.text);
		chained_close(&chained);
		assert_int_equal(alive, 0);
	}
}

static void test_library_fails_for_a_sample_in_words(void **state)
{
	static const struct {
		const char *line, *want;
	} cases[] = {
		{ "own = mine how=fail", "step mine: bad 7" },
		{ "own = mine how=mute",
		    "step mine: fails, and does not say why" },
		{ "own = mine how=nothing",
		    "step mine: gives nothing: its run did not call "
		    "host->reshape" },
		{ "own = mine how=other", "step mine: " },
		{ "own = mine how=unknown",
		    "step mine: calls host->reshape with a type that no "
		    "sample can have" },
		{ "own = mine how=huge", "step mine: " },
		{ "own = mine how=draw",
		    "step mine: draws, and is not PRESTO_RANDOM: its "
		    "result would depend on when it is run" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct chained chained;
		struct error err = ERROR_INIT;

		open_it(&chained, cases[i].line);
		for (unsigned n = 0; n < 2; n++) {
			assert_int_equal(
			    chained_run_text(&chained, "xyz", &err), -1);
			if (strncmp(err.text, cases[i].want,
			        strlen(cases[i].want)) != 0)
				fail_msg(
				    "'%s', not '%s'", err.text, cases[i].want);
		}
		chained_close(&chained);
	}
}

static void test_library_steps_say_what_they_are(void **state)
{
	struct chained chained;

	(void)state;
	open_it(&chained, "a = losing\nb = chance\nc = mine");
	assert_true(chained.pipeline.steps[0].lossy);
	assert_false(chained.pipeline.steps[2].lossy);
	assert_int_equal(pipeline_last_split(&chained.pipeline), 1);
	chained_close(&chained);
}

/* The same for the same seed and sample; another one elsewhere. */
static void test_library_draws_from_prestos_generator(void **state)
{
	struct chained chained;
	struct error err = ERROR_INIT;
	unsigned char drawn[4];
	unsigned different = 0;

	(void)state;
	open_it(&chained, "own = chance how=draw");
	for (unsigned i = 0; i < 4; i++) {
		chain_set_draw(chained.chain, i % 2, i / 2);
		test_ok(chained_run_text(&chained, "x", &err), &err);
		drawn[i] = *(unsigned char *)chained.out.fields[0].data;
		different += i > 0 && drawn[i] != drawn[0];
	}
	assert_true(different > 0);
	for (unsigned i = 0; i < 4; i++) {
		chain_set_draw(chained.chain, i % 2, i / 2);
		test_ok(chained_run_text(&chained, "x", &err), &err);
		assert_int_equal(
		    *(unsigned char *)chained.out.fields[0].data, drawn[i]);
	}
	chained_close(&chained);
}

struct user {
	struct chain *chain;
	struct sample out;
	int rc;
};

static void *use(void *arg)
{
	struct user *user = arg;
	struct sample in = { .key = span_text("k"), .label = -1, .count = 1 };
	struct error err = ERROR_INIT;

	tensor_view_encoded(&in.fields[0], "some text", 9, "txt");
	for (unsigned i = 0; i < 100 && !user->rc; i++)
		user->rc = chain_run(user->chain, &in, &user->out, &err);
	return NULL;
}

static void test_library_of_one_thread_is_called_by_one(void **state)
{
	struct user users[4];
	pthread_t threads[4];
	struct chained chained;

	(void)state;
	open_it(&chained, "own = single");
	used_by = 0;
	used_by_several = false;
	for (unsigned i = 0; i < 4; i++) {
		users[i] = (struct user){ .chain = chained_worker(&chained),
			.out = SAMPLE_INIT };
		assert_int_equal(
		    pthread_create(&threads[i], NULL, use, &users[i]), 0);
	}
	for (unsigned i = 0; i < 4; i++) {
		pthread_join(threads[i], NULL);
		assert_int_equal(users[i].rc, 0);
		sample_release(&users[i].out);
		chain_free(users[i].chain);
	}
	assert_false(used_by_several);
	assert_false(pthread_equal(used_by, pthread_self()));
	chained_close(&chained);
	assert_int_equal(alive, 0);
}

static void test_library_of_another_version_is_refused(void **state)
{
	static const struct {
		size_t size;
		unsigned abi, flags;
		bool runs;
		const char *want;
	} cases[] = {
		{ sizeof(struct presto_step), 42, 0, true,
		    "it was built for version 42 of the ABI of steps" },
		{ sizeof(struct presto_step) - 8, 1, 0, true,
		    "build it again with the presto.h of this presto" },
		{ 4, 1, 0, true, "it has no list of steps" },
		{ sizeof(struct presto_step), 1, 0x80, true,
		    "it has flags 0x80 that this presto does not know" },
		{ sizeof(struct presto_step), 1, 0, false,
		    "it has no create, or no run" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct presto_step step = MINE("mine", 0, mine_options);
		struct presto_step list[2] = { step, { 0 } };
		struct chained chained;
		struct error err = ERROR_INIT;

		list[0].size = cases[i].size;
		list[0].abi = cases[i].abi;
		list[0].flags = cases[i].flags;
		if (!cases[i].runs)
			list[0].run = NULL;
		assert_int_equal(
		    chained_open(&chained, "own = mine", &text, list, &err),
		    -1);
		test_contains(err.text, cases[i].want);
		chained_close(&chained);
	}
}

static void test_library_files_are_refused_in_words(void **state)
{
	char *dir = test_scratch(), line[512];
	struct chained chained;
	struct error err = ERROR_INIT;

	(void)state;
	test_write(dir, "lib.so", "not a library");
	snprintf(line, sizeof(line), "own = library %s/lib.so:x", dir);
	assert_int_equal(chained_open(&chained, line, &text, NULL, &err), -1);
	assert_int_equal(err.code, ERROR_USAGE);
	test_contains(err.text, "p.conf:2: step library: ");
	test_contains(err.text, "cannot load ");
	chained_close(&chained);
	test_scratch_remove(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_library_runs_a_step),
		cmocka_unit_test(test_library_takes_declared_types),
		cmocka_unit_test(test_library_refuses_options_in_words),
		cmocka_unit_test(test_library_fails_for_a_sample_in_words),
		cmocka_unit_test(test_library_steps_say_what_they_are),
		cmocka_unit_test(test_library_draws_from_prestos_generator),
		cmocka_unit_test(test_library_of_one_thread_is_called_by_one),
		cmocka_unit_test(test_library_of_another_version_is_refused),
		cmocka_unit_test(test_library_files_are_refused_in_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
