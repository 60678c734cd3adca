/* disk_cache.c - see disk_cache.h. */
#include "lib/media/disk/disk_cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/hash.h"
#include "lib/files/lock.h"
#include "lib/files/path.h"
#include "lib/files/path_tree.h"
#include "lib/files/temporary.h"
#include "lib/media/backends/read_at.h"
#include "lib/media/disk/disk_files.h"

enum { READ_BYTES = 256 << 10, USED_AGAIN_S = 60 };

#define TAIL_MAGIC  UINT64_C(0x3170657473657270) /* "prestep1" */
#define COUNT_MAGIC UINT64_C(0x31746e756f637270)

/* Behind the bytes of a part. */
struct tail {
	uint64_t magic, hash, len, url;
};

/* A file that remembers an object. */
struct note {
	uint64_t magic, size, url, hash;
};

/* The shared count of bytes: a file that is mapped. */
struct shared_count {
	uint64_t magic;
	atomic_uint_fast64_t bytes;
};

struct disk_cache {
	char *folder; /* DIR/presto-cache; owned */
	uint64_t most;
	struct shared_count *count;
};

/* The words of the convention that backups and others know: bford.info. */
static const char tag[] =
    "Signature: 8a477f597d28d172789f06886806bc55\n"
    "# presto keeps parts of far objects here; they can be read again.\n";

struct disk_key disk_key(const char *url, const char *version)
{
	const size_t len = strlen(url);

	return (struct disk_key){
		.url = { hash_bytes(url, len, 1), hash_bytes(url, len, 2) },
		.version = hash_bytes(version, strlen(version), 0),
	};
}

/* ---- opening ---- */

static int write_tag(const char *path, struct error *err)
{
	struct temporary file = TEMPORARY_INIT;
	int rc = temporary_begin(&file, path, err);

	if (rc == 0)
		rc = temporary_write(&file, span_text(tag), err);
	if (rc == 0)
		rc = temporary_publish(&file, err);
	temporary_end(&file);
	return rc;
}

/* Is the folder one that presto marked?  An empty one is marked. */
static int check_tag(const char *folder, const char *path, struct error *err)
{
	struct buf text = BUF_INIT;
	char other[256] = "";
	int rc = 0;

	if (!path_exists(path)) {
		rc = path_find_any(folder, NULL, other, err);
		if (rc == 0 && !other[0])
			rc = write_tag(path, err);
	}
	/* Another process may have marked it meanwhile. */
	if (rc == 0)
		rc = path_read(path, sizeof(tag), &text, err);
	if (rc == 0 && (text.len != sizeof(tag) - 1 ||
	                   memcmp(text.data, tag, text.len) != 0))
		rc = error_set(err, ERROR_DATA, "its %s is another program's",
		    path_base(path));
	buf_release(&text);
	if (rc == 0)
		return 0;
	return error_prefix(err, "%s is no cache of presto", folder);
}

static int open_folder(const char *folder, struct error *err)
{
	char *path = path_join(folder, "CACHEDIR.TAG", err);
	int rc = -1;

	if (path && path_make_dirs(folder, err) == 0)
		rc = check_tag(folder, path, err);
	free(path);
	return rc;
}

/* Opens the file of the shared count; -1 with errno. */
static int open_count(const struct disk_cache *cache)
{
	struct error ignored = ERROR_INIT;
	char *path = path_join(cache->folder, "count", &ignored);
	const int fd =
	    path ? open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600)
	         : -1;

	free(path);
	return fd;
}

/* Maps the shared count; it may be new, and then is 0. */
static int map_count(struct disk_cache *cache, struct error *err)
{
	const size_t len = sizeof(*cache->count);
	const int fd = open_count(cache);
	struct stat status;
	void *at = MAP_FAILED;

	if (fd >= 0 && fstat(fd, &status) == 0 &&
	    (status.st_size >= (off_t)len || ftruncate(fd, (off_t)len) == 0))
		at = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (at == MAP_FAILED)
		error_errno(err, "count the bytes of", cache->folder);
	else
		cache->count = at;
	if (fd >= 0)
		close(fd);
	return at == MAP_FAILED ? -1 : 0;
}

struct disk_cache *disk_cache_open(
    const char *dir, uint64_t bytes, struct error *err)
{
	struct disk_cache *cache = memory_zeroed(sizeof(*cache), err);
	uint64_t held = 0;

	if (!cache)
		return NULL;
	cache->most = bytes;
	cache->folder = path_join(dir, "presto-cache", err);
	if (!cache->folder || open_folder(cache->folder, err) ||
	    map_count(cache, err))
		goto fail;
	if (cache->count->magic != COUNT_MAGIC) {
		if (disk_files_trim(cache->folder, bytes, bytes, &held, err))
			goto fail;
		atomic_store(&cache->count->bytes, held);
		cache->count->magic = COUNT_MAGIC;
	}
	return cache;
fail:
	disk_cache_free(cache);
	return NULL;
}

void disk_cache_free(struct disk_cache *cache)
{
	if (!cache)
		return;
	if (cache->count)
		munmap(cache->count, sizeof(*cache->count));
	free(cache->folder);
	free(cache);
}

uint64_t disk_cache_held(const struct disk_cache *cache)
{
	return atomic_load(&cache->count->bytes);
}

static int open_name(const struct disk_cache *cache, const char *name)
{
	struct error ignored = ERROR_INIT;
	char *path = path_join(cache->folder, name, &ignored);
	const int fd =
	    path ? open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) : -1;

	free(path);
	return fd;
}

/* ---- finding ---- */

/* The hash of a part: of its bytes and of what they are. */
static uint64_t seed_of(const struct disk_key *key, uint32_t part)
{
	const uint64_t all[] = { key->url[0], key->url[1], key->version, part };

	return hash_bytes(all, sizeof(all), 0);
}

static bool read_all(int fd, void *data, size_t len, uint64_t offset)
{
	struct error ignored = ERROR_INIT;

	return read_at(fd, "", offset, data, len, &ignored) == (int64_t)len;
}

/* Is the file whole, and the part that it should be? */
static bool is_whole(
    int fd, const struct disk_key *key, uint32_t part, size_t len)
{
	unsigned char *room = malloc(READ_BYTES);
	struct hash_state *hash = room ? hash_new() : NULL;
	const uint64_t seed = seed_of(key, part);
	struct tail tail;
	size_t done = 0;
	bool is = hash && read_all(fd, &tail, sizeof(tail), len) &&
	          tail.magic == TAIL_MAGIC && tail.len == len &&
	          tail.url == key->url[0];

	if (is)
		hash_update(hash, &seed, sizeof(seed));
	while (is && done < len) {
		const size_t n =
		    len - done < READ_BYTES ? len - done : READ_BYTES;

		is = read_all(fd, room, n, done);
		if (is)
			hash_update(hash, room, n);
		done += n;
	}
	is = is && hash_digest(hash) == tail.hash;
	hash_free(hash);
	free(room);
	return is;
}

/* Notes that a file is used, at most each minute. */
static void touch(int fd, const struct stat *status)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	if (now.tv_sec - status->st_mtim.tv_sec > USED_AGAIN_S)
		futimens(fd, NULL);
}

static void remove_name(
    struct disk_cache *cache, const char *name, size_t bytes)
{
	struct error ignored = ERROR_INIT;
	char *path = path_join(cache->folder, name, &ignored);

	if (path && unlink(path) == 0)
		atomic_fetch_sub(&cache->count->bytes, bytes);
	free(path);
}

int disk_cache_find(struct disk_cache *cache, const struct disk_key *key,
    uint32_t part, size_t len, bool is_checked)
{
	const size_t whole = len + sizeof(struct tail);
	char name[DISK_NAME];
	struct stat status;
	int fd;

	disk_part_name(key, part, name);
	fd = open_name(cache, name);
	if (fd < 0)
		return -1;
	if (fstat(fd, &status) == 0) {
		if (status.st_size == (off_t)whole &&
		    (is_checked || is_whole(fd, key, part, len))) {
			touch(fd, &status);
			return fd;
		}
		remove_name(cache, name, (size_t)status.st_size);
	}
	close(fd);
	return -1;
}

/* ---- keeping ---- */

/* Takes room from the count; removes old parts if there is none. */
static bool reserve(struct disk_cache *cache, uint64_t bytes)
{
	const uint64_t most = cache->most, least = most / 10 * 9;
	struct error ignored = ERROR_INIT;
	uint64_t held = 0;
	bool is_there = false;
	int fd;

	if (bytes > most / 10)
		return false;
	if (atomic_fetch_add(&cache->count->bytes, bytes) + bytes <= most)
		return true;
	atomic_fetch_sub(&cache->count->bytes, bytes);
	/*
	 * Only one at a time removes; the others keep nothing meanwhile.  Where
	 * the file system has no locks, several may remove more than they must.
	 */
	fd = open_count(cache);
	if (fd >= 0 && lock_file(fd) != 0 &&
	    disk_files_trim(cache->folder, least, least, &held, &ignored) ==
	        0) {
		atomic_store(&cache->count->bytes, held + bytes);
		is_there = held + bytes <= most;
	}
	if (fd >= 0) {
		lock_file_end(fd);
		close(fd);
	}
	return is_there;
}

static bool write_all(int fd, const void *data, size_t len)
{
	size_t done = 0;

	while (done < len) {
		const ssize_t n =
		    write(fd, (const char *)data + done, len - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return false;
		done += (size_t)n;
	}
	return true;
}

/* Writes a file, which is not synced, and gives it its name. */
static bool store(struct disk_cache *cache, const char *name, struct span bytes,
    struct span tail)
{
	struct temporary file = TEMPORARY_INIT;
	struct error ignored = ERROR_INIT;
	char *path = path_join(cache->folder, name, &ignored);
	char *dir = path ? path_dir(path, &ignored) : NULL;
	bool is = dir && path_make_dirs(dir, &ignored) == 0 &&
	          temporary_begin(&file, path, &ignored) == 0 &&
	          write_all(file.fd, bytes.data, bytes.len) &&
	          write_all(file.fd, tail.data, tail.len) &&
	          temporary_publish(&file, &ignored) == 0;

	temporary_end(&file);
	free(dir);
	free(path);
	return is;
}

bool disk_cache_put(struct disk_cache *cache, const struct disk_key *key,
    uint32_t part, struct span bytes)
{
	const uint64_t seed = seed_of(key, part);
	struct tail tail = {
		.magic = TAIL_MAGIC, .len = bytes.len, .url = key->url[0]
	};
	const struct span behind = { (const unsigned char *)&tail,
		sizeof(tail) };
	struct hash_state *hash = hash_new();
	char name[DISK_NAME];

	if (!hash)
		return false;
	hash_update(hash, &seed, sizeof(seed));
	hash_update(hash, bytes.data, bytes.len);
	tail.hash = hash_digest(hash);
	hash_free(hash);
	if (!reserve(cache, bytes.len + sizeof(tail)))
		return false;
	disk_part_name(key, part, name);
	if (store(cache, name, bytes, behind))
		return true;
	atomic_fetch_sub(&cache->count->bytes, bytes.len + sizeof(tail));
	return false;
}

/* ---- objects that are remembered ---- */

static uint64_t note_hash(const struct note *note)
{
	return hash_bytes(note, offsetof(struct note, hash), 0);
}

bool disk_cache_recall(
    struct disk_cache *cache, const uint64_t url[2], uint64_t *size)
{
	char name[DISK_NAME];
	struct note note;
	bool is;
	int fd;

	disk_url_name(url, name);
	fd = open_name(cache, name);
	if (fd < 0)
		return false;
	is = read_all(fd, &note, sizeof(note), 0) && note.magic == TAIL_MAGIC &&
	     note.url == url[1] && note.hash == note_hash(&note);
	close(fd);
	if (is)
		*size = note.size;
	return is;
}

void disk_cache_remember(
    struct disk_cache *cache, const uint64_t url[2], uint64_t size)
{
	struct note note = { .magic = TAIL_MAGIC, .size = size, .url = url[1] };
	const struct span bytes = { (const unsigned char *)&note,
		sizeof(note) };
	char name[DISK_NAME];
	uint64_t known;

	if (disk_cache_recall(cache, url, &known) && known == size)
		return;
	note.hash = note_hash(&note);
	disk_url_name(url, name);
	if (!reserve(cache, sizeof(note)))
		return;
	if (!store(cache, name, bytes, (struct span){ .len = 0 }))
		atomic_fetch_sub(&cache->count->bytes, sizeof(note));
}
