/* inventory_compare.c - see inventory_compare.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/folder/inventory_compare.h"
#include "lib/formats/file_list.h"

enum { WHEN = 48, SECOND_NS = 1000000000, NAME_SHOWN = 200 };

/* Both lists and the positions in them. */
struct walk {
	const struct inventory_comparison *comparison;
	struct inventory_change *change;
	struct inventory_cursor then, now, ahead;
	struct inventory_file old, new;
};

/* Prints "2026-11-23 05:40:12.123456789 UTC". */
static void print_time(int64_t ns, char text[WHEN])
{
	int64_t rest = ns % SECOND_NS;
	char day[CLOCK_TEXT];

	clock_date(ns / SECOND_NS - (rest < 0), day);
	if (rest < 0)
		rest += SECOND_NS;
	snprintf(text, WHEN, "%s.%09u UTC", day, (unsigned)rest);
}

enum bytes_are { OTHER, SAME, UNKNOWN };

/* Compares bytes. Extra files are not below the root, and are not read here. */
static enum bytes_are compare_bytes(const struct walk *walk)
{
	const struct inventory_comparison *c = walk->comparison;
	struct error ignored = ERROR_INIT;
	struct file_sum sum;
	bool is_read;
	char *path;

	if (!walk->old.has_hash)
		return UNKNOWN;
	if (walk->new.has_hash)
		return walk->old.hash == walk->new.hash ? SAME : OTHER;
	if (!c->medium || !c->now->root)
		return UNKNOWN;
	path = path_join(c->now->root, walk->new.name, &ignored);
	is_read = path && file_sum_read(c->medium, path, &sum, &ignored) == 0;
	free(path);
	if (!is_read)
		return UNKNOWN;
	return sum.checksum == walk->old.hash ? SAME : OTHER;
}

static int report_time(struct walk *walk, enum bytes_are bytes)
{
	char old[WHEN], new[WHEN];

	print_time(walk->old.mtime_ns, old);
	print_time(walk->new.mtime_ns, new);
	walk->change->only_time = bytes == UNKNOWN;
	snprintf(walk->change->text, sizeof(walk->change->text),
	    "%.*s was modified at %s, before at %s%s", NAME_SHOWN,
	    walk->new.name, new, old,
	    bytes == OTHER ? ", and has other bytes" : "");
	return 1;
}

static bool has_other_version(const struct walk *walk)
{
	return walk->old.has_version && walk->new.has_version &&
	       walk->old.version != walk->new.version &&compare_bytes(walk) !=
	           SAME;
}

static int report_version(struct walk *walk)
{
	snprintf(walk->change->text, sizeof(walk->change->text),
	    "%.*s was written anew: its version (ETag) is another one",
	    NAME_SHOWN, walk->new.name);
	return 1;
}

/* Compares two files of the same name: 1 and the change when they differ. */
static int compare_files(struct walk *walk)
{
	const struct inventory_comparison *c = walk->comparison;
	const struct inventory_file *old = &walk->old, *new = &walk->new;
	enum bytes_are bytes;

	if (old->bytes != new->bytes) {
		snprintf(walk->change->text, sizeof(walk->change->text),
		    "%.*s has %llu bytes, and had %llu", NAME_SHOWN, new->name,
		    (unsigned long long)new->bytes,
		    (unsigned long long)old->bytes);
		return 1;
	}
	if (c->now->mode == INVENTORY_SIZES)
		return 0;
	if (has_other_version(walk))
		return report_version(walk);
	if (old->mtime_ns == new->mtime_ns &&
	    !(c->now->mode == INVENTORY_CONTENTS && old->has_hash))
		return 0;
	bytes = compare_bytes(walk);
	if (bytes == SAME)
		return 0;
	if (old->mtime_ns != new->mtime_ns)
		return report_time(walk, bytes);
	snprintf(walk->change->text, sizeof(walk->change->text),
	    "%.*s has other bytes, though its size and time are the same",
	    NAME_SHOWN, new->name);
	return 1;
}

static int report_listing(struct walk *walk, const char *name, const char *what)
{
	walk->change->is_listing = true;
	snprintf(walk->change->text, sizeof(walk->change->text), "%.*s was %s",
	    NAME_SHOWN, name, what);
	return 1;
}

/* Looks for the old name further ahead: 1: found. */
static int find_ahead(struct walk *walk, struct error *err)
{
	struct inventory_file file;
	int rc;

	if (inventory_cursor_copy(&walk->ahead, &walk->now, err))
		return -1;
	while ((rc = inventory_cursor_next(&walk->ahead, &file, err)) > 0)
		if (strcmp(file.name, walk->old.name) == 0)
			return 1;
	return rc;
}

/* Reports another name than the old one, or the end (`got` 0). */
static int compare_names(struct walk *walk, int got, struct error *err)
{
	const int found = got ? find_ahead(walk, err) : 0;

	if (found < 0)
		return -1;
	if (found == 0)
		return report_listing(walk, walk->old.name, "removed");
	return report_listing(walk, walk->new.name, "added");
}

/* Takes the next new file, or with is_part the one with the old name. */
static int next_new(struct walk *walk, struct error *err)
{
	int found;

	if (!walk->comparison->is_part)
		return inventory_cursor_next(&walk->now, &walk->new, err);
	found = find_ahead(walk, err);
	if (found <= 0)
		return found;
	do
		found = inventory_cursor_next(&walk->now, &walk->new, err);
	while (found > 0 && strcmp(walk->new.name, walk->old.name) != 0);
	return found;
}

static int compare(struct walk *walk, struct error *err)
{
	const struct inventory_comparison *c = walk->comparison;
	uint64_t i = 0;
	int got, rc = 0;

	while (
	    (got = inventory_cursor_next(&walk->then, &walk->old, err)) > 0) {
		walk->change->file = i;
		got = next_new(walk, err);
		if (got < 0)
			return -1;
		if (got == 0 || strcmp(walk->old.name, walk->new.name) != 0)
			return compare_names(walk, got, err);
		if (!c->matters || c->matters[i])
			rc = compare_files(walk);
		if (rc)
			return rc;
		i++;
	}
	if (got < 0 || c->is_part)
		return got;
	walk->change->file = i;
	got = inventory_cursor_next(&walk->now, &walk->new, err);
	return got > 0 ? report_listing(walk, walk->new.name, "added") : got;
}

int inventory_compare(const struct inventory_comparison *comparison,
    struct inventory_change *change, struct error *err)
{
	struct walk walk = {
		.comparison = comparison,
		.change = change,
		.then = INVENTORY_CURSOR_INIT,
		.now = INVENTORY_CURSOR_INIT,
		.ahead = INVENTORY_CURSOR_INIT,
	};
	int rc;

	*change = (struct inventory_change){ .file = 0 };
	inventory_cursor_begin(&walk.then, comparison->then);
	inventory_cursor_begin(&walk.now, comparison->now);
	rc = compare(&walk, err);
	inventory_cursor_release(&walk.then);
	inventory_cursor_release(&walk.now);
	inventory_cursor_release(&walk.ahead);
	return rc;
}

int inventory_compare_file(const struct inventory_comparison *comparison,
    const struct inventory_file *then, const struct inventory_file *now,
    struct inventory_change *change)
{
	struct walk walk = {
		.comparison = comparison,
		.change = change,
		.old = *then,
		.new = *now,
	};

	*change = (struct inventory_change){ .file = 0 };
	return compare_files(&walk);
}
