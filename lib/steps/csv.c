/*
 * csv.c - columns of numbers from a text.
 * in:  the bytes of a text
 * out: [columns, rows] float64 or float32
 */
#include <string.h>

#include "lib/base/array.h"
#include "lib/signal/csv.h"
#include "lib/steps/step.h"
#include "lib/syntax/option.h"

struct csv_options {
	const char *columns;
	unsigned delimiter, dtype, header;
};

/* In the order of the option's words. */
static const char delimiters[] = { 0, ',', ';', '\t', ' ' };
static const enum dtype dtypes[] = { DTYPE_F64, DTYPE_F32 };
static const enum csv_header headers[] = { CSV_HEADER_AUTO, CSV_HEADER_YES,
	CSV_HEADER_NO };

static const struct option options[] = {
	OPTION(TEXT, "columns", 0, struct csv_options, columns, "LIST",
	    "columns, by name or number from 1 (default: all)"),
	OPTION_WORDS("delimiter", struct csv_options, delimiter,
	    "auto|comma|semicolon|tab|blank", "separator of fields"),
	OPTION_WORDS("dtype", struct csv_options, dtype, "float64|float32",
	    "element type"),
	OPTION_WORDS("header", struct csv_options, header, "auto|yes|no",
	    "take the first row for names of columns"),
	OPTION_TABLE_END,
};

struct csv_step {
	struct csv_format format;
	enum dtype dtype;
	int64_t columns;   /* -1: all */
	struct tensor all; /* all rows, before some are dropped */
};

static int csv_bind(void *priv, const void *given, const struct type *in,
    struct type *out, struct error *err)
{
	const struct csv_options *wanted = given;
	struct csv_step *step = priv;

	if (in->layout != LAYOUT_ENCODED)
		return type_refuse(in, "the bytes of a text", err);
	step->format = (struct csv_format){
		.delimiter = delimiters[wanted->delimiter],
		.header = headers[wanted->header],
		.columns = wanted->columns,
	};
	step->dtype = dtypes[wanted->dtype];
	step->columns = wanted->columns ? 1 : -1;
	for (const char *c = wanted->columns; c && *c; c++)
		step->columns += *c == ',';
	*out = (struct type){
		.dtype = step->dtype,
		.shape = { .count = 2, .dims = { step->columns, -1 } },
	};
	return 0;
}

/* Copies rows out of a wider tensor, side by side. */
static int narrow(const struct tensor *all, size_t columns, size_t lines,
    size_t rows, struct tensor *out, struct error *err)
{
	const size_t size = dtype_bytes(all->dtype);
	const struct shape shape = { .count = 2,
		.dims = { (int64_t)columns, (int64_t)rows } };
	const unsigned char *from = all->data;
	unsigned char *to;

	if (tensor_reshape(out, all->dtype, &shape, err))
		return -1;
	to = out->data;
	for (size_t i = 0; rows && i < columns; i++)
		memcpy(
		    to + i * rows * size, from + i * lines * size, rows * size);
	return 0;
}

static int csv_run(void *priv, struct random *random, const struct tensor *in,
    struct tensor *out, struct error *err)
{
	const struct span text = { .data = in->data, .len = in->bytes };
	struct csv_step *step = priv;
	struct shape shape = { .count = 2 };
	struct csv csv;
	size_t rows;

	UNUSED(random);
	if (csv_text_open(&csv, &step->format, text, err))
		return -1;
	shape.dims[0] = (int64_t)csv.count;
	shape.dims[1] = (int64_t)csv.lines;
	if (tensor_reshape(&step->all, step->dtype, &shape, err) ||
	    csv_text_read(&csv, step->dtype, step->all.data, &rows, err))
		return -1;
	return narrow(&step->all, csv.count, csv.lines, rows, out, err);
}

static void csv_release(void *priv)
{
	struct csv_step *step = priv;

	tensor_release(&step->all);
}

const struct step_ops step_csv = {
	.name = "csv",
	.summary = "read columns of numbers from CSV text",
	.in = "bytes of a text",
	.out = "float64 or float32, columns x rows",
	.any_alignment = true,
	.options = options,
	.options_size = sizeof(struct csv_options),
	.priv_size = sizeof(struct csv_step),
	.bind = csv_bind,
	.run = csv_run,
	.release = csv_release,
};
