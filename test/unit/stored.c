/* stored.c - see stored.h. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/hash.h"
#include "lib/base/random.h"
#include "lib/sample/reader.h"
#include "lib/stores/manifest.h"
#include "lib/stores/sink.h"
#include "test/unit/stored.h"
#include "test/unit/test.h"

enum {
	LONG_NAME = 238,
	LARGE_BYTES = 3000000,
	EVEN_DIM = 127,
	NOISE_BYTES =
	    8191, /* then it repeats: a prime, so that no block does */
};

static const struct type jpg = {
	.dtype = DTYPE_U8,
	.layout = LAYOUT_ENCODED,
	.shape = { 1, { -1 } },
	.suffix = "jpg",
};

static const struct type any_bytes = {
	.dtype = DTYPE_U8,
	.layout = LAYOUT_ENCODED,
	.shape = { 1, { -1 } },
};

void stored_schema(enum stored_kind kind, struct schema *schema)
{
	static const struct field fields[] = {
		{ "data", { DTYPE_U8, LAYOUT_HWC, { 3, { -1, -1, 3 } }, "" } },
		{ "boxes", { DTYPE_F64, LAYOUT_PLAIN, { 2, { -1, 4 } }, "" } },
		{ "count", { DTYPE_I64, LAYOUT_PLAIN, { 0, { 0 } }, "" } },
		{ "a_f16", { DTYPE_F16, LAYOUT_PLAIN, { 1, { 3 } }, "" } },
		{ "eight", { DTYPE_I8, LAYOUT_PLAIN,
		               { 8, { 1, 2, 1, 2, 1, 2, 1, 1 } }, "" } },
	};
	static const struct field even[] = {
		{ "data", { DTYPE_U8, LAYOUT_HWC, { 3, { -1, -1, 3 } }, "" } },
		{ "count", { DTYPE_I64, LAYOUT_PLAIN, { 0, { 0 } }, "" } },
		{ "a_f16", { DTYPE_F16, LAYOUT_PLAIN, { 1, { 3 } }, "" } },
		{ "none", { DTYPE_F64, LAYOUT_PLAIN, { 2, { 0, 4 } }, "" } },
		{ "seven", { DTYPE_I8, LAYOUT_PLAIN,
		               { 7, { 1, 2, 1, 2, 1, -1, 1 } }, "" } },
	};
	static const struct type tensor = { DTYPE_F32, LAYOUT_CHW,
		{ 3, { 3, -1, -1 } }, "" };
	struct error err = ERROR_INIT;

	*schema = (struct schema){ .count = 0 };
	if (kind == STORED_ENCODED)
		test_ok(schema_add(schema, "data", &jpg, &err), &err);
	if (kind == STORED_TENSOR || kind == STORED_ROWS)
		test_ok(schema_add(schema, "image", &tensor, &err), &err);
	for (size_t i = 0; kind == STORED_EVEN && i < ARRAY_LEN(even); i++)
		test_ok(schema_add(schema, even[i].name, &even[i].type, &err),
		    &err);
	if (kind != STORED_FIELDS)
		return;
	for (size_t i = 0; i < ARRAY_LEN(fields); i++)
		test_ok(
		    schema_add(schema, fields[i].name, &fields[i].type, &err),
		    &err);
	test_ok(schema_add(schema, "caption", &any_bytes, &err), &err);
}

static bool is_even(enum stored_kind kind)
{
	return kind == STORED_ROWS || kind == STORED_EVEN;
}

bool stored_takes(const char *store, enum stored_kind kind)
{
	return is_even(kind) || !store_find(store)->one_shape;
}

enum stored_kind stored_nearest(const char *store, enum stored_kind kind)
{
	if (stored_takes(store, kind))
		return kind;
	return kind == STORED_FIELDS ? STORED_EVEN : STORED_ROWS;
}

/* Longer than a header of tar takes, and none of its parts is. */
static const char many_parts[] =
    "many/parts/in/a/row/of/them/and/more/and/more/and/more/and/more/and/"
    "more/and/more/until/it/is/long/enough";

/* Keys that formats are likely to stumble over. */
static void make_key(struct buf *key, unsigned i)
{
	static const char *const odd[] = {
		"plain",
		"n01440764/img_1",
		"v1.0/with.dots.in.it.jpg",
		"a b  c",
		"100% of %41 and %",
		"tab\there, line\nend, \x01 and \x7f",
		"m\xc3\xbcll/\xe6\x97\xa5\xe6\x9c\xac",
		"\xff\xfe not UTF-8",
		"-rf",
		"__name__",
		"./relative/x",
		"UPPER.CLS",
		"a.b/c d.e/f.g",
		"back\\slash",
		"quote'\"`$(x)*?[]{}",
		many_parts,
	};
	struct error err = ERROR_INIT;

	if (i < ARRAY_LEN(odd)) {
		test_ok(buf_append(key, odd[i], strlen(odd[i]), &err), &err);
		return;
	}
	test_ok(buf_printf(key, &err, "dir/%u-", i), &err);
	while (i == ARRAY_LEN(odd) + 2 && key->len < LONG_NAME)
		test_ok(buf_append(key, "long", 4, &err), &err);
}

/*
 * Noise that repeats within the window of every codec: large samples are made
 * and compressed in no time.
 */
static void fill(struct random *random, unsigned char *data, size_t len)
{
	const size_t noise = len < NOISE_BYTES ? len : NOISE_BYTES;

	random_fill(random, data, noise);
	for (size_t at = noise; at < len; at += noise)
		memcpy(data + at, data, len - at < noise ? len - at : noise);
}

/* The next tensor of the sample. */
static void add_tensor(struct stored_sample *stored, const struct type *type,
    const struct shape *shape, const char *suffix, struct random *random)
{
	struct sample *sample = &stored->sample;
	struct tensor *tensor = &sample->fields[sample->count++];
	const size_t bytes = shape_elements(shape) * dtype_bytes(type->dtype);
	struct error err = ERROR_INIT;

	assert_true(stored->memory.len + bytes + 64 <= stored->memory.cap);
	fill(random, stored->memory.data + stored->memory.len, bytes);
	tensor_view(tensor, type->dtype, shape,
	    stored->memory.data + stored->memory.len);
	stored->memory.len += (bytes + 63) / 64 * 64;
	snprintf(tensor->suffix, SUFFIX_MAX, "%s", suffix);
	test_ok(tensor_check(tensor, type, &err), &err);
}

/* The type's shape with the unknown dims drawn, sometimes 0. */
static struct shape draw_shape(const struct type *type, enum stored_kind kind,
    unsigned i, struct random *random)
{
	struct shape shape = type->shape;

	for (unsigned d = 0; d < shape.count; d++) {
		if (shape.dims[d] >= 0)
			continue;
		if (is_even(kind)) {
			shape.dims[d] = EVEN_DIM + d;
			continue;
		}
		shape.dims[d] = random_below(random, 40);
		if (i == STORED_LARGE)
			shape.dims[d] = shape.count == 1 ? LARGE_BYTES : 513;
		if (i == 5)
			shape.dims[d] = 0;
	}
	return shape;
}

void stored_sample_init(
    struct stored_sample *stored, enum stored_kind kind, unsigned i)
{
	static const char *const suffixes[] = { "jpg", "JPEG", "", "cls",
		"data.x", "npy", "tar.gz", "b d", "png" };
	struct random random = random_stream(7, (uint32_t)kind, i, 0);
	struct error err = ERROR_INIT;
	struct schema schema;

	*stored = (struct stored_sample){ .sample = SAMPLE_INIT };
	test_ok(buf_reserve(&stored->memory,
	            i == STORED_LARGE ? 16 << 20 : 1 << 18, &err),
	    &err);
	make_key(&stored->key, i);
	stored->sample.key = buf_span(&stored->key);
	if (i % 4)
		stored->sample.label = i == 6 ? INT64_MAX : (int64_t)(i % 10);
	stored_schema(kind, &schema);
	for (unsigned f = 0; f < schema.count; f++) {
		const struct type *type = &schema.fields[f].type;
		const struct shape shape = draw_shape(type, kind, i, &random);
		const char *suffix = "";

		if (type->layout == LAYOUT_ENCODED)
			suffix = suffixes[i % ARRAY_LEN(suffixes)];
		add_tensor(stored, type, &shape, suffix, &random);
	}
}

void stored_sample_release(struct stored_sample *stored)
{
	buf_release(&stored->key);
	buf_release(&stored->memory);
}

unsigned stored_number(struct span key)
{
	struct buf known = BUF_INIT;
	unsigned i = 0;
	bool is_found = false;

	for (; i < STORED_SAMPLES && !is_found; i++) {
		known.len = 0;
		make_key(&known, i);
		is_found = span_equal(buf_span(&known), key);
	}
	buf_release(&known);
	assert_true(is_found);
	return i - 1;
}

struct store_form stored_form(
    const char *store, const char *codec, enum stored_kind kind)
{
	const struct store_ops *ops = store_find(store);
	struct error err = ERROR_INIT;
	struct store_form form;
	struct schema schema;
	struct codec parsed;

	assert_non_null(ops);
	test_ok(codec_parse(codec, &parsed, &err), &err);
	stored_schema(kind, &schema);
	test_ok(store_form_init(&form, ops, &parsed, &schema, &err), &err);
	return form;
}

void stored_write_shard(const char *dir, const struct store_form *form,
    enum stored_kind kind, unsigned number, unsigned first, unsigned end)
{
	struct error err = ERROR_INIT;
	struct medium *medium = medium_new_local(&err);
	struct shard_writer *writer;

	assert_non_null(medium);
	writer = shard_writer_new(medium, dir, form, number, &err);
	test_ok(writer ? 0 : -1, &err);
	for (unsigned i = first; i < end; i++) {
		struct stored_sample stored;

		stored_sample_init(&stored, kind, i);
		test_ok(shard_writer_add(writer, &stored.sample, &err), &err);
		stored_sample_release(&stored);
	}
	test_ok(shard_writer_commit(writer, &err), &err);
	shard_writer_free(writer);
	medium_free(medium);
}

int stored_write_manifest(const char *dir, const struct store_form *form,
    unsigned shards, const struct manifest_note *note, struct error *err)
{
	struct sink sink = { .medium = medium_new_local(err) };
	const int rc = manifest_write(&sink, dir, form, shards, note, err);

	medium_free(sink.medium);
	return rc;
}

/* The checksum of what is in front of the last line, or of its section. */
static void seal(struct buf *text)
{
	static const char section[] = "[end]\nchecksum = ";
	const size_t len = text->len - 17; /* of the digits */
	const size_t before = len - strlen(section);
	struct error err = ERROR_INIT;
	uint64_t hash;

	if (before < len &&
	    memcmp(text->data + before, section, strlen(section)) == 0)
		hash = hash_bytes(text->data, before, 0);
	else
		hash = hash_bytes(text->data, len - strlen("end "), 0);
	text->len = len;
	test_ok(buf_printf(text, &err, "%016" PRIx64 "\n", hash), &err);
}

/* The first place of `part`, or NULL. */
static unsigned char *find(const struct buf *text, const char *part)
{
	const size_t len = strlen(part);

	for (size_t at = 0; at + len <= text->len; at++)
		if (memcmp(text->data + at, part, len) == 0)
			return text->data + at;
	return NULL;
}

void stored_forge(
    const char *dir, const char *name, const char *from, const char *to)
{
	struct buf text = BUF_INIT, changed = BUF_INIT;
	struct error err = ERROR_INIT;
	unsigned char *at;
	size_t rest;

	test_read_file(dir, name, &text);
	at = find(&text, from);
	if (!at)
		fail_msg("%s: '%s' is not in it", name, from);
	rest = text.len - (size_t)(at - text.data) - strlen(from);
	test_ok(buf_append(&changed, text.data, (size_t)(at - text.data), &err),
	    &err);
	test_ok(buf_printf(&changed, &err, "%s", to), &err);
	test_ok(buf_append(&changed, at + strlen(from), rest, &err), &err);
	seal(&changed);
	test_write_file(dir, name, buf_span(&changed));
	buf_release(&text);
	buf_release(&changed);
}

/* An index as the first version had it. */
static void make_old_index(const char *dir, unsigned shard)
{
	struct buf text = BUF_INIT;
	unsigned char *at, *end;
	char name[32];

	snprintf(name, sizeof(name), "shard-%06u.index", shard);
	test_read_file(dir, name, &text);
	while ((at = find(&text, "\nfile "))) {
		end = memchr(at + 1, '\n', text.len);
		memmove(at, end, (size_t)(text.data + text.len - end));
		text.len -= (size_t)(end - at);
	}
	test_write_file(dir, name, buf_span(&text));
	stored_forge(dir, name, "presto index 2", "presto index 1");
	buf_release(&text);
}

void stored_make_old(const char *dir, const struct store_form *form,
    unsigned shards, const struct manifest_note *note)
{
	struct error err = ERROR_INIT;

	for (unsigned i = 0; i < shards; i++)
		make_old_index(dir, i);
	test_ok(stored_write_manifest(dir, form, shards, note, &err), &err);
}

void stored_write(
    const char *dir, const struct store_form *form, enum stored_kind kind)
{
	const struct manifest_note note = { .strategy = "resized/tar/none",
		.fingerprint = "f1n9e2" };
	struct error err = ERROR_INIT;

	for (unsigned s = 0; s < STORED_SHARDS; s++)
		stored_write_shard(dir, form, kind, s,
		    s * STORED_SAMPLES / STORED_SHARDS,
		    (s + 1) * STORED_SAMPLES / STORED_SHARDS);
	test_ok(
	    stored_write_manifest(dir, form, STORED_SHARDS, &note, &err), &err);
}

struct reading {
	const struct reader *reader;
	void *unpacker;
	struct chunk chunk;
	unsigned count; /* samples so far */
	stored_take *take;
	void *arg;
	struct error *err;
};

static int read_chunk(struct reading *reading)
{
	const struct reader *reader = reading->reader;
	struct sample sample = SAMPLE_INIT;
	uint64_t before = reading->count;
	int got;

	reading->chunk.bytes = buf_span(&reading->chunk.stored);
	if (reader->ops->unpack(
	        reader, reading->unpacker, &reading->chunk, reading->err))
		return -1;
	while ((got = reader->ops->next(
	            reader, &reading->chunk, &sample, reading->err)) > 0) {
		if (reading->take)
			reading->take(reading->arg, reading->count, &sample);
		reading->count++;
	}
	if (got == 0)
		assert_int_equal(
		    reading->count - before, reading->chunk.samples);
	return got;
}

static int read_stream(struct reading *reading, size_t i)
{
	const struct reader *reader = reading->reader;
	void *stream = reader->ops->stream_open(reader, i, reading->err);
	const unsigned before = reading->count;
	int got = -1;

	if (!stream)
		return -1;
	for (;;) {
		chunk_reset(&reading->chunk);
		got = reader->ops->stream_fetch(
		    stream, &reading->chunk, reading->err);
		if (got <= 0)
			break;
		if (read_chunk(reading)) {
			got = -1;
			break;
		}
	}
	reader->ops->stream_close(stream);
	if (got == 0)
		assert_int_equal(reading->count - before,
		    reader->ops->stream_samples(reader, i));
	return got;
}

int stored_read(
    const char *dir, stored_take *take, void *arg, struct error *err)
{
	struct medium *medium = medium_new_local(err);
	struct reader *reader = store_open(medium, dir, err);
	struct reading reading = {
		.reader = reader,
		.take = take,
		.arg = arg,
		.err = err,
	};
	int rc = -1;

	if (!reader)
		goto done;
	reading.unpacker = reader->ops->unpacker_new(reader, err);
	rc = reading.unpacker ? 0 : -1;
	for (size_t i = 0; rc == 0 && i < reader->streams; i++)
		rc = read_stream(&reading, i);
	if (rc == 0)
		assert_int_equal(reading.count, reader->samples);
	reader->ops->unpacker_free(reading.unpacker);
done:
	chunk_release(&reading.chunk);
	reader_free(reader);
	medium_free(medium);
	return rc;
}

bool stored_is_complete(
    const char *dir, const struct store_form *form, unsigned number)
{
	struct error err = ERROR_INIT;
	struct medium *medium = medium_new_local(&err);
	const struct shard_place place = { medium, dir, form, number };
	bool is;

	test_ok(medium ? 0 : -1, &err);
	is = shard_is_complete(&place, NULL);
	medium_free(medium);
	return is;
}

int stored_read_manifest(
    struct manifest *manifest, const char *dir, struct error *err)
{
	struct medium *medium = medium_new_local(err);
	const int rc = medium ? manifest_read(manifest, medium, dir, err) : -1;

	medium_free(medium);
	return rc;
}

void stored_each(
    void (*check)(const char *store, const char *codec, void *arg), void *arg)
{
	for (size_t s = 0; store_at(s); s++)
		for (size_t c = 0; codec_at(c); c++)
			if (!store_at(s)->takes ||
			    store_at(s)->takes(codec_at(c)))
				check(
				    store_at(s)->name, codec_at(c)->name, arg);
}
