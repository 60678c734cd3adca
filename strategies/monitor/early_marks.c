/* early_marks.c - see early_marks.h. */
#include "strategies/monitor/early_marks.h"

#include "lib/db/results.h"

bool early_marks_due(struct early_marks *marks)
{
	marks->batches++;
	return (marks->batches & (marks->batches - 1)) == 0 &&
	       marks->count < EARLY_MARKS;
}

void early_marks_set(struct early_marks *marks, uint64_t bytes, uint64_t ns)
{
	marks->bytes[marks->count] = bytes;
	marks->ns[marks->count++] = ns;
}

void early_marks_keep(const struct early_marks *marks, struct run_row *row)
{
	for (unsigned i = 0; i < marks->count; i++) {
		if (marks->bytes[i] > row->bytes_fetched / 2)
			break;
		if (marks->bytes[i] >= row->bytes_fetched / 4) {
			row->early_bytes = marks->bytes[i];
			row->early_ns = marks->ns[i];
		}
	}
}
