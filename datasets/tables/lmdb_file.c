/* lmdb_file.c - see lmdb_file.h. */
#include "datasets/tables/lmdb_file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/utf8.h"
#include "lib/media/medium.h"

/* The head of a buffer of pages, before the pages. */
struct window {
	uint64_t first, count;
};

enum {
	WINDOW_AT = 64,        /* offset of the pages */
	WINDOW_MOST = 1 << 18, /* most bytes of pages */
	BOOKKEEPING_LEAST = 5, /* __x__ */
};

/* ---- the description ---- */

static int read_meta(struct medium_file *file, uint64_t at,
    struct lmdb_meta *meta, struct error *err)
{
	unsigned char bytes[LMDB_META];
	const uint64_t size = medium_size(file);

	if (size < LMDB_META || at > size - LMDB_META)
		return error_set(err, ERROR_DATA,
		    at ? "is damaged: it ends in its first page"
		       : "is no LMDB file");
	if (medium_read_full(file, at, bytes, sizeof(bytes), err))
		return -1;
	return lmdb_meta_parse(
	    (struct span){ bytes, sizeof(bytes) }, meta, err);
}

/* Reads both descriptions; the one of the later transaction counts. */
static int read_latest(
    struct medium_file *file, struct lmdb_meta *meta, struct error *err)
{
	struct lmdb_meta other;

	if (read_meta(file, 0, meta, err) ||
	    read_meta(file, meta->page_bytes, &other, err))
		return -1;
	if (other.page_bytes != meta->page_bytes)
		return error_set(err, ERROR_DATA,
		    "is damaged: pages of %" PRIu32 " bytes, and of %" PRIu32,
		    meta->page_bytes, other.page_bytes);
	if (other.transaction > meta->transaction)
		*meta = other;
	return 0;
}

int lmdb_file_open(
    struct lmdb *lmdb, struct medium_file *file, struct error *err)
{
	if (read_latest(file, &lmdb->meta, err))
		return -1;
	lmdb->tree = lmdb->meta.main;
	lmdb->file_pages = medium_size(file) / lmdb->meta.page_bytes;
	return 0;
}

/*
 * Fails if the file has changed; reads both descriptions by one request.
 * Another file may have taken its place, with as many transactions.
 */
static int check_unchanged(
    const struct lmdb *lmdb, struct medium_file *file, struct error *err)
{
	const size_t page = lmdb->meta.page_bytes;
	unsigned char bytes[LMDB_PAGE_MOST + LMDB_META];
	struct lmdb_meta first, second;
	const struct lmdb_meta *latest;

	if (medium_read_full(file, 0, bytes, page + LMDB_META, err) ||
	    lmdb_meta_parse((struct span){ bytes, LMDB_META }, &first, err) ||
	    lmdb_meta_parse(
	        (struct span){ bytes + page, LMDB_META }, &second, err))
		return -1;
	latest = second.transaction > first.transaction ? &second : &first;
	if (latest->transaction == lmdb->meta.transaction &&
	    latest->pages == lmdb->meta.pages &&
	    latest->main.root == lmdb->meta.main.root)
		return 0;
	return error_set(err, ERROR_DATA,
	    "was written to while it was read: make a copy with mdb_copy, and "
	    "read that");
}

int lmdb_file_judge(const struct lmdb *lmdb, struct medium_file *file, int rc,
    struct error *err)
{
	struct error changed = ERROR_INIT;

	if (lmdb->is_far || check_unchanged(lmdb, file, &changed) == 0)
		return rc;
	*err = changed;
	return -1;
}

/* ---- pages ---- */

/* Returns how many pages lie one behind the other, and fit into the window. */
static uint64_t neighbours(
    const struct lmdb *lmdb, const uint64_t *numbers, size_t count)
{
	const uint64_t most = WINDOW_MOST / lmdb->meta.page_bytes;
	uint64_t n = 1;

	while (n < count && n < most && numbers[n] == numbers[0] + n &&
	       numbers[n] < lmdb->file_pages)
		n++;
	return n;
}

static int fill_window(const struct lmdb *lmdb, struct medium_file *file,
    const uint64_t *numbers, size_t count, struct buf *window,
    struct error *err)
{
	const uint32_t page = lmdb->meta.page_bytes;
	struct window now = { .first = numbers[0] };

	if (numbers[0] < 2 || numbers[0] >= lmdb->meta.pages)
		return error_set(err, ERROR_DATA,
		    "is damaged: it names page %" PRIu64 " of %" PRIu64,
		    numbers[0], lmdb->meta.pages);
	if (numbers[0] >= lmdb->file_pages)
		return error_set(err, ERROR_DATA,
		    "is not whole: it has %" PRIu64
		    " pages, and names page %" PRIu64,
		    lmdb->file_pages, numbers[0]);
	now.count = neighbours(lmdb, numbers, count);
	if (buf_reserve(window, WINDOW_AT + (size_t)now.count * page, err))
		return -1;
	window->len = 0;
	if (medium_read_full(file, now.first * page, window->data + WINDOW_AT,
	        (size_t)now.count * page, err))
		return -1;
	memcpy(window->data, &now, sizeof(now));
	window->len = WINDOW_AT + (size_t)now.count * page;
	return 0;
}

/* Is the page in the window? */
static bool is_held(const struct buf *window, uint64_t number, uint64_t *place)
{
	struct window now;

	if (window->len == 0)
		return false;
	memcpy(&now, window->data, sizeof(now));
	*place = number - now.first;
	return number >= now.first && *place < now.count;
}

int lmdb_get_page(const struct lmdb *lmdb, struct medium_file *file,
    const uint64_t *numbers, size_t count, struct buf *window,
    struct lmdb_page *page, struct error *err)
{
	const size_t bytes = lmdb->meta.page_bytes;
	uint64_t place = 0;

	if (!is_held(window, numbers[0], &place)) {
		if (fill_window(lmdb, file, numbers, count, window, err))
			return -1;
		place = 0;
	}
	return lmdb_page_parse(
	    (struct span){ window->data + WINDOW_AT + place * bytes, bytes },
	    numbers[0], page, err);
}

/* ---- leaves ---- */

/* A level of the tree: numbers of pages, in the order of keys. */
struct level {
	uint64_t *pages;
	size_t count, capacity;
};

static int add_child(struct level *level, uint64_t child,
    const struct lmdb *lmdb, struct error *err)
{
	uint64_t *pages;

	/* A page that several others name would make a level endless. */
	if (level->count >= lmdb->file_pages)
		return error_set(
		    err, ERROR_DATA, "is damaged: its pages form no tree");
	pages = array_grow(level->pages, &level->capacity, level->count + 1,
	    sizeof(*pages), err);
	if (!pages)
		return -1;
	level->pages = pages;
	pages[level->count++] = child;
	return 0;
}

/* Appends the children of the page. */
static int add_children(const struct lmdb *lmdb, const struct lmdb_page *page,
    struct level *below, struct error *err)
{
	uint64_t child;

	if (page->is_leaf)
		return error_set(err, ERROR_DATA,
		    "is damaged: its tree has less than %u levels",
		    lmdb->tree.depth);
	for (unsigned i = 0; i < page->count; i++)
		if (lmdb_take_child(page, i, &child, err) ||
		    add_child(below, child, lmdb, err))
			return -1;
	return 0;
}

/* Replaces the pages of a level by their children. */
static int descend(const struct lmdb *lmdb, struct medium_file *file,
    struct level *level, struct buf *window, struct error *err)
{
	struct level below = { .pages = NULL };
	struct lmdb_page page;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < level->count; i++) {
		rc = lmdb_get_page(lmdb, file, &level->pages[i],
		    level->count - i, window, &page, err);
		if (rc == 0)
			rc = add_children(lmdb, &page, &below, err);
	}
	free(level->pages);
	*level = below;
	return rc;
}

int lmdb_find_leaves(struct lmdb *lmdb, struct medium_file *file,
    struct buf *window, struct error *err)
{
	struct level level = { .pages = NULL };
	int rc = 0;

	if (lmdb->tree.depth)
		rc = add_child(&level, lmdb->tree.root, lmdb, err);
	for (unsigned i = 1; rc == 0 && i < lmdb->tree.depth; i++)
		rc = descend(lmdb, file, &level, window, err);
	free(lmdb->leaves);
	lmdb->leaves = level.pages;
	lmdb->leaf_count = level.count;
	return rc;
}

void lmdb_release(struct lmdb *lmdb)
{
	glob_list_release(&lmdb->match);
	free(lmdb->leaves);
	for (unsigned i = 0; i < lmdb->list_count; i++)
		free(lmdb->lists[i].before);
	free(lmdb->labels);
}

/* ---- keys ---- */

static bool is_printable(struct span key)
{
	for (size_t i = 0; i < key.len; i++)
		if (key.data[i] < ' ' || key.data[i] == 0x7f)
			return false;
	return utf8_valid(key) == key.len;
}

bool lmdb_is_bookkeeping(struct span key)
{
	return key.len >= BOOKKEEPING_LEAST && memcmp(key.data, "__", 2) == 0 &&
	       memcmp(key.data + key.len - 2, "__", 2) == 0;
}

/* Does the pattern match? Then *key becomes what its '*' stands for. */
static bool cut(const struct lmdb_list *list, struct span *key)
{
	const char *end = list->pattern + list->star + 1;
	const size_t len = strlen(end);

	if (key->len <= list->star + len ||
	    memcmp(key->data, list->pattern, list->star) != 0 ||
	    memcmp(key->data + key->len - len, end, len) != 0)
		return false;
	key->data += list->star;
	key->len -= list->star + len;
	return true;
}

bool lmdb_is_sample(
    const struct lmdb *lmdb, const struct lmdb_list *list, struct span *key)
{
	char text[KEY_MAX + 1];

	if (list->pattern[0])
		return cut(list, key);
	if (lmdb_is_bookkeeping(*key))
		return false;
	if (lmdb->match.len == 0)
		return true;
	if (key->len >= sizeof(text))
		return false;
	memcpy(text, key->data, key->len);
	text[key->len] = '\0';
	return glob_list_matches(&lmdb->match, text);
}

static int put_hex(struct span key, struct buf *out, struct error *err)
{
	static const char digits[] = "0123456789abcdef";

	if (buf_grow(out, out->len + 2 * key.len, err))
		return -1;
	for (size_t i = 0; i < key.len; i++) {
		out->data[out->len++] = (unsigned char)digits[key.data[i] >> 4];
		out->data[out->len++] = (unsigned char)digits[key.data[i] & 15];
	}
	return 0;
}

int lmdb_put_key(const struct lmdb *lmdb, struct span key, struct buf *out,
    struct error *err)
{
	const bool is_number =
	    lmdb->tree.flags & LMDB_INTEGER_KEYS &&
	    (key.len == sizeof(uint32_t) || key.len == sizeof(uint64_t));
	uint64_t number = 0;

	if (is_number) {
		memcpy(&number, key.data, key.len);
		return buf_printf(out, err, "%" PRIu64, number);
	}
	if (is_printable(key))
		return buf_append(out, key.data, key.len, err);
	return put_hex(key, out, err);
}
