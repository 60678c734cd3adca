/* test_classes.c - names of labels (lib/sample/classes.h, lib/sample/labels.h).
 */
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/sample/classes.h"
#include "lib/sample/labels.h"
#include "test/unit/test.h"

static void test_classes_copies_names(void **state)
{
	char text[] = "catdog";
	const struct span words[] = {
		{ .data = (unsigned char *)text, .len = 3 },
		{ .data = NULL, .len = 0 },
		{ .data = (unsigned char *)text + 3, .len = 3 },
	};
	struct classes classes = CLASSES_INIT, copy = CLASSES_INIT;
	struct error err = ERROR_INIT;

	UNUSED(state);
	assert_int_equal(
	    classes_set(&classes, words, ARRAY_LEN(words), &err), 0);
	memset(text, 'x', sizeof(text));
	assert_int_equal(classes_copy(&copy, &classes, &err), 0);
	classes_release(&classes);
	assert_int_equal(classes.count, 0);
	assert_int_equal(copy.count, 3);
	assert_string_equal(copy.names[0], "cat");
	assert_string_equal(copy.names[1], "");
	assert_string_equal(copy.names[2], "dog");
	classes_release(&copy);
}

static void test_labels_name_their_classes(void **state)
{
	const struct span words[] = { span_text("dog"), span_text("cat"),
		span_text("cat"), span_text("dog") };
	struct classes classes = CLASSES_INIT;
	struct error err = ERROR_INIT;
	int64_t labels[4];

	UNUSED(state);
	assert_int_equal(
	    labels_from_words(words, 4, false, labels, &classes, &err), 0);
	assert_int_equal(classes.count, 2);
	for (size_t i = 0; i < 4; i++)
		assert_true(
		    span_equal(words[i], span_text(classes.names[labels[i]])));
	classes_release(&classes);
}

static void test_labels_that_are_numbers_have_no_names(void **state)
{
	const struct span words[] = { span_text("7"), span_text("-2") };
	struct classes classes = CLASSES_INIT;
	struct error err = ERROR_INIT;
	int64_t labels[2];

	UNUSED(state);
	assert_int_equal(
	    labels_from_words(words, 2, true, labels, &classes, &err), 0);
	assert_int_equal(labels[0], 7);
	assert_int_equal(labels[1], -2);
	assert_int_equal(classes.count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_classes_copies_names),
		cmocka_unit_test(test_labels_name_their_classes),
		cmocka_unit_test(test_labels_that_are_numbers_have_no_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
