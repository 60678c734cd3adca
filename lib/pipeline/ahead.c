/* ahead.c - see ahead.h. */
#include "lib/pipeline/ahead.h"
#include "lib/sample/reader.h"

void ahead_clear(struct ahead *ahead)
{
	ahead->count = 0;
	ahead->taken = 0;
}

void ahead_add(struct ahead *ahead, const struct reader *reader,
    const struct chunk *chunk, const struct sample *sample)
{
	const unsigned i = ahead->count++;

	ahead->samples[i] = *sample;
	reader_where(reader, chunk, sample, ahead->where[i]);
}

bool ahead_take(struct ahead *ahead, struct sample *sample)
{
	if (ahead->taken == ahead->count)
		return false;
	*sample = ahead->samples[ahead->taken++];
	return true;
}

const char *ahead_where(const struct ahead *ahead)
{
	return ahead->taken ? ahead->where[ahead->taken - 1] : NULL;
}
