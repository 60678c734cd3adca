/*
 * folder_check_parts.h - state of a running check; inside lib/stores only.
 * folder_check.c runs the threads, folder_check_shard.c checks one shard.
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
	struct stored stored; /* indexes are added as they are read */
	struct buf *lines;    /* [shards] */
	atomic_size_t next;
	atomic_bool failed;
	pthread_mutex_t lock; /* protects `err` */
	struct error err;
};

/* Appends a finding as a line; control bytes of names are escaped. */
int folder_say(struct buf *lines, enum folder_finding_kind kind,
    const char *path, const char *text, struct error *err);
/* Checks a file: ERROR_DATA if it is not as the manifest says. */
int folder_compare(const struct folder_check_plan *plan, const char *path,
    const struct file_sum *wanted, bool is_whole, struct error *err);
/*
 * Checks a shard: adds lines and sets check->is_damaged. Thread-safe for
 * different shards.
 */
int folder_look_at_shard(
    struct checking *checking, size_t shard, struct error *err);

enum { FOLDER_KIND = '0' }; /* a line begins with this plus its kind */

#endif
