/*
 * fuzz_csv.c - any text as CSV: an error, or rows of numbers; and each number
 * as strtod reads it.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/decimal.h"
#include "lib/base/error.h"
#include "lib/signal/csv.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static void require(int truth)
{
	if (!truth)
		abort();
}

static void try_csv(const struct csv_format *format, struct span text)
{
	struct error err = ERROR_INIT;
	struct csv csv;
	size_t rows;
	double *out;

	if (csv_text_open(&csv, format, text, &err)) {
		require(err.code == ERROR_DATA && err.text[0]);
		return;
	}
	out = calloc(csv.count * csv.lines + 1, sizeof(*out));
	require(out != NULL);
	if (csv_text_read(&csv, DTYPE_F64, out, &rows, &err))
		require(err.code == ERROR_DATA && err.text[0]);
	else
		require(rows <= csv.lines);
	free(out);
}

static void try_number(const uint8_t *data, size_t len)
{
	char *text = malloc(len + 1), *end;
	double got, want;
	size_t used;

	require(text != NULL);
	memcpy(text, data, len);
	text[len] = '\0';
	used = decimal_parse(text, len, &got);
	if (used && !strpbrk(text, "xXnN \t\n\v\f\r")) {
		want = strtod(text, &end);
		require(end == text + used);
		require(memcmp(&got, &want, sizeof(got)) == 0);
	}
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	static const struct csv_format formats[] = {
		{ .header = CSV_HEADER_AUTO },
		{ .header = CSV_HEADER_YES, .columns = "volts,1" },
		{ .header = CSV_HEADER_NO, .delimiter = ' ' },
	};

	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++)
		try_csv(&formats[i], (struct span){ data, len });
	if (len < 100)
		try_number(data, len);
	return 0;
}
