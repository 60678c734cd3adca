/* files.c - a file per field and sample, a folder per shard; see files.h. */
#include <string.h>

#include "lib/base/error.h"
#include "lib/formats/field_file.h"
#include "lib/formats/index.h"
#include "lib/formats/index_parse.h"
#include "lib/formats/name.h"
#include "lib/sample/key.h"
#include "lib/stores/files.h"
#include "lib/stores/layout.h"
#include "lib/stores/store.h"

static struct span part_bytes(struct span memory, const struct chunk_part *part)
{
	return (struct span){
		.data = memory.data + part->offset,
		.len = part->len,
	};
}

static int view_files(const struct schema *schema, const struct chunk *chunk,
    const struct chunk_part *parts, const struct index_sample *line,
    struct sample *sample, struct error *err)
{
	for (unsigned i = 0; i < schema->count; i++)
		if (field_file_view(&schema->fields[i], line->files[i].ext,
		        part_bytes(chunk->bytes, &parts[i]), &sample->fields[i],
		        err))
			return -1;
	return 0;
}

static int files_next(const struct schema *schema, struct chunk *chunk,
    struct sample *sample, struct error *err)
{
	const size_t first = 1 + chunk->at * (schema->count + 1);
	const struct chunk_part *parts;
	struct index_sample line;
	struct span text;
	char key[KEY_TEXT];

	if (first >= chunk->part_count)
		return 0;
	parts = &chunk->parts[first];
	text = part_bytes(buf_span(&chunk->stored), parts);
	if (index_sample_next(&text, schema->count, &line, err) <= 0)
		return -1;
	if (view_files(schema, chunk, parts + 1, &line, sample, err))
		return error_prefix(err, "sample %s", key_text(line.stem, key));
	sample->label = line.label;
	sample->count = schema->count;
	sample->key = name_key(chunk, line.stem);
	chunk->at++;
	return 1;
}

const struct store_ops store_files = {
	.name = "files",
	.summary = "one file per sample and field",
	.suffix = "",
	.layout = &layout_folder,
	.next = files_next,
};
