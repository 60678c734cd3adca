/* test_s3_upload.c - objects of S3 that are written, whole or in parts. */
#include <dirent.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/media/s3/upload.h"
#include "test/unit/far_store.h"
#include "test/unit/test.h"

enum { PART = 5 << 20, RACERS = 8 };

static const struct upload_limits small_parts = {
	.part_bytes = PART,
	.grow_every = 2,
	.senders = 3,
};

/* Returns the multipart uploads that have not ended. */
static unsigned uploads(const struct store *store)
{
	char *path = test_path(store->dir, ".store");
	DIR *dir = opendir(path);
	const struct dirent *entry;
	unsigned count = 0;

	while (dir && (entry = readdir(dir)))
		count += strncmp(entry->d_name, "upload-", 7) == 0;
	closedir(dir);
	free(path);
	return count;
}

static void fill(unsigned char *data, size_t len)
{
	for (size_t i = 0; i < len; i++)
		data[i] = (unsigned char)(i * 7 + i / 251);
}

/* Writes `len` bytes in pieces that fit no part; NULL on an error. */
static struct upload *upload_of(struct store *store, const char *url,
    unsigned char *data, size_t len, struct error *err)
{
	struct upload *upload =
	    upload_new(store->client, url, &small_parts, err);

	fill(data, len);
	for (size_t at = 0; upload && at < len; at += 1000003) {
		const struct span piece = { .data = data + at,
			.len = len - at < 1000003 ? len - at : 1000003 };

		if (upload_write(upload, piece, err)) {
			upload_free(upload);
			return NULL;
		}
	}
	return upload;
}

static void is_stored(struct store *store, const char *name,
    const unsigned char *data, size_t len)
{
	struct buf bytes = BUF_INIT;

	test_read_file(store->dir, name, &bytes);
	assert_int_equal(bytes.len, len);
	assert_memory_equal(bytes.data, data, len);
	buf_release(&bytes);
}

static void test_s3_uploads_go_in_parts(void **state)
{
	static const size_t sizes[] = { PART - 1, PART, PART + 1, 2 * PART,
		4 * PART + 5 };
	static const char *const faults[] = { "", "reset 4\n", "slow_down 3\n",
		"lost 5\n", "complete 2\n", "short 3\nbusy 4\n" };
	unsigned char *data = malloc(4 * PART + 5);
	struct store *store = *state;

	for (size_t i = 0; i < ARRAY_LEN(sizes) * 2; i++) {
		const size_t len = sizes[i % ARRAY_LEN(sizes)];
		struct error err = ERROR_INIT;
		struct upload *upload;

		store_fault(store, faults[i % ARRAY_LEN(faults)]);
		upload =
		    upload_of(store, "s3://photos/out/large", data, len, &err);
		if (!upload)
			fail_msg("%s", err.text);
		test_ok(upload_publish(upload, &err), &err);
		upload_free(upload);
		is_stored(store, "photos/out/large", data, len);
	}
	store_fault(store, "");
	assert_int_equal(uploads(store), 0);
	free(data);
}

static void test_s3_written_bytes_can_be_changed_and_read(void **state)
{
	const size_t len = 3 * PART;
	unsigned char *data = malloc(len), back[8];
	struct store *store = *state;
	struct error err = ERROR_INIT;
	struct upload *upload =
	    upload_of(store, "s3://photos/out/changed", data, len, &err);

	memcpy(data, "header", 6);
	memcpy(data + PART - 3, "middle", 6);
	test_ok(upload_write_at(upload, 0, span_text("header"), &err), &err);
	test_ok(
	    upload_write_at(upload, PART - 3, span_text("middle"), &err), &err);
	assert_int_equal(
	    upload_write_at(upload, len - 3, span_text("beyond"), &err), -1);
	assert_int_equal(upload_read(upload, 0, back, 6, &err), 6);
	assert_memory_equal(back, "header", 6);
	assert_int_equal(upload_read(upload, len - 2, back, 6, &err), 2);
	test_ok(upload_publish(upload, &err), &err);
	upload_free(upload);
	is_stored(store, "photos/out/changed", data, len);
	free(data);
}

static void test_s3_what_is_not_published_is_aborted(void **state)
{
	unsigned char *data = malloc(3 * PART);
	struct store *store = *state;
	struct error err = ERROR_INIT;

	upload_free(
	    upload_of(store, "s3://photos/out/given-up", data, 3 * PART, &err));
	assert_int_equal(uploads(store), 0);
	assert_int_equal(store_status(store, "s3://photos/out/given-up").kind,
	    MEDIUM_NOTHING);
	free(data);
}

/* Keys that have ended abort nothing: the error says so. */
static void test_s3_what_cannot_be_aborted_is_said(void **state)
{
	unsigned char *data = malloc(3 * PART);
	struct store *store = *state;
	struct error err = ERROR_INIT;
	struct upload *upload =
	    upload_of(store, "s3://photos/out/stays", data, 3 * PART, &err);

	store_fault(store, "expired 1\n");
	assert_int_equal(upload_publish(upload, &err), -1);
	test_contains(err.text, "ExpiredToken");
	test_contains(err.text, "may stay on the server");
	assert_int_equal(uploads(store), 1);
	store_fault(store, "");
	upload_free(upload);
	assert_int_equal(uploads(store), 0);
	free(data);
}

static void test_s3_leftovers_of_the_same_key_go(void **state)
{
	unsigned char *data = malloc(3 * PART);
	struct store *store = *state;
	struct error err = ERROR_INIT;
	struct upload *left =
	    upload_of(store, "s3://photos/out/twice", data, 3 * PART, &err);
	struct upload *upload =
	    upload_of(store, "s3://photos/out/twice", data, 3 * PART, &err);
	uint64_t count = 0;

	test_ok(upload_publish(upload, &err), &err);
	upload_free(upload);
	assert_int_equal(uploads(store), 0);
	/* The other one finds the object, which has the same bytes. */
	test_ok(upload_publish(left, &err), &err);
	upload_free(left);
	is_stored(store, "photos/out/twice", data, 3 * PART);
	left =
	    upload_of(store, "s3://photos/out/old", data, 2 * PART + 1, &err);
	test_ok(uploads_sweep(
	            store->client, "s3://photos/out/", 86400, &count, &err),
	    &err);
	assert_int_equal(count, 0);
	test_ok(
	    uploads_sweep(store->client, "s3://photos/out/", -5, &count, &err),
	    &err);
	assert_int_equal(count, 1);
	assert_int_equal(upload_publish(left, &err), -1);
	test_contains(err.text, "another program has aborted its upload");
	upload_free(left);
	free(data);
}

/* Puts an object of so many bytes, which a text begins. */
static void put_other(struct store *store, const char *url, size_t len)
{
	struct error err = ERROR_INIT;
	struct upload *upload =
	    upload_new(store->client, url, &small_parts, &err);
	unsigned char *data = calloc(len, 1);

	memcpy(data, "other", 5);
	test_ok(upload_write(
	            upload, (struct span){ .data = data, .len = len }, &err),
	    &err);
	test_ok(upload_publish(upload, &err), &err);
	upload_free(upload);
	free(data);
}

/*
 * An object that somebody put in place of an aborted upload is not taken for
 * it, whatever its size is.
 */
static void test_s3_an_older_object_is_no_upload(void **state)
{
	static const char url[] = "s3://photos/out/aborted";
	/* With a part that is sent at the end, and without. */
	static const size_t sizes[] = { 2 * PART + 1, 2 * PART };
	unsigned char *data = malloc(sizes[0]);
	struct store *store = *state;

	for (unsigned i = 0; i < 2 * ARRAY_LEN(sizes); i++) {
		const size_t len = sizes[i / 2];
		const bool is_new = i % 2;
		struct error err = ERROR_INIT;
		struct upload *upload = upload_of(store, url, data, len, &err);
		int rc;

		/* It aborts all other uploads of this key. */
		put_other(store, url, len);
		assert_int_equal(uploads(store), 0);
		rc = is_new ? upload_publish_new(upload, &err)
		            : upload_publish(upload, &err);
		assert_int_equal(rc, is_new ? 0 : -1);
		if (is_new)
			assert_int_equal(upload_publish(upload, &err), -1);
		test_contains(
		    err.text, "another program has aborted its upload");
		upload_free(upload);
	}
	free(data);
}

struct racer {
	struct store *store;
	size_t bytes;
	const char *etag;
	pthread_t thread;
	int rc;
};

static void *race(void *arg)
{
	struct racer *racer = arg;
	unsigned char *data = malloc(racer->bytes);
	struct error err = ERROR_INIT;
	struct upload *upload = upload_of(
	    racer->store, "s3://photos/out/claim", data, racer->bytes, &err);

	racer->rc = upload ? upload_publish_new(upload, &err) : -1;
	upload_free(upload);
	free(data);
	return NULL;
}

static void test_s3_one_of_many_claims_wins(void **state)
{
	static const size_t sizes[] = { 100, 2 * PART };
	static const char *const faults[] = { "", "lost 2\n" };
	struct store *store = *state;
	struct racer racers[RACERS];
	struct error err = ERROR_INIT;

	for (size_t i = 0; i < ARRAY_LEN(sizes) * ARRAY_LEN(faults); i++) {
		const unsigned count = i < 2 ? RACERS : 2;
		int won = 0;

		store_fault(store, faults[i % 2]);
		for (unsigned r = 0; r < count; r++) {
			racers[r] = (struct racer){ .store = store,
				.bytes = sizes[i / 2] };
			pthread_create(
			    &racers[r].thread, NULL, race, &racers[r]);
		}
		for (unsigned r = 0; r < count; r++) {
			pthread_join(racers[r].thread, NULL);
			assert_true(racers[r].rc >= 0);
			won += racers[r].rc;
		}
		assert_int_equal(won, 1);
		store_fault(store, "");
		test_ok(
		    medium_remove(store->medium, "s3://photos/out/claim", &err),
		    &err);
	}
	assert_int_equal(uploads(store), 0);
}

/* ---- in place of a version ---- */

static void *replace(void *arg)
{
	struct racer *racer = arg;
	unsigned char *data = malloc(racer->bytes);
	struct error err = ERROR_INIT;
	struct upload *upload = upload_of(
	    racer->store, "s3://photos/out/held", data, racer->bytes, &err);

	racer->rc =
	    upload ? upload_publish_over(upload, racer->etag, &err) : -1;
	upload_free(upload);
	free(data);
	return NULL;
}

static void test_s3_one_of_many_replaces_a_version(void **state)
{
	static const size_t sizes[] = { 100, 2 * PART };
	static const char *const faults[] = { "", "lost 2\n" };
	const char *url = "s3://photos/out/held";
	struct store *store = *state;
	struct racer racers[RACERS];
	struct medium_status status;
	struct error err = ERROR_INIT;

	for (size_t i = 0; i < ARRAY_LEN(sizes) * ARRAY_LEN(faults); i++) {
		const unsigned count = i < 2 ? RACERS : 2;
		int won = 0;

		store_put(store, url, "the version that all of them saw");
		status = store_status(store, url);
		store_fault(store, faults[i % 2]);
		for (unsigned r = 0; r < count; r++) {
			racers[r] = (struct racer){ .store = store,
				.bytes = sizes[i / 2] + r,
				.etag = status.version };
			pthread_create(
			    &racers[r].thread, NULL, replace, &racers[r]);
		}
		for (unsigned r = 0; r < count; r++) {
			pthread_join(racers[r].thread, NULL);
			won += racers[r].rc > 0;
			/* The winner aborts the parts of the others. */
			assert_true(racers[r].rc >= 0 || i / 2 == 1);
		}
		store_fault(store, "");
		assert_int_equal(won, 1);
	}
	test_ok(medium_remove(store->medium, url, &err), &err);
	replace(&racers[0]);
	assert_int_equal(racers[0].rc, 0);
	assert_int_equal(uploads(store), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_s3_uploads_go_in_parts),
		cmocka_unit_test(test_s3_written_bytes_can_be_changed_and_read),
		cmocka_unit_test(test_s3_what_is_not_published_is_aborted),
		cmocka_unit_test(test_s3_what_cannot_be_aborted_is_said),
		cmocka_unit_test(test_s3_leftovers_of_the_same_key_go),
		cmocka_unit_test(test_s3_an_older_object_is_no_upload),
		cmocka_unit_test(test_s3_one_of_many_claims_wins),
		cmocka_unit_test(test_s3_one_of_many_replaces_a_version),
	};

	return cmocka_run_group_tests(tests, store_start, store_stop);
}
