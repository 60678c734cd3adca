/* classes.c - see classes.h. */
#include "lib/sample/classes.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"

/* Computes the bytes of the pointers and the texts behind them. */
static int block_bytes(const struct span *words, size_t count, size_t *bytes)
{
	if (size_mul(count, sizeof(char *) + 1, bytes))
		return -1;
	for (size_t i = 0; i < count; i++)
		if (size_add(*bytes, words[i].len, bytes))
			return -1;
	return 0;
}

int classes_set(struct classes *classes, const struct span *words, size_t count,
    struct error *err)
{
	char **names;
	size_t bytes;
	char *text;

	if (count == 0)
		return 0;
	if (block_bytes(words, count, &bytes) || !(names = malloc(bytes)))
		return error_memory(err, count);
	text = (char *)(names + count);
	for (size_t i = 0; i < count; i++) {
		names[i] = text;
		if (words[i].len)
			memcpy(text, words[i].data, words[i].len);
		text += words[i].len;
		*text++ = '\0';
	}
	classes->names = names;
	classes->count = count;
	return 0;
}

int classes_copy(
    struct classes *classes, const struct classes *from, struct error *err)
{
	struct span *words = calloc(from->count + 1, sizeof(*words));
	int rc;

	if (!words)
		return error_memory(err, from->count * sizeof(*words));
	for (size_t i = 0; i < from->count; i++)
		words[i] = span_text(from->names[i]);
	rc = classes_set(classes, words, from->count, err);
	free(words);
	return rc;
}

void classes_release(struct classes *classes)
{
	free(classes->names);
	*classes = (struct classes)CLASSES_INIT;
}
