/*
 * part_file.h - presto.part-000001 in a folder that several processes write:
 * the manifest of one part, written when all its shards are there and were read
 * back. It goes when the folder is complete.
 *
 *   [part]
 *   version = 1
 *   job = 00112233aabbccdd      the fingerprint of the job
 *   part = 1
 *   parts = 4
 *   samples = 30
 *   skipped = 0                 samples that a step refused
 *   filtered = 0                samples that filters dropped
 *   [shards]                    NUMBER = BYTES CHECKSUM, of its index
 *   000002 = 192 00112233aabbccdd
 *   000003 = 192 8899aabb44556677
 *   [end]
 *   checksum = ...
 *
 * The index of a shard has the sizes and checksums of all its files.
 */
#ifndef STRATEGIES_PARTS_PART_FILE_H
#define STRATEGIES_PARTS_PART_FILE_H

#include <stdint.h>

#include "lib/base/bytes.h"
#include "lib/formats/file_list.h"
#include "strategies/prepare/fingerprint.h"

struct error;
struct job;
struct medium;

enum { PART_FILE_NAME = 48 };

struct part_file {
	char job[FINGERPRINT];
	unsigned part, parts;
	unsigned first, end; /* shards */
	uint64_t samples, skipped, filtered;
	struct file_sum *indexes; /* [end - first]; owned */
};

#define PART_FILE_INIT          \
	{                       \
		.indexes = NULL \
	}

void part_file_release(struct part_file *file);
/* Sets the names of the manifest of a part, and of its notes (finished.h). */
void part_file_name(unsigned part, char name[PART_FILE_NAME]);
void part_file_notes_name(unsigned part, char name[PART_FILE_NAME]);
/* Sets all but the figures, with room for the indexes. */
int part_file_begin(struct part_file *file, const struct job *job,
    unsigned part, struct error *err);

int part_file_write(const struct part_file *file, struct medium *medium,
    const char *dir, struct error *err);
/*
 * Reads the manifest of a part: 1; 0: there is none. ERROR_DATA if it is
 * damaged, or of another job. Release it in any case.
 */
int part_file_read(struct part_file *file, const struct job *job, unsigned part,
    struct medium *medium, const char *dir, struct error *err);

/* Print and parse it; ERROR_DATA. `path` is for messages. */
int part_file_print(
    const struct part_file *file, struct buf *text, struct error *err);
int part_file_parse(struct part_file *file, const char *path, struct span bytes,
    struct error *err);

#endif
