/*
 * folder_check_parts.h - a check of a folder that is going on; inside
 * lib/stores only.  folder_check.c runs the threads, folder_check_shard.c looks
 * at a shard.
 */
#ifndef LIB_STORES_FOLDER_CHECK_PARTS_H
#define LIB_STORES_FOLDER_CHECK_PARTS_H

#include <pthread.h>
#include <stdatomic.h>

#include "lib/base/error.h"
#include "lib/stores/folder_check.h"
#include "lib/stores/stored.h"

struct file_sum;

struct checking {
	struct folder_check *check;
	const struct folder_check_plan *plan;
	struct stored stored; /* as far as indexes are read */
	struct buf *lines;    /* [shards] */
	atomic_size_t next;
	atomic_bool failed;
	pthread_mutex_t lock; /* of the error */
	struct error err;
};

/* Adds a line of this kind; names are made harmless. */
int folder_say(struct buf *lines, enum folder_finding_kind kind,
    const char *path, const char *text, struct error *err);
/* Looks at a file: ERROR_DATA if it is not what the manifest says. */
int folder_compare(const struct folder_check_plan *plan, const char *path,
    const struct file_sum *wanted, bool is_whole, struct error *err);
/* Adds its lines, and sets check->is_damaged; may run in many threads. */
int folder_look_at_shard(
    struct checking *checking, size_t shard, struct error *err);

enum { FOLDER_KIND = '0' }; /* a line begins with this and its kind */

#endif
