/*
 * lmdb_values.c - see lmdb_gather.h: large values, which lie on pages of their
 * own.
 *
 * Those that follow each other in the file are mapped or read at once.  They
 * are mapped where the chunk's holder just copies them, and asks afterwards
 * whether the file changed.
 */
#include <inttypes.h>

#include "datasets/files/align.h"
#include "datasets/tables/lmdb_gather.h"
#include "lib/base/error.h"
#include "lib/media/medium.h"

/* Checks where a value ends; sets the page behind it. */
static int end_of(const struct lmdb *lmdb, const struct lmdb_row *row,
    uint64_t *end, struct error *err)
{
	const uint64_t pages =
	    lmdb_value_pages(lmdb->meta.page_bytes, row->value_len);

	if (row->page < 2 || row->page >= lmdb->file_pages ||
	    pages > lmdb->file_pages - row->page)
		return error_set(err, ERROR_DATA,
		    "is not whole: it has %" PRIu64
		    " pages, and a value lies on %" PRIu64
		    " pages from page %" PRIu64,
		    lmdb->file_pages, pages, row->page);
	*end = row->page + pages;
	return 0;
}

/* Finds the large values that follow row `first`'s; returns the row behind. */
static int64_t follow(const struct lmdb_gather *gather, uint64_t first,
    uint64_t *last, struct error *err)
{
	uint64_t end, i;

	*last = first;
	if (end_of(gather->lmdb, lmdb_row_at(gather, first), &end, err))
		return -1;
	for (i = first + 1; i < gather->rows; i++) {
		const struct lmdb_row *row = lmdb_row_at(gather, i);

		if (!row->page)
			continue;
		if (row->page != end)
			break;
		*last = i;
		if (end_of(gather->lmdb, row, &end, err))
			return -1;
	}
	return (int64_t)i;
}

/* Takes the values of rows `first` to `last` from memory that has them all. */
static int set_values(struct lmdb_gather *gather, uint64_t first, uint64_t last,
    const unsigned char *memory, bool is_mapped, struct error *err)
{
	const uint32_t page = gather->lmdb->meta.page_bytes;
	const uint64_t start = lmdb_row_at(gather, first)->page;

	for (uint64_t i = first; i <= last; i++) {
		struct lmdb_row *row = lmdb_row_at(gather, i);
		const unsigned char *head;

		if (!row->page)
			continue;
		head = memory + (size_t)(row->page - start) * page;
		if (lmdb_check_head(head, row->page,
		        lmdb_value_pages(page, row->value_len), err))
			return -1;
		if (is_mapped)
			row->mapped = head + LMDB_HEAD;
		else
			row->value_at =
			    (uint64_t)(head - gather->chunk->stored.data) +
			    LMDB_HEAD;
	}
	return 0;
}

/* Maps a part of the file for the chunk; false: read it. */
static bool map_values(const struct lmdb_gather *gather, uint64_t offset,
    uint64_t bytes, unsigned char **data)
{
	struct mapping *mapping = gather->chunk->mappings;
	const struct mapping *end = mapping + FIELDS_MAX;

	if (!gather->chunk->is_judged || gather->lmdb->kind != LMDB_VALUES ||
	    !medium_is_same(gather->file->opened, gather->lmdb->watched))
		return false;
	while (mapping < end && mapping->base)
		mapping++;
	if (mapping == end || !medium_map(gather->file->opened, offset,
	                          (size_t)bytes, mapping, data))
		return false;
	atomic_store(&gather->lmdb->is_mapped, true);
	return true;
}

/* Gets the values of rows `first` to `last`, which lie one behind another. */
static int get_values(struct lmdb_gather *gather, uint64_t first, uint64_t last,
    struct error *err)
{
	const size_t page = gather->lmdb->meta.page_bytes;
	const uint64_t start = lmdb_row_at(gather, first)->page;
	const struct lmdb_row *end = lmdb_row_at(gather, last);
	const uint64_t bytes =
	    (end->page - start) * page + LMDB_HEAD + end->value_len;
	struct buf *out = &gather->chunk->stored;
	const size_t at = align_up(out->len) + PART_ALIGN - LMDB_HEAD;
	unsigned char *data;

	if (map_values(gather, start * page, bytes, &data))
		return set_values(gather, first, last, data, true, err);
	if (buf_grow(out, at + (size_t)bytes + PART_ALIGN, err) ||
	    medium_read_full(gather->file->opened, start * page, out->data + at,
	        (size_t)bytes, err))
		return -1;
	out->len = at + (size_t)bytes;
	return set_values(gather, first, last, out->data + at, false, err);
}

int lmdb_get_values(struct lmdb_gather *gather, struct error *err)
{
	for (uint64_t i = 0; i < gather->rows;) {
		uint64_t last;
		int64_t behind;

		if (!lmdb_row_at(gather, i)->page) {
			i++;
			continue;
		}
		behind = follow(gather, i, &last, err);
		if (behind < 0 || get_values(gather, i, last, err))
			return -1;
		i = (uint64_t)behind;
	}
	return 0;
}
