/* name.c - see name.h. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "lib/base/error.h"
#include "lib/base/utf8.h"
#include "lib/formats/name.h"

enum { PART_MAX = 255 }; /* NAME_MAX of every usual file system */

static const char encoded_unknown[] = "bin";

/* Returns the index behind the last '/'. */
static size_t base_start(struct span path)
{
	size_t at = path.len;

	while (at > 0 && path.data[at - 1] != '/')
		at--;
	return at;
}

static bool is_dotdot(struct span path, size_t start)
{
	const size_t rest = path.len - start;

	return rest >= 2 && path.data[start] == '.' &&
	       path.data[start + 1] == '.' &&
	       (rest == 2 || path.data[start + 2] == '/');
}

static size_t put_escaped(char *out, unsigned char c)
{
	static const char digits[] = "0123456789ABCDEF";

	out[0] = '%';
	out[1] = digits[c >> 4];
	out[2] = digits[c & 15];
	return 3;
}

/* Must byte i be escaped? `dots`: how many dots of a leading ".." still are. */
static bool is_in_the_way(struct span key, size_t i, size_t base, unsigned dots)
{
	const unsigned char c = key.data[i];

	if (c == '.')
		return i >= base || dots > 0;
	return c <= ' ' || c == 0x7f || c == '%' || (c == '/' && i == 0);
}

static size_t put_stem(char *out, struct span key, size_t base)
{
	unsigned dots = 0;
	size_t len = 0;

	for (size_t i = 0; i < key.len; i++) {
		if ((i == 0 || key.data[i - 1] == '/') && is_dotdot(key, i))
			dots = 2;
		if (is_in_the_way(key, i, base, dots))
			len += put_escaped(out + len, key.data[i]);
		else
			out[len++] = (char)key.data[i];
		if (dots > 0)
			dots--;
	}
	return len;
}

int name_set_key(struct name *name, struct span key, struct error *err)
{
	const size_t base = base_start(key);

	if (base == key.len)
		return error_set(err, ERROR_DATA, "%s",
		    key.len ? "the key ends in '/'" : "the key is empty");
	if (key.len > KEY_MAX)
		return error_set(err, ERROR_DATA,
		    "the key has %zu bytes, more than %d", key.len, KEY_MAX);
	name->stem = put_stem(name->text, key, base);
	return 0;
}

struct span name_with(struct name *name, const char *ext)
{
	const int more = snprintf(name->text + name->stem,
	    sizeof(name->text) - name->stem, ".%s", ext);

	return (struct span){
		.data = (const unsigned char *)name->text,
		.len = name->stem + (size_t)more,
	};
}

/* Letters, digits, '.', '_' and '-', without a leading dot. */
static bool is_plain_suffix(const char *suffix)
{
	return *suffix && *suffix != '.' &&
	       suffix[strspn(suffix, "abcdefghijklmnopqrstuvwxyz"
	                             "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	                             "0123456789._-")] == '\0';
}

static bool is_data(const struct field *field)
{
	return strcmp(field->name, "data") == 0;
}

/* Returns the suffix of a tensor's file. */
static const char *tensor_suffix(const struct field *field)
{
	return type_is_filtered(&field->type) ? field->type.suffix : "npy";
}

const char *name_ext(
    const struct field *field, const char *suffix, char ext[NAME_EXT])
{
	if (field->type.layout != LAYOUT_ENCODED)
		suffix = tensor_suffix(field);
	else if (!is_plain_suffix(suffix))
		suffix = encoded_unknown;
	if (is_data(field) && strcasecmp(suffix, NAME_LABEL) != 0 &&
	    strncmp(suffix, "data.", 5) != 0)
		snprintf(ext, NAME_EXT, "%s", suffix);
	else
		snprintf(ext, NAME_EXT, "%s.%s", field->name, suffix);
	return ext;
}

bool name_is_of(
    const struct field *field, struct span ext, char suffix[SUFFIX_MAX])
{
	const size_t len = strlen(field->name);
	const char *rest = (const char *)ext.data;
	size_t rest_len = ext.len;

	if (rest_len > len && memcmp(rest, field->name, len) == 0 &&
	    rest[len] == '.') {
		rest += len + 1;
		rest_len -= len + 1;
	} else if (!is_data(field)) {
		return false;
	}
	suffix[0] = '\0';
	if (field->type.layout != LAYOUT_ENCODED)
		return span_equal(
		    (struct span){ (const unsigned char *)rest, rest_len },
		    span_text(tensor_suffix(field)));
	if (rest_len == 0 || rest_len >= SUFFIX_MAX ||
	    memchr(rest, '\0', rest_len))
		return false;
	memcpy(suffix, rest, rest_len);
	suffix[rest_len] = '\0';
	if (strcmp(suffix, encoded_unknown) == 0 &&
	    strcmp(field->type.suffix, encoded_unknown) != 0)
		suffix[0] = '\0';
	return true;
}

int name_split(struct span name, struct span *stem, struct span *ext)
{
	const size_t base = base_start(name);
	const unsigned char *dot =
	    base < name.len ? memchr(name.data + base, '.', name.len - base)
	                    : NULL;

	if (!dot || dot == name.data + base)
		return -1;
	stem->data = name.data;
	stem->len = (size_t)(dot - name.data);
	ext->data = dot + 1;
	ext->len = name.len - stem->len - 1;
	return 0;
}

static int hex_digit(unsigned char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

const char *name_column(const struct field *field, char name[NAME_COLUMN])
{
	const bool is_filtered = type_is_filtered(&field->type);

	snprintf(name, NAME_COLUMN, "%s%s%s", field->name,
	    is_filtered ? "." : "", is_filtered ? field->type.suffix : "");
	return name;
}

int name_put_text(struct span key, struct buf *out, struct error *err)
{
	static const char digits[] = "0123456789ABCDEF";
	const unsigned char *at = key.data, *end = at + key.len;
	unsigned char *to;

	if (buf_grow(out, out->len + 3 * key.len, err))
		return -1;
	to = out->data + out->len;
	while (at < end) {
		unsigned bytes;
		const bool is_kept =
		    utf8_decode(at, end, &bytes) != UTF8_BAD && *at != '%';

		for (; bytes; bytes--, at++) {
			if (is_kept) {
				*to++ = *at;
				continue;
			}
			*to++ = '%';
			*to++ = (unsigned char)digits[*at >> 4];
			*to++ = (unsigned char)digits[*at & 15];
		}
	}
	out->len = (size_t)(to - out->data);
	return 0;
}

struct span name_key(struct chunk *chunk, struct span stem)
{
	const unsigned char *first =
	    stem.len ? memchr(stem.data, '%', stem.len) : NULL;
	unsigned char *text;
	size_t len, i;

	if (!first)
		return stem;
	text = chunk_writable(chunk, stem.data);
	len = i = (size_t)(first - stem.data);
	while (i < stem.len) {
		int high = -1, low = -1;

		if (text[i] == '%' && stem.len - i > 2) {
			high = hex_digit(text[i + 1]);
			low = hex_digit(text[i + 2]);
		}
		if (high >= 0 && low >= 0) {
			text[len++] = (unsigned char)(high << 4 | low);
			i += 3;
		} else {
			text[len++] = text[i++];
		}
	}
	return (struct span){ .data = text, .len = len };
}

int name_check_path(struct span path, struct error *err)
{
	size_t start = 0;

	if (path.len > 0 && path.data[0] == '/')
		return error_set(err, ERROR_DATA, "the key is absolute");
	if (path.len > 0 && memchr(path.data, '\0', path.len))
		return error_set(err, ERROR_DATA, "the key has a zero byte");
	for (size_t i = 0; i <= path.len; i++) {
		if (i < path.len && path.data[i] != '/')
			continue;
		if (i == start)
			return error_set(
			    err, ERROR_DATA, "a part of the key is empty");
		if (is_dotdot(path, start))
			return error_set(
			    err, ERROR_DATA, "the key has '..' in it");
		if (i - start > PART_MAX)
			return error_set(err, ERROR_DATA,
			    "a part of the key has %zu bytes, more than the "
			    "%d of a file name; tar and tfrecord take it",
			    i - start, PART_MAX);
		start = i + 1;
	}
	return 0;
}
