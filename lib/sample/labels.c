/* labels.c - see labels.h. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/sample/classes.h"
#include "lib/sample/labels.h"

enum { NUMBER_MAX = 20 }; /* bytes of the longest: -9223372036854775808 */

static bool is_blank(unsigned char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

int label_parse(struct span text, int64_t *label)
{
	char digits[NUMBER_MAX + 1], *end;
	intmax_t number;

	while (text.len && is_blank(text.data[text.len - 1]))
		text.len--;
	while (text.len && is_blank(*text.data)) {
		text.data++;
		text.len--;
	}
	if (text.len == 0 || text.len > NUMBER_MAX)
		return -1;
	memcpy(digits, text.data, text.len);
	digits[text.len] = '\0';
	errno = 0;
	number = strtoimax(digits, &end, 10);
	if (errno || end != digits + text.len)
		return -1;
	*label = number;
	return 0;
}

static int compare_spans(const void *a, const void *b)
{
	const struct span *x = a, *y = b;
	const size_t len = x->len < y->len ? x->len : y->len;
	const int order = len ? memcmp(x->data, y->data, len) : 0;

	return order ? order : (x->len > y->len) - (x->len < y->len);
}

static bool all_numbers(const struct span *words, size_t count, int64_t *labels)
{
	for (size_t i = 0; i < count; i++)
		if (label_parse(words[i], &labels[i]))
			return false;
	return true;
}

/*
 * Moves the distinct words to the front, sorted.  Equal neighbours, which are
 * common, are removed before sorting.
 */
static size_t distinct_words(struct span *words, size_t count)
{
	size_t n = 0;

	for (size_t i = 0; i < count; i++)
		if (n == 0 || !span_equal(words[i], words[n - 1]))
			words[n++] = words[i];
	qsort(words, n, sizeof(*words), compare_spans);
	count = n;
	n = 0;
	for (size_t i = 0; i < count; i++)
		if (n == 0 || !span_equal(words[i], words[n - 1]))
			words[n++] = words[i];
	return n;
}

int labels_from_words(const struct span *words, size_t count, bool numbers,
    int64_t *labels, struct classes *classes, struct error *err)
{
	struct span *distinct;
	size_t bytes, n;
	int rc;

	if (count == 0 || (numbers && all_numbers(words, count, labels)))
		return 0;
	if (size_mul(count, sizeof(*distinct), &bytes) ||
	    !(distinct = malloc(bytes)))
		return error_memory(err, count);
	memcpy(distinct, words, bytes);
	n = distinct_words(distinct, count);
	for (size_t i = 0; i < count; i++) {
		const struct span *found;

		if (i > 0 && span_equal(words[i], words[i - 1])) {
			labels[i] = labels[i - 1];
			continue;
		}
		found = bsearch(
		    &words[i], distinct, n, sizeof(*distinct), compare_spans);
		labels[i] = found - distinct;
	}
	rc = classes_set(classes, distinct, n, err);
	free(distinct);
	return rc;
}
