/* test_lines.c - text files with one sample per line. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "datasets/records/lines_scan.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/sample/reader.h"
#include "test/unit/dataset.h"
#include "test/unit/test.h"

static void test_lines_next_cuts_at_every_kind_of_end(void **state)
{
	static const char text[] = "one\r\n\ntwo\r\0three\n\r\nfour";
	static const struct {
		const char *line;
		size_t len;
	} lines[] = {
		{ "one", 3 },
		{ "", 0 },
		{ "two\r\0three", 10 },
		{ "", 0 },
		{ "four", 4 },
	};
	struct span rest = { (const unsigned char *)text, sizeof(text) - 1 };
	struct span line;

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
		assert_true(lines_next(&rest, &line));
		assert_int_equal(line.len, lines[i].len);
		assert_memory_equal(line.data, lines[i].line, line.len);
	}
	assert_false(lines_next(&rest, &line));
}

/* All lines of all streams: "KEY LABEL TEXT", a line each. */
static void read_all(const struct reader *reader, struct buf *text)
{
	struct chunk chunk = CHUNK_INIT;
	struct sample sample = SAMPLE_INIT;
	struct error err = ERROR_INIT;

	text->len = 0;
	for (size_t i = 0; i < reader->streams; i++) {
		void *stream = reader->ops->stream_open(reader, i, &err);
		int got;

		assert_non_null(stream);
		for (;;) {
			chunk_reset(&chunk);
			chunk.stream = i;
			got = reader->ops->stream_fetch(stream, &chunk, &err);
			test_ok(got < 0 ? -1 : 0, &err);
			if (!got)
				break;
			test_ok(
			    reader_unpack(reader, NULL, &chunk, &err), &err);
			while (reader->ops->next(
			           reader, &chunk, &sample, &err) == 1)
				test_ok(
				    buf_printf(text, &err, "%.*s %d %.*s\n",
				        (int)sample.key.len,
				        (const char *)sample.key.data,
				        (int)sample.label,
				        (int)sample.fields[0].bytes,
				        (const char *)sample.fields[0].data),
				    &err);
			test_ok(err.code ? -1 : 0, &err);
		}
		reader->ops->stream_close(stream);
	}
	chunk_release(&chunk);
}

static void expect(
    const char *dir, const char *section, uint64_t limit, const char *wanted)
{
	struct opened opened;
	struct buf text = BUF_INIT;

	test_ok(opened_open(&opened, dir, section, limit), &opened.err);
	read_all(opened.reader, &text);
	assert_string_equal((const char *)text.data, wanted);
	opened_close(&opened);
	buf_release(&text);
}

static void test_lines_of_a_file_and_of_a_folder(void **state)
{
	char *dir = test_scratch();
	struct opened opened;

	UNUSED(state);
	test_write(dir, "b.c/x.txt", "3\tthree\n\n\n4\tfour");
	test_write(dir, "a.txt", "1\tone\r\n2\t\n");
	test_write(dir, "empty.txt", "");
	expect(dir, "source = lines\npath = a.txt", 0,
	    "a-1 -1 1\tone\na-2 -1 2\t\n");
	expect(dir,
	    "source = lines\npath = .\nlabel = column\nskip_empty = yes", 0,
	    "a-1 1 one\na-2 2 \nb.c/x-1 3 three\nb.c/x-4 4 four\n");
	expect(dir, "source = lines\npath = .\nmatch = x.*", 0,
	    "b.c/x-1 -1 3\tthree\nb.c/x-2 -1 \nb.c/x-3 -1 \n"
	    "b.c/x-4 -1 4\tfour\n");
	expect(dir, "source = lines\npath = .\nskip_empty = yes", 2,
	    "a-1 -1 1\tone\nb.c/x-1 -1 3\tthree\n");
	expect(dir, "source = lines\npath = {b.c,a.txt}\nmatch = x.*", 0,
	    "b.c/x-1 -1 3\tthree\nb.c/x-2 -1 \nb.c/x-3 -1 \n"
	    "b.c/x-4 -1 4\tfour\na-1 -1 1\tone\na-2 -1 2\t\n");
	opened_all(&opened, dir, "source = lines\npath = .", 0);
	assert_int_equal(opened.count, 6);
	opened_close(&opened);
	test_write(dir, "other.csv", "z");
	expect(dir, "source = lines\npath = .\nskip_empty = yes", 2,
	    "a.txt-1 -1 1\tone\nb.c/x.txt-1 -1 3\tthree\n");
	test_scratch_remove(dir);
}

static void test_lines_say_what_is_wrong(void **state)
{
	char *dir = test_scratch();

	UNUSED(state);
	test_write(dir, "e.txt", "\n\n");
	test_write(dir, "l.txt", "1\tx\nno\ty\n");
	opened_fails(dir, "source = lines\npath = e.txt\nskip_empty = yes",
	    "e.txt: there is no line");
	opened_fails(dir, "source = lines\npath = none.txt",
	    "none.txt: no such file or folder");
	opened_fails(dir, "source = lines\npath = {e,f}.txt",
	    "f.txt does not exist (1 of the 2 paths are missing)");
	opened_fails(dir, "source = lines\npath = l.txt\nlabel = column",
	    "l.txt:2: label=column, but there is no whole number in front of "
	    "a tab");
	test_scratch_remove(dir);
}

static void test_lines_longer_than_a_run_and_than_allowed(void **state)
{
	char *dir = test_scratch();
	struct error err = ERROR_INIT;
	struct buf text = BUF_INIT;
	struct opened opened;

	UNUSED(state);
	test_ok(buf_reserve(&text, (size_t)LINE_MOST + 4, &err), &err);
	memset(text.data, 'x', (size_t)LINE_MOST + 4);
	text.data[3] = '\n';
	text.data[LINES_RUN * 3] = '\n';
	text.len = LINES_RUN * 3 + 10;
	test_write_file(dir, "t.txt", buf_span(&text));
	opened_all(&opened, dir, "source = lines\npath = t.txt", 0);
	assert_int_equal(opened.count, 3);
	opened_close(&opened);
	text.data[LINES_RUN * 3] = 'x';
	text.len = (size_t)LINE_MOST + 4;
	test_write_file(dir, "t.txt", buf_span(&text));
	opened_all(&opened, dir, "source = lines\npath = t.txt", 0);
	assert_int_equal(opened.count, 2);
	opened_close(&opened);
	text.len = (size_t)LINE_MOST + 5;
	test_ok(buf_append(&text, "xx\n", 3, &err), &err);
	text.data[3] = 'x';
	memset(text.data + LINE_MOST, 'x', 6);
	test_write_file(dir, "t.txt", buf_span(&text));
	opened_fails(dir, "source = lines\npath = t.txt",
	    "t.txt:1: a line of more than 67108864 bytes; are these lines of "
	    "text?");
	buf_release(&text);
	test_scratch_remove(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines_next_cuts_at_every_kind_of_end),
		cmocka_unit_test(test_lines_of_a_file_and_of_a_folder),
		cmocka_unit_test(test_lines_say_what_is_wrong),
		cmocka_unit_test(test_lines_longer_than_a_run_and_than_allowed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
