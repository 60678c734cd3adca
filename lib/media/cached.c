/* cached.c - see cached.h. */
#include "lib/media/cached.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/files/url.h"
#include "lib/media/backends/fork_lock.h"
#include "lib/media/backends/read_at.h"
#include "lib/media/disk/disk_cache.h"
#include "lib/media/medium_ops.h"

enum { KNOWN_LEAST = 1024, KNOWN_MOST = 1 << 20, FD_SLOTS = 2 };

/* A file whose size and version are known. */
struct known {
	uint64_t url[2]; /* both 0: none */
	uint64_t version, size;
};

struct cached {
	atomic_uint users;
	struct medium *medium;
	struct disk_cache *disk;
	struct fork_lock lock; /* protects what follows: lock_known */
	struct known *table;   /* open addressing, at most half full */
	size_t size, count;    /* size: a power of two, or 0 */
};

struct cached_file {
	struct medium_file base; /* first: the medium accesses this */
	bool is_open;
	struct disk_key key;
	bool is_kept;            /* it has a strong version */
	struct cached *cached;   /* it is one of its users */
	struct fork_lock lock;   /* protects what follows: lock_file_state */
	struct medium_file *far; /* NULL: no request was needed yet */
	struct slot {
		int fd; /* -1: free */
		uint32_t part;
	} slots[FD_SLOTS]; /* parts that were read last */
	unsigned next_slot;
	unsigned char *checked; /* a bit for each part; NULL: none yet */
	unsigned char *room;    /* the part that was fetched last */
	uint32_t room_part;     /* its number */
	bool has_room_part;     /* false: none was */
};

static struct cached_file *cached_of(struct medium_file *file)
{
	return (struct cached_file *)file;
}

/* The child of a fork asks servers for versions once more. */
static void lock_known(struct cached *cached)
{
	if (!fork_lock_take(&cached->lock))
		return;
	cached->table = NULL;
	cached->size = 0;
	cached->count = 0;
}

static void forget_parts(struct cached_file *file)
{
	for (size_t i = 0; i < FD_SLOTS; i++)
		file->slots[i].fd = -1;
	file->checked = NULL;
	file->room = NULL;
	file->has_room_part = false;
}

/* The child of a fork finds its parts anew. */
static void lock_file_state(struct cached_file *file)
{
	if (fork_lock_take(&file->lock))
		forget_parts(file);
}

/* ---- a cache and what it knows ---- */

struct cached *cached_new(
    struct medium *medium, const char *dir, uint64_t bytes, struct error *err)
{
	struct cached *cached = memory_zeroed(sizeof(*cached), err);

	if (!cached)
		return NULL;
	atomic_init(&cached->users, 1);
	cached->medium = medium;
	fork_lock_init(&cached->lock);
	cached->disk = disk_cache_open(dir, bytes, err);
	if (cached->disk)
		return cached;
	cached_leave(cached);
	return NULL;
}

struct cached *cached_join(struct cached *cached)
{
	if (cached)
		atomic_fetch_add(&cached->users, 1);
	return cached;
}

void cached_leave(struct cached *cached)
{
	if (!cached || atomic_fetch_sub(&cached->users, 1) > 1)
		return;
	disk_cache_free(cached->disk);
	free(cached->table);
	fork_lock_destroy(&cached->lock);
	free(cached);
}

/* Returns the place of a URL, or the free one where it belongs. */
static struct known *place_of(struct cached *cached, const uint64_t url[2])
{
	size_t i = (size_t)url[0];

	for (;; i++) {
		struct known *known = &cached->table[i & (cached->size - 1)];

		if ((!known->url[0] && !known->url[1]) ||
		    (known->url[0] == url[0] && known->url[1] == url[1]))
			return known;
	}
}

static bool recall(struct cached *cached, struct disk_key *key, uint64_t *size)
{
	const struct known *known = NULL;

	lock_known(cached);
	if (cached->size > 0)
		known = place_of(cached, key->url);
	if (known && known->version) {
		key->version = known->version;
		*size = known->size;
	} else {
		known = NULL;
	}
	fork_lock_give(&cached->lock);
	return known != NULL;
}

/* Doubles the table; a table that is as large as it may be begins anew. */
static bool grow(struct cached *cached)
{
	const size_t size = cached->size ? 2 * cached->size : KNOWN_LEAST;
	struct known *old = cached->table;
	const size_t old_size = cached->size;
	struct known *table = calloc(
	    size > KNOWN_MOST ? (size_t)KNOWN_MOST : size, sizeof(*table));

	if (!table)
		return false;
	cached->table = table;
	cached->size = size > KNOWN_MOST ? (size_t)KNOWN_MOST : size;
	if (size > KNOWN_MOST)
		cached->count = 0;
	for (size_t i = 0; size <= KNOWN_MOST && i < old_size; i++)
		if (old[i].url[0] || old[i].url[1])
			*place_of(cached, old[i].url) = old[i];
	free(old);
	return true;
}

static void learn(
    struct cached *cached, const struct disk_key *key, uint64_t size)
{
	struct known *known;

	lock_known(cached);
	if (2 * (cached->count + 1) <= cached->size || grow(cached)) {
		known = place_of(cached, key->url);
		if (!known->url[0] && !known->url[1])
			cached->count++;
		*known = (struct known){ { key->url[0], key->url[1] },
			key->version, size };
	}
	fork_lock_give(&cached->lock);
}

void cached_forget(struct cached *cached, const char *path)
{
	const struct disk_key key = disk_key(path, "");

	lock_known(cached);
	if (cached->size > 0)
		place_of(cached, key.url)->version = 0;
	fork_lock_give(&cached->lock);
}

/* ---- opening ---- */

static int changed(const char *path, struct error *err)
{
	char text[URL_TEXT];

	return error_set(err, ERROR_DATA,
	    "%s: it changed while it was read; read it again when nothing "
	    "writes to it",
	    url_text(path, text));
}

/* Does the version stand for just these bytes? */
static bool is_strong(const char *version)
{
	return version[0] && strncmp(version, "W/", 2) != 0;
}

/* Opens the far file, which tells its size, and its version if it has one. */
static int open_far(
    struct cached_file *file, struct disk_key *key, struct error *err)
{
	char version[MEDIUM_VERSION_TEXT] = "";

	file->far = medium_open_far(file->cached->medium, file->base.path, err);
	if (!file->far)
		return -1;
	if (file->far->backend->get_version)
		file->far->backend->get_version(file->far, version);
	*key = disk_key(file->base.path, version);
	if (!is_strong(version))
		key->version = 0;
	return 0;
}

/* Asks the server whether what was kept before still holds. */
static int ask_far(
    struct cached_file *file, struct disk_key *key, struct error *err)
{
	struct medium_status status;

	if (medium_get_status(
	        file->cached->medium, file->base.path, &status, err))
		return -1;
	if (status.kind != MEDIUM_FILE || !is_strong(status.version))
		return open_far(file, key, err);
	*key = disk_key(file->base.path, status.version);
	file->base.size = status.bytes;
	return 0;
}

static int cached_open(struct medium_file *base, struct error *err)
{
	struct cached_file *file = cached_of(base);
	struct disk_key key = disk_key(base->path, "");
	uint64_t size;
	int rc;

	file->is_open = true;
	file->cached = base->state; /* it was joined for this file */
	fork_lock_init(&file->lock);
	forget_parts(file);
	if (recall(file->cached, &key, &base->size)) {
		file->key = key;
		file->is_kept = true;
		return 0;
	}
	if (disk_cache_recall(file->cached->disk, key.url, &size))
		rc = ask_far(file, &key, err);
	else
		rc = open_far(file, &key, err);
	if (rc)
		return -1;
	if (file->far)
		base->size = file->far->size;
	file->key = key;
	file->is_kept = key.version != 0;
	if (file->is_kept)
		learn(file->cached, &key, base->size);
	return 0;
}

static void cached_close(struct medium_file *base)
{
	struct cached_file *file = cached_of(base);

	if (!file->is_open)
		return;
	lock_file_state(file);
	for (size_t i = 0; i < FD_SLOTS; i++)
		if (file->slots[i].fd >= 0)
			close(file->slots[i].fd);
	fork_lock_give(&file->lock);
	medium_close_far(file->far);
	free(file->room);
	free(file->checked);
	fork_lock_destroy(&file->lock);
	cached_leave(file->cached);
}

/* ---- reading ---- */

static size_t part_len(const struct cached_file *file, uint32_t part)
{
	const uint64_t left = file->base.size - (uint64_t)part * DISK_PART;

	return left < DISK_PART ? (size_t)left : DISK_PART;
}

/* Without memory for it the part is checked again. */
static void note_checked(struct cached_file *file, uint32_t part)
{
	if (!file->checked)
		file->checked =
		    calloc((size_t)(file->base.size / DISK_PART / 8) + 1, 1);
	if (file->checked)
		file->checked[part / 8] |= (unsigned char)(1 << part % 8);
}

/* Finds the descriptor of a part that is kept; -1: it is not. */
static int find_part(struct cached_file *file, uint32_t part)
{
	const bool is_checked =
	    file->checked && file->checked[part / 8] >> part % 8 & 1;
	struct slot *slot;
	int fd;

	for (size_t i = 0; i < FD_SLOTS; i++)
		if (file->slots[i].fd >= 0 && file->slots[i].part == part)
			return file->slots[i].fd;
	fd = disk_cache_find(file->cached->disk, &file->key, part,
	    part_len(file, part), is_checked);
	if (fd < 0)
		return -1;
	note_checked(file, part);
	slot = &file->slots[file->next_slot++ % FD_SLOTS];
	if (slot->fd >= 0)
		close(slot->fd);
	*slot = (struct slot){ fd, part };
	return fd;
}

static int read_kept(const struct cached_file *file, int fd, uint64_t offset,
    void *data, size_t len, struct error *err)
{
	const int64_t n = read_at(fd, file->base.path, offset, data, len, err);

	if (n == (int64_t)len)
		return 0;
	if (n >= 0)
		errno = EIO; /* another program has cut it */
	return error_errno(err, "read the kept part of", file->base.path);
}

/* Opens the far file if need be; it must be of the version that is known. */
static int need_far(struct cached_file *file, struct error *err)
{
	struct disk_key key;

	if (file->far)
		return 0;
	if (open_far(file, &key, err))
		return -1;
	if (key.version == file->key.version &&
	    file->far->size == file->base.size)
		return 0;
	cached_forget(file->cached, file->base.path);
	/* Bytes of the newer one must not follow those that are kept. */
	medium_close_far(file->far);
	file->far = NULL;
	return changed(file->base.path, err);
}

/* Fetches a part and keeps it; its bytes are in file->room then. */
static int fetch_part(
    struct cached_file *file, uint32_t part, struct error *err)
{
	const size_t len = part_len(file, part);
	const uint64_t at = (uint64_t)part * DISK_PART;
	int64_t n;

	if (need_far(file, err))
		return -1;
	file->has_room_part = false;
	if (!file->room)
		file->room = malloc(part_len(file, 0));
	if (!file->room)
		return error_memory(err, part_len(file, 0));
	n = file->far->backend->read(file->far, at, file->room, len, err);
	if (n < 0)
		return -1;
	if ((size_t)n != len)
		return changed(file->base.path, err);
	file->room_part = part;
	file->has_room_part = true;
	if (disk_cache_put(file->cached->disk, &file->key, part,
	        (struct span){ file->room, len }))
		disk_cache_remember(
		    file->cached->disk, file->key.url, file->base.size);
	return 0;
}

static void count_near(const struct cached_file *file, size_t len)
{
	atomic_fetch_add_explicit(
	    &file->base.counts->requests, 1, memory_order_relaxed);
	atomic_fetch_add_explicit(
	    &file->base.counts->bytes_read, len, memory_order_relaxed);
}

/* Reads bytes of one part. */
static int read_part(struct cached_file *file, uint64_t offset, void *data,
    size_t len, struct error *err)
{
	const uint32_t part = (uint32_t)(offset / DISK_PART);
	const uint64_t within = offset % DISK_PART;
	const int fd = find_part(file, part);

	if (fd >= 0) {
		count_near(file, len);
		return read_kept(file, fd, within, data, len, err);
	}
	/* Without room on the disk, at least the last part is kept. */
	if (file->has_room_part && file->room_part == part)
		count_near(file, len);
	else if (fetch_part(file, part, err))
		return -1;
	memcpy(data, file->room + within, len);
	return 0;
}

static int64_t cached_read(struct medium_file *base, uint64_t offset,
    void *data, size_t len, struct error *err)
{
	struct cached_file *file = cached_of(base);
	const uint64_t left = offset < base->size ? base->size - offset : 0;
	const size_t there = len < left ? len : (size_t)left;
	size_t done = 0;
	int rc = 0;

	if (!file->is_kept)
		return file->far->backend->read(
		    file->far, offset, data, len, err);
	lock_file_state(file);
	while (rc == 0 && done < there) {
		const uint64_t at = offset + done;
		const size_t in_part = DISK_PART - (size_t)(at % DISK_PART);
		const size_t n =
		    there - done < in_part ? there - done : in_part;

		rc = read_part(file, at, (char *)data + done, n, err);
		done += n;
	}
	fork_lock_give(&file->lock);
	return rc ? -1 : (int64_t)there;
}

const struct backend backend_cached = {
	.file_bytes = sizeof(struct cached_file),
	.counts_itself = true,
	.open = cached_open,
	.close = cached_close,
	.read = cached_read,
};
