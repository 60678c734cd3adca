/*
 * tar.c - WebDataset archives: a sample is consecutive members with the same
 * stem (name.h). Its fields come in the schema's order, encoded bytes unchanged
 * and tensors as .npy; then its label, if it has one, in decimal as .cls.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/formats/field_file.h"
#include "lib/formats/name.h"
#include "lib/formats/tar_member.h"
#include "lib/sample/key.h"
#include "lib/stores/layout.h"
#include "lib/stores/store.h"

enum { LABEL_DIGITS = 20 };

static int append_field(const struct field *field, const struct tensor *tensor,
    struct name *name, struct buf *block, struct error *err)
{
	unsigned char header[NPY_HEADER_MAX];
	struct field_file file;
	char ext[NAME_EXT];

	field_file_set(&file, field, tensor, header);
	name_ext(field, tensor->suffix, ext);
	return tar_add_member(
	    name_with(name, ext), file.head, file.data, block, err);
}

static int tar_append(const struct schema *schema, const struct sample *sample,
    struct buf *block, struct error *err)
{
	const struct span nothing = { .data = NULL };
	struct name name;
	char label[LABEL_DIGITS + 1];

	if (name_set_key(&name, sample->key, err))
		return -1;
	for (unsigned i = 0; i < schema->count; i++)
		if (append_field(&schema->fields[i], &sample->fields[i], &name,
		        block, err))
			return -1;
	if (sample->label < 0)
		return 0;
	snprintf(label, sizeof(label), "%lld", (long long)sample->label);
	return tar_add_member(name_with(&name, NAME_LABEL), nothing,
	    span_text(label), block, err);
}

static int split_member(const struct tar_member *member, struct span *stem,
    struct span *ext, struct error *err)
{
	char text[KEY_TEXT];

	if (name_split(member->name, stem, ext))
		return error_set(err, ERROR_DATA,
		    "tar member '%s' has no extension",
		    key_text(member->name, text));
	return 0;
}

static int parse_label(struct span text, int64_t *label, struct error *err)
{
	int64_t value = 0;
	size_t i = 0;

	for (; i < text.len && text.data[i] >= '0' && text.data[i] <= '9'; i++)
		if (__builtin_mul_overflow(value, 10, &value) ||
		    __builtin_add_overflow(value, text.data[i] - '0', &value))
			break;
	if (text.len == 0 || i < text.len)
		return error_set(err, ERROR_DATA, "the label is no number");
	*label = value;
	return 0;
}

/* A record that is parsed, and whether it can be noted (alike.h). */
struct noting {
	struct alike *alike;
	bool possible;
};

static void note_member(struct noting *noting, const struct tar_member *member,
    size_t stem, const void *data)
{
	noting->possible = noting->possible &&
	                   tar_note_member(member, stem, data, noting->alike);
}

/* Has the stem none of '.', '/', '%' and NUL?  Then it is the key. */
static bool is_simple(struct span stem)
{
	for (size_t i = 0; i < stem.len; i++) {
		const unsigned char c = stem.data[i];

		if (c == '\0' || c == '%' || c == '.' || c == '/')
			return false;
	}
	return stem.len > 0;
}

/* Takes the member at *at if it is the label of this stem. */
static int take_label(struct span bytes, struct span stem, size_t *at,
    struct noting *noting, int64_t *label, struct error *err)
{
	struct tar_member member;
	struct span other, ext;
	int got;

	if (!tar_may_be_of(bytes, *at, stem))
		return 0;
	got = tar_view_member(bytes, *at, &member, err);
	if (got <= 0)
		return got;
	if (split_member(&member, &other, &ext, err))
		return -1;
	if (!span_equal(ext, span_text(NAME_LABEL)) || !span_equal(other, stem))
		return 0;
	*at = member.next;
	note_member(noting, &member, stem.len, member.data.data);
	alike_add_key(noting->alike, other.data);
	alike_set_label(noting->alike, member.data);
	return parse_label(member.data, label, err);
}

/* Takes the next sample if it is like the one noted. */
static bool take_alike(struct chunk *chunk, struct sample *sample)
{
	const size_t end = chunk->at + chunk->alike.len;
	struct error ignored;
	struct span label;

	if (!alike_take(&chunk->alike, chunk->bytes, chunk->at, sample) ||
	    !is_simple(sample->key))
		return false;
	label = alike_label(&chunk->alike, chunk->at);
	if (label.len ? parse_label(label, &sample->label, &ignored) != 0
	              : tar_may_be_of(chunk->bytes, end, sample->key))
		return false;
	chunk->at = end;
	return true;
}

static int tar_next(const struct schema *schema, struct chunk *chunk,
    struct sample *sample, struct error *err)
{
	struct span stem = { .data = NULL }, other, ext;
	struct noting noting = { &chunk->alike, true };
	struct tar_member member;
	size_t at = chunk->at;

	if (take_alike(chunk, sample))
		return 1;
	alike_begin(&chunk->alike, chunk->bytes.data, at);
	sample->label = -1;
	sample->count = schema->count;
	for (unsigned i = 0; i < schema->count; i++) {
		const int got = tar_view_member(chunk->bytes, at, &member, err);

		if (got < 0 || (got == 0 && i == 0))
			return got;
		if (got == 0)
			return error_set(err, ERROR_DATA,
			    "ends before field %s", schema->fields[i].name);
		if (split_member(&member, &other, &ext, err))
			return -1;
		if (i == 0)
			stem = other;
		if (!span_equal(stem, other))
			return error_set(err, ERROR_DATA, "field %s is missing",
			    schema->fields[i].name);
		if (field_file_view(&schema->fields[i], ext, member.data,
		        &sample->fields[i], err))
			return -1;
		note_member(&noting, &member, stem.len, sample->fields[i].data);
		if (i > 0)
			alike_add_key(&chunk->alike, other.data);
		at = member.next;
	}
	if (take_label(chunk->bytes, stem, &at, &noting, &sample->label, err))
		return -1;
	sample->key = name_key(chunk, stem);
	if (noting.possible && is_simple(stem))
		alike_end(&chunk->alike, at, sample);
	chunk->at = at;
	return schema->count > 0;
}

/* The format of DALI's wds2idx: "EXT OFFSET SIZE NAME" for each member. */
static int tar_idx_line(
    struct span record, uint64_t offset, struct buf *lines, struct error *err)
{
	struct tar_member member = { .next = 0 };
	struct span stem, ext;
	const char *blank = "";
	int got;

	while ((got = tar_view_member(record, member.next, &member, err)) > 0) {
		const uint64_t at =
		    offset + (uint64_t)(member.data.data - record.data);

		if (split_member(&member, &stem, &ext, err) ||
		    buf_printf(lines, err, "%s%.*s %" PRIu64 " %zu %.*s", blank,
		        (int)ext.len, (const char *)ext.data, at,
		        member.data.len, (int)member.name.len,
		        (const char *)member.name.data))
			return -1;
		blank = " ";
	}
	return got < 0 ? -1 : buf_printf(lines, err, "\n");
}

static int tar_idx_head(uint64_t samples, struct buf *text, struct error *err)
{
	return buf_printf(text, err, "v1.2 %" PRIu64 "\n", samples);
}

/* ---- shardindex.json: the list of shards for wids ---- */

static int tar_list_begin(struct buf *text, struct error *err)
{
	return buf_printf(text, err,
	    "{\n  \"__kind__\": \"wids-shard-index-v1\",\n"
	    "  \"wids_version\": 1,\n  \"shardlist\": [");
}

/* The url is just a name, since all files are in one folder. */
static int tar_list_add(const struct store_form *form,
    const struct store_listed *shard, struct buf *text, struct error *err)
{
	UNUSED(form);
	return buf_printf(text, err,
	    "%s\n    { \"url\": \"%s\", \"nsamples\": %" PRIu64
	    ", \"filesize\": %" PRIu64 " }",
	    shard->number ? "," : "", shard->file, shard->samples,
	    shard->stored);
}

static int tar_list_end(struct buf *text, struct error *err)
{
	return buf_printf(text, err, "\n  ]\n}\n");
}

static const struct store_list tar_list = {
	.name = "shardindex.json",
	.begin = tar_list_begin,
	.add = tar_list_add,
	.end = tar_list_end,
};

const struct store_ops store_tar = {
	.name = "tar",
	.summary = "WebDataset: tar archives with one file per field",
	.suffix = ".tar",
	.layout = &layout_file,
	.append = tar_append,
	.end = tar_add_end,
	.next = tar_next,
	.idx_line = tar_idx_line,
	.idx_head = tar_idx_head,
	.list = &tar_list,
};
