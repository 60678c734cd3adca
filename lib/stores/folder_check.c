/*
 * folder_check.c - see folder_check.h.
 *
 * Each thread takes one shard at a time. Its findings are lines of text, which
 * begin with their kind. They become findings in the order of the shards.
 */
#include "lib/stores/folder_check.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/media/folders.h"
#include "lib/media/medium.h"
#include "lib/stores/folder_check_shard.h"
#include "lib/stores/layout.h"
#include "lib/stores/shard_path.h"
#include "lib/stores/store.h"
#include "lib/stores/stored.h"

/* A running check, which its threads share. */
struct checking {
	struct folder_check *check;
	const struct folder_check_plan *plan;
	struct stored stored; /* indexes are added as they are read */
	struct buf *lines;    /* [shards] */
	atomic_size_t next;
	atomic_bool failed;
	pthread_mutex_t lock; /* protects `err` */
	struct error err;
};

/* ---- all shards ---- */

static void *thread_main(void *arg)
{
	struct checking *checking = arg;
	struct error err = ERROR_INIT;
	size_t shard;
	int rc = 0;

	while (rc == 0 && !atomic_load(&checking->failed) &&
	       (shard = atomic_fetch_add(&checking->next, 1)) <
	           checking->check->shards)
		rc = folder_check_shard(checking->plan, &checking->stored,
		    shard, &checking->lines[shard],
		    &checking->check->is_damaged[shard], &err);
	pthread_mutex_lock(&checking->lock);
	if (rc && !atomic_exchange(&checking->failed, true))
		checking->err = err;
	pthread_mutex_unlock(&checking->lock);
	return NULL;
}

/* Runs the threads.  This one works, too: it is enough if no other starts. */
static int run_threads(struct checking *checking, struct error *err)
{
	unsigned threads = checking->plan->threads, started = 0;
	pthread_t *list = calloc(threads + 1, sizeof(*list));

	if (!list)
		return error_memory(err, threads * sizeof(*list));
	while (started + 1 < threads &&
	       pthread_create(&list[started], NULL, thread_main, checking) == 0)
		started++;
	thread_main(checking);
	while (started > 0)
		pthread_join(list[--started], NULL);
	free(list);
	if (!atomic_load(&checking->failed))
		return 0;
	*err = checking->err;
	return -1;
}

static int add_finding(
    struct folder_check *check, struct span line, struct error *err)
{
	struct folder_finding *findings = array_grow(check->findings,
	    &check->capacity, check->count + 1, sizeof(*findings), err);
	char *text;

	if (!findings)
		return -1;
	check->findings = findings;
	text = malloc(line.len);
	if (!text)
		return error_memory(err, line.len);
	memcpy(text, line.data + 1, line.len - 1);
	text[line.len - 1] = '\0';
	findings[check->count++] = (struct folder_finding){
		.kind = (enum folder_finding_kind)(line.data[0] - FOLDER_KIND),
		.text = text,
	};
	return 0;
}

/* Did an earlier run report the same note? */
static bool is_known(const struct folder_check *check, struct span line)
{
	for (size_t i = 0; i < check->earlier; i++)
		if (check->findings[i].kind != FOLDER_DAMAGE &&
		    strlen(check->findings[i].text) == line.len - 1 &&
		    memcmp(check->findings[i].text, line.data + 1,
		        line.len - 1) == 0)
			return true;
	return false;
}

static int add_lines(
    struct folder_check *check, const struct buf *lines, struct error *err)
{
	struct span rest = buf_span(lines);
	const unsigned char *end;

	while (rest.len && (end = memchr(rest.data, '\n', rest.len))) {
		const struct span line = { rest.data,
			(size_t)(end - rest.data) };

		if (!is_known(check, line) && add_finding(check, line, err))
			return -1;
		rest.data += line.len + 1;
		rest.len -= line.len + 1;
	}
	return 0;
}

static int check_shards(struct checking *checking, struct error *err)
{
	struct folder_check *check = checking->check;
	int rc = run_threads(checking, err);

	for (size_t i = 0; rc == 0 && i < check->shards; i++) {
		rc = add_lines(check, &checking->lines[i], err);
		check->damaged += check->is_damaged[i];
	}
	for (size_t i = 0; i < check->shards; i++)
		buf_release(&checking->lines[i]);
	return rc;
}

/* ---- beside the shards ---- */

static int check_file_beside(struct folder_check *check,
    const struct folder_check_plan *plan, const struct listed_file *file,
    struct buf *lines, struct error *err)
{
	const bool for_people =
	    plan->for_people && strcmp(file->name, plan->for_people) == 0;
	char *path = path_join(plan->dir, file->name, err);
	struct error why = ERROR_INIT;
	int rc = -1;

	if (!path)
		return -1;
	if (folder_compare(plan, path, &file->sum, true, &why) == 0) {
		rc = 0;
	} else if (why.code != ERROR_DATA) {
		*err = why;
	} else if (for_people && medium_exists(plan->medium, path)) {
		rc = folder_say(lines, FOLDER_LEFT, path,
		    "is not as presto wrote it; it is left as it is", err);
	} else {
		check->beside = true;
		rc = folder_say(lines, FOLDER_DAMAGE, path, why.text, err);
	}
	free(path);
	return rc;
}

static int check_beside(struct folder_check *check,
    const struct folder_check_plan *plan, struct error *err)
{
	const struct file_list *list = &plan->manifest->files;
	struct buf lines = BUF_INIT;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < list->count; i++)
		if (!shard_is_name(list->files[i].name))
			rc = check_file_beside(
			    check, plan, &list->files[i], &lines, err);
	if (rc == 0 && plan->manifest->version < MANIFEST_FILES)
		rc = folder_say(&lines, FOLDER_UNKNOWN, plan->dir,
		    "was written by an earlier presto, which kept no "
		    "checksums of indexes and of files beside the shards; "
		    "these were not checked; materialize to another folder to "
		    "have them",
		    err);
	if (rc == 0)
		rc = add_lines(check, &lines, err);
	buf_release(&lines);
	return rc;
}

int folder_check_run(struct folder_check *check,
    const struct folder_check_plan *plan, struct error *err)
{
	struct checking checking = {
		.check = check,
		.plan = plan,
		.stored = { .medium = plan->medium,
		    .manifest = *plan->manifest },
		.lines = calloc(plan->manifest->count + 1, sizeof(struct buf)),
	};
	int rc = -1;

	free(check->is_damaged);
	check->damaged = 0;
	check->beside = false;
	check->earlier = check->count;
	check->shards = plan->manifest->count;
	check->is_damaged = calloc(check->shards + 1, sizeof(bool));
	checking.stored.dir = path_join(plan->dir, "", err);
	pthread_mutex_init(&checking.lock, NULL);
	if (!checking.lines || !check->is_damaged)
		error_memory(err, check->shards * sizeof(struct buf));
	else if (checking.stored.dir && check_shards(&checking, err) == 0)
		rc = check_beside(check, plan, err);
	pthread_mutex_destroy(&checking.lock);
	free(checking.stored.dir);
	free(checking.lines);
	return rc;
}

/* ---- files that are not presto's ---- */

struct foreign {
	struct folder_check *check;
	const struct folder_check_plan *plan;
	struct buf lines;
};

/* Is it the folder of a shard that the manifest knows? */
static bool is_shard_folder(
    const struct folder_check_plan *plan, const char *name)
{
	const struct manifest *manifest = plan->manifest;
	const int64_t number = shard_number(name);

	return manifest->form.ops->layout == &layout_folder && number >= 0 &&
	       (uint64_t)number < manifest->count;
}

static int check_entry(void *arg, const char *name, struct error *err)
{
	struct foreign *foreign = arg;
	const struct folder_check_plan *plan = foreign->plan;
	char *path;
	int rc = -1;

	if (strcmp(name, MANIFEST_NAME) == 0 ||
	    file_list_find(&plan->manifest->files, name) ||
	    is_shard_folder(plan, name))
		return 0;
	path = path_join(plan->dir, name, err);
	if (path)
		rc = folder_say(&foreign->lines, FOLDER_LEFT, path,
		    "is not in the manifest; it is left as it is", err);
	free(path);
	return rc;
}

int folder_check_foreign(struct folder_check *check,
    const struct folder_check_plan *plan, struct error *err)
{
	struct foreign foreign = { check, plan, BUF_INIT };
	int rc = 0;

	if (plan->manifest->version >= MANIFEST_FILES)
		rc = medium_each_name(
		    plan->medium, plan->dir, check_entry, &foreign, err);
	if (rc == 0)
		rc = add_lines(check, &foreign.lines, err);
	buf_release(&foreign.lines);
	return rc;
}

int folder_check_say(struct folder_check *check, enum folder_finding_kind kind,
    const char *path, const char *text, struct error *err)
{
	struct buf lines = BUF_INIT;
	int rc = folder_say(&lines, kind, path, text, err);

	if (rc == 0)
		rc = add_lines(check, &lines, err);
	buf_release(&lines);
	return rc;
}

bool folder_check_is_sound(const struct folder_check *check)
{
	return check->damaged == 0 && !check->beside;
}

int folder_check_blame(const struct folder_check *check, struct error *err)
{
	const char *text = "a file is damaged";

	for (size_t i = check->count; i-- > 0;)
		if (check->findings[i].kind == FOLDER_DAMAGE)
			text = check->findings[i].text;
	error_set(err, ERROR_DATA, "%s", text);
	return error_advise(err, STORE_MEND);
}

void folder_check_release(struct folder_check *check)
{
	for (size_t i = 0; i < check->count; i++)
		free(check->findings[i].text);
	free(check->findings);
	free(check->is_damaged);
	*check = (struct folder_check)FOLDER_CHECK_INIT;
}
