/*
 * fuzz_job.c - any bytes as a job of parts, or as the manifest of a part, whose
 * checksum is put right here: an error, or what prints as text that parses.
 */
#define _GNU_SOURCE /* memmem */
#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/base/hash.h"
#include "strategies/parts/job.h"
#include "strategies/parts/part_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static const char end[] = "\n[end]\nchecksum = ";

enum { HASH_LEN = 16 };

static void require(int truth)
{
	if (!truth)
		abort();
}

/* Finds the end of the lines, and puts their checksum behind it. */
static void mend(struct buf *bytes)
{
	const size_t head = sizeof(end) - 1;
	unsigned char *at =
	    bytes->len ? memmem(bytes->data, bytes->len, end, head) : NULL;
	const size_t lines = at ? (size_t)(at - bytes->data) + 1 : 0;
	char text[HASH_LEN + 1];

	if (!at || bytes->len - lines < head + HASH_LEN)
		return;
	snprintf(text, sizeof(text), "%016" PRIx64,
	    hash_bytes(bytes->data, lines, 0));
	memcpy(at + head, text, HASH_LEN);
}

static void try_job(struct span bytes)
{
	struct error err = ERROR_INIT;
	struct job job = JOB_INIT, again = JOB_INIT;
	struct buf text = BUF_INIT;

	if (job_parse(&job, "job", bytes, &err) == 0) {
		unsigned first = 0, last = 0, next;

		for (unsigned i = 0; i < job.parts && i < 64; i++) {
			job_range(&job, i, &next, &last);
			require(i == 0 ? next == 0 : next == first);
			require(last >= next && last <= job.shards);
			first = last;
		}
		require(job_print(&job, &text, &err) == 0);
		/* a strategy may have what begins a comment */
		if (job_parse(&again, "job", buf_span(&text), &err) == 0)
			require(again.shards == job.shards &&
			        again.listing.len == job.listing.len);
	}
	buf_release(&text);
	job_release(&again);
	job_release(&job);
}

static void try_part(struct span bytes)
{
	struct error err = ERROR_INIT;
	struct part_file file = PART_FILE_INIT;
	struct buf text = BUF_INIT;

	if (part_file_parse(&file, "part", bytes, &err) == 0) {
		require(file.end >= file.first);
		require(part_file_print(&file, &text, &err) == 0);
	}
	buf_release(&text);
	part_file_release(&file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	struct error err = ERROR_INIT;
	struct buf bytes = BUF_INIT;

	if (len > 1 << 20 || buf_append(&bytes, data, len, &err))
		return 0;
	mend(&bytes);
	try_job(buf_span(&bytes));
	try_part(buf_span(&bytes));
	buf_release(&bytes);
	return 0;
}
