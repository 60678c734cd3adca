/* lines_scan.c - see lines_scan.h. */
#include <stdlib.h>
#include <string.h>

#include "datasets/files/content.h"
#include "datasets/files/spread.h"
#include "datasets/records/lines_scan.h"
#include "lib/base/error.h"
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

static bool have_same_ending(const struct listing *listing)
{
	const char *first = content_extension(listing_name(listing, 0));

	for (size_t i = 1; i < listing->count; i++)
		if (strcmp(content_extension(listing_name(listing, i)),
		        first) != 0)
			return false;
	return *first != '\0';
}

/* ---- all lines ---- */

struct scan {
	struct lines_set *set;
	struct medium_file *file;
	struct buf block;
};

/*
 * Reads from the start of the run until a line has ended, or the file. Sets
 * block.len to the bytes of whole lines.
 */
static int read_run(struct scan *scan, const struct run *run, struct error *err)
{
	struct buf *block = &scan->block;
	const uint64_t left = medium_size(scan->file) - run->start;
	size_t wanted = LINES_READ;

	for (block->len = 0;; wanted *= 2) {
		const size_t len = left < wanted ? (size_t)left : wanted;

		if (buf_reserve(block, len, err) ||
		    medium_read_full(
		        scan->file, run->start, block->data, len, err))
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

/* Cuts the block, which begins like the run, into runs. */
static int cut_block(struct scan *scan, struct run *run, struct error *err)
{
	struct span rest = buf_span(&scan->block), line;
	const unsigned char *start = rest.data;
	uint64_t lines = 0;

	run->samples = 0;
	while (lines_next(&rest, &line)) {
		run->bytes = (uint64_t)(rest.data - start);
		run->samples += line.len || !scan->set->skip_empty;
		lines++;
		if (run->bytes < LINES_RUN && rest.len)
			continue;
		if (run->samples && runs_add(&scan->set->runs, run, err))
			return -1;
		run->first += lines;
		run->start += run->bytes;
		run->samples = lines = 0;
		start = rest.data;
	}
	return 0;
}

static int scan_open_file(struct scan *scan, size_t file, struct error *err)
{
	struct run run = { .file = file, .first = 1 };

	while (run.start < medium_size(scan->file))
		if (read_run(scan, &run, err) || cut_block(scan, &run, err))
			return -1;
	return 0;
}

static int open_file(
    struct scan *scan, struct medium *medium, size_t file, struct error *err)
{
	char *path = listing_path(&scan->set->listing, file, err);

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
    struct medium *medium, struct error *err)
{
	struct scan scan = { .set = set };
	int rc = listing_find(&set->listing, medium, path, match, err);

	if (rc)
		return -1;
	set->same_ending = have_same_ending(&set->listing);
	for (size_t i = 0; rc == 0 && i < set->listing.count; i++)
		rc = scan_file(&scan, medium, i, err);
	buf_release(&scan.block);
	if (rc == 0 && !set->runs.samples)
		rc = error_set(err, ERROR_DATA, "there is no line");
	return rc;
}

/* ---- some of the lines ---- */

/* Evenly spaced samples: how many were taken, are wanted, and are there. */
struct selection {
	uint64_t next, wanted, all;
};

static bool is_next_below(const struct selection *selection, uint64_t below)
{
	return selection->next < selection->wanted &&
	       spread(selection->next, selection->wanted, selection->all) <
	           below;
}

/* Adds the wanted lines of a run whose first sample is number `sample`. */
static int pick_lines(struct scan *scan, const struct run *run, uint64_t sample,
    struct selection *selection, struct error *err)
{
	struct span rest, line;
	struct run one = *run;
	const unsigned char *start;

	scan->block.len = 0;
	if (buf_reserve(&scan->block, (size_t)run->bytes, err) ||
	    medium_read_full(scan->file, run->start, scan->block.data,
	        (size_t)run->bytes, err))
		return -1;
	rest = (struct span){ scan->block.data, (size_t)run->bytes };
	one.samples = 1;
	for (start = rest.data; lines_next(&rest, &line); start = rest.data) {
		one.bytes = (uint64_t)(rest.data - start);
		if (line.len || !scan->set->skip_empty) {
			if (is_next_below(selection, ++sample)) {
				if (runs_add(&scan->set->runs, &one, err))
					return -1;
				selection->next++;
			}
		}
		one.start += one.bytes;
		one.first++;
	}
	return 0;
}

static int pick_from(struct scan *scan, const struct runs *all,
    struct selection *selection, struct medium *medium, struct error *err)
{
	uint64_t before = 0;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < all->count; i++) {
		const struct run *run = &all->at[i];

		if (is_next_below(selection, before + run->samples)) {
			rc = open_file(scan, medium, run->file, err);
			if (rc == 0)
				rc = pick_lines(
				    scan, run, before, selection, err);
			medium_close(scan->file);
		}
		before += run->samples;
	}
	return rc;
}

int lines_select(struct lines_set *set, uint64_t limit, struct medium *medium,
    struct error *err)
{
	struct runs all = set->runs;
	struct scan scan = { .set = set };
	struct selection selection = { .wanted = limit, .all = all.samples };
	int rc;

	if (limit == 0 || limit >= all.samples)
		return 0;
	set->runs = (struct runs){ .at = NULL };
	rc = pick_from(&scan, &all, &selection, medium, err);
	runs_release(&all);
	buf_release(&scan.block);
	return rc;
}
