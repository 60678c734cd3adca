/* members.c - see members.h. */
#include <ctype.h>
#include <string.h>

#include "datasets/archives/members.h"
#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/sample/key.h"

void members_begin(
    struct members *members, struct archive_reader *archive, const char *path)
{
	members->archive = archive;
	members->path = path;
	members->raw_len = 0;
	members->key_len = 0;
}

static bool is_hidden(const char *name)
{
	for (const char *at = name; at; at = strchr(at, '/')) {
		at += *at == '/';
		if (at[0] == '.' && at[1] != '/' && strncmp(at, "../", 3) != 0)
			return true;
	}
	return false;
}

static bool is_special(const char *base)
{
	const size_t len = strlen(base);

	return len >= 4 && strncmp(base, "__", 2) == 0 &&
	       strcmp(base + len - 2, "__") == 0;
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c = (char)tolower((unsigned char)c);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Returns the byte that presto escaped as "%XX" at `text`; else -1. */
static int escaped_byte(const char *text, size_t len)
{
	int high, low, byte;

	if (len < 3 || text[0] != '%')
		return -1;
	high = hex_digit(text[1]);
	low = hex_digit(text[2]);
	if (high < 0 || low < 0)
		return -1;
	byte = high * 16 + low;
	return byte <= ' ' || byte == 0x7f || byte == '.' || byte == '%' ? byte
	                                                                 : -1;
}

/* Unescapes raw[0..len-1] into a key, which is not longer. */
static size_t unescape_key(const char *raw, size_t len, char *key)
{
	size_t base = len, n = 0;

	while (base > 0 && raw[base - 1] != '/')
		base--;
	for (size_t i = 0; i < len; i++) {
		const int byte = i < base ? -1 : escaped_byte(raw + i, len - i);

		key[n++] = byte < 0 ? raw[i] : (char)byte;
		if (byte >= 0)
			i += 2;
	}
	return n;
}

static void set_extension(struct members *members, const char *extension)
{
	const size_t len = strlen(extension);

	members->extension[0] = '\0';
	for (size_t i = 0; len < ENDING_MAX && i <= len; i++)
		members->extension[i] =
		    (char)tolower((unsigned char)extension[i]);
}

/* Returns the length of the key of a sample's member; else 0. */
static size_t key_of(const char *name)
{
	const char *base = path_base(name);
	const char *dot = strchr(base, '.');

	if (is_hidden(name) || is_special(base) || !dot)
		return 0;
	return (size_t)(dot - name);
}

/* Sets key and extension from a name whose key has `len` bytes. */
static int take_name(
    struct members *members, const char *name, size_t len, struct error *err)
{
	if (len >= KEY_MAX)
		return error_set(err, ERROR_LIMIT,
		    "%s: the key of %.80s... has more than %d bytes",
		    members->path, name, KEY_MAX - 1);
	set_extension(members, name + len + 1);
	members->begins =
	    len != members->raw_len || memcmp(name, members->raw, len) != 0;
	if (!members->begins)
		return 0;
	memcpy(members->raw, name, len);
	members->raw_len = len;
	members->key_len = unescape_key(name, len, members->key);
	return 0;
}

int members_next(struct members *members, struct error *err)
{
	for (;;) {
		const int got = archive_reader_next(
		    members->archive, &members->member, err);
		const char *name = members->member.name;
		size_t len;

		if (got <= 0)
			return got;
		while (strncmp(name, "./", 2) == 0)
			name += 2;
		len = key_of(name);
		if (len)
			return take_name(members, name, len, err) ? -1 : 1;
	}
}

int members_blame(const char *path, struct span key, struct error *err)
{
	char text[KEY_TEXT];

	return error_prefix(err, "%s: sample '%s'", path, key_text(key, text));
}
