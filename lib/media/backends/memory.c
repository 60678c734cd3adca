/* memory.c - see memory.h. */
#include "lib/media/backends/memory.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/files/late_read.h"
#include "lib/files/mapping.h"
#include "lib/media/backends/memory_files.h"
#include "lib/media/backends/read_at.h"

struct memory_state {
	struct memory_files *files;
	atomic_uint folders; /* temporary ones, so far */
};

struct memory_file {
	struct medium_file base;
	bool is_open, is_created; /* created: its path was given already */
	int fd;
	uint64_t begin;             /* where the file begins behind fd */
	struct mapping_file mapped; /* for reading */
	struct buf written;         /* its bytes while it is written */
};

static struct memory_file *memory_of(struct medium_file *file)
{
	return (struct memory_file *)file;
}

void *memory_state_new(const char *dir, struct error *err)
{
	struct memory_state *state = memory_zeroed(sizeof(*state), err);

	if (!state)
		return NULL;
	atomic_init(&state->folders, 0);
	state->files = memory_files_new(dir, err);
	if (state->files)
		return state;
	free(state);
	return NULL;
}

static void memory_state_free(void *arg)
{
	struct memory_state *state = arg;

	memory_files_free(state->files);
	free(state);
}

uint64_t memory_state_bytes(void *arg)
{
	return memory_files_bytes(((struct memory_state *)arg)->files);
}

bool memory_state_drop(void *arg)
{
	return memory_files_drop(((struct memory_state *)arg)->files);
}

static struct memory_files *files_of(const struct medium_file *file)
{
	return ((struct memory_state *)file->state)->files;
}

/* ---- files ---- */

static int memory_begin(struct medium_file *base, struct error *err)
{
	struct memory_file *file = memory_of(base);

	UNUSED(err);
	file->fd = -1;
	file->mapped = (struct mapping_file)MAPPING_FILE_INIT;
	file->is_open = true;
	return 0;
}

static int memory_create(struct medium_file *base, struct error *err)
{
	memory_of(base)->is_created = true;
	return memory_begin(base, err);
}

static int memory_open(struct medium_file *base, struct error *err)
{
	struct memory_file *file = memory_of(base);
	struct memory_part part;

	memory_begin(base, err);
	if (!memory_files_find(files_of(base), base->path, &part))
		return error_set(
		    err, ERROR_SYSTEM, "%s is not in memory", base->path);
	file->fd = memory_files_open(files_of(base), err);
	if (file->fd < 0)
		return -1;
	file->begin = part.offset;
	base->size = part.bytes;
	file->mapped.fd = file->fd;
	file->mapped.path = base->path;
	file->mapped.size = file->begin + base->size;
	return 0;
}

static void memory_close(struct medium_file *base)
{
	struct memory_file *file = memory_of(base);

	if (!file->is_open)
		return;
	mapping_file_release(&file->mapped);
	if (file->fd >= 0)
		close(file->fd);
	buf_release(&file->written);
}

/* Reads bytes that are there: behind the file there are others. */
static int64_t memory_read(struct medium_file *base, uint64_t offset,
    void *data, size_t len, struct error *err)
{
	struct memory_file *file = memory_of(base);
	const uint64_t left = offset < base->size ? base->size - offset : 0;
	const size_t there = len < left ? len : (size_t)left;

	if (!file->written.data)
		return read_at(file->fd, base->path, file->begin + offset, data,
		    there, err);
	if (there > 0)
		memcpy(data, file->written.data + offset, there);
	return (int64_t)there;
}

static bool memory_map(struct medium_file *base, uint64_t offset, size_t len,
    struct mapping *mapping, unsigned char **data)
{
	struct memory_file *file = memory_of(base);

	return mapping_make(
	    mapping, &file->mapped, file->begin + offset, len, data);
}

static void memory_widen(struct medium_file *base, size_t bytes)
{
	mapping_file_widen(&memory_of(base)->mapped, bytes);
}

static bool memory_note(struct medium_file *base, uint64_t offset, size_t len,
    struct late_read *late)
{
	struct memory_file *file = memory_of(base);

	return late_read_note(late, file->fd, file->begin + offset, len);
}

static int memory_write(
    struct medium_file *base, const void *data, size_t len, struct error *err)
{
	return buf_append(&memory_of(base)->written, data, len, err);
}

static int memory_write_at(struct medium_file *base, uint64_t offset,
    const void *data, size_t len, struct error *err)
{
	UNUSED(err);
	memcpy(memory_of(base)->written.data + offset, data, len);
	return 0;
}

static int memory_publish(struct medium_file *base, struct error *err)
{
	return memory_files_put(files_of(base), base->path,
	    buf_span(&memory_of(base)->written), err);
}

static int memory_publish_new(struct medium_file *base, struct error *err)
{
	return memory_files_put_new(files_of(base), base->path,
	    buf_span(&memory_of(base)->written), err);
}

static int memory_sync(struct medium_file *base, struct error *err)
{
	return memory_of(base)->is_created ? memory_publish(base, err) : 0;
}

/* ---- names ---- */

static int memory_get_status(void *arg, const char *path,
    struct medium_status *status, struct error *err)
{
	struct memory_state *state = arg;
	struct memory_part part;

	UNUSED(err);
	if (memory_files_find(state->files, path, &part)) {
		status->kind = MEDIUM_FILE;
		status->bytes = part.bytes;
	} else if (memory_files_has_folder(state->files, path)) {
		status->kind = MEDIUM_FOLDER;
	}
	return 0;
}

static int memory_list(void *arg, const char *folder, medium_visit *visit,
    void *to, struct error *err)
{
	struct memory_state *state = arg;
	struct memory_names names = { .names = NULL };
	int rc = memory_files_list(state->files, folder, &names, err);

	for (size_t i = 0; rc == 0 && i < names.count; i++) {
		const struct medium_status status = { .kind = MEDIUM_FILE,
			.bytes = names.bytes[i] };

		rc = visit(to, names.names[i], &status, err);
	}
	memory_names_release(&names);
	return rc < 0 ? -1 : 0;
}

static int memory_remove(void *arg, const char *path, struct error *err)
{
	struct memory_state *state = arg;

	return memory_files_remove(state->files, path, err);
}

static int memory_rename(
    void *arg, const char *from, const char *to, struct error *err)
{
	struct memory_state *state = arg;

	return memory_files_rename(state->files, from, to, err);
}

static char *memory_temporary_folder(
    void *arg, const char *dir, struct error *err)
{
	struct memory_state *state = arg;
	struct buf path = BUF_INIT;

	if (buf_printf(&path, err, "%s/temporary-%u", dir,
	        atomic_fetch_add(&state->folders, 1)) == 0)
		return (char *)path.data;
	buf_release(&path);
	return NULL;
}

const struct backend backend_memory = {
	.file_bytes = sizeof(struct memory_file),
	.state_free = memory_state_free,
	.open = memory_open,
	.begin = memory_begin,
	.create = memory_create,
	.close = memory_close,
	.read = memory_read,
	.map = memory_map,
	.widen = memory_widen,
	.note = memory_note,
	.write = memory_write,
	.write_at = memory_write_at,
	.sync = memory_sync,
	.publish = memory_publish,
	.publish_new = memory_publish_new,
	.get_status = memory_get_status,
	.list = memory_list,
	.remove = memory_remove,
	.rename = memory_rename,
	.temporary_folder = memory_temporary_folder,
};
