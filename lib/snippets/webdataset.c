/* webdataset.c - programs for webdataset, with NumPy. */
#include "lib/snippets/common_code.h"
#include "lib/snippets/members.h"
#include "lib/snippets/program.h"

static void print(struct program *program)
{
	char suffix[PROGRAM_NAME];

	program_import_library(program, "import numpy as np");
	program_import_library(program, "import webdataset as wds");
	program_rng(program);
	program_blank(program, 2);
	program_prepare_members(program, &numpy_arrays);
	program_collate(program, &numpy_arrays);
	program_files(program, "shards", program_suffix(program, suffix));
	program_line(program, 0,
	    "dataset = wds.WebDataset(shards, shardshuffle=False, "
	    "empty_check=False)");
	program_line(program, 0,
	    "loader = dataset.map(prepare).batched(BATCH, "
	    "collation_fn=collate)");
	program_loop(program, 0, "loader");
}

const struct framework framework_webdataset = {
	.name = "webdataset",
	.reader = "webdataset",
	.words = numpy_words,
	.print = print,
	.streams = true,
};
