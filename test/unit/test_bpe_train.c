/* test_bpe_train.c - learning vocabularies from text. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/random.h"
#include "lib/tokens/bpe.h"
#include "lib/tokens/bpe_train.h"
#include "lib/tokens/vocabulary.h"
#include "test/unit/test.h"

struct learnt {
	struct bpe_trainer *trainer;
	struct buf encoder, merges;
	uint32_t made;
};

static struct learnt learn(struct span text, uint32_t tokens)
{
	struct error err = ERROR_INIT;
	struct learnt learnt = { .trainer = bpe_trainer_new(&err) };

	test_ok(learnt.trainer ? 0 : -1, &err);
	test_ok(bpe_trainer_add(learnt.trainer, text, &err), &err);
	test_ok(
	    bpe_trainer_run(learnt.trainer, tokens, &learnt.made, &err), &err);
	test_ok(bpe_trainer_print(
	            learnt.trainer, &learnt.encoder, &learnt.merges, &err),
	    &err);
	test_ok(buf_append(&learnt.merges, "", 1, &err), &err);
	learnt.merges.len--;
	return learnt;
}

static void learnt_release(struct learnt *learnt)
{
	bpe_trainer_free(learnt->trainer);
	buf_release(&learnt->encoder);
	buf_release(&learnt->merges);
}

/* Words of few letters, so that they come again. */
static void make_text(struct buf *text, uint64_t seed, size_t words)
{
	struct random random = random_stream(seed, 0, 0, 0);
	struct error err = ERROR_INIT;

	text->len = 0;
	for (size_t i = 0; i < words; i++) {
		const uint32_t len = 1 + random_below(&random, 7);

		for (uint32_t k = 0; k < len; k++)
			test_ok(
			    buf_append(text, &"aaabc"[random_below(&random, 5)],
			        1, &err),
			    &err);
		test_ok(buf_append(text, &" \n.\xc3"[random_below(&random, 4)],
		            1, &err),
		    &err);
	}
}

/* ---- the plain way: count all pairs, join one, again and again ---- */

enum { PLAIN_MOST = 4096, NO_TOKEN = -1 };

struct plain {
	int ids[PLAIN_MOST]; /* NO_TOKEN between words */
	size_t count;
	char names[600][160]; /* as bytes; no zeros are in them */
	int tokens;
};

/* The number of a token: bytes are by value here, only names are compared. */
static int find_name(struct plain *plain, const char *name)
{
	for (int i = 0; i < plain->tokens; i++)
		if (strcmp(plain->names[i], name) == 0)
			return i;
	snprintf(plain->names[plain->tokens], 160, "%s", name);
	return plain->tokens++;
}

static size_t count_pair(const struct plain *plain, int left, int right)
{
	size_t count = 0;

	for (size_t i = 0; i + 1 < plain->count; i++)
		count += plain->ids[i] == left && plain->ids[i + 1] == right;
	return count;
}

static size_t best_pair(const struct plain *plain, int best[2])
{
	size_t most = 0;

	for (size_t i = 0; i + 1 < plain->count; i++) {
		const int left = plain->ids[i], right = plain->ids[i + 1];
		size_t count;

		if (left == NO_TOKEN || right == NO_TOKEN)
			continue;
		count = count_pair(plain, left, right);
		if (count > most ||
		    (count == most &&
		        (left < best[0] ||
		            (left == best[0] && right < best[1])))) {
			most = count;
			best[0] = left;
			best[1] = right;
		}
	}
	return most;
}

static void join(struct plain *plain, const int pair[2])
{
	char name[160];
	size_t to = 0;
	int joined;

	snprintf(name, sizeof(name), "%s%s", plain->names[pair[0]],
	    plain->names[pair[1]]);
	joined = find_name(plain, name);
	for (size_t i = 0; i < plain->count; i++, to++) {
		plain->ids[to] = plain->ids[i];
		if (i + 1 < plain->count && plain->ids[i] == pair[0] &&
		    plain->ids[i + 1] == pair[1]) {
			plain->ids[to] = joined;
			i++;
		}
	}
	plain->count = to;
}

/* Text of a, b and blanks alone: a piece is a blank and the letters behind. */
static void plain_merges(struct span text, int merges, struct buf *out)
{
	struct plain *plain = calloc(1, sizeof(*plain));
	struct error err = ERROR_INIT;

	assert_non_null(plain);
	find_name(plain, "a"); /* letters come before the blank */
	find_name(plain, "b");
	find_name(plain, " ");
	for (size_t i = 0; i < text.len; i++) {
		const char name[] = { (char)text.data[i], '\0' };

		assert_true(plain->count + 2 < PLAIN_MOST);
		if (*name == ' ')
			plain->ids[plain->count++] = NO_TOKEN;
		plain->ids[plain->count++] = find_name(plain, name);
	}
	test_ok(buf_printf(out, &err, "#version: 0.2\n"), &err);
	for (int i = 0; i < merges; i++) {
		int pair[2] = { 0, 0 };

		if (best_pair(plain, pair) < 2)
			break;
		for (int k = 0; k < 2; k++) {
			const char *name = plain->names[pair[k]];
			const bool blank = *name == ' ';

			test_ok(buf_printf(out, &err, "%s%s%c",
			            blank ? "\xc4\xa0" : "", name + blank,
			            k ? '\n' : ' '),
			    &err);
		}
		join(plain, pair);
	}
	free(plain);
}

static void test_training_joins_the_most_frequent_pair(void **state)
{
	UNUSED(state);
	for (uint64_t seed = 0; seed < 20; seed++) {
		struct random random = random_stream(seed, 0, 0, 1);
		struct error err = ERROR_INIT;
		struct buf text = BUF_INIT, want = BUF_INIT;
		struct learnt learnt;

		for (size_t i = 0; i < 600; i++) {
			const char *c = &"aaabb "[random_below(&random, 6)];
			const bool blank =
			    text.len > 0 && text.data[text.len - 1] == ' ';

			if (*c != ' ' || !blank)
				test_ok(buf_append(&text, c, 1, &err), &err);
		}
		if (text.data[text.len - 1] == ' ')
			text.len--;
		learnt = learn(buf_span(&text), 257 + 30);
		plain_merges(buf_span(&text), 30, &want);
		assert_string_equal(
		    (const char *)learnt.merges.data, (const char *)want.data);
		learnt_release(&learnt);
		buf_release(&text);
		buf_release(&want);
	}
}

static void test_training_is_the_same_every_time(void **state)
{
	struct buf text = BUF_INIT;
	struct learnt a, b;

	UNUSED(state);
	make_text(&text, 1, 5000);
	a = learn(buf_span(&text), 600);
	b = learn(buf_span(&text), 600);
	assert_int_equal(a.made, 600);
	assert_true(span_equal(buf_span(&a.merges), buf_span(&b.merges)));
	assert_true(span_equal(buf_span(&a.encoder), buf_span(&b.encoder)));
	for (uint32_t i = 1; i < 600 - BPE_TOKENS_LEAST; i++)
		assert_true(bpe_trainer_count(a.trainer, i) <=
		            bpe_trainer_count(a.trainer, i - 1));
	assert_true(bpe_trainer_count(a.trainer, 600 - 258) >= 2);
	learnt_release(&a);
	learnt_release(&b);
	buf_release(&text);
}

static void test_training_ends_when_nothing_comes_twice(void **state)
{
	struct learnt learnt = learn(span_text("the the"), 1000);

	UNUSED(state);
	/* "th" and "the"; " the" is there once. */
	assert_int_equal(learnt.made, BPE_TOKENS_LEAST + 2);
	assert_string_equal(
	    (const char *)learnt.merges.data, "#version: 0.2\nh e\nt he\n");
	learnt_release(&learnt);
	learnt = learn((struct span){ .len = 0 }, 1000);
	assert_int_equal(learnt.made, BPE_TOKENS_LEAST);
	learnt_release(&learnt);
}

/* ---- there and back ---- */

/* The bytes of each token, by its number. */
static void token_bytes(const struct vocabulary *vocabulary, struct buf *bytes)
{
	const struct merges *merges = &vocabulary->merges;
	struct error err = ERROR_INIT;

	for (unsigned i = 0; i < 256; i++) {
		const unsigned char byte = (unsigned char)i;

		test_ok(
		    buf_append(&bytes[vocabulary->byte_ids[i]], &byte, 1, &err),
		    &err);
	}
	for (uint32_t rank = 0; rank < merges->count; rank++)
		for (size_t slot = 0; slot <= merges->mask; slot++) {
			const uint64_t entry = merges->slots[slot];
			struct buf *to = &bytes[merges->joined[rank]];
			const struct buf *left, *right;

			if (entry == UINT64_MAX ||
			    (entry & MERGES_MAX) != rank || to->len)
				continue;
			left = &bytes[entry >> 2 * MERGES_BITS];
			right = &bytes[entry >> MERGES_BITS & MERGES_MAX];
			test_ok(
			    buf_append(to, left->data, left->len, &err), &err);
			test_ok(buf_append(to, right->data, right->len, &err),
			    &err);
		}
}

static void test_learnt_vocabulary_encodes_there_and_back(void **state)
{
	struct buf text = BUF_INIT, back = BUF_INIT;
	struct buf *bytes = calloc(400, sizeof(*bytes));
	struct error err = ERROR_INIT;
	struct vocabulary *vocabulary;
	struct learnt learnt;
	const int32_t *ids;
	struct bpe *bpe;
	size_t count;

	UNUSED(state);
	assert_non_null(bytes);
	make_text(&text, 2, 5000);
	test_ok(buf_append(&text, "\"\\\0\xff caf\xc3\xa9", 11, &err), &err);
	learnt = learn(buf_span(&text), 400);
	assert_int_equal(learnt.made, 400);
	vocabulary = vocabulary_parse(
	    buf_span(&learnt.encoder), buf_span(&learnt.merges), &err);
	test_ok(vocabulary ? 0 : -1, &err);
	assert_int_equal(vocabulary->tokens, 400);
	assert_int_equal(vocabulary->end_of_text, 399);
	token_bytes(vocabulary, bytes);
	bpe = bpe_new(vocabulary, true, &err);
	test_ok(bpe ? 0 : -1, &err);
	test_ok(bpe_encode(bpe, buf_span(&text), &ids, &count, &err), &err);
	assert_true(count < text.len / 2);
	for (size_t i = 0; i < count; i++)
		test_ok(buf_append(
		            &back, bytes[ids[i]].data, bytes[ids[i]].len, &err),
		    &err);
	assert_true(span_equal(buf_span(&text), buf_span(&back)));
	for (size_t i = 0; i < 400; i++)
		buf_release(&bytes[i]);
	free(bytes);
	bpe_free(bpe);
	vocabulary_free(vocabulary);
	learnt_release(&learnt);
	buf_release(&text);
	buf_release(&back);
}

static void test_learnt_vocabulary_is_written_in_files(void **state)
{
	struct learnt learnt = learn(span_text("the the the"), 260);
	struct error err = ERROR_INIT;
	char *dir = test_scratch(), *sub = test_path(dir, "vocab");
	const struct vocabulary *vocabulary;

	UNUSED(state);
	test_ok(bpe_trainer_write(learnt.trainer, sub, &err), &err);
	vocabulary = vocabulary_take(sub, &err);
	test_ok(vocabulary ? 0 : -1, &err);
	assert_int_equal(vocabulary->tokens, 260);
	/* As GPT-2 numbers them. */
	assert_int_equal(vocabulary->byte_ids['!'], 0);
	assert_int_equal(vocabulary->byte_ids[' '], 220);
	vocabulary_give(vocabulary);
	learnt_release(&learnt);
	free(sub);
	test_scratch_remove(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_training_joins_the_most_frequent_pair),
		cmocka_unit_test(test_training_is_the_same_every_time),
		cmocka_unit_test(test_training_ends_when_nothing_comes_twice),
		cmocka_unit_test(test_learnt_vocabulary_encodes_there_and_back),
		cmocka_unit_test(test_learnt_vocabulary_is_written_in_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
