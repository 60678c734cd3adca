/*
 * fuzz_examples.c - any bytes as a tf.train.Example of others: an error, or a
 * sample of the types that the same bytes promised, whose fields lie in the
 * payload or in the room that was made for them.
 *
 * The first byte chooses the options; where it has bit 3, the types are those
 * of the first half of the rest, and the sample is the second.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "datasets/records/features.h"
#include "lib/base/error.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static void require(int truth)
{
	if (!truth)
		abort();
}

static int is_in(const void *data, size_t len, const void *all, size_t all_len)
{
	const uintptr_t at = (uintptr_t)data, start = (uintptr_t)all;

	return len == 0 ||
	       (at >= start && len <= all_len && at - start <= all_len - len);
}

static void view(const struct examples *examples, const struct schema *schema,
    struct span payload)
{
	struct sample sample = SAMPLE_INIT;
	struct error err = ERROR_INIT;
	struct buf room = BUF_INIT;
	const size_t need = examples_room(examples, 1, payload.len);

	require(buf_reserve(&room, need + 1, &err) == 0);
	if (examples_view(examples, schema, payload, &room, &sample, &err) ==
	    0) {
		require(room.len <= need);
		require(sample.count == schema->count);
		for (unsigned f = 0; f < sample.count; f++) {
			const struct tensor *t = &sample.fields[f];

			require(tensor_check(
			            t, &schema->fields[f].type, &err) == 0);
			require(is_in(t->data, t->bytes, payload.data,
			            payload.len) ||
			        is_in(t->data, t->bytes, room.data, room.len));
		}
	}
	buf_release(&room);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	static const char *const fields[] = { NULL, "a", "a,b", "x:a,y:data" };
	const unsigned choice = len ? data[0] : 0;
	struct examples examples = { .count = 0 };
	struct schema schema = { .count = 0 };
	struct error err = ERROR_INIT;
	struct span first, second;

	if (len == 0)
		return 0;
	first.data = second.data = data + 1;
	first.len = second.len = len - 1;
	if (choice & 8) {
		first.len /= 2;
		second.data += first.len;
		second.len -= first.len;
	}
	require(features_parse(&examples, &schema, fields[choice & 3], NULL,
	            choice & 4 ? "key" : NULL, &err) == 0);
	if (features_choose(&examples, &schema, first, &err) == 0)
		view(&examples, &schema, second);
	return 0;
}
