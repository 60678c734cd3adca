/* test_utf8.c - code points, mistakes and replacements. */
#include <stdbool.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/random.h"
#include "lib/base/utf8.h"
#include "test/unit/test.h"

enum { CODES = 0x110000 };

static bool is_code(uint32_t code)
{
	return code < 0xd800 || (code >= 0xe000 && code < CODES);
}

static void test_utf8_every_code_point_there_and_back(void **state)
{
	UNUSED(state);
	for (uint32_t code = 0; code < CODES; code++) {
		unsigned char text[UTF8_BYTES];
		const unsigned len = utf8_encode(code, text);
		const struct span whole = { text, len };
		unsigned bytes;
		const int32_t back = utf8_decode(text, text + len, &bytes);

		if (is_code(code) && (back != (int32_t)code || bytes != len))
			fail_msg("U+%04X came back as %d", code, back);
		if (!is_code(code) && back != UTF8_BAD)
			fail_msg("U+%04X is none", code);
		if ((utf8_valid(whole) == len) != is_code(code))
			fail_msg("U+%04X: valid?", code);
	}
}

#define BAD "\xef\xbf\xbd"

static void test_utf8_replaces_maximal_subparts(void **state)
{
	static const struct {
		const char *text, *good;
		size_t valid;
	} cases[] = {
		{ "", "", 0 },
		{ "plain", "plain", 5 },
		{ "a\x80z", "a" BAD "z", 1 },
		{ "\xbf\xbf", BAD BAD, 0 },
		{ "\xc0\xaf", BAD BAD, 0 },
		{ "\xc3\xa9\xc3", "\xc3\xa9" BAD, 2 },
		{ "\xc3(", BAD "(", 0 },
		{ "\xe0\x80\x80", BAD BAD BAD, 0 },
		{ "\xe2\x82", BAD, 0 },
		{ "\xe2\x82x", BAD "x", 0 },
		{ "\xe2\x82\xac\xe2", "\xe2\x82\xac" BAD, 3 },
		{ "\xed\xa0\x80", BAD BAD BAD, 0 },
		{ "\xf0\x9f\x98", BAD, 0 },
		{ "\xf0\x9f\x98\x80!", "\xf0\x9f\x98\x80!", 5 },
		{ "\xf0\x80\x80\x80", BAD BAD BAD BAD, 0 },
		{ "\xf4\x90\x80\x80", BAD BAD BAD BAD, 0 },
		{ "\xf5\x80", BAD BAD, 0 },
		{ "\xff\xfe", BAD BAD, 0 },
		/* the example of Unicode, table 3-8 */
		{ "a\xf1\x80\x80\xe1\x80\xc2"
		  "b\x80"
		  "c\x80\xbf"
		  "d",
		    "a" BAD BAD BAD "b" BAD "c" BAD BAD "d", 1 },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct span text = span_text(cases[i].text);
		struct error err = ERROR_INIT;
		struct buf out = BUF_INIT;

		assert_int_equal(utf8_valid(text), cases[i].valid);
		test_ok(utf8_append(&out, text, &err), &err);
		if (!span_equal(buf_span(&out), span_text(cases[i].good)))
			fail_msg("case %zu", i);
		buf_release(&out);
	}
}

/* One code point after another, with no fast path. */
static size_t valid_slowly(struct span text)
{
	size_t at = 0;

	while (at < text.len) {
		unsigned bytes;

		if (utf8_decode(text.data + at, text.data + text.len, &bytes) ==
		    UTF8_BAD)
			break;
		at += bytes;
	}
	return at;
}

static void fill(unsigned char *text, size_t len, struct random *random)
{
	size_t at = 0;

	while (at < len) {
		unsigned char code[UTF8_BYTES];
		const uint32_t kind = random_below(random, 40);
		const uint32_t most = kind == 0   ? 0xd000
		                      : kind == 1 ? 0x700
		                                  : 0x7f;
		const unsigned bytes =
		    utf8_encode(random_below(random, most), code);

		if (bytes > len - at)
			break;
		memcpy(text + at, code, bytes);
		at += bytes;
	}
	while (at < len)
		text[at++] = 'x';
}

static void test_utf8_finds_a_mistake_wherever_it_is(void **state)
{
	enum { LEN = 300 };
	struct random random = random_stream(1, 0, 0, 0);
	unsigned char text[LEN];

	UNUSED(state);
	for (unsigned i = 0; i < 2000; i++) {
		const struct span whole = { text, LEN };
		const uint32_t place = random_below(&random, LEN);

		fill(text, LEN, &random);
		assert_int_equal(utf8_valid(whole), LEN);
		text[place] = 0xff;
		assert_int_equal(utf8_valid(whole), valid_slowly(whole));
		assert_true(utf8_valid(whole) <= place);
		assert_true(utf8_ascii(whole) <= utf8_valid(whole));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_utf8_every_code_point_there_and_back),
		cmocka_unit_test(test_utf8_replaces_maximal_subparts),
		cmocka_unit_test(test_utf8_finds_a_mistake_wherever_it_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
