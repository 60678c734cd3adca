/*
 * fuzz_inventory.c - any bytes as an inventory, whose checksum is put right
 * here: an error, or what prints as the same bytes or fewer.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/base/hash.h"
#include "lib/folder/inventory.h"
#include "lib/folder/inventory_compare.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static void require(int truth)
{
	if (!truth)
		abort();
}

static void check(const struct inventory *inventory)
{
	const struct inventory_comparison comparison = {
		.then = inventory,
		.now = inventory,
	};
	struct inventory_change change;
	struct error err = ERROR_INIT;
	struct buf bytes = BUF_INIT;
	struct inventory back;

	require(inventory_compare(&comparison, &change, &err) == 0);
	require(inventory_print(inventory, &bytes, &err) == 0);
	require(inventory_parse(&back, buf_span(&bytes), &err) == 0);
	require(back.count == inventory->count);
	inventory_release(&back);
	buf_release(&bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	struct inventory inventory;
	struct error err = ERROR_INIT;
	struct buf bytes = BUF_INIT;
	uint64_t sum;

	if (len > 1 << 20 || buf_append(&bytes, data, len, &err))
		return 0;
	if (bytes.len > sizeof(sum)) {
		sum = hash_bytes(bytes.data, bytes.len - sizeof(sum), 0);
		memcpy(bytes.data + bytes.len - sizeof(sum), &sum, sizeof(sum));
	}
	if (inventory_parse(&inventory, buf_span(&bytes), &err) == 0)
		check(&inventory);
	inventory_release(&inventory);
	buf_release(&bytes);
	return 0;
}
