/*
 * fuzz_index.c - any text as the index of a shard, or as a manifest: an
 * error, or what the text said.  The first byte chooses which; an index gets
 * the hash in its last line here, and so does a manifest that has one.
 */
#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/base/hash.h"
#include "lib/formats/index.h"
#include "lib/formats/index_parse.h"
#include "lib/stores/manifest.h"
#include "lib/stores/manifest_parse.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

enum {
	MANIFEST = 'm',
	MANIFEST_SEALED = 'e',
	FIELDS_DIGIT = '0',
	ARRAYS_LETTER = 'A'
};

static void require(int truth)
{
	if (!truth)
		abort();
}

static void check_samples(const struct shard_index *index,
    const struct index_block *block, unsigned fields)
{
	struct span lines = { .len = block->lines_len };
	struct index_sample sample;
	uint64_t count = 0, stored = 0;
	struct error err = ERROR_INIT;

	lines.data = index->lines.data + block->lines;
	while (fields && index_sample_next(&lines, fields, &sample, &err) > 0) {
		require(sample.label >= -1 && sample.stem.len > 0);
		for (unsigned i = 0; i < fields; i++)
			stored += sample.files[i].stored;
		count++;
	}
	require(count == block->samples && lines.len == 0);
	require(stored == block->stored);
}

/* The parts of a block make it up, each behind the one before. */
static void check_parts(const struct shard_index *index, size_t block)
{
	const unsigned count = index_parts(&index->form);
	uint64_t stored = 0;

	for (unsigned i = 0; i < count; i++) {
		const struct index_part *part =
		    &index->parts[block * count + i];

		require(part->offset + part->stored >= part->offset);
		require(
		    block == 0 || part->offset >= (part - count)->offset +
		                                      (part - count)->stored);
		stored += part->stored;
	}
	require(stored == index->blocks[block].stored);
}

static void check_index(
    const struct shard_index *index, const struct index_form *form)
{
	uint64_t samples = 0, end = 0;

	for (size_t i = 0; i < index->count; i++) {
		const struct index_block *block = &index->blocks[i];

		require(block->offset >= end);
		end = block->offset + block->stored;
		require(end >= block->offset && end <= index->stored);
		samples += block->samples;
		if (form->files > 0)
			check_samples(index, block, form->files);
		if (form->arrays > 0)
			check_parts(index, i);
	}
	for (unsigned i = 0; i < form->arrays; i++)
		require(shape_known(&index->rows[i]));
	require(samples == index->samples);
}

static void try_index(
    const uint8_t *data, size_t len, const struct index_form *form)
{
	struct shard_index index = SHARD_INDEX_INIT;
	struct error err = ERROR_INIT;
	struct buf text = BUF_INIT;

	require(buf_append(&text, data, len, &err) == 0);
	require(buf_printf(&text, &err, "end %016" PRIx64 "\n",
	            hash_bytes(data, len, 0)) == 0);
	if (shard_index_parse(&index, buf_span(&text), form, &err) == 0)
		check_index(&index, form);
	else
		require(err.code == ERROR_DATA);
	shard_index_release(&index);
	buf_release(&text);
}

/* Files have names in this folder, each once. */
static void check_files(const struct file_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		const char *name = list->files[i].name;

		require(name[0] && name[0] != '.' && !strchr(name, '/'));
		require(file_list_find(list, name) == &list->files[i]);
	}
}

static void try_manifest(const uint8_t *data, size_t len)
{
	struct manifest manifest;
	struct error err = ERROR_INIT;
	const struct span text = { data, len };

	if (manifest_parse(&manifest, "m", text, &err) == 0) {
		require(manifest.form.ops && manifest.form.codec.ops);
		require(manifest.form.schema.count > 0);
		require(manifest.strategy && manifest.fingerprint);
		check_files(&manifest.files);
	} else {
		require(err.code == ERROR_DATA);
		require(err.text[0] == 'm');
	}
	manifest_release(&manifest);
}

static void try_sealed(const uint8_t *data, size_t len)
{
	struct error err = ERROR_INIT;
	struct buf text = BUF_INIT;

	require(buf_append(&text, data, len, &err) == 0);
	require(buf_printf(&text, &err, "[end]\nchecksum = %016" PRIx64 "\n",
	            hash_bytes(data, len, 0)) == 0);
	try_manifest(text.data, text.len);
	buf_release(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	struct index_form form = { .files = 0 };

	if (len == 0)
		return 0;
	if (data[0] == MANIFEST) {
		try_manifest(data + 1, len - 1);
		return 0;
	}
	if (data[0] == MANIFEST_SEALED) {
		try_sealed(data + 1, len - 1);
		return 0;
	}
	if (data[0] >= ARRAYS_LETTER)
		form.arrays =
		    1 + (unsigned)(data[0] - ARRAYS_LETTER) % FIELDS_MAX;
	else
		form.files =
		    (unsigned)(data[0] - FIELDS_DIGIT) % (FIELDS_MAX + 1);
	try_index(data + 1, len - 1, &form);
	return 0;
}
