/*
 * fuzz_description.c - any text as dataset.json: an error, or a description
 * that can be printed, and for which each framework that takes the store has a
 * program.  The first byte chooses the store.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/folder/description.h"
#include "lib/folder/description_read.h"
#include "lib/folder/description_write.h"
#include "lib/snippets/readme.h"
#include "lib/snippets/snippet.h"
#include "lib/stores/manifest_parse.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static void require(int truth)
{
	if (!truth)
		abort();
}

static void make_manifest(struct manifest *manifest, unsigned number)
{
	static const char *const stores[] = { "files", "npy", "tar",
		"tfrecord" };
	static const char *const fields[] = {
		"data = uint8 hwc 32x32x3\n",
		"image = uint8 hwc ?x?x3\nmask = float32 chw 1x8x8\n",
		"data = uint8 encoded ? jpg\n",
	};
	struct error err = ERROR_INIT;
	struct buf text = BUF_INIT;

	require(buf_printf(&text, &err,
	            "[manifest]\nversion = 1\nstore = %s\ncodec = none\n"
	            "samples = 5\nshards = 1\nstrategy = a/b/c\n"
	            "fingerprint = ff\n[fields]\n%s"
	            "[shards]\n000000 = 5 4096 0011223344556677\n",
	            stores[number % 4], fields[number / 4 % 3]) == 0);
	require(manifest_parse(manifest, "m", buf_span(&text), &err) == 0);
	buf_release(&text);
}

/* Nothing of a description ends a line of a program before its time. */
static void check_program(const struct buf *text)
{
	static const char first[] = "# Reads 5 samples";

	require(text->len > sizeof(first));
	require(memcmp(text->data, first, sizeof(first) - 1) == 0);
	for (size_t i = 0; i < text->len; i++)
		require(text->data[i] == '\n' || text->data[i] >= ' ');
}

static void print_all(const struct description *description)
{
	const struct framework *framework;
	struct error err = ERROR_INIT;
	struct buf text = BUF_INIT;

	require(readme_print(description, &text, &err) == 0);
	for (size_t i = 0; (framework = framework_at(i)); i++) {
		if (!framework_takes(framework, description))
			continue;
		text.len = 0;
		require(snippet_print(framework, description, "/a \"b", &text,
		            &err) == 0);
		check_program(&text);
	}
	buf_release(&text);
}

/* What was printed is read as the same again. */
static void check_again(const struct description *description, unsigned number)
{
	struct description again = DESCRIPTION_INIT;
	struct error err = ERROR_INIT;
	struct buf a = BUF_INIT, b = BUF_INIT;

	make_manifest(&again.manifest, number);
	require(description_print(description, &a, &err) == 0);
	require(description_parse(&again, "d", buf_span(&a), &err) == 0);
	require(description_print(&again, &b, &err) == 0);
	require(a.len == b.len && memcmp(a.data, b.data, a.len) == 0);
	buf_release(&b);
	buf_release(&a);
	description_release(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	struct description description = DESCRIPTION_INIT;
	struct error err = ERROR_INIT;
	const struct span text = { data + 1, len - 1 };

	if (len == 0)
		return 0;
	make_manifest(&description.manifest, data[0]);
	if (description_parse(&description, "d", text, &err) == 0) {
		print_all(&description);
		check_again(&description, data[0]);
	} else {
		require(err.code == ERROR_DATA || err.code == ERROR_MEMORY);
		require(err.text[0] == 'd');
	}
	description_release(&description);
	return 0;
}
