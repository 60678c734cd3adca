/* test_graph.c - edge lists, compressed rows, shuffles and feature files. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/random.h"
#include "lib/files/path.h"
#include "lib/graph/csr.h"
#include "lib/graph/edge_list.h"
#include "lib/graph/feature_file.h"
#include "lib/graph/row_table.h"
#include "lib/graph/shuffle.h"
#include "lib/sample/half.h"
#include "test/unit/test.h"

/* ---- edge lists ---- */

enum { EDGES_MOST = 64 };

struct parsed {
	int32_t pairs[2 * EDGES_MOST];
	size_t count;
};

/* The bytes end where their memory ends: sanitizers see more reads. */
static int parse(struct edge_list *list, const char *text,
    struct parsed *parsed, struct error *err)
{
	const size_t len = strlen(text);
	unsigned char *bytes = malloc(len + 1);
	const struct span span = { bytes, len };
	size_t counted = 0;
	int rc, again;

	assert_non_null(bytes);
	memcpy(bytes, text, len);
	assert_true(edge_list_most(span) <= EDGES_MOST);
	rc = edge_list_read(list, span, NULL, &counted, err);
	again = edge_list_read(list, span, parsed->pairs, &parsed->count, err);
	assert_int_equal(rc, again);
	assert_true(rc || counted == parsed->count);
	assert_true(parsed->count <= edge_list_most(span));
	free(bytes);
	return rc;
}

/* "0-1 1-2" of the pairs. */
static void check_pairs(const struct parsed *parsed, const char *wanted)
{
	char text[1024] = "";
	size_t len = 0;

	for (size_t i = 0; i < parsed->count; i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len,
		    "%s%d-%d", i ? " " : "", parsed->pairs[2 * i],
		    parsed->pairs[2 * i + 1]);
	assert_string_equal(text, wanted);
}

static void test_edges_are_read_in_every_form(void **state)
{
	static const struct {
		const char *text, *pairs;
	} cases[] = {
		{ "0\t183\n1\t2\n", "0-183 1-2" },
		{ "# Nodes: 5\n# From\tTo\n0\t1\n\n4\t3\n", "0-1 4-3" },
		{ "% MatrixMarket\n0 1\n", "0-1" },
		{ "id1,id2\n2034,1939\n0,7\n", "2034-1939 0-7" },
		{ "from;to\n1;2", "1-2" },
		{ "0 1", "0-1" },
		{ "  0   1  \n\t2 \t 3\t\n", "0-1 2-3" },
		{ "0 , 1\r\n2,3\r\n\r\n", "0-1 2-3" },
		{ "0 1 0.5\n2 3 1e9 x\n", "0-1 2-3" },
		{ "0,1,0.5\n2,3,4\n", "0-1 2-3" },
		{ "\xef\xbb\xbf"
		  "1 2\n",
		    "1-2" },
		{ "2147483646 0\n000000000000012 1\n", "2147483646-0 12-1" },
		{ "12345678 123456789\n1234567 1\n1 99999999\n",
		    "12345678-123456789 1234567-1 1-99999999" },
		{ "0 0\n0 0\n", "0-0 0-0" },
		{ "bradshaw97 100157\nkautz 100157\nbradshaw97 kautz\n",
		    "0-1 2-1 0-2" },
		{ "100157 100157\n100157 kautz\n", "0-0 0-1" },
		{ "a b\n", "0-1" },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct edge_list list = { .ids = EDGE_IDS_AUTO };
		struct error err = ERROR_INIT;
		struct parsed parsed;

		test_ok(parse(&list, cases[i].text, &parsed, &err), &err);
		check_pairs(&parsed, cases[i].pairs);
		edge_list_release(&list);
	}
}

static void test_edges_are_named_or_titled_as_told(void **state)
{
	static const struct {
		enum edge_ids ids;
		enum edge_titles titles;
		const char *text, *pairs;
	} cases[] = {
		{ EDGE_IDS_NAME, EDGE_TITLES_AUTO, "35 1033\n35 40\n",
		    "0-1 0-2" },
		{ EDGE_IDS_NAME, EDGE_TITLES_YES, "from,to\na,b\n", "0-1" },
		{ EDGE_IDS_NAME, EDGE_TITLES_NO, "from,to\n1,2\n", "0-1 2-3" },
		{ EDGE_IDS_NUMBER, EDGE_TITLES_YES, "1 2\n3 4\n", "3-4" },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct edge_list list = { .ids = cases[i].ids,
			.titles = cases[i].titles };
		struct error err = ERROR_INIT;
		struct parsed parsed;

		/* Twice: what was named before is forgotten. */
		for (int turn = 0; turn < 2; turn++) {
			test_ok(
			    parse(&list, cases[i].text, &parsed, &err), &err);
			check_pairs(&parsed, cases[i].pairs);
		}
		edge_list_release(&list);
	}
}

static void test_edges_that_are_none_are_named_with_their_line(void **state)
{
	static const struct {
		enum edge_ids ids;
		const char *text, *message;
	} cases[] = {
		{ EDGE_IDS_NUMBER, "0 1\n2 x\n",
		    "line 2: 'x' is not the number of a node; ids=name takes "
		    "names" },
		{ EDGE_IDS_NUMBER, "0 1\n# a\n\n-1 2\n",
		    "line 4: '-1' is not the number of a node; ids=name takes "
		    "names" },
		{ EDGE_IDS_AUTO, "0 1\n7\n",
		    "line 2: '7' is not an edge, which has two nodes" },
		{ EDGE_IDS_AUTO, "0 1\n,5\n",
		    "line 2: '' is not an edge, which has two nodes" },
		{ EDGE_IDS_AUTO, "0 2147483647\n",
		    "line 1: node 2147483647 is more than 2147483646; ids=name "
		    "numbers nodes anew" },
		{ EDGE_IDS_AUTO, "0 1\n0 18446744073709551617\n",
		    "line 2: node 18446744073709551617 is more than "
		    "2147483646; ids=name numbers nodes anew" },
		{ EDGE_IDS_AUTO, "0 1\n12345678901 18446744073709551617\n",
		    "line 2: node 12345678901 is more than 2147483646; "
		    "ids=name numbers nodes anew" },
		{ EDGE_IDS_AUTO, "a b\x01\n",
		    "line 1: has the byte 0x01: this is not text" },
		{ EDGE_IDS_AUTO, "", "holds no edges" },
		{ EDGE_IDS_AUTO, "# nothing\n\n", "holds no edges" },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct edge_list list = { .ids = cases[i].ids };
		struct error err = ERROR_INIT;
		struct parsed parsed;

		test_error_is(parse(&list, cases[i].text, &parsed, &err), &err,
		    cases[i].message);
		assert_int_equal(err.code, ERROR_DATA);
		edge_list_release(&list);
	}
}

/* Numbers of every length, fast and slow, against what printf wrote. */
static void test_edges_of_every_length_are_right(void **state)
{
	enum { COUNT = 3000 };
	struct random random = random_stream(3, 0, 0, 0);
	int32_t *wanted = malloc(COUNT * 8), *got = malloc(COUNT * 8);
	struct edge_list list = { .ids = EDGE_IDS_AUTO };
	struct error err = ERROR_INIT;
	struct buf text = BUF_INIT;
	size_t count = 0;

	UNUSED(state);
	assert_true(wanted && got);
	for (size_t i = 0; i < 2 * COUNT; i++) {
		const unsigned bits = 1 + random_below(&random, 31);

		wanted[i] = (int32_t)(random_u32(&random) >> (32 - bits));
		if (wanted[i] == INT32_MAX)
			wanted[i] = 0;
		test_ok(buf_printf(&text, &err, "%d%s", wanted[i],
		            i % 2 == 0    ? " "
		            : i % 20 == 1 ? " 1.5\n"
		            : i % 30 == 3 ? "\r\n"
		                          : "\n"),
		    &err);
	}
	test_ok(
	    edge_list_read(&list, buf_span(&text), got, &count, &err), &err);
	assert_int_equal(count, COUNT);
	assert_memory_equal(got, wanted, COUNT * 8);
	assert_int_equal(edge_list_most(buf_span(&text)), COUNT + 1);
	edge_list_release(&list);
	buf_release(&text);
	free(wanted);
	free(got);
}

/* ---- both directions, and rows ---- */

static int compare_pairs(const void *a, const void *b)
{
	const int32_t *x = a, *y = b;
	const int first = (x[0] > y[0]) - (x[0] < y[0]);

	return first ? first : (x[1] > y[1]) - (x[1] < y[1]);
}

static int32_t *random_pairs(size_t count, uint32_t nodes)
{
	struct random random = random_stream(nodes, 0, count, 0);
	int32_t *pairs = malloc((count + 1) * 8);

	assert_non_null(pairs);
	for (size_t i = 0; i < 2 * count; i++)
		pairs[i] = (int32_t)random_below(&random, nodes);
	return pairs;
}

/* Both directions by the library's sort. */
static size_t naive_both(const int32_t *pairs, size_t count, int32_t *out)
{
	size_t n = 0, kept = 0;

	for (size_t i = 0; i < count; i++) {
		out[n++] = pairs[2 * i];
		out[n++] = pairs[2 * i + 1];
		out[n++] = pairs[2 * i + 1];
		out[n++] = pairs[2 * i];
	}
	qsort(out, n / 2, 8, compare_pairs);
	for (size_t i = 0; i < n; i += 2) {
		if (kept && compare_pairs(&out[kept - 2], &out[i]) == 0)
			continue;
		out[kept] = out[i];
		out[kept + 1] = out[i + 1];
		kept += 2;
	}
	return kept / 2;
}

static void test_both_directions_are_sorted_and_once(void **state)
{
	static const struct {
		size_t count;
		uint32_t nodes;
	} cases[] = { { 0, 1 }, { 1, 1 }, { 1, 100 }, { 50, 5 }, { 3000, 70 },
		{ 5000, 4000 }, { 2000, 2000000000 }, { 700, 65536 } };

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const size_t count = cases[i].count;
		int32_t *pairs = random_pairs(count, cases[i].nodes);
		int32_t *made = malloc(count * 16 + 16);
		int32_t *wanted = malloc(count * 16 + 16);
		struct buf work[2] = { BUF_INIT, BUF_INIT };
		struct error err = ERROR_INIT;
		size_t n = 0;

		assert_true(made && wanted);
		test_ok(
		    pairs_symmetrize(pairs, count, false, work, made, &n, &err),
		    &err);
		assert_int_equal(n, naive_both(pairs, count, wanted));
		assert_memory_equal(made, wanted, n * 8);
		buf_release(&work[0]);
		buf_release(&work[1]);
		free(pairs);
		free(made);
		free(wanted);
	}
}

static void test_both_directions_kept_as_they_come(void **state)
{
	static const int32_t pairs[] = { 3, 1, 2, 2, 3, 1 };
	static const int32_t wanted[] = { 3, 1, 2, 2, 3, 1, 1, 3, 1, 3 };
	static const int32_t negative[] = { 0, 1, 5, -2 };
	struct buf work[2] = { BUF_INIT, BUF_INIT };
	struct error err = ERROR_INIT;
	int32_t made[12];
	size_t n = 0;

	UNUSED(state);
	test_ok(pairs_symmetrize(pairs, 3, true, work, made, &n, &err), &err);
	assert_int_equal(n, 5);
	assert_memory_equal(made, wanted, sizeof(wanted));
	test_error_is(
	    pairs_symmetrize(negative, 2, false, work, made, &n, &err), &err,
	    "edge 1 has the node -2");
}

static void test_rows_are_those_of_a_naive_search(void **state)
{
	enum { EDGES = 2000, NODES = 120 };
	int32_t *pairs = random_pairs(EDGES, NODES - 20), indices[EDGES];
	int64_t indptr[NODES + 1], at = 0;

	UNUSED(state);
	csr_build(pairs, EDGES, NODES, indptr, indices);
	assert_int_equal(indptr[0], 0);
	for (int32_t node = 0; node < NODES; node++) {
		for (size_t i = 0; i < EDGES; i++)
			if (pairs[2 * i] == node)
				assert_int_equal(
				    indices[at++], pairs[2 * i + 1]);
		assert_int_equal(indptr[node + 1], at);
	}
	csr_build(pairs, 0, 0, indptr, indices);
	assert_int_equal(indptr[0], 0);
	free(pairs);
}

/* ---- shuffles ---- */

static void test_shuffles_have_everything_once(void **state)
{
	static const uint64_t counts[] = { 1, 2, 3, 4, 5, 17, 64, 65, 1000,
		18660 };

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(counts); i++) {
		const struct shuffle shuffle = shuffle_make(counts[i], i);
		unsigned char *seen = calloc(counts[i], 1);
		uint64_t still = 0;

		assert_non_null(seen);
		for (uint64_t k = 0; k < counts[i]; k++) {
			const uint64_t at = shuffle_at(&shuffle, k);

			assert_true(at < counts[i] && !seen[at]);
			seen[at] = 1;
			still += at == k;
		}
		assert_true(counts[i] < 64 || still < 12);
		free(seen);
	}
}

static void test_ranges_of_a_shuffle_are_its_places(void **state)
{
	static const uint64_t counts[] = { 200, 257, 1000, 18660, 65537,
		(uint64_t)1 << 31, (uint64_t)1 << 61 };
	uint64_t range[300];

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(counts); i++) {
		const struct shuffle shuffle = shuffle_make(counts[i], i);
		const size_t n = counts[i] < 300 ? 190 : 300 - i;
		const uint64_t first = counts[i] - n;

		shuffle_range(&shuffle, first, n, range);
		for (size_t k = 0; k < n; k++) {
			assert_true(range[k] < counts[i]);
			assert_int_equal(
			    range[k], shuffle_at(&shuffle, first + k));
		}
	}
}

/* The sum of (seen - mean)^2 / mean. */
static double chi_square(const unsigned *seen, size_t count, double mean)
{
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += (seen[i] - mean) * (seen[i] - mean) / mean;
	return sum;
}

/* By mean and deviation: one in millions is beyond; seeds are fixed. */
static double chi_square_most(double freedom)
{
	double root = 1;

	for (int i = 0; i < 60; i++)
		root = (root + 2 * freedom / root) / 2;
	return freedom + 5.5 * root + 12;
}

static void test_shuffles_put_everything_anywhere(void **state)
{
	static const uint64_t counts[] = { 3, 5, 8, 13, 40, 256, 257, 300 };
	enum { TURNS = 20000 };

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(counts); i++) {
		const size_t count = (size_t)counts[i];
		unsigned *seen = calloc(count * count, sizeof(*seen));
		const double freedom = (double)((count - 1) * (count - 1));

		assert_non_null(seen);
		for (uint64_t seed = 0; seed < TURNS; seed++) {
			const struct shuffle shuffle =
			    shuffle_make(count, seed);

			for (size_t k = 0; k < count; k++)
				seen[k * count +
				     (size_t)shuffle_at(&shuffle, k)]++;
		}
		const double sum = chi_square(seen, count * count,
		                       (double)TURNS / (double)count) *
		                   (double)(count - 1) / (double)count;

		if (sum > chi_square_most(freedom))
			fail_msg("%zu: %g of %g", count, sum, freedom);
		free(seen);
	}
}

/* ---- features ---- */

static int read_features(const char *text, struct feature_size *size,
    float table[64], struct error *err)
{
	const size_t len = strlen(text);
	unsigned char *bytes = malloc(len + 1);
	const struct span span = { bytes, len };
	int rc;

	assert_non_null(bytes);
	memcpy(bytes, text, len);
	memset(table, 0, 64 * sizeof(*table));
	rc = feature_file_size(span, size, err);
	if (rc == 0) {
		assert_true(size->nodes * size->columns <= 64);
		rc = feature_file_read(span, size, table, err);
	}
	free(bytes);
	return rc;
}

static void test_features_are_read_in_both_forms(void **state)
{
	static const struct {
		const char *text;
		size_t nodes, columns;
		float table[9];
	} cases[] = {
		{ "{\"0\": [1, 2], \"2\": [0], \"1\": []}", 3, 3,
		    { 0, 1, 1, 0, 0, 0, 1, 0, 0 } },
		{ " {\"1\":[0 , 1.0 ]\n}\n", 2, 2, { 0, 0, 1, 1 } },
		{ "# 3 2\n0 1:1\n2 0:0.5 1:-2e1\n", 3, 2,
		    { 0, 1, 0, 0, 0.5f, -20 } },
		{ "0 1:3\n1\n", 2, 2, { 0, 3, 0, 0 } },
		{ "# a comment\r\n1 0:7\r\n", 2, 1, { 0, 7 } },
		{ "# 1 1\n0 2:1", 1, 3, { 0, 0, 1 } },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct error err = ERROR_INIT;
		struct feature_size size;
		float table[64];

		test_ok(read_features(cases[i].text, &size, table, &err), &err);
		assert_int_equal(size.nodes, cases[i].nodes);
		assert_int_equal(size.columns, cases[i].columns);
		assert_memory_equal(table, cases[i].table,
		    size.nodes * size.columns * sizeof(float));
	}
}

static void test_features_that_are_none_are_named(void **state)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{ "", "holds no features" },
		{ "{}", "holds no features" },
		{ "{\"0\": [1, 2]", "line 1: ends where ',' or '}' should be" },
		{ "{\"0\": [1, 2", "line 1: ends where ',' or ']' should be" },
		{ "{\"0\":\n [1, x]}",
		    "line 2: the number of a column should be where the byte "
		    "0x78 is" },
		{ "{\"a\": []}",
		    "line 1: the number of a node should be where the byte "
		    "0x61 is" },
		{ "{\"0\": []} x",
		    "line 1: the end should be where the byte 0x78 is" },
		{ "0 1:1\n0 5\n",
		    "line 2: ':' should be where the byte 0x0a is" },
		{ "0 1:1\n0 5:zz\n",
		    "line 2: a number should be where the byte 0x7a is" },
		{ "0 16777216:1\n",
		    "line 1: the number of a column is more than 16777215" },
		{ "99999999999 1:1\n",
		    "line 1: the number of a node is more than 2147483645" },
		{ "\xff\xd8\xff",
		    "line 1: the number of a node should be where the byte "
		    "0xff is" },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct error err = ERROR_INIT;
		struct feature_size size;
		float table[64];

		test_error_is(read_features(cases[i].text, &size, table, &err),
		    &err, cases[i].message);
	}
}

static void test_features_beyond_the_table_are_refused(void **state)
{
	const struct feature_size size = { 2, 2 };
	struct error err = ERROR_INIT;
	float table[4] = { 0 };

	UNUSED(state);
	test_error_is(
	    feature_file_read(span_text("0 1:1\n2 0:1\n"), &size, table, &err),
	    &err, "line 2: node 2 is not one of 2");
	test_error_is(
	    feature_file_read(span_text("0 2:1\n"), &size, table, &err), &err,
	    "line 1: column 2 is not one of 2");
}

/* ---- the random table ---- */

static void test_random_rows_are_the_same_everywhere(void **state)
{
	static const int32_t rows[] = { 0, 70000, 0, 16383, 16384, 5 };
	const struct row_kind kind = { 7, 24, DTYPE_F32 };
	const struct row_kind halves = { 7, 24, DTYPE_F16 };
	struct error err = ERROR_INIT;
	struct row_table *a = row_table_take(&kind, &err);
	struct row_table *b = row_table_take(&kind, &err);
	struct row_table *c = row_table_take(&halves, &err);
	float out[6][24], again[24];
	uint16_t small[6][24];
	double sum = 0;

	UNUSED(state);
	assert_true(a && a == b && c && c != a);
	test_ok(row_table_gather(a, rows, 6, out, &err), &err);
	test_ok(row_table_gather(c, rows, 6, small, &err), &err);
	row_table_drop(a);
	row_table_drop(b);
	assert_memory_equal(out[0], out[2], sizeof(out[0]));
	for (size_t i = 0; i < 24; i++) {
		assert_true(out[1][i] >= -1 && out[1][i] < 1);
		assert_true(half_to_float(small[1][i]) == out[1][i]);
		sum += out[1][i];
	}
	assert_true(sum > -10 && sum < 10);
	assert_memory_not_equal(out[0], out[1], sizeof(out[0]));
	a = row_table_take(&kind, &err);
	assert_non_null(a);
	test_ok(row_table_gather(a, &rows[3], 1, again, &err), &err);
	assert_memory_equal(again, out[3], sizeof(again));
	row_table_drop(a);
	row_table_drop(c);
	row_table_drop(NULL);
}

static void test_rows_of_any_size_are_gathered(void **state)
{
	static const size_t sizes[] = { 1, 12, 128, 256, 1000 };
	unsigned char *table = malloc(100 * 1000), *out = malloc(90 * 1000);
	struct random random = random_stream(1, 0, 0, 0);
	int32_t rows[90];

	UNUSED(state);
	assert_true(table && out);
	random_fill(&random, table, 100 * 1000);
	for (size_t i = 0; i < 90; i++)
		rows[i] = (int32_t)random_below(&random, 100);
	for (size_t s = 0; s < ARRAY_LEN(sizes); s++) {
		rows_gather(table, sizes[s], rows, 90, out);
		for (size_t i = 0; i < 90; i++)
			assert_memory_equal(out + i * sizes[s],
			    table + (size_t)rows[i] * sizes[s], sizes[s]);
	}
	free(table);
	free(out);
}

/* ---- real files, where there are some ---- */

static void read_real(const char *name, struct buf *bytes)
{
	const char *data = getenv("PRESTO_TEST_DATA");
	struct error err = ERROR_INIT;
	char path[1024];

	snprintf(path, sizeof(path), "%s/graph/%s",
	    data ? data : "../shared/data", name);
	if (!path_exists(path))
		skip();
	bytes->len = 0;
	test_ok(path_read(path, SIZE_MAX, bytes, &err), &err);
}

static void test_real_graphs_have_the_edges_they_say(void **state)
{
	static const struct {
		const char *name;
		size_t edges;
		int32_t highest;
	} cases[] = {
		{ "cora/cora.edges", 5278, 2707 },
		{ "fb100_cornell5/cornell5.txt", 790777, 18659 },
		{ "musae_chameleon/chameleon_edges.csv", 36101, 2276 },
		{ "twitch_PTBR/musae_PTBR_edges.csv", 31299, 1911 },
	};
	struct buf text = BUF_INIT, pairs = BUF_INIT;

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct edge_list list = { .ids = EDGE_IDS_AUTO };
		struct error err = ERROR_INIT;
		int32_t highest;
		size_t count;

		read_real(cases[i].name, &text);
		test_ok(buf_reserve(
		            &pairs, edge_list_most(buf_span(&text)) * 8, &err),
		    &err);
		test_ok(edge_list_read(&list, buf_span(&text),
		            (void *)pairs.data, &count, &err),
		    &err);
		test_ok(
		    pairs_highest((void *)pairs.data, count, &highest, &err),
		    &err);
		assert_int_equal(count, cases[i].edges);
		assert_int_equal(highest, cases[i].highest);
		edge_list_release(&list);
	}
	buf_release(&text);
	buf_release(&pairs);
}

static void test_real_features_have_the_size_they_say(void **state)
{
	static const struct {
		const char *name;
		size_t nodes, columns;
	} cases[] = {
		{ "cora/cora.features", 2708, 1433 },
		{ "musae_chameleon/chameleon_features.json", 2277, 3132 },
		{ "twitch_PTBR/musae_PTBR_features.json", 1912, 3170 },
	};
	struct buf text = BUF_INIT;

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct error err = ERROR_INIT;
		struct feature_size size;
		float *table;

		read_real(cases[i].name, &text);
		test_ok(feature_file_size(buf_span(&text), &size, &err), &err);
		assert_int_equal(size.nodes, cases[i].nodes);
		assert_true(size.columns <= cases[i].columns);
		assert_true(size.columns >= cases[i].columns - 100);
		table = calloc(size.nodes * size.columns, sizeof(*table));
		assert_non_null(table);
		test_ok(feature_file_read(buf_span(&text), &size, table, &err),
		    &err);
		free(table);
	}
	buf_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_edges_are_read_in_every_form),
		cmocka_unit_test(test_edges_are_named_or_titled_as_told),
		cmocka_unit_test(
		    test_edges_that_are_none_are_named_with_their_line),
		cmocka_unit_test(test_edges_of_every_length_are_right),
		cmocka_unit_test(test_both_directions_are_sorted_and_once),
		cmocka_unit_test(test_both_directions_kept_as_they_come),
		cmocka_unit_test(test_rows_are_those_of_a_naive_search),
		cmocka_unit_test(test_shuffles_have_everything_once),
		cmocka_unit_test(test_ranges_of_a_shuffle_are_its_places),
		cmocka_unit_test(test_shuffles_put_everything_anywhere),
		cmocka_unit_test(test_features_are_read_in_both_forms),
		cmocka_unit_test(test_features_that_are_none_are_named),
		cmocka_unit_test(test_features_beyond_the_table_are_refused),
		cmocka_unit_test(test_random_rows_are_the_same_everywhere),
		cmocka_unit_test(test_rows_of_any_size_are_gathered),
		cmocka_unit_test(test_real_graphs_have_the_edges_they_say),
		cmocka_unit_test(test_real_features_have_the_size_they_say),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
