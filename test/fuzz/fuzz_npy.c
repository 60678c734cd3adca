/*
 * fuzz_npy.c - any bytes as a .npy file: an error in words, or a tensor whose
 * elements lie within the bytes and whose header can be written and read.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/sample/npy.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static void require(int truth)
{
	if (!truth)
		abort();
}

/* The header that NumPy would have written, and an element of the file. */
static void write_again(const struct tensor *tensor)
{
	unsigned char header[NPY_HEADER_MAX];
	struct tensor again = TENSOR_INIT;
	struct error err = ERROR_INIT;
	struct span head = {
		.data = header,
		.len = npy_header(tensor->dtype, &tensor->shape, header),
	};

	require(head.len <= NPY_HEADER_MAX && head.len % 64 == 0);
	if (tensor->bytes)
		return; /* the elements are not behind this header */
	require(npy_view(head, &again, &err) == 0);
	require(again.dtype == tensor->dtype);
	require(shape_equal(&again.shape, &tensor->shape));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	const struct span file = { .data = data, .len = len };
	struct tensor tensor = TENSOR_INIT, copy = TENSOR_INIT;
	struct error err = ERROR_INIT;
	const unsigned char *from;

	if (npy_view(file, &tensor, &err)) {
		require(err.code == ERROR_DATA && err.text[0]);
		return 0;
	}
	from = tensor.data;
	require(from >= data && tensor.bytes <= len);
	require((size_t)(from - data) <= len - tensor.bytes);
	require(tensor_copy(&copy, &tensor, &err) == 0);
	write_again(&tensor);
	tensor_release(&copy);
	return 0;
}
