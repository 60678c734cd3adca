/* history.c - see history.h. */
#include "lib/formats/history.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/syntax/words.h"

void history_release(struct history *history)
{
	free(history->rows);
	*history = (struct history)HISTORY_INIT;
}

int history_add(
    struct history *history, const struct history_row *row, struct error *err)
{
	struct history_row *rows = array_grow(history->rows, &history->capacity,
	    history->count + 1, sizeof(*rows), err);

	if (!rows)
		return -1;
	history->rows = rows;
	rows[history->count++] = *row;
	return 0;
}

int history_copy(
    struct history *to, const struct history *from, struct error *err)
{
	for (size_t i = 0; i < from->count; i++)
		if (history_add(to, &from->rows[i], err))
			return -1;
	return 0;
}

uint64_t history_version(const struct history *history)
{
	return history->count ? history->count : 1;
}

const char *history_name(
    const char *name, uint64_t version, char text[HISTORY_NAME])
{
	if (version > 1)
		return history_kept_name(name, version, text);
	snprintf(text, HISTORY_NAME, "%s", name);
	return text;
}

const char *history_kept_name(
    const char *name, uint64_t version, char text[HISTORY_NAME])
{
	const size_t stem = strcspn(name, ".");

	snprintf(text, HISTORY_NAME, "%.*s-%" PRIu64 "%s", (int)stem, name,
	    version, name + stem);
	return text;
}

int history_row_print(
    const struct history_row *row, struct buf *text, struct error *err)
{
	return buf_printf(text, err,
	    "%s shards %" PRIu64 " samples %" PRIu64 " added %" PRIu64
	    " changed %" PRIu64 " removed %" PRIu64,
	    row->time, row->shards, row->samples, row->added, row->changed,
	    row->removed);
}

/* Takes "NAME N". */
static int take(struct span *words, const char *name, uint64_t *number)
{
	return words_expect(words, name) || words_number(words, number) ? -1
	                                                                : 0;
}

int history_row_parse(
    struct history_row *row, struct span words, struct error *err)
{
	struct span time;

	*row = (struct history_row){ .shards = 0 };
	if (words_next(&words, &time) || time.len >= sizeof(row->time) ||
	    take(&words, "shards", &row->shards) ||
	    take(&words, "samples", &row->samples) ||
	    take(&words, "added", &row->added) ||
	    take(&words, "changed", &row->changed) ||
	    take(&words, "removed", &row->removed) || words.len)
		return error_set(err, ERROR_DATA,
		    "is not the time, shards and samples of a version");
	memcpy(row->time, time.data, time.len);
	row->time[time.len] = '\0';
	return 0;
}
