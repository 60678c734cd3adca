/*
 * test_truth.c - --check finds every difference between a folder and its
 * manifest, names it, and repairs it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/hash.h"
#include "lib/files/path.h"
#include "lib/files/path_tree.h"
#include "lib/media/medium.h"
#include "lib/snippets/readme.h"
#include "lib/stores/folder_check_shard.h"
#include "lib/stores/manifest.h"
#include "lib/stores/shard_path.h"
#include "lib/stores/store.h"
#include "strategies/prepare/finished.h"
#include "strategies/prepare/materialize.h"
#include "test/unit/fake_reader.h"
#include "test/unit/planned.h"
#include "test/unit/stored.h"
#include "test/unit/test.h"

enum { STREAMS = 6, PER_STREAM = 4, SHARDS = 3, FILES_MOST = 64 };

static const char text[] = "[pipeline]\n"
                           "large = resize size=12x10\n"
                           "grey = grayscale\n";

/* All stores, each as it is, and as frames. */
static const char *const labels[] = {
	"large/files/none",
	"large/files/gzip:6",
	"large/npy/none",
	"large/npy/gzip:6",
	"large/npy/delta+zstd:1",
	"large/tar/none",
	"large/tar/zlib:6",
	"large/tfrecord/none",
	"large/tfrecord/zstd:1",
};

struct setup {
	struct planned planned;
	struct fake fake;
	struct medium *medium;
	struct strategy strategy;
	char *scratch;
	char *dir;   /* the folder */
	char *other; /* of other samples, the same strategy */
	char *whole; /* a copy of the folder, as it was written */
};

static int set_up(void **state)
{
	struct setup *s = calloc(1, sizeof(*s));
	struct error err = ERROR_INIT;

	fake_init(&s->fake, STREAMS, PER_STREAM);
	test_ok(planned_read(&s->planned, text, &s->fake.reader.schema, &err),
	    &err);
	s->medium = medium_new_local(&err);
	s->scratch = test_scratch();
	s->dir = test_path(s->scratch, "data");
	s->other = test_path(s->scratch, "other");
	s->whole = test_path(s->scratch, "whole");
	*state = s;
	return 0;
}

static int tear_down(void **state)
{
	struct setup *s = *state;

	test_scratch_remove(s->scratch);
	free(s->dir);
	free(s->other);
	free(s->whole);
	medium_free(s->medium);
	planned_release(&s->planned);
	free(s);
	return 0;
}

static int run(struct setup *s, const char *dir, bool check,
    struct materialized *done, struct error *err)
{
	const struct prepare_plan plan = {
		.source = &s->fake.reader,
		.pipeline = &s->planned.pipeline,
		.strategy = &s->strategy,
		.medium = s->medium,
		.folder.dir = dir,
		.threads = 2,
		.shards = SHARDS,
		.seed = 11,
	};

	return materialize_run(&plan,
	    &(struct materialize_needs){ .disk_bytes = 1000 }, check, done,
	    err);
}

static void run_well(struct setup *s, const char *dir, bool check)
{
	struct error err = ERROR_INIT;
	struct materialized done;

	test_ok(run(s, dir, check, &done, &err), &err);
	materialized_release(&done);
}

/* ---- folders ---- */

struct copying {
	const char *from, *to;
};

static int copy_file(
    void *arg, const char *name, uint64_t bytes, struct error *err)
{
	const struct copying *copying = arg;
	struct buf content = BUF_INIT;
	char *path = test_path(copying->to, name);
	char *dir = path_dir(path, err);

	UNUSED(bytes);
	test_read_file(copying->from, name, &content);
	test_ok(path_make_dirs(dir, err), err);
	test_write_file(copying->to, name, buf_span(&content));
	buf_release(&content);
	free(dir);
	free(path);
	return 0;
}

static void copy_folder(const char *from, const char *to)
{
	struct copying copying = { from, to };
	struct error err = ERROR_INIT;

	test_ok(path_remove_tree(to, &err), &err);
	test_ok(path_each(from, copy_file, &copying, &err), &err);
}

struct summing {
	const char *dir;
	uint64_t sum;
};

static int add_sum(
    void *arg, const char *name, uint64_t bytes, struct error *err)
{
	struct summing *summing = arg;
	struct buf content = BUF_INIT;

	UNUSED(bytes);
	UNUSED(err);
	test_read_file(summing->dir, name, &content);
	summing->sum = hash_bytes(content.data, content.len,
	    hash_bytes(name, strlen(name), summing->sum));
	buf_release(&content);
	return 0;
}

/* Of all names and all bytes. */
static uint64_t folder_sum(const char *dir)
{
	struct summing summing = { .dir = dir };
	struct error err = ERROR_INIT;

	test_ok(path_each(dir, add_sum, &summing, &err), &err);
	return summing.sum;
}

/* The folder of a strategy, one of other samples, and its copy. */
static void begin(struct setup *s, const char *label)
{
	struct error err = ERROR_INIT;

	test_ok(strategy_parse(&s->strategy, label, &s->planned.pipeline, &err),
	    &err);
	test_ok(path_remove_content(s->scratch, NULL, NULL, &err), &err);
	s->fake.varied = true;
	run_well(s, s->other, false);
	s->fake.varied = false;
	run_well(s, s->dir, false);
	copy_folder(s->dir, s->whole);
}

struct name_list {
	char *list[FILES_MOST];
	size_t count;
};

static int add_name(
    void *arg, const char *name, uint64_t bytes, struct error *err)
{
	struct name_list *names = arg;

	UNUSED(bytes);
	UNUSED(err);
	assert_true(names->count < FILES_MOST);
	names->list[names->count++] = strdup(name);
	return 0;
}

static void name_list_read(struct name_list *names, const char *dir)
{
	struct error err = ERROR_INIT;

	names->count = 0;
	test_ok(path_each(dir, add_name, names, &err), &err);
}

static void name_list_free(struct name_list *names)
{
	for (size_t i = 0; i < names->count; i++)
		free(names->list[i]);
}

static bool is_found(const struct folder_check *found,
    enum folder_finding_kind kind, const char *part)
{
	for (size_t i = 0; i < found->count; i++)
		if (found->findings[i].kind == kind &&
		    strstr(found->findings[i].text, part))
			return true;
	return false;
}

/* ---- a file is changed ---- */

enum change { FLIPPED, CUT, LONGER, REMOVED, FOREIGN, CHANGES };

static const char *const change_words[] = { "flipped", "cut", "longer",
	"removed", "of another folder" };

/* False: that changes nothing. */
static bool change_file(struct setup *s, const char *name, enum change change)
{
	struct buf bytes = BUF_INIT, before = BUF_INIT;
	struct error err = ERROR_INIT;
	char *path = test_path(s->dir, name);
	bool is_changed;

	test_read_file(s->dir, name, &before);
	test_read_file(change == FOREIGN ? s->other : s->dir, name, &bytes);
	if (change == FLIPPED)
		bytes.data[bytes.len - 1] ^= 4;
	else if (change == CUT)
		bytes.len--;
	else if (change == LONGER)
		test_ok(buf_append(&bytes, "x", 1, &err), &err);
	is_changed = change == REMOVED ||
	             !span_equal(buf_span(&bytes), buf_span(&before));
	if (change == REMOVED)
		assert_false(unlink(path));
	else
		test_write_file(s->dir, name, buf_span(&bytes));
	buf_release(&bytes);
	buf_release(&before);
	free(path);
	return is_changed;
}

/* Of the file, or of the folder of a shard: its files have one checksum. */
static bool is_named(const struct folder_check *found, const char *name)
{
	const char *slash = strchr(name, '/');
	char part[64];

	snprintf(part, sizeof(part), "/%s: ", name);
	if (is_found(found, FOLDER_DAMAGE, part) || !slash)
		return is_found(found, FOLDER_DAMAGE, part);
	snprintf(part, sizeof(part), "/%.*s: ", (int)(slash - name), name);
	return is_found(found, FOLDER_DAMAGE, part);
}

/* The file that was changed is named, and is what it was. */
static void check_change(
    struct setup *s, const char *label, const char *name, enum change change)
{
	struct error err = ERROR_INIT;
	struct materialized done;

	if (!change_file(s, name, change))
		return;
	if (run(s, s->dir, true, &done, &err))
		fail_msg("%s, %s %s: %s", label, name, change_words[change],
		    err.text);
	if (!is_named(&done.found, name))
		fail_msg("%s: nothing is said of %s, which is %s", label, name,
		    change_words[change]);
	if (folder_sum(s->dir) != folder_sum(s->whole))
		fail_msg("%s: %s was %s, and is not what it was", label, name,
		    change_words[change]);
	materialized_release(&done);
}

static void test_check_finds_every_file_that_was_changed(void **state)
{
	struct setup *s = *state;

	for (size_t i = 0; i < ARRAY_LEN(labels); i++) {
		struct name_list names;

		begin(s, labels[i]);
		name_list_read(&names, s->whole);
		for (size_t n = 0; n < names.count; n++) {
			const char *name = names.list[n];

			/* One sample of a folder is as good as another. */
			if (strcmp(name, MANIFEST_NAME) == 0 ||
			    strcmp(name, README_NAME) == 0 ||
			    (strchr(name, '/') && n % 9 != 0))
				continue;
			for (int c = 0; c < CHANGES; c++)
				check_change(
				    s, labels[i], name, (enum change)c);
		}
		name_list_free(&names);
	}
}

/* ---- a shard with all that is beside it ---- */

static bool is_of(const char *name, unsigned shard)
{
	char prefix[32];

	snprintf(prefix, sizeof(prefix), "shard-%06u", shard);
	return strncmp(name, prefix, strlen(prefix)) == 0;
}

static void remove_shard(const char *dir, unsigned shard)
{
	struct name_list names;

	name_list_read(&names, dir);
	for (size_t i = 0; i < names.count; i++)
		if (is_of(names.list[i], shard)) {
			char *path = test_path(dir, names.list[i]);

			assert_false(unlink(path));
			free(path);
		}
	name_list_free(&names);
}

/* The shard of one folder, with its index and the rest, as one of another. */
static void copy_shard(
    const char *from, unsigned which, const char *to, unsigned as)
{
	struct name_list names;

	remove_shard(to, as);
	name_list_read(&names, from);
	for (size_t i = 0; i < names.count; i++) {
		struct buf content = BUF_INIT;
		struct error err = ERROR_INIT;
		char name[128], *path, *dir;

		if (!is_of(names.list[i], which))
			continue;
		test_read_file(from, names.list[i], &content);
		snprintf(name, sizeof(name), "shard-%06u%s", as,
		    names.list[i] + strlen("shard-000000"));
		path = test_path(to, name);
		dir = path_dir(path, &err);
		test_ok(path_make_dirs(dir, &err), &err);
		test_write_file(to, name, buf_span(&content));
		free(path);
		free(dir);
		buf_release(&content);
	}
	name_list_free(&names);
}

/* Readers refuse it, by its index. */
static void check_refused(const char *dir)
{
	struct error err = ERROR_INIT;

	assert_int_equal(stored_read(dir, NULL, NULL, &err), -1);
	assert_int_equal(err.code, ERROR_DATA);
	test_contains(err.text,
	    ".index: is not the index that the manifest was written from");
}

/* The files of a shard folder that hold other names are kept beside it. */
static void remove_replaced(const char *dir)
{
	struct error err = ERROR_INIT;

	for (unsigned i = 0; i < SHARDS; i++) {
		char name[32], *path;

		snprintf(name, sizeof(name), "shard-%06u.replaced", i);
		path = test_path(dir, name);
		test_ok(path_remove_tree(path, &err), &err);
		free(path);
	}
}

static void check_shard_is_mended(
    struct setup *s, const char *label, unsigned mended)
{
	struct error err = ERROR_INIT;
	struct materialized done;

	test_ok(run(s, s->dir, true, &done, &err), &err);
	if (done.mended != mended)
		fail_msg("%s: %u shards were mended", label, done.mended);
	assert_true(
	    is_found(&done.found, FOLDER_DAMAGE, "/shard-000001.index: "));
	materialized_release(&done);
	remove_replaced(s->dir);
	if (folder_sum(s->dir) != folder_sum(s->whole))
		fail_msg("%s: the folder is not what it was", label);
}

static void test_check_finds_a_foreign_shard_with_its_index(void **state)
{
	struct setup *s = *state;

	for (size_t i = 0; i < ARRAY_LEN(labels); i++) {
		begin(s, labels[i]);
		copy_shard(s->other, 1, s->dir, 1);
		check_refused(s->dir);
		check_shard_is_mended(s, labels[i], 1);
		/* Without --check as well: its index tells. */
		copy_shard(s->other, 1, s->dir, 1);
		run_well(s, s->dir, false);
		assert_true(folder_sum(s->dir) == folder_sum(s->whole));
	}
}

static void test_check_finds_shards_that_were_swapped(void **state)
{
	struct setup *s = *state;

	for (size_t i = 0; i < ARRAY_LEN(labels); i++) {
		begin(s, labels[i]);
		copy_shard(s->whole, 1, s->dir, 2);
		copy_shard(s->whole, 2, s->dir, 1);
		check_refused(s->dir);
		check_shard_is_mended(s, labels[i], 2);
	}
}

static void test_check_finds_an_index_that_was_forged(void **state)
{
	struct setup *s = *state;

	for (size_t i = 0; i < ARRAY_LEN(labels); i++) {
		begin(s, labels[i]);
		stored_forge(
		    s->dir, "shard-000001.index", "unpacked ", "unpacked 1");
		check_shard_is_mended(s, labels[i], 1);
	}
}

/* ---- what is the user's ---- */

static void test_check_leaves_what_is_the_users(void **state)
{
	static const char *const names[] = { "shard-000001.replaced/mine.txt",
		"shard-000001.replaced2/mine.txt",
		"shard-000001.replaced3/mine.txt" };
	struct setup *s = *state;
	struct error err = ERROR_INIT;
	struct materialized done;
	char *kept;

	begin(s, "large/files/none");
	test_write(s->dir, README_NAME, "my own words");
	test_write(s->dir, "mine.txt", "mine");
	test_write(s->dir, "shard-000001/mine.txt", "mine");
	test_write(s->dir, "below/mine.txt", "mine");
	copy_folder(s->dir, s->whole);
	test_ok(run(s, s->dir, true, &done, &err), &err);
	assert_int_equal(done.found.count, 4);
	assert_true(is_found(&done.found, FOLDER_LEFT, "/README.md: is not"));
	assert_true(is_found(&done.found, FOLDER_LEFT, "/mine.txt: is not in"));
	assert_true(is_found(&done.found, FOLDER_LEFT, "/below: is not in"));
	assert_true(
	    is_found(&done.found, FOLDER_LEFT, "/shard-000001/mine.txt: is"));
	assert_int_equal(done.mended, 0);
	materialized_release(&done);
	assert_true(folder_sum(s->dir) == folder_sum(s->whole));

	/* It is kept when the shard around it is written anew, too. */
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		test_write(s->dir, "shard-000001/mine.txt", names[i]);
		test_write(s->dir, "shard-000001/00000008.npy", "damaged");
		run_well(s, s->dir, true);
		kept = test_path(s->dir, names[i]);
		test_reads(kept, names[i]);
		free(kept);
	}
}

/* Damage is told each time, and what is said of the user's files once. */
static void test_a_second_check_repeats_no_note(void **state)
{
	struct setup *s = *state;
	struct folder_check found = FOLDER_CHECK_INIT;
	struct manifest manifest = MANIFEST_INIT;
	struct error err = ERROR_INIT;
	struct folder_check_plan plan = { .medium = s->medium,
		.dir = s->dir,
		.manifest = &manifest,
		.threads = 1,
		.for_people = README_NAME };

	begin(s, "large/tar/none");
	test_ok(manifest_read(&manifest, s->medium, s->dir, &err), &err);
	test_write(s->dir, README_NAME, "my own words");
	test_ok(folder_check_run(&found, &plan, &err), &err);
	assert_int_equal(found.count, 1);
	assert_true(folder_check_is_sound(&found));
	remove_shard(s->dir, 1);
	for (int again = 0; again < 2; again++) {
		const size_t before = found.count;

		test_ok(folder_check_run(&found, &plan, &err), &err);
		assert_int_equal(found.damaged, 1);
		assert_int_equal(found.count - before, 3); /* its files */
		for (size_t i = before; i < found.count; i++)
			assert_int_equal(found.findings[i].kind, FOLDER_DAMAGE);
	}
	folder_check_release(&found);
	manifest_release(&manifest);
}

/* A name that is too long for the file system is one way to see nothing. */
static void test_check_fails_where_a_file_cannot_be_seen(void **state)
{
	const struct setup *s = *state;
	const struct folder_check_plan plan = { .medium = s->medium,
		.threads = 1 };
	const struct file_sum sum = { .bytes = 1 };
	struct error err = ERROR_INIT;
	char path[400] = "/";

	memset(path + 1, 'x', sizeof(path) - 2);
	assert_int_equal(folder_compare(&plan, path, &sum, false, &err), -1);
	assert_int_not_equal(err.code, ERROR_DATA);
	test_contains(err.text, "cannot look at");
}

static void test_check_writes_nothing_into_a_sound_folder(void **state)
{
	struct setup *s = *state;
	struct error err = ERROR_INIT;
	struct materialized done;

	for (size_t i = 0; i < ARRAY_LEN(labels); i++) {
		char *path;

		begin(s, labels[i]);
		path = test_path(s->dir, MANIFEST_NAME);
		assert_false(chmod(path, 0444));
		assert_false(chmod(s->dir, 0555));
		test_ok(run(s, s->dir, true, &done, &err), &err);
		assert_false(chmod(s->dir, 0755));
		if (done.found.count)
			fail_msg("%s", done.found.findings[0].text);
		assert_int_equal(done.samples, STREAMS * PER_STREAM);
		assert_false(done.was_complete);
		materialized_release(&done);
		assert_true(folder_sum(s->dir) == folder_sum(s->whole));
		free(path);
	}
}

/* ---- what cannot be mended ---- */

/* What comes out differs: nothing that stands is replaced by it. */
static void test_check_does_not_mend_by_other_data(void **state)
{
	struct setup *s = *state;

	for (size_t i = 0; i < ARRAY_LEN(labels); i++) {
		struct error err = ERROR_INIT;
		struct materialized done;
		struct name_list names;
		char *partial;

		begin(s, labels[i]);
		name_list_read(&names, s->whole);
		for (size_t n = 0; n < names.count; n++)
			if (is_of(names.list[n], 1) &&
			    !strstr(names.list[n], ".index"))
				change_file(s, names.list[n], LONGER);
		name_list_free(&names);
		copy_folder(s->dir, s->whole);
		s->fake.varied = true;
		assert_int_equal(run(s, s->dir, true, &done, &err), -1);
		test_contains(err.text,
		    "shard 000001, written again, differs from its manifest");
		materialized_release(&done);
		partial = test_path(s->dir, "presto.partial");
		assert_false(unlink(partial)); /* it is still to be mended */
		free(partial);
		assert_true(folder_sum(s->dir) == folder_sum(s->whole));
	}
}

static void test_check_refuses_a_manifest_that_was_changed(void **state)
{
	struct setup *s = *state;
	struct buf bytes = BUF_INIT;

	begin(s, "large/tar/none");
	test_read_file(s->dir, MANIFEST_NAME, &bytes);
	for (size_t i = 0; i < bytes.len; i += bytes.len / 40 + 1) {
		struct error err = ERROR_INIT;
		struct materialized done;

		bytes.data[i] ^= 1;
		test_write_file(s->dir, MANIFEST_NAME, buf_span(&bytes));
		assert_int_equal(run(s, s->dir, true, &done, &err), -1);
		test_contains(err.text, MANIFEST_NAME);
		materialized_release(&done);
		bytes.data[i] ^= 1;
	}
	test_write_file(s->dir, MANIFEST_NAME, buf_span(&bytes));
	assert_true(folder_sum(s->dir) == folder_sum(s->whole));
	buf_release(&bytes);
}

/* Nothing tells which of its shards are whole: all are written anew. */
static void test_a_folder_that_lost_its_manifest_is_written_anew(void **state)
{
	struct setup *s = *state;

	for (size_t i = 0; i < ARRAY_LEN(labels); i++) {
		struct error err = ERROR_INIT;
		struct materialized done;
		char *path;

		begin(s, labels[i]);
		path = test_path(s->dir, MANIFEST_NAME);
		assert_false(unlink(path));
		copy_shard(s->other, 1, s->dir, 1);
		test_ok(run(s, s->dir, false, &done, &err), &err);
		assert_int_equal(done.made.samples, STREAMS * PER_STREAM);
		assert_true(is_found(&done.found, FOLDER_DAMAGE,
		    "/presto.manifest: is missing"));
		materialized_release(&done);
		remove_replaced(s->dir);
		assert_true(folder_sum(s->dir) == folder_sum(s->whole));
		/* Another command's folder is left alone. */
		assert_false(unlink(path));
		test_write(s->dir, "dataset.json",
		    "{ \"fingerprint\": \"00112233aabbccdd\" }");
		assert_int_equal(run(s, s->dir, false, &done, &err), -1);
		test_contains(err.text, "holds something else");
		materialized_release(&done);
		free(path);
	}
}

/* ---- folders that are not complete, or of an earlier presto ---- */

static void test_resume_takes_over_only_what_it_wrote(void **state)
{
	struct setup *s = *state;

	for (size_t i = 0; i < ARRAY_LEN(labels); i++) {
		struct error err = ERROR_INIT;
		struct materialized done;

		begin(s, labels[i]);
		test_ok(path_remove_tree(s->dir, &err), &err);
		s->fake.fail_at = STREAMS * PER_STREAM - 1;
		assert_int_equal(run(s, s->dir, false, &done, &err), -1);
		materialized_release(&done);
		s->fake.fail_at = 0;
		copy_shard(s->other, 0, s->dir, 0);
		run_well(s, s->dir, false);
		remove_replaced(s->dir);
		if (folder_sum(s->dir) != folder_sum(s->whole))
			fail_msg(
			    "%s: a foreign shard was taken over", labels[i]);
	}
}

static void test_check_says_what_an_old_folder_cannot_tell(void **state)
{
	static const char *const old_labels[] = { "large/files/none",
		"large/npy/gzip:6", "large/tar/none", "large/tfrecord/zstd:1" };
	struct setup *s = *state;

	for (size_t i = 0; i < ARRAY_LEN(old_labels); i++) {
		struct manifest manifest = MANIFEST_INIT;
		struct error err = ERROR_INIT;
		struct materialized done;
		struct manifest_note note;

		begin(s, old_labels[i]);
		test_ok(
		    manifest_read(&manifest, s->medium, s->dir, &err), &err);
		note = (struct manifest_note){
			.strategy = manifest.strategy,
			.fingerprint = manifest.fingerprint,
			.shuffle = manifest.shuffle,
			.version = 2,
		};
		stored_make_old(s->dir, &manifest.form, SHARDS, &note);
		stored_make_old(s->other, &manifest.form, SHARDS, &note);
		manifest_release(&manifest);
		copy_folder(s->dir, s->whole);
		test_ok(run(s, s->dir, true, &done, &err), &err);
		assert_true(is_found(&done.found, FOLDER_UNKNOWN,
		    "was written by an earlier presto"));
		assert_int_equal(done.mended, 0);
		materialized_release(&done);
		assert_true(folder_sum(s->dir) == folder_sum(s->whole));

		copy_shard(s->other, 1, s->dir, 1);
		test_ok(run(s, s->dir, true, &done, &err), &err);
		assert_int_equal(done.mended, 1);
		materialized_release(&done);
		test_ok(
		    manifest_read(&manifest, s->medium, s->dir, &err), &err);
		assert_int_equal(manifest.version, 2);
		manifest_release(&manifest);
		test_ok(stored_read(s->dir, NULL, NULL, &err), &err);
	}
}

/* What is the user's comes first, and is not what is wrong. */
static void test_blame_names_damage_and_what_to_do(void **state)
{
	char mine[] = "d/shard-000000/mine: is left as it is";
	char first[] = "d/shard-000001.tar: is missing";
	char second[] = "d/shard-000002.tar: is missing";
	struct folder_finding findings[] = {
		{ FOLDER_LEFT, mine },
		{ FOLDER_DAMAGE, first },
		{ FOLDER_DAMAGE, second },
	};
	const struct folder_check check = {
		.damaged = 2,
		.findings = findings,
		.count = ARRAY_LEN(findings),
	};
	struct error err = ERROR_INIT;

	UNUSED(state);
	assert_int_equal(folder_check_blame(&check, &err), -1);
	assert_int_equal(err.code, ERROR_DATA);
	assert_non_null(strstr(err.text, first));
	assert_non_null(strstr(err.text, STORE_MEND));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_check_finds_every_file_that_was_changed),
		cmocka_unit_test(
		    test_check_finds_a_foreign_shard_with_its_index),
		cmocka_unit_test(test_check_finds_shards_that_were_swapped),
		cmocka_unit_test(test_check_finds_an_index_that_was_forged),
		cmocka_unit_test(test_check_leaves_what_is_the_users),
		cmocka_unit_test(test_a_second_check_repeats_no_note),
		cmocka_unit_test(test_check_fails_where_a_file_cannot_be_seen),
		cmocka_unit_test(test_check_writes_nothing_into_a_sound_folder),
		cmocka_unit_test(test_check_does_not_mend_by_other_data),
		cmocka_unit_test(
		    test_check_refuses_a_manifest_that_was_changed),
		cmocka_unit_test(
		    test_a_folder_that_lost_its_manifest_is_written_anew),
		cmocka_unit_test(test_resume_takes_over_only_what_it_wrote),
		cmocka_unit_test(
		    test_check_says_what_an_old_folder_cannot_tell),
		cmocka_unit_test(test_blame_names_damage_and_what_to_do),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
