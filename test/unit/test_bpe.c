/*
 * test_bpe.c - splitting and encoding text, compared with a plain version of
 * GPT-2's algorithm, and with other encoders if GPT-2's vocabulary is there.
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/random.h"
#include "lib/files/path.h"
#include "lib/tokens/bpe.h"
#include "lib/tokens/split.h"
#include "lib/tokens/unicode.h"
#include "lib/tokens/vocabulary.h"
#include "test/unit/stepper.h"
#include "test/unit/test.h"
#include "test/unit/vocabulary_maker.h"

/* ---- pieces ---- */

#define LETTER_E   "\xc3\xa9"     /* é */
#define WIDE_BLANK "\xe3\x80\x80" /* U+3000 */
#define SMILE      "\xf0\x9f\x98\x80"

static void test_split_cuts_as_the_pattern_does(void **state)
{
	static const struct {
		const char *text, *pieces; /* with '|' between */
	} cases[] = {
		{ "Hello world", "Hello| world" },
		{ "Hello  world", "Hello| | world" },
		{ "Hello   world", "Hello|  | world" },
		{ " a", " a" },
		{ "a ", "a| " },
		{ "a  ", "a|  " },
		{ "   ", "   " },
		{ "\n\na", "\n|\n|a" },
		{ "a\n b", "a|\n| b" },
		{ "a \nb", "a| |\n|b" },
		{ "a\tb", "a|\t|b" },
		{ "we're", "we|'re" },
		{ "I'll've'd'm't's", "I|'ll|'ve|'d|'m|'t|'s" },
		{ "don't", "don|'t" },
		{ "'The'", "'|The|'" },
		{ "'sun", "'s|un" },
		{ " 's", " '|s" },
		{ "'S", "'|S" },
		{ "'l", "'|l" },
		{ "'", "'" },
		{ "!'s", "!'|s" },
		{ "''s", "''|s" },
		{ "x12 34y", "x|12| 34|y" },
		{ "3.14", "3|.|14" },
		{ " ...a", " ...|a" },
		{ "caf" LETTER_E " " LETTER_E "t" LETTER_E,
		    "caf" LETTER_E "| " LETTER_E "t" LETTER_E },
		{ "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ@",
		    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ|@" },
		{ "abcdefg[abcdefg`abcdefg{abcdefg@",
		    "abcdefg|[|abcdefg|`|abcdefg|{|abcdefg|@" },
		{ WIDE_BLANK WIDE_BLANK "a", WIDE_BLANK "|" WIDE_BLANK "|a" },
		{ " " WIDE_BLANK "a", " |" WIDE_BLANK "|a" },
		{ "a\xc2\xa0"
		  "b",
		    "a|\xc2\xa0|b" },
		{ "a\xc2\x85"
		  "b",
		    "a|\xc2\x85|b" }, /* next line */
		{ "\xc2\xbd\xe2\x85\xa7", "\xc2\xbd\xe2\x85\xa7" }, /* ½Ⅷ */
		{ SMILE SMILE "a", SMILE SMILE "|a" },
		{ "a\xcc\x81", "a|\xcc\x81" }, /* a mark is no letter */
		{ "\xef\xbb\xbf"
		  "a",
		    "\xef\xbb\xbf|a" },
		{ "a\xff\xfe"
		  "b",
		    "a|\xff\xfe|b" },
		{ "a \x80!", "a| \x80!" },
		{ "\xe4\xbd", "\xe4\xbd" },
		{ "\xed\xa0\x80z", "\xed\xa0\x80|z" },
		{ "\x01\x02", "\x01\x02" },
	};
	struct error err = ERROR_INIT;
	const struct unicode *unicode = unicode_take(&err);

	UNUSED(state);
	test_ok(unicode ? 0 : -1, &err);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const unsigned char *at = (const unsigned char *)cases[i].text;
		const unsigned char *end = at + strlen(cases[i].text);
		struct buf got = BUF_INIT;

		while (at < end) {
			const unsigned char *next =
			    split_next(unicode, at, end);

			test_ok(buf_printf(&got, &err, "%s%.*s",
			            got.len ? "|" : "", (int)(next - at), at),
			    &err);
			at = next;
		}
		assert_string_equal((const char *)got.data, cases[i].pieces);
		buf_release(&got);
	}
	unicode_give(unicode);
}

static void test_unicode_has_the_spaces_of_regular_expressions(void **state)
{
	static const int spaces[] = { 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x20, 0x85,
		0xa0, 0x1680, 0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005,
		0x2006, 0x2007, 0x2008, 0x2009, 0x200a, 0x2028, 0x2029, 0x202f,
		0x205f, 0x3000 };
	struct error err = ERROR_INIT;
	const struct unicode *unicode = unicode_take(&err);
	size_t count = 0;

	UNUSED(state);
	test_ok(unicode ? 0 : -1, &err);
	for (int code = 0; code < UNICODE_CODES; code++)
		count += unicode->classes[code] == UNICODE_SPACE;
	assert_int_equal(count, ARRAY_LEN(spaces));
	for (size_t i = 0; i < ARRAY_LEN(spaces); i++)
		assert_int_equal(unicode->classes[spaces[i]], UNICODE_SPACE);
	unicode_give(unicode);
}

/* ---- merges ---- */

/* Trained ones come in such an order; "odd" ones would not. */
static const char *const plain[] = { "t h", "th e", "\xc4\xa0 the", "i n",
	"a a", "aa aa", "a n", "an d", "\xc4\xa0 and", "e r", "in g", "l l",
	"\xc3\x83 \xc2\xa9", NULL };
static const char *const odd[] = { "ab c", "abc d", "a b", "b c", "a bc", "c d",
	"d a", "cd a", "a a", "aa b", "b aa", "aa aa", NULL };

struct encoder_pair {
	struct vocabulary *vocabulary;
	struct bpe *bpe;
	const char *const *merges;
};

static struct encoder_pair pair_open(const char *const *merges, bool special)
{
	struct buf encoder = BUF_INIT, list = BUF_INIT;
	struct encoder_pair pair = { .merges = merges };
	struct error err = ERROR_INIT;

	vocabulary_make(merges, &encoder, &list);
	pair.vocabulary =
	    vocabulary_parse(buf_span(&encoder), buf_span(&list), &err);
	test_ok(pair.vocabulary ? 0 : -1, &err);
	pair.bpe = bpe_new(pair.vocabulary, special, &err);
	test_ok(pair.bpe ? 0 : -1, &err);
	buf_release(&encoder);
	buf_release(&list);
	return pair;
}

static void pair_close(struct encoder_pair *pair)
{
	bpe_free(pair->bpe);
	vocabulary_free(pair->vocabulary);
}

static void check_ids(struct bpe *bpe, struct span text, const int32_t *want,
    size_t want_count, const char *where)
{
	struct error err = ERROR_INIT;
	const int32_t *ids;
	size_t count;

	test_ok(bpe_encode(bpe, text, &ids, &count, &err), &err);
	for (size_t i = 0; i < count && i < want_count; i++)
		if (ids[i] != want[i])
			fail_msg("%s: token %zu is %d, not %d", where, i,
			    ids[i], want[i]);
	if (count != want_count)
		fail_msg("%s: %zu tokens, not %zu", where, count, want_count);
}

/* Letters only, so that it is one piece. */
static void check_random_piece(
    struct encoder_pair *pair, const char *letters, uint64_t seed)
{
	struct random random = random_stream(seed, 0, 0, 0);
	unsigned char text[300];
	int32_t want[sizeof(text)];
	struct span piece = { .data = text };

	piece.len = 1 + random_below(&random, seed % 4 ? 12 : sizeof(text));
	for (size_t i = 0; i < piece.len; i++)
		text[i] = (unsigned char)
		    letters[random_below(&random, (uint32_t)strlen(letters))];
	check_ids(pair->bpe, piece, want,
	    vocabulary_naive(pair->merges, piece, want), "a random piece");
}

static void test_bpe_merges_as_the_plain_way_does(void **state)
{
	struct encoder_pair a = pair_open(plain, false);
	struct encoder_pair b = pair_open(odd, false);

	UNUSED(state);
	for (uint64_t seed = 0; seed < 600; seed++) {
		check_random_piece(&a, "theandingl", seed);
		check_random_piece(&b, "abcd", seed);
		check_random_piece(&b, "aaaab", seed);
	}
	pair_close(&a);
	pair_close(&b);
}

static void test_bpe_encodes_any_bytes(void **state)
{
	static const char text[] = "the and\xc3\xa9 \xc3(\xff";
	/* " and" is not " " and "and": the blank is joined with it. */
	static const int32_t want[] = { 257, 264, 268, 32, 0xc3, '(', 0xff };
	struct encoder_pair pair = pair_open(plain, false);
	const struct span nothing = { .len = 0 };

	UNUSED(state);
	check_ids(pair.bpe, span_text(text), want, ARRAY_LEN(want), text);
	check_ids(pair.bpe, (struct span){ (const unsigned char *)"\0\0", 2 },
	    (const int32_t[]){ 0, 0 }, 2, "zeros");
	check_ids(pair.bpe, (struct span){ (const unsigned char *)"\0", 1 },
	    (const int32_t[]){ 0 }, 1, "a zero");
	check_ids(pair.bpe, nothing, NULL, 0, "nothing");
	pair_close(&pair);
}

static void test_bpe_knows_the_end_of_text_if_asked(void **state)
{
	static const char text[] = "<|endoftext|>the<|endoftext|><|endoftext|";
	static const int32_t want[] = { 269, 257, 269, '<', '|', 'e', 'n', 'd',
		'o', 'f', 't', 'e', 'x', 't', '|' };
	struct encoder_pair with = pair_open(plain, true);
	struct encoder_pair without = pair_open(plain, false);
	struct error err = ERROR_INIT;
	const int32_t *ids;
	size_t count;

	UNUSED(state);
	check_ids(with.bpe, span_text(text), want, ARRAY_LEN(want), text);
	test_ok(
	    bpe_encode(without.bpe, span_text(text), &ids, &count, &err), &err);
	assert_int_equal(ids[0], '<');
	with.vocabulary->end_of_text = -1;
	assert_null(bpe_new(with.vocabulary, true, &err));
	assert_string_equal(
	    err.text, "the vocabulary has no token <|endoftext|>");
	pair_close(&with);
	pair_close(&without);
}

/* A quadratic way would take minutes. */
static void test_bpe_takes_long_words(void **state)
{
	enum { LONG = 1 << 20 };
	struct encoder_pair pair = pair_open(plain, false);
	struct buf text = BUF_INIT;
	struct error err = ERROR_INIT;
	const int32_t *ids;
	size_t count;

	UNUSED(state);
	for (size_t i = 0; i < LONG; i++)
		test_ok(buf_append(&text, "a", 1, &err), &err);
	test_ok(
	    bpe_encode(pair.bpe, buf_span(&text), &ids, &count, &err), &err);
	assert_int_equal(count, LONG / 4);
	text.len = 0;
	for (size_t i = 0; i < LONG / 4; i++)
		test_ok(buf_append(&text, "\xe4\xbd\xa0", 3, &err), &err);
	test_ok(
	    bpe_encode(pair.bpe, buf_span(&text), &ids, &count, &err), &err);
	assert_int_equal(count, LONG / 4 * 3);
	buf_release(&text);
	pair_close(&pair);
}

/* More different words than the cache has room for, twice. */
static void test_bpe_forgets_words_and_not_their_tokens(void **state)
{
	struct encoder_pair pair = pair_open(plain, false);

	UNUSED(state);
	for (uint64_t i = 0; i < 200000; i++) {
		const uint64_t word = i % 100000;
		unsigned char text[8] = " ";
		int32_t want[8] = { ' ' };

		for (unsigned k = 1; k < 8; k++) {
			text[k] = (unsigned char)('B' + (word >> 3 * k) % 8);
			want[k] = text[k];
		}
		text[1] = (unsigned char)('B' + word % 20);
		want[1] = text[1];
		check_ids(pair.bpe, (struct span){ text, 8 }, want, 8, "word");
	}
	pair_close(&pair);
}

/* ---- files that are none ---- */

static void check_refused(
    const char *encoder, const char *merges, const char *message)
{
	struct error err = ERROR_INIT;
	struct vocabulary *vocabulary =
	    vocabulary_parse(span_text(encoder), span_text(merges), &err);

	test_error_is(vocabulary ? 0 : -1, &err, message);
	vocabulary_free(vocabulary);
}

static void test_vocabulary_refuses_a_bad_encoder(void **state)
{
	static const char *const cases[][2] = {
		{ "", "encoder.json: the file is empty" },
		{ "[]", "encoder.json: byte 0: expected a JSON object" },
		{ "{}",
		    "encoder.json: byte 1: expected a token in double quotes" },
		{ "{\"a\" 1}", "encoder.json: byte 5: expected a colon" },
		{ "{\"a\": -1}",
		    "encoder.json: byte 6: expected a whole number" },
		{ "{\"a\": 99999999}",
		    "encoder.json: byte 13: the number is more than 2097151" },
		{ "{\"a\": 1.5}",
		    "encoder.json: byte 7: expected a comma or the end" },
		{ "{\"a\": 1, \"a\": 2}",
		    "encoder.json: byte 15: the token appears twice" },
		{ "{\"a\": 1, \"b\": 1}",
		    "encoder.json: two tokens have the number 1" },
		{ "{\"a b\": 1}",
		    "encoder.json: byte 3: the token has a letter "
		    "that stands for no byte" },
		{ "{\"\\ud83d\": 1}",
		    "encoder.json: byte 2: the token has a letter that stands "
		    "for no byte" },
		{ "{\"\\u01g0\": 1}",
		    "encoder.json: byte 2: the token has a letter that stands "
		    "for no byte" },
		{ "{\"a",
		    "encoder.json: byte 3: the file ends within a token" },
		{ "{\"\": 1}", "encoder.json: byte 3: the token is empty" },
		{ "{\"a\": 1} x", "encoder.json: byte 9: more than one JSON "
		                  "object" },
		{ "{\"a\": 1}",
		    "encoder.json: no token for the single byte 0x00" },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		check_refused(cases[i][0], "", cases[i][1]);
}

static void test_vocabulary_refuses_bad_merges(void **state)
{
	static const char *const cases[][2] = {
		{ "#version: 0.2\nth e\n\n",
		    "vocab.bpe:3: '': a merge is two tokens with a blank "
		    "between" },
		{ "the\n", "vocab.bpe:1: 'the': a merge is two tokens with a "
		           "blank between" },
		{ " the\n", "vocab.bpe:1: ' the': a merge is two tokens with "
		            "a blank between" },
		{ "th \n", "vocab.bpe:1: 'th ': a merge is two tokens with a "
		           "blank between" },
		{ "t h e\n",
		    "vocab.bpe:1: 't h e': a letter stands for no byte" },
		{ "t h\r\n", "vocab.bpe:1: 't h\\r': a letter stands for no "
		             "byte" },
		{ "t h\nx y\n", "vocab.bpe:2: 'x y': a token of this merge is "
		                "not in encoder.json" },
		{ "t h\nt h\n", "vocab.bpe:2: 't h': the merge appears twice" },
	};
	struct buf encoder = BUF_INIT, list = BUF_INIT;

	UNUSED(state);
	vocabulary_make(plain, &encoder, &list);
	test_ok(buf_append(&encoder, "", 1, &(struct error)ERROR_INIT),
	    &(struct error)ERROR_INIT);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		check_refused(
		    (const char *)encoder.data, cases[i][0], cases[i][1]);
	buf_release(&encoder);
	buf_release(&list);
}

static void test_vocabulary_is_shared(void **state)
{
	struct error err = ERROR_INIT;
	char *dir = test_scratch();
	const struct vocabulary *a, *b;

	UNUSED(state);
	assert_null(vocabulary_take(dir, &err));
	test_contains(err.text, "no file 'encoder.json' in ");
	vocabulary_write(dir, plain);
	a = vocabulary_take(dir, &err);
	b = vocabulary_take(dir, &err);
	assert_non_null(a);
	assert_ptr_equal(a, b);
	assert_int_equal(a->tokens, 270);
	assert_int_equal(a->merges.count, 13);
	test_write(dir, "vocab.bpe", "a b c\n");
	assert_null(vocabulary_take(dir, &err));
	test_contains(err.text, "vocab.bpe:1: 'a b c': ");
	vocabulary_give(a);
	vocabulary_give(b);
	test_scratch_remove(dir);
}

/* ---- the step ---- */

static void test_bpe_step_gives_tokens(void **state)
{
	static const struct type text = { DTYPE_U8, LAYOUT_ENCODED,
		{ 1, { -1 } }, "txt" };
	char *dir = test_scratch(), words[512];
	struct tensor in = TENSOR_INIT, out = TENSOR_INIT;

	UNUSED(state);
	vocabulary_write(dir, plain);
	snprintf(words, sizeof(words), "bpe vocab=%s special=yes", dir);
	tensor_view_encoded(&in, "the<|endoftext|>", 16, "txt");
	stepper_once(words, &text, &in, &out);
	assert_int_equal(out.dtype, DTYPE_I32);
	assert_int_equal(out.shape.count, 1);
	assert_int_equal(out.shape.dims[0], 2);
	assert_int_equal(((const int32_t *)out.data)[0], 257);
	assert_int_equal(((const int32_t *)out.data)[1], 269);
	tensor_view_encoded(&in, "", 0, "txt");
	stepper_once(words, &text, &in, &out);
	assert_int_equal(out.shape.dims[0], 0);
	tensor_release(&out);
	test_scratch_remove(dir);
}

static void test_bpe_step_refuses_in_words(void **state)
{
	static const struct type text = { DTYPE_U8, LAYOUT_ENCODED,
		{ 1, { -1 } }, "txt" };
	struct error err = ERROR_INIT;
	struct stepper stepper;

	UNUSED(state);
	test_error_is(stepper_open(&stepper, "bpe", &text, &err), &err,
	    "vocab must be given: a folder with "
	    "encoder.json and vocab.bpe");
	stepper_close(&stepper);
	test_error_is(stepper_open(&stepper, "bpe vocab=/nowhere", &text, &err),
	    &err, "vocab: no file 'encoder.json' in /nowhere");
	stepper_close(&stepper);
}

/* ---- GPT-2's own ---- */

static const char *data_dir(void)
{
	const char *data = getenv("PRESTO_TEST_DATA");

	return data ? data : "../shared/data";
}

/* NULL where the data is not. */
static struct bpe *gpt2_open(const struct vocabulary **vocabulary, bool special)
{
	struct error err = ERROR_INIT;
	struct bpe *bpe;
	char dir[1024];

	snprintf(dir, sizeof(dir), "%s/text/gpt2", data_dir());
	if (!path_exists(dir))
		return NULL;
	*vocabulary = vocabulary_take(dir, &err);
	test_ok(*vocabulary ? 0 : -1, &err);
	assert_int_equal((*vocabulary)->tokens, 50257);
	assert_int_equal((*vocabulary)->merges.count, 50000);
	assert_int_equal((*vocabulary)->end_of_text, 50256);
	bpe = bpe_new(*vocabulary, special, &err);
	test_ok(bpe ? 0 : -1, &err);
	return bpe;
}

static void gpt2_close(struct bpe *bpe, const struct vocabulary *vocabulary)
{
	bpe_free(bpe);
	vocabulary_give(vocabulary);
}

static void check_vector(struct bpe *bpe, const char *line, const char *where)
{
	json_error_t problem;
	json_t *object = json_loads(line, JSON_ALLOW_NUL, &problem);
	const json_t *text = json_object_get(object, "text");
	const json_t *array = json_object_get(object, "ids");
	const size_t count = json_array_size(array);
	int32_t *ids = calloc(count + 1, sizeof(*ids));

	assert_non_null(text);
	assert_non_null(ids);
	for (size_t i = 0; i < count; i++)
		ids[i] = (int32_t)json_integer_value(json_array_get(array, i));
	check_ids(bpe,
	    (struct span){ (const unsigned char *)json_string_value(text),
	        json_string_length(text) },
	    ids, count, where);
	free(ids);
	json_decref(object);
}

static void check_vectors(const char *name, size_t least, bool special)
{
	const struct vocabulary *vocabulary;
	struct bpe *bpe = gpt2_open(&vocabulary, special);
	char path[1024], *save = NULL, *line;
	struct buf file = BUF_INIT;
	size_t count = 0;

	if (!bpe) {
		skip();
		return;
	}
	snprintf(path, sizeof(path), "%s/text/token_vectors", data_dir());
	test_read_file(path, name, &file);
	test_ok(buf_append(&file, "", 1, &(struct error)ERROR_INIT), NULL);
	line = strtok_r((char *)file.data, "\n", &save);
	for (; line; line = strtok_r(NULL, "\n", &save), count++) {
		char where[64];

		snprintf(where, sizeof(where), "%s:%zu", name, count + 1);
		check_vector(bpe, line, where);
	}
	assert_true(count >= least);
	buf_release(&file);
	gpt2_close(bpe, vocabulary);
}

static void test_bpe_gives_the_numbers_of_other_encoders(void **state)
{
	UNUSED(state);
	check_vectors("sharptoken_r50k.jsonl", 30, false);
	check_vectors("swift_coreml_gpt2.jsonl", 1, false);
	check_vectors("blns_lines.jsonl", 400, false);
	check_vectors("sharptoken_r50k_special.jsonl", 2, true);
}

static void check_document(
    struct bpe *bpe, const char *doc, const char *numbers)
{
	char path[1024];
	struct buf text = BUF_INIT, file = BUF_INIT;
	int32_t *ids;

	snprintf(path, sizeof(path), "%s/text", data_dir());
	test_read_file(path, doc, &text);
	snprintf(path, sizeof(path), "%s/text/token_vectors", data_dir());
	test_read_file(path, numbers, &file);
	ids = calloc(file.len / 2 + 1, sizeof(*ids));
	assert_non_null(ids);
	for (size_t i = 0; i < file.len / 2; i++)
		ids[i] = file.data[2 * i] | file.data[2 * i + 1] << 8;
	check_ids(bpe, buf_span(&text), ids, file.len / 2, doc);
	free(ids);
	buf_release(&text);
	buf_release(&file);
}

static void test_bpe_gives_the_numbers_of_whole_documents(void **state)
{
	const struct vocabulary *vocabulary;
	struct bpe *bpe = gpt2_open(&vocabulary, false);
	char path[1024], *save = NULL, *line;
	struct buf list = BUF_INIT;
	size_t count = 0;

	UNUSED(state);
	if (!bpe) {
		skip();
		return;
	}
	snprintf(path, sizeof(path), "%s/text/token_vectors", data_dir());
	test_read_file(path, "documents.jsonl", &list);
	test_ok(buf_append(&list, "", 1, &(struct error)ERROR_INIT), NULL);
	line = strtok_r((char *)list.data, "\n", &save);
	for (; line; line = strtok_r(NULL, "\n", &save), count++) {
		json_t *object = json_loads(line, 0, NULL);

		check_document(bpe,
		    json_string_value(json_object_get(object, "doc")),
		    json_string_value(json_object_get(object, "ids_u16le")));
		json_decref(object);
	}
	assert_true(count >= 20);
	buf_release(&list);
	gpt2_close(bpe, vocabulary);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_split_cuts_as_the_pattern_does),
		cmocka_unit_test(
		    test_unicode_has_the_spaces_of_regular_expressions),
		cmocka_unit_test(test_bpe_merges_as_the_plain_way_does),
		cmocka_unit_test(test_bpe_encodes_any_bytes),
		cmocka_unit_test(test_bpe_knows_the_end_of_text_if_asked),
		cmocka_unit_test(test_bpe_takes_long_words),
		cmocka_unit_test(test_bpe_forgets_words_and_not_their_tokens),
		cmocka_unit_test(test_vocabulary_refuses_a_bad_encoder),
		cmocka_unit_test(test_vocabulary_refuses_bad_merges),
		cmocka_unit_test(test_vocabulary_is_shared),
		cmocka_unit_test(test_bpe_step_gives_tokens),
		cmocka_unit_test(test_bpe_step_refuses_in_words),
		cmocka_unit_test(test_bpe_gives_the_numbers_of_other_encoders),
		cmocka_unit_test(test_bpe_gives_the_numbers_of_whole_documents),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
