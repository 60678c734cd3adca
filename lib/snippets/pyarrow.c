/* pyarrow.c - programs for pyarrow, with NumPy. */
#include <inttypes.h>

#include "lib/snippets/columns.h"
#include "lib/snippets/common_code.h"
#include "lib/snippets/program.h"

/* Elements of a known shape, or a scalar, which may be a number already. */
static int tensor_code(
    struct program *program, const struct field *field, struct buf *out)
{
	const struct type *type = &field->type;
	const char *dtype = dtype_name(type->dtype);
	const size_t size = dtype_bytes(type->dtype);
	const bool is_number = type->shape.count == 0 && size >= 4 &&
	                       type->dtype != DTYPE_U32 &&
	                       type->dtype != DTYPE_U64;

	if (is_number)
		return buf_printf(out, program->err, "np.%s(sample[\"%s\"])",
		    dtype, field->name);
	if (buf_printf(out, program->err,
	        "np.frombuffer(sample[\"%s\"], np.%s).reshape(", field->name,
	        dtype))
		return -1;
	for (unsigned i = 0; i < type->shape.count; i++)
		if (buf_printf(out, program->err, "%s%" PRId64, i ? ", " : "",
		        type->shape.dims[i]))
			return -1;
	return buf_printf(
	    out, program->err, "%s)", type->shape.count ? "" : "()");
}

static int code(struct program *program, unsigned field, struct buf *out)
{
	const struct schema *stored = program_stored(program);
	const struct field *f = &stored->fields[field];

	if (program_is_encoded(stored, field))
		return buf_printf(
		    out, program->err, "sample[\"%s\"][\"bytes\"]", f->name);
	if (type_bytes(&f->type) > 0)
		return tensor_code(program, f, out);
	program_import(program, "import io");
	return buf_printf(
	    out, program->err, "np.load(io.BytesIO(sample[\"%s\"]))", f->name);
}

static void print(struct program *program)
{
	char suffix[PROGRAM_NAME];

	program_import_library(program, "import numpy as np");
	program_import_library(program, "import pyarrow.parquet as pq");
	program_rng(program);
	program_blank(program, 2);
	program_prepare_columns(program, code);
	program_collate(program, &numpy_arrays);
	program_files(program, "shards", program_suffix(program, suffix));
	program_blank(program, 2);
	program_line(program, 0, "def batches():");
	program_line(program, 1, "for shard in shards:");
	program_line(program, 2,
	    "for rows in pq.ParquetFile(shard).iter_batches(BATCH):");
	program_line(program, 3,
	    "yield collate([prepare(row) for row in rows.to_pylist()])");
	program_blank(program, 2);
	program_loop(program, 0, "batches()");
}

const struct framework framework_pyarrow = {
	.name = "pyarrow",
	.reader = "pyarrow",
	.words = numpy_words,
	.print = print,
};
