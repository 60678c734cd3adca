/*
 * hdf5_library.c - see hdf5_library.h.
 *
 * libhdf5 reads through a driver of ours, which gets the bytes from memory or
 * from a medium.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/signal/hdf5_library.h"
#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

#include "lib/base/array.h"
#include "lib/media/medium.h"
#include "lib/signal/hdf5_header.h"
#include "lib/signal/hdf5_words.h"

/* The name of the library that was there when presto was built: Makefile. */
#ifndef HDF5_LIBRARY
#define HDF5_LIBRARY "libhdf5.so"
#endif

_Static_assert(sizeof(HDF5_LIBRARY) > 1, "scripts/soname found no name");

enum {
	HEAP_HEAD = 16, /* "HEAP", version, zeros, then the size */
	HEAP_BYTES_AT = 8,
	HEAP_MARGIN = 1 << 16,
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct hdf5_library only;
static bool is_loaded;

/* ---- the driver ---- */

struct driver {
	H5FD_t public_part; /* first: the library accesses this */
	struct hdf5_file *file;
	haddr_t end; /* end of the allocated part, set by the library */
};

static H5FD_t *driver_open(
    const char *name, unsigned flags, hid_t fapl, haddr_t most)
{
	struct hdf5_file *const *file = only.H5Pget_driver_info(fapl);
	struct driver *driver = file ? calloc(1, sizeof(*driver)) : NULL;

	UNUSED(name);
	UNUSED(flags);
	UNUSED(most);
	if (!driver)
		return NULL;
	driver->file = *file;
	return &driver->public_part;
}

static herr_t driver_close(H5FD_t *driver)
{
	free(driver);
	return 0;
}

static haddr_t driver_end(const H5FD_t *driver, H5FD_mem_t type)
{
	UNUSED(type);
	return ((const struct driver *)driver)->end;
}

static herr_t driver_set_end(H5FD_t *driver, H5FD_mem_t type, haddr_t end)
{
	UNUSED(type);
	((struct driver *)driver)->end = end;
	return 0;
}

static haddr_t driver_size(const H5FD_t *driver, H5FD_mem_t type)
{
	UNUSED(type);
	return ((const struct driver *)driver)->file->size;
}

/*
 * For a heap of names of nearly 2^64 bytes, libhdf5 1.10.8 allocates a few
 * bytes and writes more: this damages the process's memory beyond repair.
 */
static bool has_impossible_heap(const unsigned char *data, size_t len)
{
	const unsigned char *end = data + len;
	uint64_t bytes;

	while ((data = memchr(data, 'H', (size_t)(end - data)))) {
		if (end - data < HEAP_HEAD)
			return false;
		memcpy(&bytes, data + HEAP_BYTES_AT, sizeof(bytes));
		if (memcmp(data, "HEAP", 4) == 0 &&
		    bytes > UINT64_MAX - HEAP_MARGIN)
			return true;
		data++;
	}
	return false;
}

static herr_t read_bytes(
    struct hdf5_file *file, haddr_t at, size_t len, void *to)
{
	if (file->medium)
		return medium_read_full(
		    file->medium, at, to, len, &file->failed);
	memcpy(to, file->bytes.data + at, len);
	return 0;
}

/* Hides object headers with a wrong checksum from libhdf5. */
static int check_header(
    struct hdf5_file *file, haddr_t at, const void *data, size_t len)
{
	const uint64_t bytes =
	    hdf5_header_bytes((struct span){ .data = data, .len = len });
	struct span header = { .data = data, .len = (size_t)bytes };
	struct buf all = BUF_INIT;
	int rc = 0;

	if (bytes > file->size - at)
		return error_set(&file->failed, ERROR_DATA,
		    "damaged HDF5 metadata (an object header is cut short)");
	if (bytes > len) {
		if (buf_reserve(&all, header.len, &file->failed) ||
		    read_bytes(file, at, header.len, all.data))
			rc = -1;
		header.data = all.data;
	}
	if (rc == 0 && bytes && !hdf5_header_is_whole(header))
		rc = error_set(&file->failed, ERROR_DATA,
		    "damaged HDF5 metadata (the checksum of an object "
		    "header)");
	buf_release(&all);
	return rc;
}

static herr_t driver_read(H5FD_t *driver, H5FD_mem_t type, hid_t dxpl,
    haddr_t at, size_t len, void *to)
{
	struct hdf5_file *file = ((struct driver *)driver)->file;

	UNUSED(dxpl);
	if (at > file->size || len > file->size - at)
		return -1;
	if (file->locating && type == H5FD_MEM_DRAW) {
		file->located = at;
		file->located_len = len;
		return 0;
	}
	if (read_bytes(file, at, len, to))
		return -1;
	if (type != H5FD_MEM_DRAW && check_header(file, at, to, len))
		return -1;
	if (type != H5FD_MEM_DRAW &&
	    hdf5_header_misfits((struct span){ .data = to, .len = len }))
		return error_set(&file->failed, ERROR_DATA,
		    "damaged HDF5 metadata (chunks with other dimensions than "
		    "their dataset)");
	if (type != H5FD_MEM_DRAW && has_impossible_heap(to, len))
		return error_set(&file->failed, ERROR_DATA,
		    "damaged HDF5 metadata (a heap of 2^64 bytes)");
	return 0;
}

static herr_t driver_write(H5FD_t *driver, H5FD_mem_t type, hid_t dxpl,
    haddr_t at, size_t len, const void *from)
{
	UNUSED(driver);
	UNUSED(type);
	UNUSED(dxpl);
	UNUSED(at);
	UNUSED(len);
	UNUSED(from);
	return -1;
}

static const H5FD_class_t driver_class = {
#ifdef H5FD_CLASS_VERSION
	.version = H5FD_CLASS_VERSION,
	.value = (H5FD_class_value_t)600, /* above the library's own */
#endif
	.name = "presto",
	.maxaddr = INT64_MAX,
	.fc_degree = H5F_CLOSE_STRONG,
	.fapl_size = sizeof(struct hdf5_file *),
	.open = driver_open,
	.close = driver_close,
	.get_eoa = driver_end,
	.set_eoa = driver_set_end,
	.get_eof = driver_size,
	.read = driver_read,
	.write = driver_write,
	.fl_map = H5FD_FLMAP_DICHOTOMY,
};

/* ---- loading ---- */

static const struct {
	const char *name;
	size_t offset;
} symbols[] = {
#define SYMBOL(name) { #name, offsetof(struct hdf5_library, name) },
#include "lib/signal/hdf5_symbols.def"
#undef SYMBOL
};

static int find_symbols(struct error *err)
{
	void *handle = dlopen(HDF5_LIBRARY, RTLD_NOW | RTLD_LOCAL);

	if (!handle)
		return error_set(err, ERROR_SYSTEM,
		    "HDF5 needs %s, which cannot be loaded: install libhdf5 "
		    "%u.%u (%s)",
		    HDF5_LIBRARY, H5_VERS_MAJOR, H5_VERS_MINOR, dlerror());
	for (size_t i = 0; i < ARRAY_LEN(symbols); i++) {
		void *symbol = dlsym(handle, symbols[i].name);

		if (!symbol)
			return error_set(err, ERROR_SYSTEM,
			    "HDF5 needs another %s, with %s: install libhdf5 "
			    "%u.%u",
			    HDF5_LIBRARY, symbols[i].name, H5_VERS_MAJOR,
			    H5_VERS_MINOR);
		memcpy(
		    (char *)&only + symbols[i].offset, &symbol, sizeof(symbol));
	}
	return 0;
}

static herr_t refuse_link(const char *parent, const char *group,
    const char *file, const char *object, unsigned *flags, hid_t fapl,
    void *arg)
{
	UNUSED(parent);
	UNUSED(group);
	UNUSED(file);
	UNUSED(object);
	UNUSED(flags);
	UNUSED(fapl);
	UNUSED(arg);
	return -1;
}

static void initialize(void)
{
	/* Another thread may be in a call when the process ends. */
	only.H5dont_atexit();
	only.H5open();
	only.driver = only.H5FDregister(&driver_class);
	only.dapl = only.H5Pcreate(*only.H5P_CLS_DATASET_ACCESS_ID_g);
	only.H5Pset_elink_cb(only.dapl, refuse_link, NULL);
	only.half = only.H5Tcopy(*only.H5T_IEEE_F32LE_g);
	only.H5Tset_fields(only.half, 15, 10, 5, 0, 10);
	only.H5Tset_size(only.half, 2);
	only.H5Tset_ebias(only.half, 15);
}

struct hdf5_library *hdf5_load(struct error *err)
{
	struct hdf5_library *library = NULL;

	pthread_mutex_lock(&lock);
	if (!is_loaded && find_symbols(err) == 0) {
		initialize();
		is_loaded = true;
	}
	if (is_loaded)
		library = &only;
	pthread_mutex_unlock(&lock);
	return library;
}

/* ---- the library, one call at a time ---- */

void hdf5_enter(const struct hdf5_library *library)
{
	pthread_mutex_lock(&lock);
	/* Each thread has a stack of errors, which is printed by default. */
	library->H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

void hdf5_leave(const struct hdf5_library *library)
{
	library->H5Eclear2(H5E_DEFAULT);
	pthread_mutex_unlock(&lock);
}

int hdf5_call(hdf5_work *work, void *arg, struct error *err)
{
	struct hdf5_library *library = hdf5_load(err);
	int rc;

	if (!library)
		return -1;
	hdf5_enter(library);
	rc = work(library, arg, err);
	hdf5_leave(library);
	return rc;
}

struct reason {
	const char *function, *text;
};

static herr_t note_reason(unsigned n, const H5E_error2_t *reason, void *arg)
{
	struct reason *to = arg;

	UNUSED(n);
	to->function = reason->func_name;
	to->text = reason->desc;
	return 1; /* the innermost one is enough */
}

static struct reason innermost(void)
{
	struct reason reason = { NULL, NULL };

	only.H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, note_reason, &reason);
	return reason;
}

bool hdf5_failed_in(const char *function)
{
	const struct reason reason = innermost();

	return reason.function && strcmp(reason.function, function) == 0;
}

int hdf5_fail(struct hdf5_file *file, const char *name, struct error *err)
{
	char words[HDF5_WORDS];

	if (file->failed.code != ERROR_NONE) {
		*err = file->failed;
		file->failed = (struct error)ERROR_INIT;
		return -1;
	}
	return error_set(err, ERROR_DATA, "%s: %s", name,
	    hdf5_words(innermost().text, words));
}

hid_t hdf5_memory_type(const struct hdf5_library *library, enum dtype dtype)
{
	switch (dtype) {
	case DTYPE_U8:
		return *library->H5T_NATIVE_UINT8_g;
	case DTYPE_I8:
		return *library->H5T_NATIVE_INT8_g;
	case DTYPE_U16:
		return *library->H5T_NATIVE_UINT16_g;
	case DTYPE_I16:
		return *library->H5T_NATIVE_INT16_g;
	case DTYPE_U32:
		return *library->H5T_NATIVE_UINT32_g;
	case DTYPE_I32:
		return *library->H5T_NATIVE_INT32_g;
	case DTYPE_U64:
		return *library->H5T_NATIVE_UINT64_g;
	case DTYPE_I64:
		return *library->H5T_NATIVE_INT64_g;
	case DTYPE_F16:
		return library->half;
	case DTYPE_F32:
		return *library->H5T_NATIVE_FLOAT_g;
	default:
		return *library->H5T_NATIVE_DOUBLE_g;
	}
}

void hdf5_library_version(char text[LIBRARY_VERSION])
{
	snprintf(text, LIBRARY_VERSION, "hdf5 %u.%u.%u", H5_VERS_MAJOR,
	    H5_VERS_MINOR, H5_VERS_RELEASE);
}
