/*
 * fuzz_manifest.c - any text as a manifest, with the checksum that it needs: an
 * error, or a manifest that is the same once it was printed and parsed again.
 */
#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/base/hash.h"
#include "lib/stores/manifest.h"
#include "lib/stores/manifest_parse.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static void require(int truth)
{
	if (!truth)
		abort();
}

/* Samples and left-out places agree with what readers count. */
static void check_counts(const struct manifest *manifest)
{
	uint64_t samples = 0;

	for (size_t i = 0; i < manifest->count; i++) {
		require(manifest_shard_samples(manifest, i) <=
		        manifest->shards[i].samples);
		samples += manifest_shard_samples(manifest, i);
	}
	require(samples == manifest->samples);
}

static void check_again(struct manifest *manifest)
{
	struct manifest back = MANIFEST_INIT;
	struct error err = ERROR_INIT;
	struct buf text = BUF_INIT;

	/* texts with signs of comments come back shorter, or not at all */
	if (manifest_print(manifest, &text, &err) == 0 &&
	    manifest_parse(&back, "m", buf_span(&text), &err) == 0) {
		require(back.count == manifest->count);
		require(back.samples == manifest->samples);
		require(back.files.count == manifest->files.count);
		require(back.left_out.samples == manifest->left_out.samples);
		require(back.history.count == manifest->history.count);
	}
	manifest_release(&back);
	buf_release(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	struct manifest manifest = MANIFEST_INIT;
	struct error err = ERROR_INIT;
	struct buf text = BUF_INIT;

	require(buf_append(&text, data, len, &err) == 0);
	require(buf_printf(&text, &err, "[end]\nchecksum = %016" PRIx64 "\n",
	            hash_bytes(data, len, 0)) == 0);
	if (manifest_parse(&manifest, "m", buf_span(&text), &err) == 0) {
		check_counts(&manifest);
		check_again(&manifest);
	}
	manifest_release(&manifest);
	buf_release(&text);
	return 0;
}
