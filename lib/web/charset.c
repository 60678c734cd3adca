/* charset.c - see charset.h. */
#include <ctype.h>
#include <errno.h>
#include <iconv.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/utf8.h"
#include "lib/web/charset.h"

enum {
	PRESCAN = 4096, /* bytes in which a <meta> is searched */
	PIECE = 8192,   /* output bytes per call of iconv */
};

struct charset {
	struct buf text;
	iconv_t converter; /* converts from `name`, unless that is "" */
	char name[CHARSET_NAME];
};

/* Code points of the bytes 0x80 to 0x9f in windows-1252. */
static const uint16_t windows_1252[32] = {
	0x20ac,
	0x81,
	0x201a,
	0x192,
	0x201e,
	0x2026,
	0x2020,
	0x2021,
	0x2c6,
	0x2030,
	0x160,
	0x2039,
	0x152,
	0x8d,
	0x17d,
	0x8f,
	0x90,
	0x2018,
	0x2019,
	0x201c,
	0x201d,
	0x2022,
	0x2013,
	0x2014,
	0x2dc,
	0x2122,
	0x161,
	0x203a,
	0x153,
	0x9d,
	0x17e,
	0x178,
};

/* Labels with another meaning than their name; iconv knows the others. */
static const struct {
	const char *label, *name;
} labels[] = {
	{ "utf8", "utf-8" },
	{ "unicode-1-1-utf-8", "utf-8" },
	{ "iso-8859-1", "windows-1252" },
	{ "iso8859-1", "windows-1252" },
	{ "iso_8859-1", "windows-1252" },
	{ "latin1", "windows-1252" },
	{ "latin-1", "windows-1252" },
	{ "ascii", "windows-1252" },
	{ "us-ascii", "windows-1252" },
	{ "cp1252", "windows-1252" },
	{ "x-cp1252", "windows-1252" },
	{ "iso-8859-9", "windows-1254" },
	{ "gb2312", "gb18030" },
	{ "gbk", "gb18030" },
	{ "x-gbk", "gb18030" },
	{ "shift-jis", "cp932" },
	{ "shift_jis", "cp932" },
	{ "x-sjis", "cp932" },
	{ "ks_c_5601-1987", "cp949" },
	{ "euc-kr", "cp949" },
	{ "big5", "big5-hkscs" },
	/* a page whose <meta> is readable as bytes is not in UTF-16 */
	{ "utf-16", "utf-8" },
	{ "utf-16le", "utf-8" },
	{ "utf-16be", "utf-8" },
	{ "utf-32", "utf-8" },
	{ "utf-7", "" },
};

struct charset *charset_new(struct error *err)
{
	struct charset *charset = memory_zeroed(sizeof(*charset), err);

	return charset;
}

static void close_converter(struct charset *charset)
{
	if (*charset->name)
		iconv_close(charset->converter);
	*charset->name = '\0';
}

void charset_free(struct charset *charset)
{
	if (!charset)
		return;
	close_converter(charset);
	buf_release(&charset->text);
	free(charset);
}

/* ---- finding the charset ---- */

static bool begins(struct span text, const char *with)
{
	const size_t len = strlen(with);

	return text.len >= len && memcmp(text.data, with, len) == 0;
}

static bool begins_in_any_case(struct span text, const char *with)
{
	size_t i = 0;

	while (i < text.len && with[i] && tolower(text.data[i]) == with[i])
		i++;
	return !with[i];
}

static struct span behind(struct span text, size_t bytes)
{
	return (struct span){ text.data + bytes, text.len - bytes };
}

static bool is_in_label(int c)
{
	return isalnum(c) || c == '-' || c == '_' || c == ':' || c == '.';
}

/* Reads the label after "charset", if any, in lower case. */
static void read_label(struct span text, char name[CHARSET_NAME])
{
	size_t at = 0, len = 0;

	while (at < text.len && isspace(text.data[at]))
		at++;
	if (at == text.len || text.data[at++] != '=')
		return;
	while (
	    at < text.len && (isspace(text.data[at]) || text.data[at] == '"' ||
	                         text.data[at] == '\''))
		at++;
	while (at < text.len && len + 1 < CHARSET_NAME &&
	       is_in_label(text.data[at]))
		name[len++] = (char)tolower(text.data[at++]);
	name[len] = '\0';
}

/* Reads the text between "<meta" and '>'. */
static void read_meta(struct span tag, char name[CHARSET_NAME])
{
	const unsigned char *end = memchr(tag.data, '>', tag.len);

	if (end)
		tag.len = (size_t)(end - tag.data);
	for (; tag.len && !*name; tag = behind(tag, 1))
		if (begins_in_any_case(tag, "charset"))
			read_label(behind(tag, strlen("charset")), name);
}

/* Returns the bytes of a comment that begins here; 0: none. */
static size_t comment_bytes(struct span text)
{
	if (!begins(text, "<!--"))
		return 0;
	for (size_t at = 4; at + 3 <= text.len; at++)
		if (memcmp(text.data + at, "-->", 3) == 0)
			return at + 3;
	return text.len;
}

static void prescan(struct span text, char name[CHARSET_NAME])
{
	if (text.len > PRESCAN)
		text.len = PRESCAN;
	while (text.len && !*name) {
		const unsigned char *tag = memchr(text.data, '<', text.len);
		size_t comment;

		if (!tag)
			return;
		text = behind(text, (size_t)(tag - text.data));
		comment = comment_bytes(text);
		if (begins_in_any_case(text, "<meta"))
			read_meta(behind(text, strlen("<meta")), name);
		text = behind(text, comment ? comment : 1);
	}
}

static void set_name(char name[CHARSET_NAME], const char *to)
{
	snprintf(name, CHARSET_NAME, "%s", to);
}

/* Gets the charset that the page declares, in lower case; "" if none. */
static void declared(struct span page, char name[CHARSET_NAME])
{
	*name = '\0';
	if (begins(page, "\xef\xbb\xbf"))
		set_name(name, "utf-8");
	else if (begins(page, "\xff\xfe"))
		set_name(name, "utf-16le");
	else if (begins(page, "\xfe\xff"))
		set_name(name, "utf-16be");
	else {
		prescan(page, name);
		for (size_t i = 0; i < ARRAY_LEN(labels); i++)
			if (strcmp(labels[i].label, name) == 0) {
				set_name(name, labels[i].name);
				break;
			}
	}
}

/* ---- conversion to UTF-8 ---- */

static int from_windows(struct span page, struct buf *out, struct error *err)
{
	while (page.len) {
		const size_t ascii = utf8_ascii(page);
		unsigned char text[UTF8_BYTES];
		uint32_t code;

		if (buf_append(out, page.data, ascii, err))
			return -1;
		page = behind(page, ascii);
		if (!page.len)
			break;
		code = *page.data < 0xa0 ? windows_1252[*page.data - 0x80]
		                         : *page.data;
		if (buf_append(out, text, utf8_encode(code, text), err))
			return -1;
		page = behind(page, 1);
	}
	return 0;
}

/* Returns false if the charset is not supported. */
static bool open_converter(struct charset *charset, const char *name)
{
	if (*charset->name && strcmp(charset->name, name) == 0) {
		iconv(charset->converter, NULL, NULL, NULL, NULL);
		return true;
	}
	close_converter(charset);
	charset->converter = iconv_open("utf-8", name);
	/* POSIX returns (iconv_t)-1; a pointer may be cast to an integer */
	if ((intptr_t)charset->converter == -1)
		return false;
	set_name(charset->name, name);
	return true;
}

static int by_iconv(struct charset *charset, struct span page, struct buf *out,
    struct error *err)
{
	union {
		const unsigned char *from;
		char *in; /* iconv does not write to its input */
	} at = { .from = page.data };
	static const unsigned char mistake[] = { 0xef, 0xbf, 0xbd };

	while (page.len) {
		char *to;
		size_t room = PIECE, got;

		if (buf_reserve(out, out->len + PIECE, err))
			return -1;
		to = (char *)out->data + out->len;
		errno = 0;
		got = iconv(charset->converter, &at.in, &page.len, &to, &room);
		out->len += PIECE - room;
		if (got != SIZE_MAX || errno == E2BIG)
			continue;
		if (buf_append(out, mistake, sizeof(mistake), err))
			return -1;
		at.from++;
		page.len--;
	}
	return 0;
}

static void drop_nuls(struct buf *text)
{
	size_t len = 0;

	for (size_t i = 0; i < text->len; i++)
		if (text->data[i])
			text->data[len++] = text->data[i];
	text->len = len;
}

/* An unsupported charset counts as not declared. */
static void check_name(struct charset *charset, char name[CHARSET_NAME])
{
	if (*name && strcmp(name, "utf-8") != 0 &&
	    strcmp(name, "windows-1252") != 0 && !open_converter(charset, name))
		*name = '\0';
}

static int to_utf8(struct charset *charset, const char *name, struct span page,
    struct error *err)
{
	struct buf *out = &charset->text;

	out->len = 0;
	if (strcmp(name, "utf-8") == 0 ? utf8_append(out, page, err)
	    : *name && strcmp(name, "windows-1252") != 0
	        ? by_iconv(charset, page, out, err)
	        : from_windows(page, out, err))
		return -1;
	drop_nuls(out);
	return 0;
}

int charset_decode(struct charset *charset, struct span page, struct span *text,
    struct error *err)
{
	char name[CHARSET_NAME];

	*text = page;
	declared(page, name);
	check_name(charset, name);
	if (begins(page, "\xef\xbb\xbf"))
		page = behind(page, 3);
	else if (strncmp(name, "utf-16", 6) == 0)
		page = behind(page, 2);
	if (!page.len) {
		*text = page;
		return 0;
	}
	if (!*name && utf8_valid(page) == page.len)
		set_name(name, "utf-8");
	if (strcmp(name, "utf-8") == 0 && !memchr(page.data, 0, page.len) &&
	    utf8_valid(page) == page.len) {
		*text = page;
		return 0;
	}
	if (to_utf8(charset, name, page, err))
		return -1;
	*text = buf_span(&charset->text);
	return 0;
}
