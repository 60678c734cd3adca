/* vocabulary.c - see vocabulary.h. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/shared.h"
#include "lib/base/utf8.h"
#include "lib/files/path.h"
#include "lib/sample/key.h"
#include "lib/tokens/byte_letters.h"
#include "lib/tokens/encoder.h"
#include "lib/tokens/unicode.h"
#include "lib/tokens/vocabulary.h"

enum { FILE_MAX = 256 << 20 };

static const char encoder_name[] = "encoder.json";
static const char merges_name[] = "vocab.bpe";
static const char version[] = "#version";

/* ---- vocab.bpe ---- */

struct merge_reader {
	struct vocabulary *vocabulary;
	const struct encoder *encoder;
	const struct byte_letters *letters;
	struct buf bytes; /* bytes of both tokens */
};

/* Appends letters as bytes to reader->bytes; -1 if one is not a letter. */
static int add_letters(
    struct merge_reader *reader, struct span word, struct error *err)
{
	const unsigned char *at = word.data, *end = word.data + word.len;

	while (at < end) {
		unsigned bytes;
		const int32_t code = utf8_decode(at, end, &bytes);
		const int byte = byte_of_letter(reader->letters, code);
		const unsigned char c = (unsigned char)byte;

		if (byte < 0)
			return error_set(
			    err, ERROR_DATA, "a letter stands for no byte");
		if (buf_append(&reader->bytes, &c, 1, err))
			return -1;
		at += bytes;
	}
	return 0;
}

static int find_token(const struct merge_reader *reader, struct span bytes,
    uint32_t *id, struct error *err)
{
	const int64_t found = encoder_id(reader->encoder, bytes);

	if (found < 0)
		return error_set(err, ERROR_DATA,
		    "a token of this merge is not in %s", encoder_name);
	*id = (uint32_t)found;
	return 0;
}

static int add_merge(
    struct merge_reader *reader, struct span line, struct error *err)
{
	const unsigned char *blank =
	    line.len ? memchr(line.data, ' ', line.len) : NULL;
	uint32_t left = 0, right = 0, joined = 0;
	struct span word = line;
	size_t first;

	word.len = blank ? (size_t)(blank - line.data) : 0;
	if (!word.len || word.len + 1 == line.len)
		return error_set(err, ERROR_DATA,
		    "a merge is two tokens with a blank between");
	reader->bytes.len = 0;
	if (add_letters(reader, word, err))
		return -1;
	first = reader->bytes.len;
	word.data = blank + 1;
	word.len = line.len - word.len - 1;
	if (add_letters(reader, word, err))
		return -1;
	word = buf_span(&reader->bytes);
	if (find_token(reader, word, &joined, err))
		return -1;
	word.len = first;
	if (find_token(reader, word, &left, err))
		return -1;
	word.data += first;
	word.len = reader->bytes.len - first;
	if (find_token(reader, word, &right, err))
		return -1;
	if (merges_add(&reader->vocabulary->merges, left, right, joined))
		return error_set(err, ERROR_DATA, "the merge appears twice");
	return 0;
}

/* Takes the first line from the text. */
static struct span take_line(struct span *text)
{
	const unsigned char *end = memchr(text->data, '\n', text->len);
	const size_t len = end ? (size_t)(end - text->data) : text->len;
	const struct span line = { .data = text->data, .len = len };

	text->data += len + (end ? 1 : 0);
	text->len -= len + (end ? 1 : 0);
	return line;
}

static size_t count_lines(struct span text)
{
	size_t count = 0;

	for (; text.len; count++)
		take_line(&text);
	return count;
}

static bool is_version(struct span line)
{
	return line.len >= strlen(version) &&
	       memcmp(line.data, version, strlen(version)) == 0;
}

static int read_merges(
    struct merge_reader *reader, struct span text, struct error *err)
{
	const size_t count = count_lines(text);

	if (count > MERGES_MAX)
		return error_set(err, ERROR_DATA, "%s: more than %d lines",
		    merges_name, MERGES_MAX);
	if (merges_init(&reader->vocabulary->merges, (uint32_t)count, err))
		return -1;
	for (size_t number = 1; text.len; number++) {
		const struct span line = take_line(&text);
		char shown[KEY_TEXT];

		if (number == 1 && is_version(line))
			continue;
		if (add_merge(reader, line, err))
			return error_prefix(err, "%s:%zu: '%.100s'",
			    merges_name, number, key_text(line, shown));
	}
	return 0;
}

/* ---- both files ---- */

static int find_bytes(struct vocabulary *vocabulary,
    const struct encoder *encoder, struct error *err)
{
	for (unsigned i = 0; i < BYTE_VALUES; i++) {
		const unsigned char byte = (unsigned char)i;
		const int64_t id = encoder_id(
		    encoder, (struct span){ .data = &byte, .len = 1 });

		if (id < 0)
			return error_set(err, ERROR_DATA,
			    "%s: no token for the single byte 0x%02x",
			    encoder_name, i);
		vocabulary->byte_ids[i] = (uint32_t)id;
	}
	vocabulary->tokens = encoder->limit;
	vocabulary->end_of_text =
	    (int32_t)encoder_id(encoder, span_text(VOCABULARY_END_OF_TEXT));
	return 0;
}

static int fill(struct vocabulary *vocabulary, struct span encoder_json,
    struct span merges, struct error *err)
{
	struct encoder encoder = ENCODER_INIT;
	struct byte_letters letters;
	struct merge_reader reader = {
		.vocabulary = vocabulary,
		.encoder = &encoder,
		.letters = &letters,
	};
	int rc = -1;

	byte_letters_fill(&letters);
	vocabulary->unicode = unicode_take(err);
	if (!vocabulary->unicode)
		goto done;
	if (encoder_read(&encoder, encoder_json, &letters, err)) {
		error_prefix(err, "%s", encoder_name);
		goto done;
	}
	if (find_bytes(vocabulary, &encoder, err) ||
	    read_merges(&reader, merges, err))
		goto done;
	rc = 0;
done:
	buf_release(&reader.bytes);
	encoder_release(&encoder);
	return rc;
}

struct vocabulary *vocabulary_parse(
    struct span encoder, struct span merges, struct error *err)
{
	struct vocabulary *vocabulary = memory_zeroed(sizeof(*vocabulary), err);

	if (!vocabulary)
		return NULL;
	if (fill(vocabulary, encoder, merges, err)) {
		vocabulary_free(vocabulary);
		return NULL;
	}
	return vocabulary;
}

void vocabulary_free(struct vocabulary *vocabulary)
{
	if (!vocabulary)
		return;
	merges_release(&vocabulary->merges);
	unicode_give(vocabulary->unicode);
	free(vocabulary);
}

/* ---- shared ---- */

static int read_file(
    const char *dir, const char *name, struct buf *bytes, struct error *err)
{
	char *path = path_join(dir, name, err);
	int rc = path ? path_read(path, FILE_MAX, bytes, err) : -1;

	free(path);
	return rc;
}

static void *make(const void *arg, struct error *err)
{
	struct buf encoder = BUF_INIT, merges = BUF_INIT;
	struct vocabulary *vocabulary = NULL;
	const char *dir = arg;

	if (read_file(dir, encoder_name, &encoder, err) == 0 &&
	    read_file(dir, merges_name, &merges, err) == 0) {
		vocabulary = vocabulary_parse(
		    buf_span(&encoder), buf_span(&merges), err);
		if (!vocabulary)
			error_prefix(err, "%s", dir);
	}
	buf_release(&encoder);
	buf_release(&merges);
	return vocabulary;
}

static void free_vocabulary(void *vocabulary)
{
	vocabulary_free(vocabulary);
}

static const struct shared_kind kind = {
	.name = "vocabulary",
	.make = make,
	.free = free_vocabulary,
};

/* Adds what distinguishes a file from one that replaces it. */
static int add_identity(
    struct buf *key, const char *dir, const char *name, struct error *err)
{
	char *path = path_join(dir, name, err);
	struct stat status;
	int rc;

	if (!path)
		return -1;
	rc = stat(path, &status);
	free(path);
	if (rc)
		return error_set(
		    err, ERROR_USAGE, "no file '%s' in %s", name, dir);
	return buf_printf(key, err, "%ju %ju %jd %jd.%09ld ",
	    (uintmax_t)status.st_dev, (uintmax_t)status.st_ino,
	    (intmax_t)status.st_size, (intmax_t)status.st_mtim.tv_sec,
	    status.st_mtim.tv_nsec);
}

const struct vocabulary *vocabulary_take(const char *dir, struct error *err)
{
	const struct vocabulary *vocabulary = NULL;
	struct buf key = BUF_INIT;

	if (add_identity(&key, dir, encoder_name, err) == 0 &&
	    add_identity(&key, dir, merges_name, err) == 0)
		vocabulary =
		    shared_take(&kind, (const char *)key.data, dir, err);
	buf_release(&key);
	return vocabulary;
}

void vocabulary_give(const struct vocabulary *vocabulary)
{
	shared_give(&kind, vocabulary);
}
