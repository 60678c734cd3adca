/*
 * test_service.c - batches of workers are those of a loader here, in the same
 * order: several workers, workers that leave and come back, seeks, steps that
 * make many, filters, errors, tokens, slow callers.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/sample/batch.h"
#include "lib/sample/batch_home.h"
#include "lib/service/remote.h"
#include "test/unit/served.h"
#include "test/unit/test.h"

enum { WORKERS = 3, BATCHES_MOST = 256 };

static const char simple[] = "[pipeline]\ncut = random_crop size=4\n"
                             "centered = center\n";
static const char many[] = "[pipeline]\na = window length=1\nb = identity\n";
static const char dropping[] = "[pipeline]\ncut = random_crop size=3\n"
                               "kept = filter by=key fraction=0.1\n";

/* ---- what was delivered ---- */

struct epoch {
	uint64_t hashes[BATCHES_MOST]; /* of all samples and their keys */
	unsigned count;
};

static uint64_t hash_of(const struct served *served, const struct batch *batch)
{
	uint64_t hash = batch->count;

	for (unsigned i = 0; i < batch->count; i++)
		hash = hash * 31 +
		       (sample_hash(&batch->slots[i], &served->facts.schema) ^
		           sample_id(batch->slots[i].key));
	return hash;
}

static void add(
    struct epoch *epoch, const struct served *served, struct batch *batch)
{
	assert_true(epoch->count < BATCHES_MOST);
	epoch->hashes[epoch->count++] = hash_of(served, batch);
	batch_give(batch);
}

static void read_local(
    const struct served *served, uint32_t number, struct epoch *epoch)
{
	struct error err = ERROR_INIT;
	struct ordered_loader *loader = ordered_loader_new(&served->plan, &err);
	struct batch *batch;
	int got;

	test_ok(loader ? 0 : -1, &err);
	epoch->count = 0;
	ordered_loader_seek(loader, (struct ordered_position){ number, 0 });
	while ((got = ordered_loader_next(loader, 0, &batch, &err)) > 0)
		add(epoch, served, batch);
	test_ok(got, &err);
	ordered_loader_free(loader);
}

static void read_remote(struct remote_loader *loader,
    const struct served *served, struct epoch *epoch)
{
	struct error err = ERROR_INIT;
	struct batch *batch;
	int got;

	while ((got = remote_loader_next(loader, 0, &batch, &err)) > 0)
		add(epoch, served, batch);
	test_ok(got, &err);
}

static void assert_same(const struct epoch *a, const struct epoch *b)
{
	assert_int_equal(a->count, b->count);
	for (unsigned i = 0; i < a->count; i++)
		assert_true(a->hashes[i] == b->hashes[i]);
}

/* ---- services ---- */

struct group {
	struct served served;
	char *dir;
	struct worker workers[WORKERS];
	struct service *service;
	struct remote_loader *loader;
};

static const char *name_of(unsigned i)
{
	static const char *const names[WORKERS] = { "a", "b", "c" };

	return names[i];
}

static void start(struct group *group, unsigned i)
{
	worker_start(
	    &group->workers[i], &group->served, group->dir, name_of(i));
}

static struct service_order order_of(const struct served *served)
{
	return (struct service_order){
		.batch = served->plan.batch,
		.rank = served->plan.rank,
		.world_size = served->plan.world_size,
		.seed = served->plan.seed,
		.shuffle = served->plan.shuffle,
		.drop_last = served->plan.drop_last,
	};
}

static void prepare(
    struct group *group, const char *pipeline, enum served_way way)
{
	served_init(&group->served, pipeline, way);
	group->served.plan.shuffle = true;
	group->dir = test_scratch();
}

/* Starts workers, and opens a loader of all. */
static void launch(struct group *group, unsigned workers)
{
	struct service_order order;
	struct error err = ERROR_INIT;
	char url[1024] = "presto://";

	for (unsigned i = 0; i < workers; i++) {
		const size_t len = strlen(url);

		start(group, i);
		snprintf(url + len, sizeof(url) - len, "%s%s/%s", i ? "," : "",
		    group->dir, name_of(i));
	}
	group->service = service_open(url, &err);
	test_ok(group->service ? 0 : -1, &err);
	order = order_of(&group->served);
	group->loader = remote_loader_new(group->service, &order, &err);
	test_ok(group->loader ? 0 : -1, &err);
}

static void begin(struct group *group, const char *pipeline,
    enum served_way way, unsigned workers)
{
	prepare(group, pipeline, way);
	launch(group, workers);
}

static void end(struct group *group, unsigned workers)
{
	remote_loader_free(group->loader);
	service_free(group->service);
	for (unsigned i = 0; i < workers; i++)
		worker_stop(&group->workers[i]);
	served_release(&group->served);
	test_scratch_remove(group->dir);
}

/* ---- the same batches ---- */

static void check_epochs(
    const char *pipeline, enum served_way way, unsigned workers)
{
	struct group group;

	begin(&group, pipeline, way, workers);
	for (uint32_t number = 0; number < 3; number++) {
		struct epoch wanted = { .count = 0 }, found = { .count = 0 };

		read_local(&group.served, number, &wanted);
		read_remote(group.loader, &group.served, &found);
		assert_same(&wanted, &found);
	}
	end(&group, workers);
}

static void test_workers_deliver_what_a_loader_here_does(void **state)
{
	UNUSED(state);
	for (unsigned workers = 1; workers <= WORKERS; workers++)
		for (unsigned way = 0; way < SERVED_WAYS; way++)
			check_epochs(simple, (enum served_way)way, workers);
}

static void test_steps_that_make_many_are_served(void **state)
{
	UNUSED(state);
	check_epochs(many, SERVED_CHUNKS, 2);
	check_epochs(many, SERVED_PICKS, 1);
}

static void test_batches_that_filters_have_emptied_leave_no_hole(void **state)
{
	UNUSED(state);
	check_epochs(dropping, SERVED_CHUNKS, 2);
	check_epochs(dropping, SERVED_PICKS, 3);
}

static void test_a_seek_goes_on_there(void **state)
{
	struct group group;
	struct epoch wanted = { .count = 0 };

	UNUSED(state);
	begin(&group, simple, SERVED_CHUNKS, 2);
	read_local(&group.served, 2, &wanted);
	for (uint64_t batch = 0; batch <= wanted.count; batch += 5) {
		struct epoch found = { .count = 0 };

		remote_loader_seek(
		    group.loader, (struct ordered_position){ 2, batch });
		read_remote(group.loader, &group.served, &found);
		assert_int_equal(found.count, wanted.count - batch);
		for (unsigned i = 0; i < found.count; i++)
			assert_true(
			    found.hashes[i] == wanted.hashes[batch + i]);
		assert_int_equal(remote_loader_position(group.loader).epoch, 3);
	}
	end(&group, 2);
}

/* ---- workers that go and come ---- */

/* Workers leave during the epoch, one after the other, and come back. */
static void check_turns(enum served_way way, unsigned workers)
{
	struct epoch wanted = { .count = 0 }, found = { .count = 0 };
	struct error err = ERROR_INIT;
	struct batch *batch;
	struct group group;
	unsigned turn = 0;
	int got;

	begin(&group, simple, way, workers);
	read_local(&group.served, 0, &wanted);
	while ((got = remote_loader_next(group.loader, 0, &batch, &err)) > 0) {
		add(&found, &group.served, batch);
		if (found.count % 4)
			continue;
		worker_stop(&group.workers[turn % workers]);
		start(&group, turn++ % workers);
	}
	test_ok(got, &err);
	assert_same(&wanted, &found);
	assert_true(turn > 3);
	end(&group, workers);
}

static void test_workers_that_leave_and_return_change_nothing(void **state)
{
	UNUSED(state);
	check_turns(SERVED_PICKS, 1);
	check_turns(SERVED_CHUNKS, 2);
	check_turns(SERVED_STREAMS, 3);
}

static void test_a_worker_that_drains_ends_while_a_loader_is_there(void **state)
{
	struct error err = ERROR_INIT;
	struct batch *batch;
	struct group group;
	uint64_t began;

	UNUSED(state);
	begin(&group, simple, SERVED_CHUNKS, 2);
	assert_int_equal(remote_loader_next(group.loader, 0, &batch, &err), 1);
	batch_give(batch);
	began = clock_now(&clock_monotonic);
	worker_stop(&group.workers[0]);
	/* What was asked for came although nobody took it. */
	assert_true(clock_now(&clock_monotonic) - began < 9000000000);
	assert_true(group.workers[0].sums.loaders >= 1);
	start(&group, 0);
	end(&group, 2);
}

/* ---- errors ---- */

static void test_a_bad_sample_is_the_error_of_a_loader_here(void **state)
{
	struct error wanted = ERROR_INIT, found = ERROR_INIT;
	struct ordered_loader *local;
	struct batch *batch;
	struct group group;
	unsigned before = 0, after = 0;

	UNUSED(state);
	prepare(&group, "[pipeline]\ncut = center_crop size=4\n", SERVED_PICKS);
	group.served.fake.bad = 50;
	launch(&group, 2);
	local = ordered_loader_new(&group.served.plan, &wanted);
	while (ordered_loader_next(local, 0, &batch, &wanted) > 0) {
		batch_give(batch);
		before++;
	}
	while (remote_loader_next(group.loader, 0, &batch, &found) > 0) {
		batch_give(batch);
		after++;
	}
	assert_int_equal(before, after);
	assert_int_equal(wanted.code, ERROR_DATA);
	assert_int_equal(found.code, ERROR_DATA);
	assert_string_equal(wanted.text, found.text);
	/* The next call tries the same batch again. */
	found = (struct error)ERROR_INIT;
	assert_int_equal(
	    remote_loader_next(group.loader, 0, &batch, &found), -1);
	assert_string_equal(wanted.text, found.text);
	assert_int_equal(remote_loader_position(group.loader).batch, after);
	ordered_loader_free(local);
	end(&group, 2);
}

static void test_an_interrupt_ends_the_wait_and_loses_nothing(void **state)
{
	struct epoch wanted = { .count = 0 }, found = { .count = 0 };
	struct error err = ERROR_INIT;
	struct batch *batch;
	struct group group;

	UNUSED(state);
	begin(&group, simple, SERVED_PICKS, 1);
	fake_close_gate(&group.served.fake, true);
	assert_int_equal(
	    remote_loader_next(group.loader, 20, &batch, &err), -1);
	assert_int_equal(err.code, ERROR_INTERRUPTED);
	remote_loader_interrupt(group.loader);
	assert_int_equal(remote_loader_next(group.loader, 0, &batch, &err), -1);
	assert_int_equal(err.code, ERROR_INTERRUPTED);
	fake_close_gate(&group.served.fake, false);
	read_local(&group.served, 0, &wanted);
	read_remote(group.loader, &group.served, &found);
	assert_same(&wanted, &found);
	end(&group, 1);
}

static void test_a_caller_that_takes_nothing_bounds_the_worker(void **state)
{
	struct error err = ERROR_INIT;
	struct batch *batch;
	struct group group;

	UNUSED(state);
	begin(&group, simple, SERVED_PICKS, 1);
	assert_int_equal(remote_loader_next(group.loader, 0, &batch, &err), 1);
	batch_give(batch);
	clock_sleep_until(clock_now(&clock_monotonic) + 300000000);
	remote_loader_free(group.loader);
	group.loader = NULL;
	worker_stop(&group.workers[0]);
	/* An epoch has 21 batches, and the window 16. */
	assert_true(group.workers[0].sums.batches <= 18);
	start(&group, 0);
	end(&group, 1);
}

/* ---- who may connect ---- */

static void test_a_wrong_token_is_refused_in_words(void **state)
{
	struct error err = ERROR_INIT;
	struct served served;
	struct worker worker;
	char url[600];

	UNUSED(state);
	served_init(&served, simple, SERVED_PICKS);
	served.token = span_text("right");
	worker_start(&worker, &served, NULL, NULL);
	snprintf(url, sizeof(url), "presto://%s", worker.listener.place);
	setenv("PRESTO_TOKEN", "wrong", 1);
	assert_null(service_open(url, &err));
	test_contains(err.text, "another token");
	assert_int_equal(err.code, ERROR_USAGE);
	unsetenv("PRESTO_TOKEN");
	assert_null(service_open(url, &err));
	setenv("PRESTO_TOKEN", "right", 1);
	{
		struct service *service = service_open(url, &err);

		assert_non_null(service);
		assert_string_equal(service_facts(service)->name, "test");
		service_free(service);
	}
	snprintf(url, sizeof(url), "presto://%s/other", worker.listener.place);
	assert_null(service_open(url, &err));
	test_contains(err.text, "serves test, and other is wanted");
	unsetenv("PRESTO_TOKEN");
	worker_stop(&worker);
	assert_int_equal(worker.sums.refused, 3);
	served_release(&served);
}

static void test_workers_with_other_data_are_refused(void **state)
{
	struct error err = ERROR_INIT;
	struct service_order order;
	struct served other;
	struct group group;
	struct worker worker;
	struct epoch wanted = { .count = 0 }, found = { .count = 0 };
	char url[1024];

	UNUSED(state);
	begin(&group, simple, SERVED_PICKS, 1);
	served_init(&other, simple, SERVED_PICKS);
	other.facts.identity = 2;
	worker_start(&worker, &other, group.dir, "other");
	snprintf(
	    url, sizeof(url), "presto://%s/a,%s/other", group.dir, group.dir);
	remote_loader_free(group.loader);
	service_free(group.service);
	group.service = service_open(url, &err);
	order = order_of(&group.served);
	group.loader = remote_loader_new(group.service, &order, &err);
	test_ok(group.loader ? 0 : -1, &err);
	read_local(&group.served, 0, &wanted);
	read_remote(group.loader, &group.served, &found);
	assert_same(&wanted, &found);
	worker_stop(&worker);
	assert_int_equal(worker.sums.batches, 0);
	served_release(&other);
	end(&group, 1);
}

static void test_the_socket_is_the_users_alone(void **state)
{
	struct error err = ERROR_INIT;
	struct listener first, second;
	struct stat found;
	char *dir = test_scratch(), *path = test_path(dir, "s");

	UNUSED(state);
	test_ok(listener_open_path(&first, path, &err), &err);
	assert_int_equal(stat(path, &found), 0);
	assert_int_equal(found.st_mode & 0777, 0600);
	assert_int_equal(listener_open_path(&second, path, &err), -1);
	test_contains(err.text, "another program listens");
	/* A killed worker leaves its socket behind. */
	close(first.fd);
	first.fd = -1;
	test_ok(listener_open_path(&second, path, &err), &err);
	listener_close(&second);
	free(first.path);
	test_is_empty(dir);
	test_write(dir, "s", "a file");
	assert_int_equal(listener_open_path(&second, path, &err), -1);
	test_contains(err.text, "is no socket");
	free(path);
	test_scratch_remove(dir);
}

/* A connection that says nothing, or nonsense, harms nobody. */
static void test_strangers_are_dropped(void **state)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	struct epoch wanted = { .count = 0 }, found = { .count = 0 };
	struct group group;
	char path[sizeof(address.sun_path)];
	char answer[16];
	int fds[3];

	UNUSED(state);
	begin(&group, simple, SERVED_PICKS, 1);
	snprintf(path, sizeof(path), "%s/a", group.dir);
	memcpy(address.sun_path, path, sizeof(path));
	for (unsigned i = 0; i < ARRAY_LEN(fds); i++) {
		fds[i] = socket(AF_UNIX, SOCK_STREAM, 0);
		assert_int_equal(connect(fds[i], (struct sockaddr *)&address,
		                     sizeof(address)),
		    0);
	}
	assert_int_equal(write(fds[0], "GET / HTTP/1.1\r\n\r\n", 18), 18);
	assert_true(read(fds[0], answer, sizeof(answer)) <= 0);
	assert_int_equal(write(fds[1], "PT", 2), 2);
	close(fds[1]);
	read_local(&group.served, 0, &wanted);
	read_remote(group.loader, &group.served, &found);
	assert_same(&wanted, &found);
	close(fds[2]);
	close(fds[0]);
	end(&group, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_workers_deliver_what_a_loader_here_does),
		cmocka_unit_test(test_steps_that_make_many_are_served),
		cmocka_unit_test(
		    test_batches_that_filters_have_emptied_leave_no_hole),
		cmocka_unit_test(test_a_seek_goes_on_there),
		cmocka_unit_test(
		    test_workers_that_leave_and_return_change_nothing),
		cmocka_unit_test(
		    test_a_worker_that_drains_ends_while_a_loader_is_there),
		cmocka_unit_test(
		    test_a_bad_sample_is_the_error_of_a_loader_here),
		cmocka_unit_test(
		    test_an_interrupt_ends_the_wait_and_loses_nothing),
		cmocka_unit_test(
		    test_a_caller_that_takes_nothing_bounds_the_worker),
		cmocka_unit_test(test_a_wrong_token_is_refused_in_words),
		cmocka_unit_test(test_workers_with_other_data_are_refused),
		cmocka_unit_test(test_the_socket_is_the_users_alone),
		cmocka_unit_test(test_strangers_are_dropped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
