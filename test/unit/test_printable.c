/* test_printable.c - foreign text is harmless when it is printed. */
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/printable.h"
#include "lib/base/random.h"
#include "lib/base/utf8.h"
#include "test/unit/test.h"

/* Written, as text; to be freed. */
static char *written(const char *text, size_t len)
{
	static size_t size;
	char *copy = NULL;
	FILE *out = open_memstream(&copy, &size);

	assert_non_null(out);
	printable_write(text, len, out);
	assert_int_equal(fclose(out), 0);
	return copy;
}

static void test_printable_shows_what_would_act(void **state)
{
	static const struct {
		const char *text, *want;
	} cases[] = {
		{ "", "" },
		{ "resized/tar/zstd:1", "resized/tar/zstd:1" },
		{ "a\x1b[31mred\a\b", "a\\x1b[31mred\\x07\\x08" },
		{ "one\ntwo\r\tthree\x7f", "one\\ntwo\\r\\tthree\\x7f" },
		{ "\xc2\x9b"
		  "2J",
		    "\\u009b2J" },
		{ "\x9b"
		  "2J",
		    "\\x9b2J" },
		{ "abc\xe2\x80\xae"
		  "fed",
		    "abc\\u202efed" },
		{ "\xe2\x81\xa6x\xe2\x81\xa9", "\\u2066x\\u2069" },
		{ "\xe2\x80\xa8\xe2\x80\xa9", "\\u2028\\u2029" },
		{ "\xe2\x80\x8b\xef\xbb\xbf", "\\u200b\\ufeff" },
		{ "\xf3\xa0\x81\x81", "\\U000e0041" },
		{ "\xff\xc3", "\\xff\\xc3" },
		{ "\xed\xa0\x80", "\\xed\\xa0\\x80" },
		/* Every script, and its joiners, stays as it is. */
		{ "\xc3\xa4 \xd7\xa9 \xe6\xbc\xa2 \xf0\x9f\x98\x80",
		    "\xc3\xa4 \xd7\xa9 \xe6\xbc\xa2 \xf0\x9f\x98\x80" },
		{ "\xe0\xa4\x95\xe2\x80\x8d", "\xe0\xa4\x95\xe2\x80\x8d" },
		/* What was escaped once stays. */
		{ "C:\\x1b\\n", "C:\\x1b\\n" },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char *text = written(cases[i].text, strlen(cases[i].text));

		assert_string_equal(text, cases[i].want);
		free(text);
	}
}

static bool is_harmless(int32_t code)
{
	if (code == UTF8_BAD || code < ' ' || (code >= 0x7f && code < 0xa0))
		return false;
	return !(code >= 0x2028 && code <= 0x202e) &&
	       !(code >= 0x2066 && code <= 0x2069) && code != 0x200e &&
	       code != 0x200f && code != 0x61c;
}

static void check_harmless(const char *text)
{
	const unsigned char *at = (const unsigned char *)text;
	const unsigned char *end = at + strlen(text);
	unsigned bytes;

	for (; at < end; at += bytes)
		if (!is_harmless(utf8_decode(at, end, &bytes)))
			fail_msg("byte %u of '%s'",
			    (unsigned)(at - (const unsigned char *)text), text);
}

/* Characters in a text; each of the shown ones takes a column. */
static size_t characters(const char *text)
{
	size_t count = 0;

	for (; *text; text++)
		count += ((unsigned char)*text & 0xc0) != 0x80;
	return count;
}

static void check_laws(const char *bytes, size_t len)
{
	struct error err = ERROR_INIT;
	struct buf appended = BUF_INIT;
	char *text = written(bytes, len), *again = written(text, strlen(text));
	char cut[24];

	check_harmless(text);
	assert_string_equal(text, again);
	assert_int_equal(printable_width(bytes, len), characters(text));
	test_ok(printable_append(&appended,
	            (struct span){ (const unsigned char *)bytes, len }, &err),
	    &err);
	assert_int_equal(appended.len, strlen(text));
	printable_copy(cut, sizeof(cut),
	    (struct span){ (const unsigned char *)bytes, len });
	check_harmless(cut);
	assert_memory_equal(cut, text, strlen(cut));
	for (size_t columns = 0; columns < 20; columns++) {
		const size_t fits = printable_fits(text, columns);

		assert_true(printable_width(text, fits) <= columns);
		assert_true(!text[fits] || columns == characters(text) ||
		            printable_width(text, fits) == columns);
	}
	buf_release(&appended);
	free(text);
	free(again);
}

static void test_printable_holds_for_every_character(void **state)
{
	UNUSED(state);
	for (uint32_t code = 1; code <= 0x10ffff; code++) {
		unsigned char bytes[UTF8_BYTES];
		struct printable is;
		const char *at = (const char *)bytes;
		unsigned len;

		if (code >= 0xd800 && code < 0xe000)
			continue;
		len = utf8_encode(code, bytes);
		assert_true(printable_next(at, at + len, &is));
		assert_int_equal(is.took, len);
		assert_int_equal(
		    is.text == at, is.len == len && is.columns == 1);
		if (is.text == at && !is_harmless((int32_t)code))
			fail_msg("U+%04X is shown", code);
		if (is.text != at && is.escape[0] != '\\')
			fail_msg("U+%04X is '%s'", code, is.escape);
	}
}

static void test_printable_holds_for_any_bytes(void **state)
{
	static const char pieces[] =
	    "\x1b[\n\r\t\x7f\xc2\x9b\xe2\x80\xae\xff'\"\\a ";

	UNUSED(state);
	for (uint64_t i = 0; i < 5000; i++) {
		struct random random = random_stream(7, 0, i, 0);
		char bytes[24];
		const size_t len = random_below(&random, sizeof(bytes));

		random_fill(&random, bytes, len);
		for (size_t k = 0; k < len; k++)
			if (random_below(&random, 2))
				bytes[k] = pieces[random_below(
				    &random, sizeof(pieces) - 1)];
		check_laws(bytes, len);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_printable_shows_what_would_act),
		cmocka_unit_test(test_printable_holds_for_every_character),
		cmocka_unit_test(test_printable_holds_for_any_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
