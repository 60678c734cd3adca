/*
 * fuzz_csv_rows.c - any text as a table: an error with its line, or rows that,
 * written with every field in quotes, are read again as they were.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/syntax/csv_rows.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static void require(int truth)
{
	if (!truth)
		abort();
}

static void append(struct buf *out, const void *bytes, size_t len)
{
	struct error err = ERROR_INIT;

	require(buf_append(out, bytes, len, &err) == 0);
}

static void quote(struct span field, struct buf *out)
{
	append(out, "\"", 1);
	for (size_t i = 0; i < field.len; i++) {
		if (field.data[i] == '"')
			append(out, "\"", 1);
		append(out, &field.data[i], 1);
	}
	append(out, "\"", 1);
}

/* Reads all rows; with `out`, writes them again.  How many, or -1. */
static long read_rows(struct span text, char delimiter, struct buf *out)
{
	struct csv_rows rows = CSV_ROWS_INIT;
	struct error err = ERROR_INIT;
	size_t line = 0;
	long count = 0;
	int got;

	csv_rows_begin(&rows, "t.csv", text, delimiter);
	while ((got = csv_rows_next(&rows, &err)) > 0) {
		require(rows.count > 0 && rows.line > line);
		line = rows.line;
		for (size_t i = 0; i < rows.count; i++) {
			const struct span field = csv_rows_field(&rows, i);

			require(field.data[field.len] == 0);
			if (i && out)
				append(out, ",", 1);
			if (out)
				quote(field, out);
		}
		if (out)
			append(out, "\n", 1);
		count++;
	}
	require(got == 0 || (err.code == ERROR_DATA && err.text[0]));
	csv_rows_release(&rows);
	return got ? -1 : count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	const struct span text = { data, len };
	struct buf once = BUF_INIT, twice = BUF_INIT;
	const long count = read_rows(text, 0, &once);

	if (count >= 0) {
		require(read_rows(buf_span(&once), ',', &twice) == count);
		require(once.len == twice.len);
		require(
		    !once.len || memcmp(once.data, twice.data, once.len) == 0);
	}
	buf_release(&once);
	buf_release(&twice);
	return 0;
}
