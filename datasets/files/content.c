/* content.c - see content.h. */
#include <ctype.h>
#include <string.h>

#include "datasets/files/content.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/sample/npy.h"

struct magic {
	const char *bytes;
	size_t len;
	const char *suffix;
};

static const struct magic magics[] = {
	{ .bytes = "\xff\xd8\xff", .len = 3, .suffix = "jpg" },
	{ .bytes = "\x89PNG\r\n\x1a\n", .len = 8, .suffix = "png" },
	{ .bytes = "\x93NUMPY", .len = 6, .suffix = "npy" },
};

static const char *magic_suffix(struct span bytes)
{
	for (size_t i = 0; i < ARRAY_LEN(magics); i++)
		if (bytes.len >= magics[i].len &&
		    memcmp(bytes.data, magics[i].bytes, magics[i].len) == 0)
			return magics[i].suffix;
	return NULL;
}

const char *content_extension(const char *path)
{
	const char *dot = strrchr(path_base(path), '.');

	return dot ? dot + 1 : "";
}

/* Copies the extension in lower case; "" if it cannot be a suffix. */
static void copy_suffix(const char *extension, char suffix[SUFFIX_MAX])
{
	size_t len = strlen(extension);

	if (len >= SUFFIX_MAX)
		len = 0;
	for (size_t i = 0; i < len; i++) {
		const unsigned char c = (unsigned char)extension[i];

		if (!isalnum(c) || c >= 0x80) {
			len = 0;
			break;
		}
		suffix[i] = (char)tolower(c);
	}
	suffix[len] = '\0';
	if (strcmp(suffix, "jpeg") == 0)
		memcpy(suffix, "jpg", sizeof("jpg"));
}

static void find_suffix(
    struct span bytes, const char *extension, char suffix[SUFFIX_MAX])
{
	const char *known = magic_suffix(bytes);

	if (known)
		memcpy(suffix, known, strlen(known) + 1);
	else
		copy_suffix(extension, suffix);
}

int content_type(struct span bytes, const char *extension, struct type *type,
    struct error *err)
{
	enum dtype dtype;
	struct shape shape;
	size_t data;

	*type = (struct type){
		.dtype = DTYPE_U8,
		.layout = LAYOUT_ENCODED,
		.shape = { .count = 1, .dims = { -1 } },
	};
	if (npy_is_filtered(bytes))
		return error_set(err, ERROR_DATA,
		    "is a tensor filtered by presto: read its "
		    "folder with 'source = presto'");
	find_suffix(bytes, extension, type->suffix);
	if (strcmp(type->suffix, "npy") != 0)
		return 0;
	if (npy_read_header(bytes, false, &dtype, &shape, &data, err))
		return -1;
	type->dtype = dtype;
	type->layout = shape_is_image(&shape) ? LAYOUT_HWC : LAYOUT_PLAIN;
	type->shape.count = shape.count;
	for (unsigned i = 0; i < shape.count; i++)
		type->shape.dims[i] = -1;
	type->suffix[0] = '\0';
	return 0;
}

int content_view(struct span bytes, const char *extension,
    const struct type *type, struct tensor *tensor, struct error *err)
{
	char suffix[SUFFIX_MAX] = "";

	if (!bytes.data && bytes.len) { /* withheld: see reader.h */
		tensor_view_encoded(tensor, NULL, bytes.len, suffix);
		return 0;
	}
	if (type->layout != LAYOUT_ENCODED) {
		if (npy_view(bytes, tensor, err))
			return -1;
		return tensor_check(tensor, type, err);
	}
	find_suffix(bytes, extension, suffix);
	tensor_view_encoded(tensor, bytes.data, bytes.len, suffix);
	return 0;
}
