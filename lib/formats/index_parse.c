/*
 * index_parse.c - see index_parse.h: parsing.
 *
 * The hash in the last line finds accidental damage. All numbers are checked as
 * well, since anyone can compute the hash.
 */
#include <limits.h>

#include "lib/base/error.h"
#include "lib/base/hash.h"
#include "lib/formats/index.h"
#include "lib/formats/index_parse.h"
#include "lib/sample/type_words.h"
#include "lib/syntax/words.h"

enum {
	REST_MAX = 64
}; /* bytes before the first block or after the last one,
      of a file without a table */

struct parser {
	struct shard_index *index;
	struct span text; /* text still to parse */
	const unsigned char *start;
	struct index_form form;
	uint64_t line;
	uint64_t samples, unpacked, blocks; /* from the first lines */
	uint64_t ends[PARTS_MAX];           /* end of each file so far */
	struct error *err;
};

static int wrong(const struct parser *parser, const char *what)
{
	return error_set(parser->err, ERROR_DATA, "line %llu: %s",
	    (unsigned long long)parser->line, what);
}

static int next_line(struct parser *parser, struct span *line)
{
	parser->line++;
	return words_line(&parser->text, line) == 1
	           ? 0
	           : wrong(parser, "the file ends too early");
}

static int number_line(
    struct parser *parser, const char *word, uint64_t *number)
{
	struct span line;

	if (next_line(parser, &line))
		return -1;
	if (words_expect(&line, word) || words_number(&line, number) ||
	    line.len)
		return wrong(parser, "malformed line");
	return 0;
}

/* Parses the shape of each array's rows; all dims are known. */
static int parse_rows(struct parser *parser)
{
	for (unsigned i = 0; i < parser->form.arrays; i++) {
		struct type type = { .dtype = DTYPE_F64 };
		struct span line, word;

		if (next_line(parser, &line))
			return -1;
		if (words_expect(&line, "rows") || words_next(&line, &word) ||
		    line.len || shape_words_parse(word, &type.shape) ||
		    type_bytes(&type) < 0)
			return wrong(parser, "malformed shape");
		parser->index->rows[i] = type.shape;
	}
	return 0;
}

static int parse_file(struct parser *parser, struct span line)
{
	struct file_sum sum;
	struct span name;

	if (words_number(&line, &sum.bytes) ||
	    words_hash(&line, &sum.checksum) || words_next(&line, &name) ||
	    line.len)
		return wrong(parser, "malformed file line");
	if (file_list_add(&parser->index->files, name, &sum, parser->err))
		return error_prefix(
		    parser->err, "line %llu", (unsigned long long)parser->line);
	return 0;
}

/* Parses the files and the number of blocks. */
static int parse_files(struct parser *parser)
{
	struct span line, rest;

	for (;;) {
		if (next_line(parser, &line))
			return -1;
		rest = line;
		if (words_expect(&rest, "file"))
			break;
		if (parse_file(parser, rest))
			return -1;
	}
	if (words_expect(&line, "blocks") ||
	    words_number(&line, &parser->blocks) || line.len)
		return wrong(parser, "malformed line");
	return 0;
}

static int parse_head(struct parser *parser)
{
	struct shard_index *index = parser->index;
	struct span line;

	if (next_line(parser, &line))
		return -1;
	if (!span_equal(line, span_text("presto index 1")) &&
	    !span_equal(line, span_text("presto index 2")))
		return wrong(parser, "not an index that this version reads");
	if (number_line(parser, "samples", &parser->samples) ||
	    number_line(parser, "stored", &index->stored) ||
	    number_line(parser, "unpacked", &parser->unpacked) ||
	    next_line(parser, &line))
		return -1;
	if (words_expect(&line, "checksum") ||
	    words_hash(&line, &index->checksum) || line.len)
		return wrong(parser, "malformed line");
	if (parse_rows(parser))
		return -1;
	return parse_files(parser);
}

/* Returns the end of the last block, within the shard; 0 without blocks. */
static uint64_t blocks_end(const struct shard_index *index)
{
	const struct index_block *last;

	if (index->count == 0)
		return 0;
	last = &index->blocks[index->count - 1];
	return last->offset + last->stored;
}

/* Returns the most bytes before the first block, or after the last. */
static uint64_t rest_max(const struct parser *parser)
{
	return parser->form.has_table
	           ? parser->index->stored
	           : REST_MAX * (uint64_t)(parser->form.arrays + 1);
}

/* Checks that blocks are adjacent; a header may precede the first one. */
static int check_block(
    const struct parser *parser, const struct index_block *block)
{
	const struct shard_index *index = parser->index;
	const uint64_t end = blocks_end(index);

	if (block->offset < end ||
	    block->offset - end > (index->count > 0 ? 0 : rest_max(parser)))
		return wrong(parser, "the block is not behind the one before");
	if (block->offset > index->stored ||
	    block->stored > index->stored - block->offset)
		return wrong(parser, "the block is not within the shard");
	if (block->unpacked > SIZE_MAX / 4)
		return wrong(parser, "the block is larger than memory");
	return 0;
}

/* Parses the sample lines of a block; their files add up to the block. */
static int parse_samples(struct parser *parser, struct index_block *block)
{
	const unsigned char *start = parser->text.data;
	uint64_t stored = 0, unpacked = 0;
	struct index_sample sample;
	int got;

	if (block->samples == 0)
		return wrong(parser, "the block is empty");
	for (uint64_t s = 0; s < block->samples; s++) {
		parser->line++;
		got = index_sample_next(
		    &parser->text, parser->form.files, &sample, parser->err);
		if (got <= 0)
			return wrong(parser, "malformed sample line");
		for (unsigned i = 0; i < parser->form.files; i++)
			if (__builtin_add_overflow(
			        stored, sample.files[i].stored, &stored) ||
			    __builtin_add_overflow(
			        unpacked, sample.files[i].unpacked, &unpacked))
				return wrong(parser, "impossible sizes");
	}
	if (stored != block->stored || unpacked != block->unpacked)
		return wrong(parser, "the files do not make up their block");
	block->lines = parser->index->lines.len;
	block->lines_len = (size_t)(parser->text.data - start);
	return buf_append(
	    &parser->index->lines, start, block->lines_len, parser->err);
}

static int parse_part(struct parser *parser, struct index_part *part)
{
	struct span line;

	if (next_line(parser, &line))
		return -1;
	if (words_expect(&line, "part") || words_number(&line, &part->offset) ||
	    words_number(&line, &part->stored) ||
	    words_number(&line, &part->unpacked) ||
	    words_hash(&line, &part->checksum) || line.len)
		return wrong(parser, "malformed part line");
	return 0;
}

/* Parses adjacent parts, one for each file, which make up the block. */
static int parse_parts(struct parser *parser, const struct index_block *block)
{
	uint64_t stored = 0, unpacked = 0;

	for (unsigned i = 0; i < index_parts(&parser->form); i++) {
		uint64_t *end = &parser->ends[i];
		struct index_part part;

		if (parse_part(parser, &part))
			return -1;
		if (part.offset < *end ||
		    part.offset - *end > (*end > 0 ? 0 : REST_MAX) ||
		    __builtin_add_overflow(part.offset, part.stored, end) ||
		    __builtin_add_overflow(stored, part.stored, &stored) ||
		    __builtin_add_overflow(unpacked, part.unpacked, &unpacked))
			return wrong(
			    parser, "the part is not behind the one before");
		if (shard_index_add_part(parser->index, &part, parser->err))
			return -1;
	}
	if (stored != block->stored || unpacked != block->unpacked ||
	    shard_index_sum_parts(parser->index, parser->index->count) !=
	        block->checksum)
		return wrong(parser, "the parts do not make up their block");
	return 0;
}

static int parse_block(struct parser *parser)
{
	struct index_block block = { .lines = 0 };
	struct span line;

	if (next_line(parser, &line))
		return -1;
	if (words_expect(&line, "block") ||
	    words_number(&line, &block.offset) ||
	    words_number(&line, &block.stored) ||
	    words_number(&line, &block.unpacked) ||
	    words_number(&line, &block.samples) ||
	    words_hash(&line, &block.checksum) || line.len)
		return wrong(parser, "malformed block line");
	if (check_block(parser, &block) ||
	    (parser->form.files > 0 && parse_samples(parser, &block)) ||
	    (parser->form.arrays > 0 && parse_parts(parser, &block)))
		return -1;
	return shard_index_add(parser->index, &block, parser->err);
}

static int parse_end(struct parser *parser)
{
	const size_t len = (size_t)(parser->text.data - parser->start);
	const uint64_t is = hash_bytes(parser->start, len, 0);
	struct span line;
	uint64_t hash;

	if (next_line(parser, &line))
		return -1;
	if (words_expect(&line, "end") || words_hash(&line, &hash) ||
	    line.len || parser->text.len)
		return wrong(parser, "not the end of an index");
	if (hash != is)
		return wrong(parser, "the checksum of the index differs");
	if (parser->samples != parser->index->samples ||
	    parser->unpacked != parser->index->unpacked ||
	    parser->index->stored - blocks_end(parser->index) >
	        rest_max(parser))
		return wrong(parser, "the blocks do not make up the shard");
	if (parser->form.arrays &&
	    parser->index->checksum != shard_index_sum_blocks(parser->index))
		return wrong(parser, "the checksum of the shard differs");
	return 0;
}

int shard_index_parse(struct shard_index *index, struct span text,
    const struct index_form *form, struct error *err)
{
	struct parser parser = {
		.index = index,
		.text = text,
		.start = text.data,
		.form = *form,
		.err = err,
	};

	index->form = *form;
	if (parse_head(&parser))
		return -1;
	for (uint64_t i = 0; i < parser.blocks; i++)
		if (parse_block(&parser))
			return -1;
	return parse_end(&parser);
}

/* Parses a label, or -1 for none. */
static int parse_label(struct span *line, int64_t *label)
{
	uint64_t number;

	*label = -1;
	if (line->len > 2 && line->data[0] == '-')
		return words_expect(line, "-1");
	if (words_number(line, &number) || number > INT64_MAX)
		return -1;
	*label = (int64_t)number;
	return 0;
}

int index_sample_next(struct span *lines, unsigned fields,
    struct index_sample *sample, struct error *err)
{
	struct span line;
	const int got = words_line(lines, &line);
	int rc;

	if (got == 0)
		return 0;
	rc = got < 0 || words_expect(&line, "sample") ||
	     parse_label(&line, &sample->label);
	for (unsigned i = 0; rc == 0 && i < fields; i++)
		rc = words_number(&line, &sample->files[i].stored) ||
		     words_number(&line, &sample->files[i].unpacked) ||
		     words_next(&line, &sample->files[i].ext);
	if (rc || words_next(&line, &sample->stem) || line.len)
		return error_set(
		    err, ERROR_DATA, "the line of a sample is damaged");
	return 1;
}
