/* streaming.c - programs for MosaicML Streaming, with NumPy. */
#include "lib/snippets/columns.h"
#include "lib/snippets/common_code.h"
#include "lib/snippets/program.h"

static int code(struct program *program, unsigned field, struct buf *out)
{
	return buf_printf(out, program->err, "sample[\"%s\"]",
	    program_stored(program)->fields[field].name);
}

static void print(struct program *program)
{
	program_import_library(program, "import numpy as np");
	program_import_library(
	    program, "from streaming import StreamingDataset");
	program_rng(program);
	program_blank(program, 2);
	program_prepare_columns(program, code);
	program_collate(program, &numpy_arrays);
	program_line(program, 0, "def batches():");
	program_line(program, 1,
	    "dataset = StreamingDataset(local=FOLDER, batch_size=BATCH)");
	program_line(program, 1, "batch = []");
	program_line(program, 1, "for sample in dataset:");
	program_line(program, 2, "batch.append(prepare(sample))");
	program_line(program, 2, "if len(batch) == BATCH:");
	program_line(program, 3, "yield collate(batch)");
	program_line(program, 3, "batch = []");
	program_line(program, 1, "if batch:");
	program_line(program, 2, "yield collate(batch)");
	program_blank(program, 2);
	program_loop(program, 0, "batches()");
}

const struct framework framework_streaming = {
	.name = "streaming",
	.reader = "streaming",
	.words = numpy_words,
	.print = print,
};
