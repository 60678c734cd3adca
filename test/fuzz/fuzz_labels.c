/*
 * fuzz_labels.c - any text as the labels of nodes: an error in words, or rows
 * whose nodes and lines are as they were counted, the same when the memory is
 * used again.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/graph/label_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static void require(int truth)
{
	if (!truth)
		abort();
}

static int read_labels(struct label_file *file, struct span text, int named)
{
	const struct label_columns columns = { NULL, named ? "y" : NULL };
	struct error err = ERROR_INIT;
	size_t line = 0, bytes = 0;

	if (label_file_read(file, text, &columns, &err)) {
		require(err.code != ERROR_NONE && err.text[0]);
		return -1;
	}
	require(file->count > 0);
	for (size_t i = 0; i < file->count; i++) {
		require(file->rows[i].node < file->nodes);
		require(file->rows[i].line > line);
		line = file->rows[i].line;
		bytes += file->rows[i].word_len;
	}
	require(bytes == file->words.len);
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	static struct label_file used; /* as a worker's: for all */
	const struct span text = { data, len };
	struct label_file fresh = { .rows = NULL };
	const int named = len && data[len - 1] == 'y';

	if (read_labels(&fresh, text, named) == 0) {
		require(read_labels(&used, text, named) == 0);
		require(used.count == fresh.count && used.nodes == fresh.nodes);
		for (size_t i = 0; i < used.count; i++)
			require(used.rows[i].label == fresh.rows[i].label);
	} else {
		require(read_labels(&used, text, named) != 0);
	}
	label_file_release(&fresh);
	return 0;
}
