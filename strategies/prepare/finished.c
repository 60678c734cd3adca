/* finished.c - see finished.h. */
#include "strategies/prepare/finished.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/files/path_write.h"
#include "lib/syntax/words.h"

enum { FILE_LIMIT = 1 << 24, LINE_BYTES = 80, MODE = 0666 };

/* Skips lines that are damaged. */
static void take_lines(struct finished *finished, struct span text)
{
	struct span line;

	while (words_line(&text, &line) == 1) {
		struct file_sum sum;
		uint64_t shard;

		if (words_number(&line, &shard) == 0 &&
		    words_number(&line, &sum.bytes) == 0 &&
		    words_hash(&line, &sum.checksum) == 0 && line.len == 0 &&
		    shard < finished->shards)
			finished->indexes[shard] = sum;
	}
}

/* Takes the lines if the file belongs to this work. */
static int take_file(struct finished *finished, const char *head, bool *is_ours,
    struct error *err)
{
	struct buf text = BUF_INIT;
	struct span rest;
	int rc = 0;

	*is_ours = false;
	if (path_exists(finished->path))
		rc = path_read(finished->path, FILE_LIMIT, &text, err);
	if (rc == 0 && text.len >= strlen(head) &&
	    memcmp(text.data, head, strlen(head)) == 0) {
		rest.data = text.data + strlen(head);
		rest.len = text.len - strlen(head);
		take_lines(finished, rest);
		/* a line behind half a line would be lost */
		*is_ours = text.data[text.len - 1] == '\n';
	}
	buf_release(&text);
	return rc;
}

static int add_line(
    const struct finished *finished, const char *line, struct error *err)
{
	return path_write_open(
	    finished->fd, finished->path, span_text(line), err);
}

int finished_add(const struct finished *finished, unsigned shard,
    const struct file_sum *index, struct error *err)
{
	char line[LINE_BYTES];

	snprintf(line, sizeof(line), "%u %" PRIu64 " %016" PRIx64 "\n", shard,
	    index->bytes, index->checksum);
	return add_line(finished, line, err);
}

/* Begins the file anew, with the shards that are known. */
static int begin_file(
    const struct finished *finished, const char *head, struct error *err)
{
	if (ftruncate(finished->fd, 0))
		return error_errno(err, "write", finished->path);
	if (add_line(finished, head, err))
		return -1;
	for (unsigned i = 0; i < finished->shards; i++)
		if (finished->indexes[i].bytes &&
		    finished_add(finished, i, &finished->indexes[i], err))
			return -1;
	return 0;
}

int finished_open(struct finished *finished, const char *dir,
    const char *fingerprint, unsigned shards, struct error *err)
{
	const int flags =
	    O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
	char head[LINE_BYTES];
	bool is_ours;

	snprintf(head, sizeof(head), "presto finished %s\n", fingerprint);
	finished->shards = shards;
	finished->path = path_join(dir, FINISHED_NAME, err);
	finished->indexes = calloc(shards + 1, sizeof(*finished->indexes));
	if (!finished->path)
		return -1;
	if (!finished->indexes)
		return error_memory(err, shards * sizeof(struct file_sum));
	if (take_file(finished, head, &is_ours, err))
		return -1;
	finished->fd = open(finished->path, flags, MODE);
	if (finished->fd < 0)
		return error_errno(err, "open", finished->path);
	return is_ours ? 0 : begin_file(finished, head, err);
}

int finished_remove(const char *dir, struct error *err)
{
	char *path = path_join(dir, FINISHED_NAME, err);
	int rc = path ? 0 : -1;

	if (path && unlink(path) && errno != ENOENT)
		rc = error_errno(err, "remove", path);
	free(path);
	return rc;
}

void finished_close(struct finished *finished)
{
	if (finished->fd >= 0)
		close(finished->fd);
	free(finished->path);
	free(finished->indexes);
	*finished = (struct finished)FINISHED_INIT;
}
