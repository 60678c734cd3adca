/* hdf5.c - opens files and examines datasets; see hdf5.h. */
#include <stdio.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/media/medium.h"
#include "lib/signal/hdf5_library.h"

enum {
	NAMES_MAX = 600,     /* bytes of the names listed in a message */
	DEFLATE_MOST = 1100, /* most that deflate can compress, and some more */
	LEAST_ROOM = 1 << 16,
	CHUNK_COST = 8, /* least bytes that a chunk takes in its file */
};

/* ---- files ---- */

static int open_work(struct hdf5_library *library, void *arg, struct error *err)
{
	struct hdf5_file *file = arg;
	const hid_t fapl =
	    library->H5Pcreate(*library->H5P_CLS_FILE_ACCESS_ID_g);
	int rc = 0;

	library->H5Pset_driver(fapl, library->driver, &file);
	library->H5Pset_fclose_degree(fapl, H5F_CLOSE_STRONG);
	file->id = library->H5Fopen("presto", H5F_ACC_RDONLY, fapl);
	if (file->id < 0) {
		rc = hdf5_fail(file, "not a whole HDF5 file", err);
		file->id = 0;
	}
	library->H5Pclose(fapl);
	return rc;
}

static int open_file(struct hdf5_file *file, struct error *err)
{
	if (file->size == 0)
		return error_set(err, ERROR_DATA, "the file is empty");
	return hdf5_call(open_work, file, err);
}

int hdf5_open_bytes(
    struct hdf5_file *file, struct span bytes, struct error *err)
{
	*file = (struct hdf5_file){ .bytes = bytes, .size = bytes.len };
	return open_file(file, err);
}

int hdf5_open_medium(
    struct hdf5_file *file, struct medium_file *medium, struct error *err)
{
	*file = (struct hdf5_file){
		.medium = medium,
		.size = medium_size(medium),
	};
	return open_file(file, err);
}

static int close_work(
    struct hdf5_library *library, void *arg, struct error *err)
{
	const struct hdf5_file *file = arg;

	UNUSED(err);
	return library->H5Fclose(file->id);
}

void hdf5_close(struct hdf5_file *file)
{
	struct error ignored = ERROR_INIT;

	if (!file->id)
		return;
	hdf5_call(close_work, file, &ignored);
	file->id = 0;
}

/* ---- properties of a dataset ---- */

/* Finds the smallest of our types that holds it; -1: not a number. */
static int type_to_dtype(const struct hdf5_library *library, hid_t type,
    H5T_class_t class, enum dtype *dtype)
{
	static const enum dtype whole[2][4] = {
		{ DTYPE_U8, DTYPE_U16, DTYPE_U32, DTYPE_U64 },
		{ DTYPE_I8, DTYPE_I16, DTYPE_I32, DTYPE_I64 },
	};
	const size_t bytes = library->H5Tget_size(type);
	const unsigned log = bytes <= 1   ? 0
	                     : bytes <= 2 ? 1
	                     : bytes <= 4 ? 2
	                                  : 3;

	if (class == H5T_INTEGER && bytes <= 8)
		*dtype = whole[library->H5Tget_sign(type) == H5T_SGN_2][log];
	else if (class == H5T_FLOAT && bytes <= 8)
		*dtype = log < 2 ? DTYPE_F16 : log == 2 ? DTYPE_F32 : DTYPE_F64;
	else
		return -1;
	return 0;
}

static const char *class_words(H5T_class_t class)
{
	switch (class) {
	case H5T_STRING:
		return "strings";
	case H5T_COMPOUND:
		return "compounds";
	case H5T_OPAQUE:
		return "opaque bytes";
	case H5T_VLEN:
		return "sequences of varying length";
	case H5T_REFERENCE:
		return "references";
	case H5T_ARRAY:
		return "arrays";
	case H5T_BITFIELD:
		return "bit fields";
	case H5T_TIME:
		return "times";
	default:
		return "numbers of more than 64 bits";
	}
}

/* Enumerations, which include booleans, count as their integers. */
static int read_type(const struct hdf5_library *library,
    struct hdf5_dataset *dataset, const char *name, bool *is_plain,
    struct error *err)
{
	const hid_t type = library->H5Dget_type(dataset->id);
	const H5T_class_t outer =
	    type < 0 ? H5T_NO_CLASS : library->H5Tget_class(type);
	const hid_t base =
	    outer == H5T_ENUM ? library->H5Tget_super(type) : type;
	H5T_class_t class =
	    base < 0 ? H5T_NO_CLASS : library->H5Tget_class(base);
	int rc = 0;

	if (type < 0 || base < 0)
		rc = hdf5_fail(dataset->file, name, err);
	else if (type_to_dtype(library, base, class, &dataset->dtype))
		rc = error_set(err, ERROR_DATA,
		    "dataset '%s' holds %s: numbers are wanted", name,
		    class_words(class));
	else
		*is_plain = outer != H5T_ENUM &&
		            library->H5Tequal(base,
		                hdf5_memory_type(library, dataset->dtype)) > 0;
	if (base != type && base >= 0)
		library->H5Tclose(base);
	if (type >= 0)
		library->H5Tclose(type);
	return rc;
}

static int set_shape(const struct hdf5_library *library,
    struct hdf5_dataset *dataset, hid_t space, const char *name,
    struct error *err)
{
	struct shape *shape = &dataset->shape;
	hsize_t dims[H5S_MAX_RANK];
	int count;

	if (library->H5Sget_simple_extent_type(space) != H5S_SIMPLE)
		return error_set(err, ERROR_DATA,
		    "dataset '%s' is not an array: it has no rows", name);
	count = library->H5Sget_simple_extent_ndims(space);
	if (count < 1 || count > SHAPE_MAX)
		return error_set(err, ERROR_DATA,
		    "dataset '%s' has %d dimensions: 1 to %d are wanted", name,
		    count, SHAPE_MAX);
	library->H5Sget_simple_extent_dims(space, dims, NULL);
	shape->count = (unsigned)count;
	dataset->row_bytes = dtype_bytes(dataset->dtype);
	for (unsigned i = 0; i < shape->count; i++) {
		if (dims[i] > INT64_MAX ||
		    (i > 0 && size_mul(dataset->row_bytes, dims[i],
		                  &dataset->row_bytes)))
			return error_set(
			    err, ERROR_DATA, "dataset '%s' is too large", name);
		shape->dims[i] = (int64_t)dims[i];
	}
	return 0;
}

/* Returns what a file of this size can contain, whatever it claims. */
static size_t most_bytes(const struct hdf5_file *file)
{
	size_t most;

	if (size_mul(file->size, DEFLATE_MOST, &most) ||
	    size_add(most, LEAST_ROOM, &most))
		return SIZE_MAX;
	return most;
}

static int read_shape(const struct hdf5_library *library,
    struct hdf5_dataset *dataset, const char *name, struct error *err)
{
	const hid_t space = library->H5Dget_space(dataset->id);
	size_t bytes;
	int rc;

	if (space < 0)
		return hdf5_fail(dataset->file, name, err);
	rc = set_shape(library, dataset, space, name, err);
	library->H5Sclose(space);
	if (rc)
		return -1;
	if (size_mul(
	        dataset->row_bytes, (size_t)dataset->shape.dims[0], &bytes) ||
	    bytes > most_bytes(dataset->file))
		return error_set(err, ERROR_DATA,
		    "dataset '%s' claims more than a file of %llu bytes holds",
		    name, (unsigned long long)dataset->file->size);
	return 0;
}

static int read_chunk_shape(const struct hdf5_library *library,
    struct hdf5_dataset *dataset, hid_t dcpl, const char *name,
    struct error *err)
{
	const unsigned count = dataset->shape.count;
	hsize_t dims[SHAPE_MAX];
	size_t chunks = 1;

	dataset->chunk_bytes = dtype_bytes(dataset->dtype);
	dataset->chunk.count = count;
	if (library->H5Pget_chunk(dcpl, (int)count, dims) != (int)count)
		return hdf5_fail(dataset->file, name, err);
	for (unsigned i = 0; i < count; i++) {
		const size_t extent = (size_t)dataset->shape.dims[i];

		if (dims[i] == 0 || dims[i] > UINT32_MAX ||
		    size_mul(
		        dataset->chunk_bytes, dims[i], &dataset->chunk_bytes) ||
		    size_mul(chunks, extent / dims[i] + (extent % dims[i] != 0),
		        &chunks))
			return error_set(err, ERROR_DATA,
			    "dataset '%s' has impossible chunks", name);
		dataset->chunk.dims[i] = (int64_t)dims[i];
	}
	if (dataset->chunk_bytes > most_bytes(dataset->file) ||
	    chunks > dataset->file->size / CHUNK_COST)
		return error_set(err, ERROR_DATA,
		    "dataset '%s' claims %zu chunks of %zu bytes, in a file "
		    "of %llu",
		    name, chunks, dataset->chunk_bytes,
		    (unsigned long long)dataset->file->size);
	return 0;
}

/* True for no filter, shuffle, deflate, or both: hdf5_unpack undoes these. */
static bool read_filters(const struct hdf5_library *library,
    struct hdf5_dataset *dataset, hid_t dcpl)
{
	const int count = library->H5Pget_nfilters(dcpl);

	for (int i = 0; i < count; i++) {
		unsigned flags = 0, config = 0, value[8];
		size_t values = ARRAY_LEN(value);
		const H5Z_filter_t filter = library->H5Pget_filter2(dcpl,
		    (unsigned)i, &flags, &values, value, 0, NULL, &config);

		if (filter == H5Z_FILTER_SHUFFLE && i == 0)
			dataset->shuffled = true;
		else if (filter == H5Z_FILTER_DEFLATE && i == count - 1)
			dataset->deflated = true;
		else
			return false;
	}
	return count >= 0;
}

static void read_fill(const struct hdf5_library *library,
    struct hdf5_dataset *dataset, hid_t dcpl)
{
	H5D_fill_value_t state;

	if (library->H5Pfill_value_defined(dcpl, &state) < 0 ||
	    state == H5D_FILL_VALUE_UNDEFINED ||
	    library->H5Pget_fill_value(dcpl,
	        hdf5_memory_type(library, dataset->dtype), dataset->fill) < 0)
		memset(dataset->fill, 0, sizeof(dataset->fill));
}

/* Reads place and layout; `is_plain`: elements are stored as in memory. */
static int read_layout(const struct hdf5_library *library,
    struct hdf5_dataset *dataset, const char *name, bool is_plain,
    struct error *err)
{
	const hid_t dcpl = library->H5Dget_create_plist(dataset->id);
	H5D_layout_t layout;
	int rc = 0;

	if (dcpl < 0)
		return hdf5_fail(dataset->file, name, err);
	layout = library->H5Pget_layout(dcpl);
	read_fill(library, dataset, dcpl);
	if (layout == H5D_CHUNKED) {
		dataset->chunked = true;
		rc = read_chunk_shape(library, dataset, dcpl, name, err);
		dataset->direct =
		    is_plain && read_filters(library, dataset, dcpl);
	} else if (layout == H5D_CONTIGUOUS && is_plain) {
		dataset->offset = library->H5Dget_offset(dataset->id);
		dataset->direct = true;
	}
	library->H5Pclose(dcpl);
	return rc;
}

/* Refuses data in other files. */
static int check_inside(const struct hdf5_library *library,
    struct hdf5_dataset *dataset, const char *name, struct error *err)
{
	const hid_t dcpl = library->H5Dget_create_plist(dataset->id);
	bool is_inside;

	if (dcpl < 0)
		return hdf5_fail(dataset->file, name, err);
	is_inside = library->H5Pget_layout(dcpl) != H5D_VIRTUAL &&
	            library->H5Pget_external_count(dcpl) == 0;
	library->H5Pclose(dcpl);
	if (is_inside)
		return 0;
	return error_set(err, ERROR_DATA,
	    "dataset '%s' is stored in other files, which are not read", name);
}

struct names {
	char text[NAMES_MAX];
	size_t len;
	const char *wanted;
	bool found;
};

static herr_t note_name(
    hid_t root, const char *name, const H5O_info_t *info, void *arg)
{
	struct names *names = arg;
	const size_t len = strlen(name);

	UNUSED(root);
	if (info->type != H5O_TYPE_DATASET)
		return 0;
	names->found = names->found || strcmp(name, names->wanted) == 0;
	if (len + 8 > sizeof(names->text) - names->len) {
		memcpy(names->text + names->len, ", ...", 6);
		return 1;
	}
	names->len += (size_t)snprintf(names->text + names->len,
	    sizeof(names->text) - names->len, "%s/%s", names->len ? ", " : "",
	    name);
	return 0;
}

static int fail_to_open(const struct hdf5_library *library,
    struct hdf5_file *file, const char *name, struct error *err)
{
	struct names names = { .wanted = name + strspn(name, "/") };
	const bool is_known = file->failed.code != ERROR_NONE;

	/* If this finds the name, `err` has the reason. */
	hdf5_fail(file, name, err);
	if (is_known)
		return -1;
	library->H5Ovisit2(file->id, H5_INDEX_NAME, H5_ITER_NATIVE, note_name,
	    &names, H5O_INFO_BASIC);
	if (names.found)
		return -1;
	return error_set(err, ERROR_DATA,
	    "there is no dataset '%s': the file has %s", name,
	    names.len ? names.text : "none");
}

struct opening {
	struct hdf5_dataset *dataset;
	const char *name;
};

static int open_dataset(
    struct hdf5_library *library, void *arg, struct error *err)
{
	const struct opening *opening = arg;
	struct hdf5_dataset *dataset = opening->dataset;
	const char *name = opening->name;
	bool is_plain = false;

	dataset->id = library->H5Dopen2(dataset->file->id, name, library->dapl);
	if (dataset->id < 0) {
		dataset->id = 0;
		return fail_to_open(library, dataset->file, name, err);
	}
	if (check_inside(library, dataset, name, err) == 0 &&
	    read_type(library, dataset, name, &is_plain, err) == 0 &&
	    read_shape(library, dataset, name, err) == 0 &&
	    read_layout(library, dataset, name, is_plain, err) == 0)
		return 0;
	library->H5Dclose(dataset->id);
	dataset->id = 0;
	return -1;
}

int hdf5_dataset_open(struct hdf5_dataset *dataset, struct hdf5_file *file,
    const char *name, struct error *err)
{
	struct opening opening = { dataset, name };

	*dataset = (struct hdf5_dataset){ .file = file };
	return hdf5_call(open_dataset, &opening, err);
}

static int close_dataset(
    struct hdf5_library *library, void *arg, struct error *err)
{
	const struct hdf5_dataset *dataset = arg;

	UNUSED(err);
	return library->H5Dclose(dataset->id);
}

void hdf5_dataset_close(struct hdf5_dataset *dataset)
{
	struct error ignored = ERROR_INIT;

	if (!dataset->id)
		return;
	hdf5_call(close_dataset, dataset, &ignored);
	dataset->id = 0;
}

static int read_number(
    const struct hdf5_library *library, hid_t attribute, double *value)
{
	const hid_t space = library->H5Aget_space(attribute);
	const hid_t type = library->H5Aget_type(attribute);
	const H5T_class_t class =
	    type < 0 ? H5T_NO_CLASS : library->H5Tget_class(type);
	int rc = -1;

	if (space >= 0 && library->H5Sget_simple_extent_npoints(space) == 1 &&
	    (class == H5T_INTEGER || class == H5T_FLOAT) &&
	    library->H5Aread(attribute, *library->H5T_NATIVE_DOUBLE_g, value) >=
	        0)
		rc = 0;
	if (type >= 0)
		library->H5Tclose(type);
	if (space >= 0)
		library->H5Sclose(space);
	return rc;
}

struct asking {
	const struct hdf5_dataset *dataset;
	const char *name;
	double *value;
};

static int read_attribute(
    struct hdf5_library *library, void *arg, struct error *err)
{
	const struct asking *asking = arg;
	const hid_t dataset = asking->dataset->id;
	const htri_t is_there = library->H5Aexists(dataset, asking->name);
	hid_t attribute;
	int rc = 0;

	if (is_there < 0)
		return hdf5_fail(asking->dataset->file, asking->name, err);
	if (!is_there)
		return 0;
	attribute = library->H5Aopen(dataset, asking->name, H5P_DEFAULT);
	if (attribute < 0 || read_number(library, attribute, asking->value))
		rc = error_set(err, ERROR_DATA,
		    "attribute '%s' is not one number", asking->name);
	if (attribute >= 0)
		library->H5Aclose(attribute);
	return rc;
}

int hdf5_attribute(const struct hdf5_dataset *dataset, const char *name,
    double *value, struct error *err)
{
	struct asking asking = { dataset, name, value };

	return hdf5_call(read_attribute, &asking, err);
}
