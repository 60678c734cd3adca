/* own.c - see own.h. */
#define _XOPEN_SOURCE 700 /* st_mtim */
#include "lib/own/own.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/hash.h"
#include "lib/base/printable.h"
#include "lib/files/path.h"
#include "lib/sample/type_words.h"

enum {
	WHOLE_FILE_MOST = 64 << 20, /* larger files are not read */
	WORD_MOST = 256,
};

/* ---- types ---- */

static bool is_channels(int64_t dim)
{
	return dim == 1 || dim == 3 || dim == 4;
}

/* An image whose channels are at the other end has been turned. */
static enum layout image_layout(enum layout layout, const struct shape *shape)
{
	const bool first = is_channels(shape->dims[0]);
	const bool last = is_channels(shape->dims[2]);

	if (layout == LAYOUT_HWC && first && !last)
		return LAYOUT_CHW;
	return layout == LAYOUT_CHW && last && !first ? LAYOUT_HWC : layout;
}

void own_guess_layout(const struct type *in, struct type *out)
{
	const bool same_rank = in->shape.count == out->shape.count;

	out->layout = LAYOUT_PLAIN;
	out->suffix[0] = '\0';
	if (in->layout == LAYOUT_ENCODED) {
		if (out->dtype == DTYPE_U8 && same_rank) {
			out->layout = LAYOUT_ENCODED;
			memcpy(out->suffix, in->suffix, sizeof(out->suffix));
			return;
		}
	} else if (same_rank) {
		out->layout = image_layout(in->layout, &out->shape);
		return;
	}
	if (shape_is_image(&out->shape))
		out->layout = LAYOUT_HWC;
}

/* Splits "DTYPE:DIMS:LAYOUT", of which the first is always there. */
static unsigned split(char *text, char *parts[3])
{
	unsigned count = 0;

	while (text && count < 3) {
		parts[count++] = text;
		text = strchr(text, ':');
		if (text)
			*text++ = '\0';
	}
	return text ? 4 : count;
}

static int refuse(const struct own *own, struct error *err)
{
	return error_set(err, ERROR_USAGE,
	    "gives must be DTYPE[:DIMS[:LAYOUT]], such as "
	    "float32:3x224x224:chw "
	    "or uint8:?x?x3, got '%s'",
	    own->gives);
}

static int declare_tensor(const struct own *own, const struct type *in,
    struct type *out, struct error *err)
{
	char text[WORD_MOST], *parts[3];
	unsigned count;

	*out = (struct type){ .shape = in->shape };
	if (strlen(own->gives) >= sizeof(text))
		return refuse(own, err);
	memcpy(text, own->gives, strlen(own->gives) + 1);
	count = split(text, parts);
	if (count > 3)
		return refuse(own, err);
	if (dtype_option(parts[0], &out->dtype, err))
		return error_prefix(err, "gives");
	if (count > 1 && shape_words_parse(span_text(parts[1]), &out->shape))
		return refuse(own, err);
	own_guess_layout(in, out);
	if (out->layout == LAYOUT_ENCODED) {
		out->layout = LAYOUT_PLAIN;
		out->suffix[0] = '\0';
	}
	if (count > 2 && (layout_word_parse(parts[2], &out->layout) ||
	                     out->layout == LAYOUT_ENCODED))
		return error_set(err, ERROR_USAGE,
		    "gives: layout must be plain, hwc or chw, got '%s'",
		    parts[2]);
	if (out->layout != LAYOUT_PLAIN && out->shape.count != 3)
		return error_set(err, ERROR_USAGE,
		    "gives: an image has 3 dims, got '%s'", own->gives);
	return 0;
}

static int declare_file(
    const struct own *own, struct type *out, struct error *err)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
	                              "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	                              "0123456789_-";
	const size_t len = strlen(own->suffix);

	if (len == 0 || len >= SUFFIX_MAX ||
	    own->suffix[strspn(own->suffix, letters)])
		return error_set(err, ERROR_USAGE,
		    "suffix must be that of a file name, such as jpg, got '%s'",
		    own->suffix);
	*out = (struct type){
		.dtype = DTYPE_U8,
		.layout = LAYOUT_ENCODED,
		.shape = { 1, { -1 } },
	};
	memcpy(out->suffix, own->suffix, len + 1);
	return 0;
}

int own_type(const struct own *own, const struct type *in, struct type *out,
    struct error *err)
{
	if (own->gives && own->suffix)
		return error_set(err, ERROR_USAGE,
		    "gives is for tensors and suffix for files: give one of "
		    "them");
	if (own->gives)
		return declare_tensor(own, in, out, err);
	if (own->suffix)
		return declare_file(own, out, err);
	for (unsigned i = 0; i < own->type_count; i++)
		if (type_equal(&own->types[i].in, in)) {
			*out = own->types[i].out;
			return 0;
		}
	return 1;
}

/* ---- words ---- */

const char *own_word(const struct own *own, const char *name)
{
	for (unsigned i = 0; i < own->count; i++)
		if (strcmp(own->words[i].name, name) == 0)
			return own->words[i].value;
	return NULL;
}

char *own_path(const struct own *own, const char *path, struct error *err)
{
	return path_join(own->folder, path, err);
}

/* ---- what the code is ---- */

/* Begins another part of the print. */
static int add_comma(struct own *own, struct error *err)
{
	return own->print.len ? buf_printf(&own->print, err, ", ") : 0;
}

static int hash_file(const char *path, uint64_t *hash, struct error *err)
{
	struct buf bytes = BUF_INIT;
	struct stat status;
	int rc;

	if (stat(path, &status))
		return error_errno(err, "read", path);
	if (status.st_size > WHOLE_FILE_MOST) {
		const uint64_t numbers[] = { (uint64_t)status.st_size,
			(uint64_t)status.st_mtim.tv_sec,
			(uint64_t)status.st_mtim.tv_nsec };

		*hash = hash_bytes(numbers, sizeof(numbers), 0);
		return 0;
	}
	rc = path_read(path, WHOLE_FILE_MOST, &bytes, err);
	*hash = hash_bytes(bytes.data, bytes.len, 0);
	buf_release(&bytes);
	return rc;
}

int own_print_file(struct own *own, const char *path, struct error *err)
{
	uint64_t hash = 0;

	if (hash_file(path, &hash, err) || add_comma(own, err))
		return -1;
	if (printable_append(&own->print, span_text(path_base(path)), err))
		return -1;
	return buf_printf(&own->print, err, " %016" PRIx64, hash);
}

int own_print_version(
    struct own *own, const char *what, const char *version, struct error *err)
{
	if (add_comma(own, err))
		return -1;
	if (printable_append(&own->print, span_text(what), err) ||
	    buf_printf(&own->print, err, " ") ||
	    printable_append(&own->print, span_text(version), err))
		return -1;
	return buf_printf(&own->print, err, "%s", "");
}
