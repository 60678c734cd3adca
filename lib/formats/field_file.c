/* field_file.c - see field_file.h. */
#include "lib/formats/field_file.h"
#include "lib/base/error.h"
#include "lib/formats/name.h"
#include "lib/sample/key.h"

void field_file_set(struct field_file *file, const struct field *field,
    const struct tensor *tensor, unsigned char header[NPY_HEADER_MAX])
{
	file->head.data = header;
	file->head.len = 0;
	file->data.data = tensor->data;
	file->data.len = tensor->bytes;
	if (field->type.layout == LAYOUT_ENCODED)
		return;
	file->head.len = npy_header(tensor->dtype, &tensor->shape, header);
	if (type_is_filtered(&field->type))
		npy_set_filtered(header);
}

static int view(const struct field *field, struct span ext, struct span bytes,
    struct tensor *tensor, struct error *err)
{
	char suffix[SUFFIX_MAX], text[KEY_TEXT];

	if (!name_is_of(field, ext, suffix))
		return error_set(err, ERROR_DATA, "a file .%s is not of it",
		    key_text(ext, text));
	if (field->type.layout == LAYOUT_ENCODED) {
		tensor_view_encoded(tensor, bytes.data, bytes.len, suffix);
		return 0;
	}
	if (type_is_filtered(&field->type)
	        ? npy_view_filtered(bytes, tensor, err)
	        : npy_view(bytes, tensor, err))
		return -1;
	if ((uintptr_t)tensor->data % dtype_bytes(tensor->dtype))
		return error_set(
		    err, ERROR_DATA, "its elements are not aligned");
	return 0;
}

int field_file_view(const struct field *field, struct span ext,
    struct span bytes, struct tensor *tensor, struct error *err)
{
	if (view(field, ext, bytes, tensor, err) ||
	    tensor_check(tensor, &field->type, err))
		return error_prefix(err, "field %s", field->name);
	return 0;
}
