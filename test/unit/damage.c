/* damage.c - see damage.h. */
#include <string.h>

#include "test/unit/damage.h"
#include "test/unit/test.h"

void damage_insert(struct damage *damage, size_t at, struct span bytes)
{
	const struct buf *file = &damage->file;
	struct buf *odd = &damage->odd;
	struct error err = ERROR_INIT;

	odd->len = 0;
	test_ok(buf_append(odd, file->data, at, &err), &err);
	test_ok(buf_append(odd, bytes.data, bytes.len, &err), &err);
	test_ok(buf_append(odd, file->data + at, file->len - at, &err), &err);
}

void damage_copy(struct damage *damage)
{
	damage_insert(damage, 0, span_text(""));
}

void damage_fill(struct damage *damage, size_t from, size_t to)
{
	damage_copy(damage);
	memset(damage->odd.data + from, 0, to - from);
	damage_is_refused(damage, "a fill of zeros", from);
}

void damage_is_refused(struct damage *damage, const char *what, size_t at)
{
	if (damage->decode(damage) == 0)
		fail_msg(
		    "%s at %zu of %zu is accepted", what, at, damage->file.len);
	assert_int_equal(damage->err.code, ERROR_DATA);
}

void damage_is_accepted(struct damage *damage)
{
	test_ok(damage->decode(damage), &damage->err);
}

void damage_release(struct damage *damage)
{
	tensor_release(&damage->out);
	buf_release(&damage->file);
	buf_release(&damage->odd);
}
