/*
 * test_tfrecord_source.c - tf.train.Example records of other programs: features
 * of every kind, packed or not, compressed or not, damaged and truncated.
 */
#include <stdio.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/codecs/codec.h"
#include "lib/formats/record.h"
#include "lib/sample/reader.h"
#include "test/unit/dataset.h"
#include "test/unit/test.h"

enum { BYTES = 1, FLOATS = 2, INTS = 3 };

static void put(struct buf *out, const void *data, size_t len)
{
	struct error err = ERROR_INIT;

	test_ok(buf_append(out, data, len, &err), &err);
}

/* A part of a message: less than 16384 bytes. */
static void put_part(struct buf *out, unsigned field, struct span bytes)
{
	const unsigned char head[] = { (unsigned char)(field << 3 | 2),
		(unsigned char)(bytes.len | 128),
		(unsigned char)(bytes.len >> 7) };

	put(out, head, sizeof(head));
	put(out, bytes.data, bytes.len);
}

/* A feature with a list that is encoded already. */
static void put_feature(
    struct buf *features, const char *name, unsigned kind, struct span list)
{
	struct buf entry = BUF_INIT, feature = BUF_INIT;

	put_part(&feature, kind, list);
	put_part(&entry, 1, span_text(name));
	put_part(&entry, 2, buf_span(&feature));
	put_part(features, 1, buf_span(&entry));
	buf_release(&feature);
	buf_release(&entry);
}

static void put_bytes(struct buf *features, const char *name, const char *text)
{
	struct buf list = BUF_INIT;

	put_part(&list, 1, span_text(text));
	put_feature(features, name, BYTES, buf_span(&list));
	buf_release(&list);
}

/* Numbers below 128, in one piece or one by one. */
static void put_ints(struct buf *features, const char *name,
    const unsigned char *values, size_t count, bool packed)
{
	struct buf list = BUF_INIT;

	if (packed)
		put_part(&list, 1, (struct span){ values, count });
	for (size_t i = 0; !packed && i < count; i++)
		put(&list, (unsigned char[]){ 1 << 3, values[i] }, 2);
	put_feature(features, name, INTS, buf_span(&list));
	buf_release(&list);
}

static void put_floats(struct buf *features, const char *name,
    const float *values, size_t count, bool packed)
{
	struct buf list = BUF_INIT;

	if (packed)
		put_part(&list, 1,
		    (struct span){ (const unsigned char *)values,
		        count * sizeof(*values) });
	for (size_t i = 0; !packed && i < count; i++) {
		put(&list, (unsigned char[]){ 1 << 3 | 5 }, 1);
		put(&list, &values[i], sizeof(values[i]));
	}
	put_feature(features, name, FLOATS, buf_span(&list));
	buf_release(&list);
}

/* The record of some features; they are empty again. */
static void put_record(struct buf *file, struct buf *features)
{
	unsigned char record[1 << 14];
	struct buf example = BUF_INIT;

	put_part(&example, 1, buf_span(features));
	assert_true(example.len + RECORD_HEAD + RECORD_TAIL < sizeof(record));
	memcpy(record + RECORD_HEAD, example.data, example.len);
	record_frame(record, example.len);
	put(file, record, RECORD_HEAD + example.len + RECORD_TAIL);
	buf_release(&example);
	features->len = 0;
}

/* Three records, with lists packed or not. */
static void make_records(struct buf *file, bool packed)
{
	struct buf features = BUF_INIT;

	for (unsigned char i = 0; i < 3; i++) {
		const float values[] = { (float)i + 0.5F, 2, -1 };
		const unsigned char ints[] = { i, 100, 7, 1 };
		char text[] = "text 0";

		text[5] = (char)('0' + i);
		put_bytes(&features, "note/text", text);
		put_floats(&features, "x", values, 3, packed);
		put_ints(&features, "ids", ints, 4, packed);
		put_ints(&features, "label", &i, 1, packed);
		put_bytes(&features, "name", (char[]){ 'k', text[5], 0 });
		put_record(file, &features);
	}
	buf_release(&features);
}

/* A stream of the codec's format, of two frames. */
static void pack_with(const char *codec, struct span in, struct buf *out)
{
	const struct codec_ops *ops = codec_find(codec);
	const struct span one = { in.data, in.len / 2 };
	const struct span two = { in.data + one.len, in.len - one.len };
	struct error err = ERROR_INIT;
	void *state;

	if (!ops->encode) {
		put(out, in.data, in.len);
		return;
	}
	state = ops->state_new(6, &err);
	test_ok(ops->head(6, out, &err), &err);
	test_ok(ops->encode(state, one, out, &err), &err);
	test_ok(ops->encode(state, two, out, &err), &err);
	test_ok(
	    ops->tail(ops->sum(ops->sum_start, in), in.len, out, &err), &err);
	ops->state_free(state);
}

static void write_records(const char *dir, const char *name, bool packed)
{
	struct buf file = BUF_INIT;

	make_records(&file, packed);
	test_write_file(dir, name, buf_span(&file));
	buf_release(&file);
}

static void test_tfrecord_source_reads_features_of_every_kind(void **state)
{
	static const struct {
		const char *keys;
		uint64_t bytes; /* of all fields */
	} cases[] = {
		{ "", 18 }, /* the only ones of bytes but the key's */
		{ "fields = note/text", 18 },
		{ "fields = x", 36 },
		{ "fields = ids", 96 },
		{ "fields = text:note/text, x, ids", 150 },
	};
	char *dir = test_scratch();

	UNUSED(state);
	write_records(dir, "a.tfrecord", true);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct opened opened;
		uint64_t bytes = 0;
		char section[200];

		snprintf(section, sizeof(section),
		    "source = tfrecord\npath = a.tfrecord\nkey = name\n%s",
		    cases[i].keys);
		opened_all(&opened, dir, section, 0);
		assert_int_equal(opened.count, 3);
		for (unsigned s = 0; s < 3; s++) {
			assert_int_equal(opened.seen[s].label, s);
			bytes += opened.seen[s].fields;
		}
		assert_string_equal(opened.seen[2].key, "k2");
		assert_int_equal(bytes, cases[i].bytes);
		opened_close(&opened);
	}
	test_scratch_remove(dir);
}

/* Packed, one by one, plain and compressed: the same samples. */
static void test_tfrecord_source_reads_every_form_alike(void **state)
{
	static const char *const codecs[] = { "none", "gzip", "zlib" };
	static const char section[] = "source = tfrecord\npath = a.tfrecord\n"
	                              "fields = text:note/text, x, ids";
	uint64_t hash[3] = { 0 };
	char *dir = test_scratch();

	UNUSED(state);
	for (unsigned form = 0; form < 6; form++) {
		struct buf file = BUF_INIT, packed = BUF_INIT;
		struct opened opened;

		make_records(&file, form % 2 == 0);
		pack_with(codecs[form / 2], buf_span(&file), &packed);
		test_write_file(dir, "a.tfrecord", buf_span(&packed));
		opened_all(&opened, dir, section, 0);
		assert_int_equal(opened.count, 3);
		for (unsigned s = 0; s < 3; s++) {
			if (form == 0)
				hash[s] = opened.seen[s].hash;
			assert_true(opened.seen[s].hash == hash[s]);
		}
		assert_string_equal(opened.seen[2].key, "a-2");
		opened_close(&opened);
		buf_release(&packed);
		buf_release(&file);
	}
	test_scratch_remove(dir);
}

static void test_tfrecord_source_says_what_is_wrong(void **state)
{
	static const struct {
		const char *keys, *words;
	} cases[] = {
		{ "fields = y",
		    "record 0: feature 'y': it is missing; there are "
		    "note/text (bytes), x (floats), ids (integers), "
		    "label (integers), name (bytes)" },
		{ "fields = a b:x",
		    "fields 'a b:x': 'a b' is not a field name" },
		{ "fields = data:",
		    "fields 'data:': a name has 1 to 127 bytes" },
		{ "fields = x\nlabel = x",
		    "feature 'x' is not one whole number: "
		    "give 'label = FEATURE', or 'label = "
		    "none'" },
		{ "fields = x\nlabel = class", "record 0: feature 'class' is "
		                               "missing" },
		{ "fields = x\nkey = ids", "feature 'ids' is not one run of "
		                           "bytes" },
		{ "",
		    "which feature is the sample? Give 'fields = "
		    "data:FEATURE'; there are note/text (bytes), x (floats)" },
	};
	char *dir = test_scratch();

	UNUSED(state);
	write_records(dir, "a.tfrecord", true);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char section[200];

		snprintf(section, sizeof(section),
		    "source = tfrecord\npath = a.tfrecord\n%s", cases[i].keys);
		opened_fails(dir, section, cases[i].words);
	}
	test_write(dir, "b.tfrecord", "this is no file of records at all");
	opened_fails(dir, "source = tfrecord\npath = b.tfrecord",
	    "b.tfrecord: record 0: the checksum of its length differs: "
	    "damaged, or no TFRecord");
	test_write(dir, "c.tfrecord", "");
	opened_fails(
	    dir, "source = tfrecord\npath = c.tfrecord", "holds no records");
	test_scratch_remove(dir);
}

/* Cut anywhere and with any byte flipped: an error, and no other data. */
static void test_tfrecord_source_notices_damage(void **state)
{
	static const char section[] =
	    "source = tfrecord\npath = a.tfrecord\nfields = x";
	static const char *const codecs[] = { "none", "gzip", "zlib" };
	struct buf file = BUF_INIT;
	char *dir = test_scratch();

	UNUSED(state);
	make_records(&file, true);
	for (size_t c = 0; c < ARRAY_LEN(codecs); c++) {
		struct buf packed = BUF_INIT;

		pack_with(codecs[c], buf_span(&file), &packed);
		for (size_t cut = packed.len / 7; cut + 1 < packed.len;
		     cut += packed.len / 7 + 1) {
			const struct span part = { packed.data, cut };

			test_write_file(dir, "a.tfrecord", part);
			opened_fails(dir, section, "a.tfrecord: ");
			packed.data[cut] ^= 16;
			test_write_file(dir, "a.tfrecord", buf_span(&packed));
			opened_fails(dir, section, "a.tfrecord: ");
			packed.data[cut] ^= 16;
		}
		buf_release(&packed);
	}
	test_write_file(
	    dir, "a.tfrecord", (struct span){ file.data, file.len - 9 });
	opened_fails(dir, section,
	    "a.tfrecord: record 2: cut short: the file ends within it");
	buf_release(&file);
	test_scratch_remove(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    test_tfrecord_source_reads_features_of_every_kind),
		cmocka_unit_test(test_tfrecord_source_reads_every_form_alike),
		cmocka_unit_test(test_tfrecord_source_says_what_is_wrong),
		cmocka_unit_test(test_tfrecord_source_notices_damage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
