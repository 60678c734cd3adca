/*
 * npy.c - see npy.h.
 *
 * The header is a Python dictionary: {'descr': '<f4', 'fortran_order': False,
 * 'shape': (3, 4), }.  Keys may be in any order, with either kind of quote.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/sample/npy.h"

enum {
	MAGIC_LEN = 6,
	PREFIX_V1 = 10, /* magic, version, two bytes of length */
	PREFIX_V2 = 12, /* the same with four bytes */
	WORD_MAX = 32,
	COUNT_DIGITS = 20,
};

static const char magic[MAGIC_LEN + 1] = "\x93NUMPY";
static const char magic_filtered[MAGIC_LEN + 1] = "\x93PRSTO";

/* Writes magic, words, and padding to a multiple of 64; `words` ends in NUL. */
static size_t write_header(
    const char *words, size_t room, unsigned char header[NPY_HEADER_MAX])
{
	const size_t len = strlen(words);
	const size_t total = (PREFIX_V1 + len + room + 1 + 63) / 64 * 64;

	memset(header, ' ', total);
	memcpy(header, magic, MAGIC_LEN);
	header[6] = 1;
	header[7] = 0;
	header[8] = (unsigned char)((total - PREFIX_V1) & 0xff);
	header[9] = (unsigned char)((total - PREFIX_V1) >> 8);
	memcpy(header + PREFIX_V1, words, len);
	header[total - 1] = '\n';
	return total;
}

size_t npy_header(enum dtype dtype, const struct shape *shape,
    unsigned char header[NPY_HEADER_MAX])
{
	char words[NPY_HEADER_MAX - 64];
	size_t len;

	len = (size_t)snprintf(words, sizeof(words),
	    "{'descr': '%s', 'fortran_order': False, 'shape': (",
	    dtype_descr(dtype));
	for (unsigned i = 0; i < shape->count; i++)
		len += (size_t)snprintf(words + len, sizeof(words) - len,
		    i ? " %" PRId64 "," : "%" PRId64 ",", shape->dims[i]);
	if (shape->count > 1)
		len--; /* only a tuple with one item ends with a comma */
	snprintf(words + len, sizeof(words) - len, "), }");
	return write_header(words, 0, header);
}

size_t npy_header_of_rows(enum dtype dtype, uint64_t count,
    const struct shape *row, unsigned char header[NPY_HEADER_MAX])
{
	char words[NPY_HEADER_MAX - 64];
	size_t len, digits;

	digits = (size_t)snprintf(words, sizeof(words), "%" PRIu64, count);
	len = (size_t)snprintf(words, sizeof(words),
	    "{'descr': '%s', 'fortran_order': False, 'shape': (%" PRIu64 ",",
	    dtype_descr(dtype), count);
	for (unsigned i = 0; i < row->count; i++)
		len += (size_t)snprintf(words + len, sizeof(words) - len,
		    i ? ", %" PRId64 : " %" PRId64, row->dims[i]);
	snprintf(words + len, sizeof(words) - len, "), }");
	return write_header(words, COUNT_DIGITS - digits, header);
}

void npy_set_filtered(unsigned char *header)
{
	memcpy(header, magic_filtered, MAGIC_LEN);
}

bool npy_is_filtered(struct span bytes)
{
	return bytes.len >= MAGIC_LEN &&
	       memcmp(bytes.data, magic_filtered, MAGIC_LEN) == 0;
}

/* The unread part of the dictionary. */
struct cursor {
	const char *at, *end;
};

struct header {
	char descr[WORD_MAX];
	bool fortran;
	struct shape shape;
	unsigned seen; /* one bit for each key */
};

enum { SEEN_DESCR = 1, SEEN_SHAPE = 2, SEEN_ORDER = 4, SEEN_ALL = 7 };

/* Returns the next character that is not white space; 0 at the end. */
static char peek(struct cursor *cursor)
{
	while (cursor->at < cursor->end &&
	       (*cursor->at == ' ' || *cursor->at == '\n'))
		cursor->at++;
	return cursor->at < cursor->end ? *cursor->at : '\0';
}

static bool take(struct cursor *cursor, char c)
{
	if (peek(cursor) != c)
		return false;
	cursor->at++;
	return true;
}

static int take_text(struct cursor *cursor, char text[WORD_MAX])
{
	const char quote = peek(cursor);
	size_t len = 0;

	if (quote != '\'' && quote != '"')
		return -1;
	cursor->at++;
	while (cursor->at < cursor->end && *cursor->at != quote) {
		if (len == WORD_MAX - 1)
			return -1;
		text[len++] = *cursor->at++;
	}
	if (cursor->at == cursor->end)
		return -1;
	cursor->at++;
	text[len] = '\0';
	return 0;
}

static bool take_word(struct cursor *cursor, const char *word)
{
	const size_t len = strlen(word);

	peek(cursor);
	if ((size_t)(cursor->end - cursor->at) < len ||
	    memcmp(cursor->at, word, len) != 0)
		return false;
	cursor->at += len;
	return true;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static int take_dim(struct cursor *cursor, int64_t *dim)
{
	const char *at;
	int64_t value = 0;

	if (!is_digit(peek(cursor)))
		return -1;
	for (at = cursor->at; at < cursor->end && is_digit(*at); at++)
		if (__builtin_mul_overflow(value, 10, &value) ||
		    __builtin_add_overflow(value, *at - '0', &value))
			return -1;
	*dim = value;
	cursor->at = at;
	take(cursor, 'L'); /* a suffix written by Python 2 */
	return 0;
}

static int take_shape(struct cursor *cursor, struct shape *shape)
{
	shape->count = 0;
	if (!take(cursor, '('))
		return -1;
	while (!take(cursor, ')')) {
		if (shape->count == SHAPE_MAX ||
		    take_dim(cursor, &shape->dims[shape->count]))
			return -1;
		shape->count++;
		if (!take(cursor, ',') && peek(cursor) != ')')
			return -1;
	}
	return 0;
}

static int take_value(
    struct cursor *cursor, const char *key, struct header *header)
{
	if (strcmp(key, "descr") == 0) {
		header->seen |= SEEN_DESCR;
		return take_text(cursor, header->descr);
	}
	if (strcmp(key, "shape") == 0) {
		header->seen |= SEEN_SHAPE;
		return take_shape(cursor, &header->shape);
	}
	if (strcmp(key, "fortran_order") != 0)
		return -1;
	header->seen |= SEEN_ORDER;
	header->fortran = take_word(cursor, "True");
	return header->fortran || take_word(cursor, "False") ? 0 : -1;
}

/* Like NumPy, requires all three keys and no others. */
static int parse_header(struct cursor cursor, struct header *header)
{
	char key[WORD_MAX];

	if (!take(&cursor, '{'))
		return -1;
	while (peek(&cursor) != '}') {
		if (take_text(&cursor, key) || !take(&cursor, ':') ||
		    take_value(&cursor, key, header))
			return -1;
		if (!take(&cursor, ',') && peek(&cursor) != '}')
			return -1;
	}
	return header->seen == SEEN_ALL ? 0 : -1;
}

/* The words as NumPy writes them, so that there is less to look at. */
static bool parse_usual(struct cursor cursor, struct header *header)
{
	header->fortran = false;
	if (!take_word(&cursor, "{'descr': ") ||
	    take_text(&cursor, header->descr) ||
	    !take_word(&cursor, ", 'fortran_order': False, 'shape': ") ||
	    take_shape(&cursor, &header->shape))
		return false;
	take(&cursor, ',');
	return peek(&cursor) == '}';
}

static int fail(struct error *err, const char *message)
{
	return error_set(err, ERROR_DATA, "%s", message);
}

/* Finds the dictionary and the offset of the elements. */
static int find_header(struct span bytes, bool filtered, struct cursor *words,
    size_t *data, struct error *err)
{
	const char *begins = filtered ? magic_filtered : magic;
	const unsigned char *b = bytes.data;
	size_t prefix = PREFIX_V1, len;

	if (bytes.len < MAGIC_LEN || memcmp(b, begins, MAGIC_LEN) != 0)
		return fail(err, filtered ? "is not a filtered tensor"
		                          : "is not a .npy file");
	if (bytes.len < PREFIX_V2)
		return fail(err, ".npy file is cut short in its header");
	if (b[6] < 1 || b[6] > 3 || b[7] != 0)
		return error_set(err, ERROR_DATA,
		    ".npy file of unknown version %u.%u", b[6], b[7]);
	len = b[8] | (size_t)b[9] << 8;
	if (b[6] > 1) {
		prefix = PREFIX_V2;
		len |= (size_t)b[10] << 16 | (size_t)b[11] << 24;
	}
	if (bytes.len - prefix < len)
		return fail(err, ".npy file is cut short in its header");
	words->at = (const char *)b + prefix;
	words->end = words->at + len;
	*data = prefix + len;
	return 0;
}

static int refuse_type(const char *descr, struct error *err)
{
	const char *why = "which presto does not take: save the array as "
	                  "array.astype('float32'), or another type of "
	                  "integers or floats";

	if (descr[0] == '>')
		why = "which is big-endian: save the array as "
		      "array.astype(array.dtype.newbyteorder('<'))";
	else if (descr[0] == '|' && descr[1] == 'O')
		why = "which are objects of Python: save arrays of numbers";
	else if (strcmp(descr, "|b1") == 0)
		why = "which are truth values: save the array as "
		      "array.astype('uint8')";
	return error_set(err, ERROR_DATA,
	    ".npy file has elements of type '%s', %s", descr, why);
}

int npy_read_header(struct span bytes, bool filtered, enum dtype *dtype,
    struct shape *shape, size_t *data, struct error *err)
{
	struct header header;
	struct cursor words;

	if (find_header(bytes, filtered, &words, data, err))
		return -1;
	if (!parse_usual(words, &header)) {
		header = (struct header){ .descr = "" };
		if (parse_header(words, &header))
			return fail(err, ".npy header cannot be understood");
	}
	if (dtype_parse_descr(header.descr, dtype))
		return refuse_type(header.descr, err);
	if (header.fortran && header.shape.count > 1)
		return fail(err,
		    ".npy file is in Fortran order: save the array as "
		    "numpy.ascontiguousarray(array)");
	*shape = header.shape;
	return 0;
}

static int view(
    struct span bytes, bool filtered, struct tensor *tensor, struct error *err)
{
	struct type type = { .dtype = DTYPE_U8 };
	size_t at = 0;
	int64_t want;

	if (npy_read_header(
	        bytes, filtered, &type.dtype, &type.shape, &at, err))
		return -1;
	want = type_bytes(&type); /* -1: overflow */
	if (want < 0)
		return fail(err, ".npy header has a shape that is too large");
	if (bytes.len - at < (size_t)want)
		return error_set(err, ERROR_DATA,
		    ".npy file is cut short: %zu bytes of %" PRId64,
		    bytes.len - at, want);
	tensor_view(tensor, type.dtype, &type.shape, bytes.data + at);
	return 0;
}

int npy_view(struct span bytes, struct tensor *tensor, struct error *err)
{
	return view(bytes, false, tensor, err);
}

int npy_view_filtered(
    struct span bytes, struct tensor *tensor, struct error *err)
{
	return view(bytes, true, tensor, err);
}
