/*
 * inventory.c - see inventory.h: entries, and the file that they are kept in.
 *
 * An entry is: bytes shared with the name before, bytes of the rest, the rest,
 * size, time minus that of the entry before, then which hashes follow: 1 that
 * of the bytes, 2 that of the version, 3 both, 0 none. Numbers have seven bits
 * in each byte, lowest first; signed numbers have the sign in the lowest bit.
 */
#include "lib/folder/inventory.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/base/hash.h"

enum { NUMBER_MAX = 10, NAME_MAX_BYTES = 1 << 16, SUM_BYTES = 8 };
enum { OF_BYTES = 1, OF_VERSION = 2 }; /* hashes of an entry */

static const char head[] = "presto inventory 1\n";

void inventory_release(struct inventory *inventory)
{
	buf_release(&inventory->entries);
	buf_release(&inventory->last);
	free(inventory->root);
	*inventory = (struct inventory)INVENTORY_INIT;
}

/* ---- writing ---- */

static int put_number(struct buf *out, uint64_t number, struct error *err)
{
	unsigned char bytes[NUMBER_MAX];
	size_t len = 0;

	do {
		bytes[len++] = (unsigned char)((number & 0x7f) |
		                               (number > 0x7f ? 0x80 : 0));
		number >>= 7;
	} while (number);
	return buf_append(out, bytes, len, err);
}

static uint64_t fold_sign(int64_t number)
{
	return ((uint64_t)number << 1) ^ (number < 0 ? UINT64_MAX : 0);
}

static int64_t unfold_sign(uint64_t number)
{
	const uint64_t half = number >> 1;

	return (int64_t)(number & 1 ? ~half : half);
}

/* Differences of times wrap around, so that any time can be kept. */
static int64_t wrapped(uint64_t number)
{
	int64_t value;

	memcpy(&value, &number, sizeof(value));
	return value;
}

static size_t common_len(const char *a, const char *b)
{
	size_t len = 0;

	while (a[len] && a[len] == b[len])
		len++;
	return len;
}

static int put_hashes(
    struct buf *out, const struct inventory_file *file, struct error *err)
{
	const unsigned has = (file->has_hash ? OF_BYTES : 0) |
	                     (file->has_version ? OF_VERSION : 0);

	if (put_number(out, has, err) ||
	    (file->has_hash &&
	        buf_append(out, &file->hash, sizeof(file->hash), err)))
		return -1;
	return file->has_version
	           ? buf_append(out, &file->version, sizeof(file->version), err)
	           : 0;
}

int inventory_add(struct inventory *inventory,
    const struct inventory_file *file, struct error *err)
{
	const char *last =
	    inventory->last.len ? (const char *)inventory->last.data : "";
	const size_t common = common_len(last, file->name);
	const size_t len = strlen(file->name);
	const int64_t later = wrapped(
	    (uint64_t)file->mtime_ns - (uint64_t)inventory->last_mtime_ns);
	struct buf *out = &inventory->entries;

	if (len >= NAME_MAX_BYTES)
		return error_set(err, ERROR_LIMIT,
		    "the name of a file has more than %d bytes",
		    NAME_MAX_BYTES - 1);
	if (put_number(out, common, err) ||
	    put_number(out, len - common, err) ||
	    buf_append(out, file->name + common, len - common, err) ||
	    put_number(out, file->bytes, err) ||
	    put_number(out, fold_sign(later), err) ||
	    put_hashes(out, file, err))
		return -1;
	inventory->last.len = 0;
	if (buf_append(&inventory->last, file->name, len + 1, err))
		return -1;
	inventory->last_mtime_ns = file->mtime_ns;
	inventory->count++;
	return 0;
}

int inventory_print(
    const struct inventory *inventory, struct buf *out, struct error *err)
{
	const size_t start = out->len;
	uint64_t sum;

	if (buf_append(out, head, strlen(head), err) ||
	    put_number(out, inventory->count, err) ||
	    put_number(out, inventory->division, err) ||
	    buf_append(
	        out, inventory->entries.data, inventory->entries.len, err))
		return -1;
	sum = hash_bytes(out->data + start, out->len - start, 0);
	return buf_append(out, &sum, sizeof(sum), err);
}

/* ---- reading ---- */

static int take_number(struct span *in, uint64_t *number)
{
	*number = 0;
	for (unsigned shift = 0; in->len && shift < 64; shift += 7) {
		const unsigned char byte = *in->data;

		in->data++;
		in->len--;
		*number |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return 0;
	}
	return -1;
}

static int take_name(struct inventory_cursor *cursor, struct error *err)
{
	const size_t before = cursor->name.len ? cursor->name.len - 1 : 0;
	uint64_t common, more;

	if (take_number(&cursor->rest, &common) ||
	    take_number(&cursor->rest, &more) || common > before ||
	    more > cursor->rest.len || common + more >= NAME_MAX_BYTES ||
	    memchr(cursor->rest.data, '\0', (size_t)more))
		return error_set(
		    err, ERROR_DATA, "its list of files is damaged");
	cursor->name.len = (size_t)common;
	if (buf_append(&cursor->name, cursor->rest.data, (size_t)more, err) ||
	    buf_append(&cursor->name, "", 1, err))
		return -1;
	cursor->rest.data += more;
	cursor->rest.len -= (size_t)more;
	return 0;
}

static int take_hash(struct span *in, uint64_t *hash)
{
	if (in->len < sizeof(*hash))
		return -1;
	memcpy(hash, in->data, sizeof(*hash));
	in->data += sizeof(*hash);
	in->len -= sizeof(*hash);
	return 0;
}

static int take_hashes(struct span *in, struct inventory_file *file)
{
	uint64_t has;

	if (take_number(in, &has) || has > (OF_BYTES | OF_VERSION))
		return -1;
	file->has_hash = has & OF_BYTES;
	file->has_version = has & OF_VERSION;
	if (file->has_hash && take_hash(in, &file->hash))
		return -1;
	return file->has_version ? take_hash(in, &file->version) : 0;
}

void inventory_cursor_begin(
    struct inventory_cursor *cursor, const struct inventory *inventory)
{
	cursor->rest = buf_span(&inventory->entries);
	cursor->name.len = 0;
	cursor->mtime_ns = 0;
}

int inventory_cursor_next(struct inventory_cursor *cursor,
    struct inventory_file *file, struct error *err)
{
	uint64_t later;

	if (cursor->rest.len == 0)
		return 0;
	*file = (struct inventory_file){ .bytes = 0 };
	if (take_name(cursor, err))
		return -1;
	if (take_number(&cursor->rest, &file->bytes) ||
	    take_number(&cursor->rest, &later) ||
	    take_hashes(&cursor->rest, file))
		return error_set(
		    err, ERROR_DATA, "its list of files is damaged");
	cursor->mtime_ns =
	    wrapped((uint64_t)cursor->mtime_ns + (uint64_t)unfold_sign(later));
	file->name = (const char *)cursor->name.data;
	file->mtime_ns = cursor->mtime_ns;
	return 1;
}

int inventory_cursor_copy(struct inventory_cursor *to,
    const struct inventory_cursor *from, struct error *err)
{
	to->rest = from->rest;
	to->mtime_ns = from->mtime_ns;
	to->name.len = 0;
	return from->name.len
	           ? buf_append(&to->name, from->name.data, from->name.len, err)
	           : 0;
}

void inventory_cursor_release(struct inventory_cursor *cursor)
{
	buf_release(&cursor->name);
}

/* Checks that every entry can be read, and their number. */
static int check_entries(const struct inventory *inventory, struct error *err)
{
	struct inventory_cursor cursor = INVENTORY_CURSOR_INIT;
	struct inventory_file file;
	uint64_t count = 0;
	int rc;

	inventory_cursor_begin(&cursor, inventory);
	while ((rc = inventory_cursor_next(&cursor, &file, err)) > 0)
		count++;
	inventory_cursor_release(&cursor);
	if (rc == 0 && count != inventory->count)
		rc = error_set(err, ERROR_DATA,
		    "it lists %llu files, and says that there are %llu",
		    (unsigned long long)count,
		    (unsigned long long)inventory->count);
	return rc;
}

int inventory_parse(
    struct inventory *inventory, struct span bytes, struct error *err)
{
	const size_t head_len = strlen(head);
	struct span in = bytes;
	uint64_t sum;

	*inventory = (struct inventory)INVENTORY_INIT;
	if (bytes.len < head_len + SUM_BYTES ||
	    memcmp(bytes.data, head, head_len) != 0)
		return error_set(
		    err, ERROR_DATA, "is not an inventory of presto");
	memcpy(&sum, bytes.data + bytes.len - SUM_BYTES, sizeof(sum));
	if (sum != hash_bytes(bytes.data, bytes.len - SUM_BYTES, 0))
		return error_set(err, ERROR_DATA, "its checksum is wrong");
	in.data += head_len;
	in.len -= head_len + SUM_BYTES;
	if (take_number(&in, &inventory->count) ||
	    take_number(&in, &inventory->division))
		return error_set(
		    err, ERROR_DATA, "its list of files is damaged");
	if (buf_append(&inventory->entries, in.data, in.len, err) ||
	    check_entries(inventory, err)) {
		inventory_release(inventory);
		return -1;
	}
	return 0;
}
