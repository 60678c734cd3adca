/*
 * test_lent.c - batches that a worker lends: who may touch them when, the death
 * of each side, forks, peers that lie.
 */
#define _GNU_SOURCE /* memfd_create */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/base/pages.h"
#include "lib/sample/batch.h"
#include "lib/sample/batch_home.h"
#include "lib/service/batch_wire.h"
#include "lib/service/channel.h"
#include "lib/service/lent.h"
#include "lib/service/remote.h"
#include "test/unit/served.h"
#include "test/unit/test.h"

enum { CAPACITY = 6, PLACES = 8, ROW = 1000, KEPT_MOST = 64 };

static const char simple[] = "[pipeline]\ncut = random_crop size=4\n"
                             "centered = center\n";

/* ---- both sides in this process ---- */

static const struct schema schema = {
	.count = 1,
	.fields = { { "data",
	    { DTYPE_U8, LAYOUT_PLAIN, { 1, { ROW } }, "" } } },
};

struct pair {
	struct batch_home *home; /* of the worker */
	struct lent *lent;
	int wake;
};

static void open_pair(struct pair *pair)
{
	struct error err = ERROR_INIT;
	int fd;

	pair->home = batch_home_new(CAPACITY, &schema, 1, &err);
	test_ok(pair->home ? 0 : -1, &err);
	fd = batch_home_share(pair->home, PLACES, &err);
	assert_true(fd >= 0);
	pair->wake = eventfd(0, EFD_NONBLOCK);
	pair->lent = lent_new(fd, PLACES, CAPACITY, &schema, pair->wake, &err);
	test_ok(pair->lent ? 0 : -1, &err);
}

static void close_pair(struct pair *pair)
{
	lent_close(pair->lent);
	batch_home_close(pair->home);
	close(pair->wake);
}

static bool is_woken(const struct pair *pair)
{
	struct pollfd one = { .fd = pair->wake, .events = POLLIN };

	return poll(&one, 1, 0) == 1;
}

/* The worker's batch, all of it with a value. */
static struct batch *make(struct pair *pair, int value)
{
	struct error err = ERROR_INIT;
	struct batch *batch = batch_home_take(pair->home, &err);

	test_ok(batch ? 0 : -1, &err);
	memset(batch->blocks[0], value, (size_t)CAPACITY * ROW);
	return batch;
}

static struct batch *borrow(struct pair *pair, const struct batch *batch)
{
	struct error err = ERROR_INIT;
	struct batch *lent = lent_take(pair->lent, batch->place, &err);

	test_ok(lent ? 0 : -1, &err);
	return lent;
}

static bool is_all(const struct batch *batch, int value)
{
	const unsigned char *data = batch->blocks[0];

	for (size_t i = 0; i < (size_t)CAPACITY * ROW; i++)
		if (data[i] != value)
			return false;
	return true;
}

static void test_lent_batches_have_what_the_worker_made(void **state)
{
	uint32_t places[LENT_MESSAGE];
	struct pair pair;

	UNUSED(state);
	open_pair(&pair);
	for (int round = 1; round < 5; round++) {
		struct batch *from = make(&pair, round);
		struct batch *to = borrow(&pair, from);

		assert_true(is_all(to, round));
		memset(to->blocks[0], 99, (size_t)CAPACITY * ROW);
		assert_int_equal(lent_returned(pair.lent, true, places), 0);
		batch_give(to);
		assert_int_equal(lent_returned(pair.lent, false, places), 0);
		assert_int_equal(lent_returned(pair.lent, true, places), 1);
		assert_int_equal(places[0], from->place);
		batch_give(from);
	}
	close_pair(&pair);
}

static void test_several_places_are_returned_at_once(void **state)
{
	struct batch *from[LENT_SOON], *to[LENT_SOON];
	uint32_t places[LENT_MESSAGE];
	struct pair pair;

	UNUSED(state);
	open_pair(&pair);
	for (int i = 0; i < LENT_SOON; i++) {
		from[i] = make(&pair, i + 1);
		to[i] = borrow(&pair, from[i]);
	}
	for (int i = 0; i < LENT_SOON; i++) {
		assert_true(is_all(to[i], i + 1));
		assert_false(is_woken(&pair));
		batch_give(to[i]);
	}
	assert_true(is_woken(&pair));
	assert_int_equal(lent_returned(pair.lent, false, places), LENT_SOON);
	for (int i = 0; i < LENT_SOON; i++)
		batch_give(from[i]);
	close_pair(&pair);
}

static void test_places_that_cannot_be_lent_are_refused(void **state)
{
	struct error err = ERROR_INIT;
	struct pair pair;
	struct batch *from, *to;

	UNUSED(state);
	open_pair(&pair);
	assert_null(lent_take(NULL, 1, &err));
	assert_null(lent_take(pair.lent, 0, &err));
	assert_null(lent_take(pair.lent, PLACES + 1, &err));
	test_contains(err.text, "it lends a place that it lacks");
	from = make(&pair, 1);
	to = borrow(&pair, from);
	assert_null(lent_take(pair.lent, from->place, &err));
	test_contains(err.text, "it lends a place twice");
	assert_int_equal(err.code, ERROR_DATA);
	/* It is out until the worker was told. */
	batch_give(to);
	assert_null(lent_take(pair.lent, from->place, &err));
	batch_give(from);
	close_pair(&pair);
}

static void test_lent_batches_outlive_both_sides(void **state)
{
	struct pair pair;
	struct batch *from[2], *to[2];

	UNUSED(state);
	open_pair(&pair);
	for (int i = 0; i < 2; i++) {
		from[i] = make(&pair, i + 1);
		to[i] = borrow(&pair, from[i]);
	}
	batch_give(from[0]);
	close_pair(&pair);
	batch_give(from[1]);
	for (int i = 0; i < 2; i++) {
		assert_true(is_all(to[i], i + 1));
		batch_give(to[i]);
	}
}

/* The parent gives back what the child has, and the worker writes there. */
static void test_a_fork_keeps_what_the_program_had(void **state)
{
	uint32_t places[LENT_MESSAGE];
	struct pair pair;
	struct batch *from, *to;
	int told[2], status;
	char word;
	pid_t child;

	UNUSED(state);
	open_pair(&pair);
	from = make(&pair, 1);
	to = borrow(&pair, from);
	lent_hand_over(to);
	assert_int_equal(pipe(told), 0);
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		bool is = read(told[0], &word, 1) == 1 && is_all(to, 1);

		memset(to->blocks[0], 5, ROW);
		is = is && ((unsigned char *)from->blocks[0])[0] == 2;
		batch_give(to); /* nothing happens */
		_exit(is ? 0 : 1);
	}
	batch_give(to);
	assert_int_equal(lent_returned(pair.lent, true, places), 1);
	memset(from->blocks[0], 2, (size_t)CAPACITY * ROW);
	to = borrow(&pair, from);
	assert_true(is_all(to, 2));
	assert_int_equal(write(told[1], "x", 1), 1);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_true(is_all(to, 2));
	batch_give(to);
	batch_give(from);
	close(told[0]);
	close(told[1]);
	close_pair(&pair);
}

/* ---- workers ---- */

struct group {
	struct served served;
	char *dir, *path;
	char url[600];
	struct worker worker;
	struct service *service;
	struct remote_loader *loader;
};

static struct service_order order_of(const struct served *served)
{
	return (struct service_order){
		.batch = served->plan.batch,
		.world_size = 1,
		.seed = served->plan.seed,
	};
}

static void open_loader(struct group *group)
{
	const struct service_order order = order_of(&group->served);
	struct error err = ERROR_INIT;

	group->service = service_open(group->url, &err);
	test_ok(group->service ? 0 : -1, &err);
	group->loader = remote_loader_new(group->service, &order, &err);
	test_ok(group->loader ? 0 : -1, &err);
}

static void begin(struct group *group, unsigned lend)
{
	memset(group, 0, sizeof(*group));
	served_init(&group->served, simple, SERVED_PICKS);
	group->served.lend = lend;
	group->dir = test_scratch();
	group->path = test_path(group->dir, "s");
	snprintf(group->url, sizeof(group->url), "presto://%s", group->path);
	worker_start(&group->worker, &group->served, group->dir, "s");
}

static void close_loader(struct group *group)
{
	remote_loader_free(group->loader);
	service_free(group->service);
	group->loader = NULL;
	group->service = NULL;
}

static void end(struct group *group)
{
	close_loader(group);
	worker_stop(&group->worker);
	served_release(&group->served);
	free(group->path);
	test_scratch_remove(group->dir);
}

static uint64_t hash_of(const struct served *served, const struct batch *batch)
{
	uint64_t hash = batch->count;

	for (unsigned i = 0; i < batch->count; i++)
		hash = hash * 31 +
		       (sample_hash(&batch->slots[i], &served->facts.schema) ^
		           sample_id(batch->slots[i].key));
	return hash;
}

/* Takes up to `most` batches of an epoch, and keeps them. */
static unsigned take(
    struct group *group, struct batch *kept[KEPT_MOST], unsigned most)
{
	struct error err = ERROR_INIT;
	unsigned count = 0;
	int got = 1;

	while (count < most && got > 0) {
		got = remote_loader_next(group->loader, 0, &kept[count], &err);
		test_ok(got < 0 ? -1 : 0, &err);
		count += got > 0;
	}
	return count;
}

/* Compares batches of epoch 0 with those of a loader here, and gives them. */
static void check(const struct served *served,
    struct batch *const kept[KEPT_MOST], unsigned from, unsigned count)
{
	struct error err = ERROR_INIT;
	struct ordered_loader *local = ordered_loader_new(&served->plan, &err);

	test_ok(local ? 0 : -1, &err);
	ordered_loader_seek(local, (struct ordered_position){ 0, from });
	for (unsigned i = 0; i < count; i++) {
		struct batch *wanted;

		assert_int_equal(
		    ordered_loader_next(local, 0, &wanted, &err), 1);
		assert_true(
		    hash_of(served, kept[i]) == hash_of(served, wanted));
		batch_give(wanted);
		batch_give(kept[i]);
	}
	ordered_loader_free(local);
}

/* Ends the worker, so that its sums are known, and starts it again. */
static struct server_sums sums_of(struct group *group)
{
	struct server_sums sums;

	close_loader(group);
	worker_stop(&group->worker);
	sums = group->worker.sums;
	worker_start(&group->worker, &group->served, group->dir, "s");
	return sums;
}

static void test_a_program_that_keeps_all_batches_gets_bytes(void **state)
{
	static const unsigned lend[] = { 0, 1, 3, 100 };

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(lend); i++) {
		struct batch *kept[KEPT_MOST];
		struct server_sums sums;
		struct group group;
		unsigned count;

		begin(&group, lend[i]);
		open_loader(&group);
		count = take(&group, kept, KEPT_MOST);
		assert_int_equal(count, remote_loader_batches(group.loader));
		assert_true(count > 4);
		sums = sums_of(&group);
		assert_int_equal(
		    sums.lent, lend[i] < count ? lend[i] : sums.batches);
		/* They are there although both sides have gone. */
		check(&group.served, kept, 0, count);
		end(&group);
	}
}

/* With as few places as that, each must come back again and again. */
static void test_places_are_used_again(void **state)
{
	struct group group;
	struct error err = ERROR_INIT;
	struct batch *batch;
	unsigned epochs = 0;

	UNUSED(state);
	begin(&group, 2);
	open_loader(&group);
	while (epochs < 10) {
		const int got =
		    remote_loader_next(group.loader, 0, &batch, &err);

		test_ok(got < 0 ? -1 : 0, &err);
		epochs += got == 0;
		batch_give(batch);
	}
	assert_true(sums_of(&group).lent > 10);
	end(&group);
}

static void test_a_worker_that_dies_leaves_what_it_lent(void **state)
{
	struct batch *kept[KEPT_MOST];
	struct group group;
	unsigned first, count;

	UNUSED(state);
	begin(&group, 32);
	open_loader(&group);
	first = take(&group, kept, 5);
	worker_stop(&group.worker);
	assert_true(group.worker.sums.lent >= first);
	worker_start(&group.worker, &group.served, group.dir, "s");
	count = first + take(&group, kept + first, KEPT_MOST - first);
	assert_int_equal(count, remote_loader_batches(group.loader));
	check(&group.served, kept, 0, count);
	end(&group);
}

static void test_a_port_lends_nothing(void **state)
{
	struct batch *kept[KEPT_MOST];
	struct group group;
	unsigned count;

	UNUSED(state);
	begin(&group, 32);
	worker_stop(&group.worker);
	group.served.token = span_text("a token");
	setenv("PRESTO_TOKEN", "a token", 1);
	worker_start(&group.worker, &group.served, NULL, NULL);
	snprintf(group.url, sizeof(group.url), "presto://%s",
	    group.worker.listener.place);
	open_loader(&group);
	count = take(&group, kept, KEPT_MOST);
	check(&group.served, kept, 0, count);
	unsetenv("PRESTO_TOKEN");
	close_loader(&group);
	worker_stop(&group.worker);
	assert_int_equal(group.worker.sums.lent, 0);
	assert_true(group.worker.sums.batches >= count);
	worker_start(&group.worker, &group.served, group.dir, "s");
	end(&group);
}

/* ---- loaders that lie, or die ---- */

/* A loader of raw messages. */
struct raw {
	struct channel *channel;
	int fd; /* of the memory */
	struct opened opened;
	struct buf body;
};

static void say(struct raw *raw, enum message_kind kind)
{
	struct error err = ERROR_INIT;

	test_ok(channel_tell(raw->channel, kind, kind >= MESSAGE_RESET,
	            buf_span(&raw->body), &err),
	    &err);
	raw->body.len = 0;
}

static void hear(struct raw *raw, enum message_kind kind)
{
	struct error err = ERROR_INIT;
	struct frame frame;

	test_ok(channel_hear(raw->channel, &frame, &err), &err);
	assert_int_equal(frame.kind, kind);
	test_ok(
	    channel_hear_body(raw->channel, &frame, &raw->body, &err), &err);
}

/* Opens an order and asks for all batches of an epoch. */
static void raw_open(struct raw *raw, const struct group *group)
{
	const struct hello hello = { .version = MESSAGE_VERSION };
	const struct ordered_span span = { .end = 16 };
	struct service_order order = order_of(&group->served);
	struct service_place place = { .host = "" };
	struct error err = ERROR_INIT;

	*raw = (struct raw){ .body = BUF_INIT };
	snprintf(place.port, sizeof(place.port), "%s", group->path);
	raw->channel = channel_connect(&place, NULL, &err);
	test_ok(raw->channel ? 0 : -1, &err);
	test_ok(hello_put(&hello, &raw->body, &err), &err);
	say(raw, MESSAGE_HELLO);
	hear(raw, MESSAGE_WELCOME);
	raw->body.len = 0;
	order.borrows = true;
	test_ok(order_put(&order, &raw->body, &err), &err);
	say(raw, MESSAGE_OPEN);
	hear(raw, MESSAGE_OPENED);
	test_ok(opened_parse(buf_span(&raw->body), &raw->opened, &err), &err);
	raw->fd = channel_take_passed(raw->channel);
	raw->body.len = 0;
	say(raw, MESSAGE_RESET);
	test_ok(credit_put(16, &raw->body, &err), &err);
	say(raw, MESSAGE_CREDIT);
	test_ok(span_put(&span, &raw->body, &err), &err);
	say(raw, MESSAGE_ASK);
}

/* Receives a batch: its place. */
static uint32_t raw_take(struct raw *raw)
{
	struct error err = ERROR_INIT;
	struct wire_input input = { channel_receive, raw->channel, 0 };
	struct batch_head head;
	struct frame frame;
	char rest[4096];

	test_ok(channel_hear(raw->channel, &frame, &err), &err);
	assert_int_equal(frame.kind, MESSAGE_BATCH);
	input.left = frame.bytes;
	test_ok(batch_read_head(&input, 1 << 20, &head, &err), &err);
	while (input.left > 0)
		test_ok(wire_read(&input, rest,
		            input.left < sizeof(rest) ? (size_t)input.left
		                                      : sizeof(rest),
		            &err),
		    &err);
	return head.place;
}

/* The worker may have closed the connection already. */
static void raw_return(struct raw *raw, uint32_t place)
{
	struct error err = ERROR_INIT;

	test_ok(places_put(&place, 1, &raw->body, &err), &err);
	channel_tell(
	    raw->channel, MESSAGE_RETURN, 1, buf_span(&raw->body), &err);
	raw->body.len = 0;
}

static void raw_close(struct raw *raw)
{
	channel_free(raw->channel);
	if (raw->fd >= 0)
		close(raw->fd);
	buf_release(&raw->body);
}

/* Does the worker close the connection, whatever it has sent before? */
static bool is_ended(struct raw *raw)
{
	struct error err = ERROR_INIT;
	char text[4096];

	while (channel_receive(raw->channel, text, 1, &err) == 0)
		continue;
	return err.code == ERROR_SYSTEM;
}

static void test_a_loader_that_returns_what_it_lacks_is_dropped(void **state)
{
	struct batch *kept[KEPT_MOST];
	struct group group;

	UNUSED(state);
	begin(&group, 32);
	for (unsigned lie = 0; lie < 4; lie++) {
		struct raw raw;
		uint32_t place;

		raw_open(&raw, &group);
		assert_true(raw.fd >= 0 && raw.opened.places > 0);
		place = raw_take(&raw);
		assert_true(place > 0 && place <= raw.opened.places);
		if (lie == 0)
			raw_return(&raw, 0);
		else if (lie == 1)
			raw_return(&raw, raw.opened.places + 1);
		else if (lie == 2)
			raw_return(&raw, UINT32_MAX);
		/* More often than the worker can lend it. */
		for (unsigned i = 0; lie == 3 && i < 20; i++)
			raw_return(&raw, place);
		assert_true(is_ended(&raw));
		raw_close(&raw);
	}
	open_loader(&group);
	check(&group.served, kept, 0, take(&group, kept, KEPT_MOST));
	end(&group);
}

/* Mappings of shared memory in this process. */
static unsigned count_mappings(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[1024];
	unsigned count = 0;

	assert_non_null(maps);
	while (fgets(line, sizeof(line), maps))
		count += strstr(line, "memfd:presto") != NULL;
	fclose(maps);
	return count;
}

static void test_a_loader_that_dies_gives_everything_back(void **state)
{
	struct group group;
	struct raw raw;

	UNUSED(state);
	begin(&group, 32);
	raw_open(&raw, &group);
	for (unsigned i = 0; i < 5; i++)
		assert_true(raw_take(&raw) > 0);
	assert_true(count_mappings() > 0);
	raw_close(&raw);
	while (count_mappings() > 0) /* the worker has them until it notices */
		clock_sleep_until(clock_now(&clock_monotonic) + 10000000);
	end(&group);
}

/* A loader that never returns anything gets the bytes of further batches. */
static void test_a_loader_that_returns_nothing_gets_bytes(void **state)
{
	struct group group;
	struct raw raw;
	unsigned lent = 0;

	UNUSED(state);
	begin(&group, 3);
	raw_open(&raw, &group);
	for (unsigned i = 0; i < 16; i++)
		lent += raw_take(&raw) > 0;
	assert_int_equal(lent, 3);
	raw_close(&raw);
	end(&group);
}

/* ---- workers that lie ---- */

enum lie {
	LIE_NO_MEMORY,
	LIE_UNSEALED,
	LIE_SMALL,
	LIE_MANY,
	LIE_NO_FILE,
	LIES,
};

/* A worker that says what it has to lend, and then reads what it is told. */
struct liar {
	enum lie lie;
	const struct served *served;
	struct listener listener;
	pthread_t thread;
	bool borrows[2]; /* what the loader wanted, twice */
};

static int memory_of(enum lie lie)
{
	struct error err = ERROR_INIT;
	struct pages pages;
	int fd;

	if (lie == LIE_NO_MEMORY)
		return -1;
	if (lie == LIE_NO_FILE)
		return eventfd(0, EFD_CLOEXEC);
	if (lie == LIE_UNSEALED) {
		fd = memfd_create("test", MFD_CLOEXEC);
		assert_int_equal(ftruncate(fd, 1 << 20), 0);
		return fd;
	}
	assert_non_null(pages_share(&pages, pages_round(1), &fd, &err));
	pages_give(&pages);
	return fd;
}

/* Answers one connection; returns whether it has opened an order. */
static bool answer(struct liar *liar, bool *borrows)
{
	struct error err = ERROR_INIT;
	struct raw raw = { .fd = memory_of(liar->lie) };
	struct opened opened = { .batches = 1, .unit = 1, .places = 3 };
	struct service_order order;
	struct frame frame;
	const int fd = accept(liar->listener.fd, NULL, NULL);

	raw.channel = channel_new(fd, NULL, NULL, &err);
	hear(&raw, MESSAGE_HELLO);
	raw.body.len = 0;
	test_ok(service_facts_put(&liar->served->facts, &raw.body, &err), &err);
	say(&raw, MESSAGE_WELCOME);
	/* The first connection only asks what is served. */
	if (channel_hear(raw.channel, &frame, &err)) {
		raw_close(&raw);
		return false;
	}
	test_ok(channel_hear_body(raw.channel, &frame, &raw.body, &err), &err);
	test_ok(order_parse(buf_span(&raw.body), &order, &err), &err);
	*borrows = order.borrows;
	if (liar->lie == LIE_MANY)
		opened.places = UINT32_MAX;
	if (!order.borrows)
		opened.places = 0;
	else if (raw.fd >= 0)
		channel_pass(raw.channel, raw.fd);
	raw.body.len = 0;
	test_ok(opened_put(&opened, &raw.body, &err), &err);
	say(&raw, MESSAGE_OPENED);
	while (channel_hear(raw.channel, &frame, &err) == 0)
		test_ok(channel_hear_body(raw.channel, &frame, &raw.body, &err),
		    &err);
	raw_close(&raw);
	return true;
}

static void *liar_main(void *arg)
{
	struct liar *liar = arg;
	unsigned opened = 0;

	while (opened < 2)
		opened += answer(liar, &liar->borrows[opened]);
	return NULL;
}

/* The loader asks for bytes in place of memory that it does not trust. */
static void test_a_worker_that_lies_is_asked_for_bytes(void **state)
{
	UNUSED(state);
	for (enum lie lie = 0; lie < LIES; lie++) {
		struct liar liar = { .lie = lie };
		struct error err = ERROR_INIT;
		struct group group;

		begin(&group, 0);
		worker_stop(&group.worker);
		liar.served = &group.served;
		test_ok(
		    listener_open_path(&liar.listener, group.path, &err), &err);
		assert_int_equal(
		    pthread_create(&liar.thread, NULL, liar_main, &liar), 0);
		open_loader(&group);
		assert_true(liar.borrows[0]);
		assert_false(liar.borrows[1]);
		assert_int_equal(count_mappings(), 0);
		close_loader(&group);
		pthread_join(liar.thread, NULL);
		listener_close(&liar.listener);
		worker_start(&group.worker, &group.served, group.dir, "s");
		end(&group);
	}
}

/* ---- descriptors ---- */

static void test_channels_keep_one_descriptor(void **state)
{
	struct error err = ERROR_INIT;
	struct channel *ends[2];
	int pair[2], fds[2];
	char text[3];

	UNUSED(state);
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
	for (unsigned i = 0; i < 2; i++) {
		ends[i] = channel_new(pair[i], NULL, NULL, &err);
		test_ok(ends[i] ? 0 : -1, &err);
		assert_true(channel_is_local(ends[i]));
		fds[i] = eventfd(5 + i, 0);
	}
	for (unsigned i = 0; i < 2; i++) {
		struct iovec part = { text, 1 };

		text[0] = (char)('a' + i);
		channel_pass(ends[0], fds[i]);
		test_ok(channel_send(ends[0], &part, 1, &err), &err);
		close(fds[i]);
	}
	{
		struct iovec part = { text, 1 };

		test_ok(channel_send(ends[0], &part, 1, &err), &err);
	}
	test_ok(channel_receive(ends[1], text, 3, &err), &err);
	fds[0] = channel_take_passed(ends[1]);
	assert_true(fds[0] >= 0);
	assert_int_equal(channel_take_passed(ends[1]), -1);
	{
		eventfd_t value;

		assert_int_equal(eventfd_read(fds[0], &value), 0);
		assert_int_equal(value, 6); /* the last one */
	}
	close(fds[0]);
	channel_free(ends[0]);
	channel_free(ends[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lent_batches_have_what_the_worker_made),
		cmocka_unit_test(test_several_places_are_returned_at_once),
		cmocka_unit_test(test_places_that_cannot_be_lent_are_refused),
		cmocka_unit_test(test_lent_batches_outlive_both_sides),
		cmocka_unit_test(test_a_fork_keeps_what_the_program_had),
		cmocka_unit_test(
		    test_a_program_that_keeps_all_batches_gets_bytes),
		cmocka_unit_test(test_places_are_used_again),
		cmocka_unit_test(test_a_worker_that_dies_leaves_what_it_lent),
		cmocka_unit_test(test_a_port_lends_nothing),
		cmocka_unit_test(
		    test_a_loader_that_returns_what_it_lacks_is_dropped),
		cmocka_unit_test(test_a_loader_that_dies_gives_everything_back),
		cmocka_unit_test(test_a_loader_that_returns_nothing_gets_bytes),
		cmocka_unit_test(test_a_worker_that_lies_is_asked_for_bytes),
		cmocka_unit_test(test_channels_keep_one_descriptor),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
