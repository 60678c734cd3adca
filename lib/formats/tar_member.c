/* tar_member.c - see tar_member.h. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/formats/tar_member.h"
#include "lib/sample/alike.h"

enum { NAME_BYTES = 100, SIZE_DIGITS = 11, SUM_DIGITS = 6 };

/* The header of POSIX.1-1988, "ustar". */
struct ustar {
	char name[NAME_BYTES];
	char mode[8], uid[8], gid[8];
	char size[12], mtime[12];
	char sum[8];
	char type;
	char link[NAME_BYTES];
	char magic[6], version[2];
	char uname[32], gname[32];
	char major[8], minor[8];
	char prefix[155];
	char rest[12];
};

_Static_assert(sizeof(struct ustar) == TAR_BLOCK, "a header is a block");

enum { TYPE_FILE = '0', TYPE_PAX = 'x' };

static const struct ustar blank = {
	.mode = "0000644",
	.uid = "0000000",
	.gid = "0000000",
	.size = "00000000000",
	.mtime = "00000000000",
	.sum = "        ", /* blanks while the sum is computed */
	.magic = "ustar",
	.version = "00",
};

static const unsigned char zeros[2 * TAR_BLOCK];

static void put_octal(char *field, unsigned digits, uint64_t value)
{
	while (digits > 0) {
		field[--digits] = (char)('0' + (value & 7));
		value >>= 3;
	}
}

/* Returns the padding behind `len` bytes of data. */
static size_t padding(uint64_t len)
{
	return (size_t)(-len & (TAR_BLOCK - 1));
}

static int add_header(struct span name, char type, uint64_t size,
    struct buf *out, struct error *err)
{
	struct ustar header = blank;
	unsigned char bytes[TAR_BLOCK];
	unsigned sum = 0;

	if (size >> (3 * SIZE_DIGITS))
		return error_set(err, ERROR_LIMIT,
		    "%llu bytes are too many for tar, which takes 8 GiB",
		    (unsigned long long)size);
	memcpy(header.name, name.data,
	    name.len < NAME_BYTES ? name.len : NAME_BYTES);
	header.type = type;
	put_octal(header.size, SIZE_DIGITS, size);
	memcpy(bytes, &header, sizeof(bytes));
	for (unsigned i = 0; i < TAR_BLOCK; i++)
		sum += bytes[i];
	put_octal(header.sum, SUM_DIGITS, sum);
	header.sum[SUM_DIGITS] = '\0';
	return buf_append(out, &header, sizeof(header), err);
}

/* Writes "LEN path=NAME\n"; LEN counts its own digits, too. */
static int add_pax(struct span name, struct buf *out, struct error *err)
{
	static const char keyword[] = " path=";
	const size_t rest = sizeof(keyword) - 1 + name.len + 1;
	char digits[24];
	size_t count = 1;

	while ((size_t)snprintf(digits, sizeof(digits), "%zu", rest + count) !=
	       count)
		count++;
	if (add_header(span_text("././@PaxHeader"), TYPE_PAX, rest + count, out,
	        err) ||
	    buf_append(out, digits, count, err) ||
	    buf_append(out, keyword, sizeof(keyword) - 1, err) ||
	    buf_append(out, name.data, name.len, err) ||
	    buf_append(out, "\n", 1, err))
		return -1;
	return buf_append(out, zeros, padding(rest + count), err);
}

int tar_add_member(struct span name, struct span head, struct span data,
    struct buf *out, struct error *err)
{
	size_t size;

	if (size_add(head.len, data.len, &size))
		return error_memory(err, data.len);
	if (name.len > NAME_BYTES && add_pax(name, out, err))
		return -1;
	if (add_header(name, TYPE_FILE, size, out, err) ||
	    buf_append(out, head.data, head.len, err) ||
	    buf_append(out, data.data, data.len, err))
		return -1;
	return buf_append(out, zeros, padding(size), err);
}

int tar_add_end(struct buf *out, struct error *err)
{
	return buf_append(out, zeros, sizeof(zeros), err);
}

static int get_octal(const char *field, uint64_t *value)
{
	*value = 0;
	for (unsigned i = 0; i < SIZE_DIGITS; i++) {
		if (field[i] < '0' || field[i] > '7')
			return -1;
		*value = *value << 3 | (uint64_t)(field[i] - '0');
	}
	return 0;
}

static int damaged(size_t at, const char *what, struct error *err)
{
	return error_set(
	    err, ERROR_DATA, "tar member at byte %zu: %s", at, what);
}

/* Parses a header and its data: 1, 0 at the end, or -1. */
static int view_entry(struct span bytes, size_t at, struct tar_member *member,
    char *type, struct error *err)
{
	const struct ustar *header;
	uint64_t size;
	size_t left;

	if (at == bytes.len)
		return 0;
	if (at > bytes.len || bytes.len - at < TAR_BLOCK)
		return damaged(at, "cut short", err);
	header = (const void *)(bytes.data + at);
	if (!header->name[0] && !header->type)
		return 0; /* zeros end the archive */
	if (memcmp(header->magic, blank.magic, sizeof(header->magic)) != 0)
		return damaged(at, "not a ustar header", err);
	if (header->prefix[0])
		return damaged(at, "its name has a prefix", err);
	if (get_octal(header->size, &size))
		return damaged(at, "its size is no number", err);
	left = bytes.len - at - TAR_BLOCK;
	if (size > left || padding(size) > left - size)
		return damaged(at, "longer than what is there", err);
	*type = header->type;
	member->name.data = bytes.data + at;
	member->name.len = strnlen(header->name, NAME_BYTES);
	member->data.data = bytes.data + at + TAR_BLOCK;
	member->data.len = (size_t)size;
	member->next = at + TAR_BLOCK + (size_t)size + padding(size);
	return 1;
}

/* Takes the name from a pax header that has only a path. */
static int view_pax(struct span text, struct span *name)
{
	static const char keyword[] = " path=";
	const size_t keyword_len = sizeof(keyword) - 1;
	size_t digits = 0, len = 0;

	while (digits < text.len && digits < 8 && text.data[digits] >= '0' &&
	       text.data[digits] <= '9')
		len = len * 10 + (size_t)(text.data[digits++] - '0');
	if (len != text.len || text.len <= digits + keyword_len ||
	    memcmp(text.data + digits, keyword, keyword_len) != 0 ||
	    text.data[text.len - 1] != '\n')
		return -1;
	name->data = text.data + digits + keyword_len;
	name->len = text.len - digits - keyword_len - 1;
	return 0;
}

bool tar_note_member(const struct tar_member *member, size_t stem,
    const unsigned char *data, struct alike *alike)
{
	const unsigned char *name = member->name.data;

	if (name + TAR_BLOCK != member->data.data)
		return false;
	alike_add(alike, name + stem, name + offsetof(struct ustar, sum));
	alike_add(alike, name + offsetof(struct ustar, type), data);
	return true;
}

bool tar_may_be_of(struct span bytes, size_t at, struct span stem)
{
	const struct ustar *header;

	if (at > bytes.len || bytes.len - at < TAR_BLOCK)
		return true;
	header = (const void *)(bytes.data + at);
	return header->type != TYPE_FILE || stem.len >= NAME_BYTES ||
	       memcmp(header->name, stem.data, stem.len) == 0;
}

int tar_view_member(
    struct span bytes, size_t at, struct tar_member *member, struct error *err)
{
	struct span name = { .data = NULL };
	const size_t start = at;
	char type = 0;
	int got = view_entry(bytes, at, member, &type, err);

	if (got > 0 && type == TYPE_PAX) {
		if (view_pax(member->data, &name))
			return damaged(start, "a pax header without path", err);
		got = view_entry(bytes, member->next, member, &type, err);
		if (got == 0)
			return damaged(start, "nothing behind it", err);
		member->name = name;
	}
	if (got > 0 && type != TYPE_FILE)
		return damaged(start, "not a regular file", err);
	return got;
}
