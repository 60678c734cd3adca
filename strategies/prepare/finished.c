/* finished.c - see finished.h. */
#include "strategies/prepare/finished.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/files/path_write.h"
#include "lib/files/url.h"
#include "lib/media/folders.h"
#include "lib/media/medium.h"
#include "lib/media/whole.h"
#include "lib/syntax/words.h"
#include "strategies/plan/shard_count.h"
#include "strategies/prepare/fingerprint.h"

/* A line of each of SHARDS_MOST shards takes at most 48 bytes. */
enum { FILE_LIMIT = 1 << 26, LINE_BYTES = 80, MODE = 0666 };

static const char head_word[] = "presto finished ";

/* Parses a note of which nothing else is left; false: it is damaged. */
static bool parse(struct span line, unsigned *shard, struct file_sum *sum)
{
	uint64_t number;

	if (words_number(&line, &number) || number >= SHARDS_MOST ||
	    words_number(&line, &sum->bytes) ||
	    words_hash(&line, &sum->checksum) || line.len)
		return false;
	*shard = (unsigned)number;
	return true;
}

/* Calls `visit` for each line; skips lines that are damaged. */
static int each_line(struct span text, const char *fingerprint,
    finished_visit *visit, void *arg, struct error *err)
{
	struct span line;
	int rc = 0;

	while (rc == 0 && words_line(&text, &line) == 1) {
		struct file_sum sum;
		unsigned shard;

		if (parse(line, &shard, &sum))
			rc = visit(arg, fingerprint, shard, &sum, err);
	}
	return rc;
}

/* Implements finished_visit for the work itself. */
static int take(void *arg, const char *fingerprint, unsigned shard,
    const struct file_sum *index, struct error *err)
{
	struct finished *finished = arg;

	UNUSED(fingerprint);
	UNUSED(err);
	if (shard < finished->shards)
		finished->indexes[shard] = *index;
	return 0;
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
		rc = each_line(rest, "", take, finished, err);
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

/* ---- notes in an object store ---- */

static void print_note(
    unsigned shard, const struct file_sum *sum, char name[LINE_BYTES])
{
	snprintf(name, LINE_BYTES, "%06u-%" PRIu64 "-%016" PRIx64, shard,
	    sum->bytes, sum->checksum);
}

/*
 * Parses the name of a note, a line with '-' between its words; false: it is
 * not one that print_note gives.
 */
static bool parse_note(const char *name, unsigned *shard, struct file_sum *sum)
{
	char line[LINE_BYTES], same[LINE_BYTES];

	if (strlen(name) >= sizeof(line))
		return false;
	memcpy(line, name, strlen(name) + 1);
	for (char *c = line; *c; c++)
		if (*c == '-')
			*c = ' ';
	if (!parse(span_text(line), shard, sum))
		return false;
	print_note(*shard, sum, same);
	return strcmp(name, same) == 0;
}

/* Takes a note from the name of an object; others are ignored. */
static int take_note(void *arg, const char *name,
    const struct medium_status *status, struct error *err)
{
	struct file_sum sum;
	unsigned shard;

	UNUSED(status);
	return parse_note(name, &shard, &sum) ? take(arg, "", shard, &sum, err)
	                                      : 0;
}

static int open_far(struct finished *finished,
    const struct finished_place *place, const char *fingerprint,
    struct error *err)
{
	char *notes = path_join(place->dir, place->name, err);

	finished->path = notes ? path_join(notes, fingerprint, err) : NULL;
	free(notes);
	return finished->path ? medium_list(place->medium, finished->path,
	                            take_note, finished, err)
	                      : -1;
}

static int add_far(const struct finished *finished, unsigned shard,
    const struct file_sum *index, struct error *err)
{
	static const struct span nothing = { (const unsigned char *)"", 0 };
	char name[LINE_BYTES], *path;
	int rc;

	print_note(shard, index, name);
	path = path_join(finished->path, name, err);
	rc = path ? medium_write_whole(finished->medium, path, nothing, err)
	          : -1;
	free(path);
	return rc;
}

/* ---- either ---- */

int finished_add(const struct finished *finished, unsigned shard,
    const struct file_sum *index, struct error *err)
{
	char line[LINE_BYTES];

	if (url_is(finished->path))
		return add_far(finished, shard, index, err);

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

static int open_file(struct finished *finished,
    const struct finished_place *place, const char *fingerprint,
    struct error *err)
{
	const int flags =
	    O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
	char head[LINE_BYTES];
	bool is_ours;

	snprintf(head, sizeof(head), "%s%s\n", head_word, fingerprint);
	finished->path = path_join(place->dir, place->name, err);
	if (!finished->path)
		return -1;
	if (take_file(finished, head, &is_ours, err))
		return -1;
	finished->fd = open(finished->path, flags, MODE);
	if (finished->fd < 0)
		return error_errno(err, "open", finished->path);
	return is_ours ? 0 : begin_file(finished, head, err);
}

int finished_open(struct finished *finished, const struct finished_place *place,
    const char *fingerprint, unsigned shards, struct error *err)
{
	finished->medium = place->medium;
	finished->shards = shards;
	finished->indexes =
	    calloc((size_t)shards + 1, sizeof(*finished->indexes));
	if (!finished->indexes)
		return error_memory(err, shards * sizeof(struct file_sum));
	return url_is(place->dir)
	           ? open_far(finished, place, fingerprint, err)
	           : open_file(finished, place, fingerprint, err);
}

/* ---- notes of any work ---- */

struct visiting {
	finished_visit *visit;
	void *arg;
};

/* Visits the object FINGERPRINT/NOTE. */
static int visit_note(void *arg, const char *name,
    const struct medium_status *status, struct error *err)
{
	const struct visiting *visiting = arg;
	const size_t len = strcspn(name, "/");
	char fingerprint[FINGERPRINT];
	struct file_sum sum;
	unsigned shard;

	UNUSED(status);
	if (len >= sizeof(fingerprint) || !name[len] ||
	    !parse_note(name + len + 1, &shard, &sum))
		return 0;
	memcpy(fingerprint, name, len);
	fingerprint[len] = '\0';
	return visiting->visit(visiting->arg, fingerprint, shard, &sum, err);
}

static int each_of_file(
    const char *path, finished_visit *visit, void *arg, struct error *err)
{
	const size_t word = sizeof(head_word) - 1;
	char fingerprint[FINGERPRINT];
	struct buf text = BUF_INIT;
	struct span rest, line;
	int rc = 0;

	if (path_exists(path))
		rc = path_read(path, FILE_LIMIT, &text, err);
	rest = buf_span(&text);
	if (rc == 0 && words_line(&rest, &line) == 1 && line.len > word &&
	    line.len - word < sizeof(fingerprint) &&
	    memcmp(line.data, head_word, word) == 0) {
		memcpy(fingerprint, line.data + word, line.len - word);
		fingerprint[line.len - word] = '\0';
		rc = each_line(rest, fingerprint, visit, arg, err);
	}
	buf_release(&text);
	return rc;
}

int finished_each(const struct finished_place *place, finished_visit *visit,
    void *arg, struct error *err)
{
	struct visiting visiting = { visit, arg };
	char *path = path_join(place->dir, place->name, err);
	int rc = -1;

	if (path)
		rc = url_is(path) ? medium_list(place->medium, path, visit_note,
		                        &visiting, err)
		                  : each_of_file(path, visit, arg, err);
	free(path);
	return rc;
}

int finished_remove(const struct finished_place *place, struct error *err)
{
	char *path = path_join(place->dir, place->name, err);
	int rc = -1;

	if (path)
		rc = url_is(path) ? medium_remove_tree(place->medium, path, err)
		                  : medium_remove(place->medium, path, err);
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
