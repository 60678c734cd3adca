/* lines_scan.c - see lines_scan.h. */
#include <stdlib.h>
#include <string.h>

#include "datasets/files/content.h"
#include "datasets/files/spread.h"
#include "datasets/records/lines_scan.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/media/medium.h"

bool lines_next(struct span *rest, struct span *line)
{
	const unsigned char *end;

	if (!rest->len)
		return false;
	*line = *rest;
	end = memchr(rest->data, '\n', rest->len);
	if (end)
		line->len = (size_t)(end - rest->data);
	rest->data += line->len + (end ? 1 : 0);
	rest->len -= line->len + (end ? 1 : 0);
	if (line->len && line->data[line->len - 1] == '\r')
		line->len--;
	return true;
}

char *lines_path(const struct lines_set *set, size_t file, struct error *err)
{
	return path_join(set->root, listing_name(&set->listing, file), err);
}

void lines_set_release(struct lines_set *set)
{
	free(set->root);
	free(set->runs);
	listing_release(&set->listing);
	*set = (struct lines_set)LINES_SET_INIT;
}

/* ---- which files ---- */

static bool have_same_ending(const struct listing *listing)
{
	const char *first = content_extension(listing_name(listing, 0));

	for (size_t i = 1; i < listing->count; i++)
		if (strcmp(content_extension(listing_name(listing, i)),
		        first) != 0)
			return false;
	return *first != '\0';
}

/* ---- which lines ---- */

struct scan {
	struct lines_set *set;
	struct medium_file *file;
	struct buf block;
	bool skip_empty;
};

static int add_run(
    struct lines_set *set, const struct lines_run *run, struct error *err)
{
	struct lines_run *runs = array_grow(
	    set->runs, &set->capacity, set->count + 1, sizeof(*runs), err);

	if (!runs)
		return -1;
	set->runs = runs;
	runs[set->count] = *run;
	runs[set->count++].before = set->samples;
	set->samples += run->samples;
	return 0;
}

/*
 * Reads from `offset` on so much that a line ends in it, or all that is left;
 * block.len is what belongs to whole lines.
 */
static int read_run(
    struct scan *scan, const struct lines_run *run, struct error *err)
{
	struct buf *block = &scan->block;
	const uint64_t left = medium_size(scan->file) - run->offset;
	size_t wanted = LINES_READ;

	for (block->len = 0;; wanted *= 2) {
		const size_t len = left < wanted ? (size_t)left : wanted;

		if (buf_reserve(block, len, err) ||
		    medium_read_full(
		        scan->file, run->offset, block->data, len, err))
			return -1;
		block->len = len;
		if (len == left)
			return 0;
		while (block->len && block->data[block->len - 1] != '\n')
			block->len--;
		if (block->len)
			return 0;
		if (wanted >= LINE_MOST)
			return error_set(err, ERROR_DATA,
			    "%s:%llu: a line of more than %d bytes; are these "
			    "lines of text?",
			    medium_path(scan->file),
			    (unsigned long long)run->first, LINE_MOST);
	}
}

/* Cuts the block, which begins where the run does, into runs. */
static int cut_block(
    struct scan *scan, struct lines_run *run, struct error *err)
{
	struct span rest = buf_span(&scan->block), line;
	const unsigned char *start = rest.data;
	uint64_t lines = 0;

	run->samples = 0;
	while (lines_next(&rest, &line)) {
		run->bytes = (uint64_t)(rest.data - start);
		run->samples += line.len || !scan->skip_empty;
		lines++;
		if (run->bytes < LINES_RUN && rest.len)
			continue;
		if (run->samples && add_run(scan->set, run, err))
			return -1;
		run->first += lines;
		run->offset += run->bytes;
		run->samples = lines = 0;
		start = rest.data;
	}
	return 0;
}

static int scan_open_file(struct scan *scan, size_t file, struct error *err)
{
	struct lines_run run = { .file = file, .first = 1 };

	while (run.offset < medium_size(scan->file))
		if (read_run(scan, &run, err) || cut_block(scan, &run, err))
			return -1;
	return 0;
}

static int open_file(
    struct scan *scan, struct medium *medium, size_t file, struct error *err)
{
	char *path = lines_path(scan->set, file, err);

	scan->file = path ? medium_open(medium, path, err) : NULL;
	free(path);
	return scan->file ? 0 : -1;
}

static int scan_file(
    struct scan *scan, struct medium *medium, size_t file, struct error *err)
{
	int rc = open_file(scan, medium, file, err);

	if (rc == 0)
		rc = scan_open_file(scan, file, err);
	medium_close(scan->file);
	return rc;
}

int lines_scan(struct lines_set *set, const char *path, const char *match,
    bool skip_empty, struct medium *medium, struct error *err)
{
	struct scan scan = { .set = set, .skip_empty = skip_empty };
	int rc = listing_find(&set->listing, path, match, &set->root, err);

	if (rc)
		return -1;
	set->same_ending = have_same_ending(&set->listing);
	for (size_t i = 0; rc == 0 && i < set->listing.count; i++)
		rc = scan_file(&scan, medium, i, err);
	buf_release(&scan.block);
	if (rc == 0 && !set->samples)
		rc = error_set(err, ERROR_DATA, "there is no line");
	return rc;
}

static uint64_t run_before(const void *runs, size_t run)
{
	return ((const struct lines_run *)runs)[run].before;
}

size_t lines_find(const struct lines_set *set, uint64_t number)
{
	return spread_find(set->runs, set->count, number, run_before);
}

/* ---- some of them ---- */

/* Which samples are wanted, one after the other. */
struct wish {
	uint64_t next, wanted, all;
};

static bool is_wished(const struct wish *wish, uint64_t below)
{
	return wish->next < wish->wanted &&
	       spread(wish->next, wish->wanted, wish->all) < below;
}

/* The wanted lines of a run, whose first sample is number `sample`. */
static int pick_lines(struct scan *scan, const struct lines_run *run,
    uint64_t sample, struct wish *wish, struct error *err)
{
	struct span rest, line;
	struct lines_run one = *run;
	const unsigned char *start;

	scan->block.len = 0;
	if (buf_reserve(&scan->block, (size_t)run->bytes, err) ||
	    medium_read_full(scan->file, run->offset, scan->block.data,
	        (size_t)run->bytes, err))
		return -1;
	rest = (struct span){ scan->block.data, (size_t)run->bytes };
	one.samples = 1;
	for (start = rest.data; lines_next(&rest, &line); start = rest.data) {
		one.bytes = (uint64_t)(rest.data - start);
		if (line.len || !scan->skip_empty) {
			if (is_wished(wish, ++sample)) {
				if (add_run(scan->set, &one, err))
					return -1;
				wish->next++;
			}
		}
		one.offset += one.bytes;
		one.first++;
	}
	return 0;
}

static int pick_from(struct scan *scan, const struct lines_set *all,
    struct wish *wish, struct medium *medium, struct error *err)
{
	uint64_t before = 0;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < all->count; i++) {
		const struct lines_run *run = &all->runs[i];

		if (is_wished(wish, before + run->samples)) {
			rc = open_file(scan, medium, run->file, err);
			if (rc == 0)
				rc = pick_lines(scan, run, before, wish, err);
			medium_close(scan->file);
		}
		before += run->samples;
	}
	return rc;
}

int lines_select(struct lines_set *set, uint64_t limit, bool skip_empty,
    struct medium *medium, struct error *err)
{
	const struct lines_set all = *set;
	struct scan scan = { .set = set, .skip_empty = skip_empty };
	struct wish wish = { .wanted = limit, .all = set->samples };
	int rc;

	if (limit == 0 || limit >= set->samples)
		return 0;
	set->runs = NULL;
	set->count = set->capacity = 0;
	set->samples = 0;
	rc = pick_from(&scan, &all, &wish, medium, err);
	free(all.runs);
	buf_release(&scan.block);
	return rc;
}
