/* test_json.c - a document is written completely, or there is an error. */
#define _GNU_SOURCE /* fopencookie */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/syntax/json.h"
#include "test/unit/test.h"

enum { TEXT_MOST = 1024 };

/* A file of which one write fails, and no other. */
struct weak_file {
	unsigned writes, failing;
	size_t len;
	char text[TEXT_MOST];
};

static ssize_t weak_write(void *cookie, const char *text, size_t len)
{
	struct weak_file *file = cookie;

	if (++file->writes == file->failing)
		return 0;
	assert_true(file->len + len < TEXT_MOST);
	memcpy(file->text + file->len, text, len);
	file->len += len;
	return (ssize_t)len;
}

/* Unbuffered: a write of the document is one of the file. */
static int write_weakly(
    const struct json_doc *doc, struct weak_file *file, struct error *err)
{
	FILE *out = fopencookie(
	    file, "w", (cookie_io_functions_t){ .write = weak_write });
	int rc;

	assert_non_null(out);
	setvbuf(out, NULL, _IONBF, 0);
	rc = json_doc_write(doc, out, err);
	fclose(out);
	return rc;
}

/* Where memory ends, or a disk is full for a moment. */
static void test_json_doc_write_fails_when_any_write_does(void **state)
{
	struct json_doc doc = json_doc_object();
	struct weak_file whole = { .failing = 0 };
	struct error err = ERROR_INIT;

	(void)state;
	json_add_text(&doc, doc.root, "split", "resized");
	json_add_uint(&doc, doc.root, "samples", 8);
	test_ok(write_weakly(&doc, &whole, &err), &err);
	assert_true(whole.writes > 8);
	for (unsigned i = 1; i <= whole.writes; i++) {
		struct weak_file file = { .failing = i };

		if (write_weakly(&doc, &file, &err) == 0)
			fail_msg("write %u failed, and this was whole: %s", i,
			    file.text);
	}
	json_doc_release(&doc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_json_doc_write_fails_when_any_write_does),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
