/* copy_run.c - see copy_run.h. */
#include "lib/sample/copy_run.h"

#include <string.h>

#include "lib/base/copy.h"

static void copy(const struct copy_rows *rows, size_t count)
{
	if (rows->stride == rows->bytes) {
		if (rows->is_large)
			copy_large(rows->to, rows->from, count * rows->bytes);
		else if (rows->bytes > 0)
			memcpy(rows->to, rows->from, count * rows->bytes);
		return;
	}
	if (rows->is_large) {
		copy_rows_large(
		    rows->to, rows->from, rows->bytes, count, rows->stride);
		return;
	}
	for (size_t i = 0; rows->bytes > 0 && i < count; i++)
		memcpy(rows->to + i * rows->bytes,
		    rows->from + i * rows->stride, rows->bytes);
}

void copy_run_flush(struct copy_run *run)
{
	for (unsigned f = 0; run->count > 0 && f < run->fields; f++)
		copy(&run->rows[f], run->count);
	run->count = 0;
}

static void begin(
    struct copy_run *run, const struct sample *in, const struct sample *slot)
{
	run->fields = in->count;
	for (unsigned f = 0; f < in->count; f++)
		run->rows[f] = (struct copy_rows){
			.from = in->fields[f].data,
			.to = slot->fields[f].data,
			.bytes = in->fields[f].bytes,
			.stride = in->fields[f].bytes,
			.is_large = slot->fields[f].is_large,
		};
}

/* Is this the next row?  The second one tells how far they are apart. */
static bool is_next(struct copy_rows *rows, size_t count,
    const struct tensor *in, const struct tensor *slot)
{
	const uintptr_t from = (uintptr_t)rows->from;
	const uintptr_t next = (uintptr_t)in->data;

	if (in->bytes != rows->bytes ||
	    slot->data != rows->to + count * rows->bytes)
		return false;
	if (count == 1 && next >= from + rows->bytes)
		rows->stride = next - from;
	return next == from + count * rows->stride;
}

static bool goes_on(
    struct copy_run *run, const struct sample *in, const struct sample *slot)
{
	if (run->count == 0 || in->count != run->fields)
		return false;
	for (unsigned f = 0; f < in->count; f++)
		if (!is_next(&run->rows[f], run->count, &in->fields[f],
		        &slot->fields[f]))
			return false;
	return true;
}

int copy_run_add(struct copy_run *run, const struct sample *in,
    struct sample *slot, struct error *err)
{
	for (unsigned f = 0; f < in->count; f++) {
		const struct tensor *field = &in->fields[f];

		if (tensor_reshape(
		        &slot->fields[f], field->dtype, &field->shape, err))
			return -1;
		memcpy(slot->fields[f].suffix, field->suffix, SUFFIX_MAX);
	}
	if (!goes_on(run, in, slot)) {
		copy_run_flush(run);
		begin(run, in, slot);
	}
	run->count++;
	return 0;
}
