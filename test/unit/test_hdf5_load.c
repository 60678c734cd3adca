/*
 * test_hdf5_load.c - libhdf5 is loaded when it is needed; a machine without it
 * is told what to install.  Linked with --wrap (Makefile).
 */
#include <dlfcn.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/signal/hdf5.h"
#include "test/unit/test.h"

void *__real_dlopen(const char *name, int flags);
void *__real_dlsym(void *handle, const char *name);
void *__wrap_dlopen(const char *name, int flags);
void *__wrap_dlsym(void *handle, const char *name);

static bool has_library, has_symbols;

void *__wrap_dlopen(const char *name, int flags)
{
	return __real_dlopen(has_library ? name : "/nowhere/at/all", flags);
}

void *__wrap_dlsym(void *handle, const char *name)
{
	return has_symbols ? __real_dlsym(handle, name) : NULL;
}

/* Opens bytes that are no HDF5 file: says why not. */
static struct error open_nothing(void)
{
	struct hdf5_file file = HDF5_FILE_INIT;
	struct error err = ERROR_INIT;

	assert_int_equal(hdf5_open_bytes(&file, span_text("no"), &err), -1);
	hdf5_close(&file);
	return err;
}

static void test_hdf5_load_tells_what_is_missing(void **state)
{
	struct error err;

	UNUSED(state);
	err = open_nothing();
	assert_int_equal(err.code, ERROR_SYSTEM);
	test_contains(err.text, "HDF5 needs libhdf5");
	test_contains(err.text, "which cannot be loaded: install libhdf5 ");
	has_library = true;
	err = open_nothing();
	assert_int_equal(err.code, ERROR_SYSTEM);
	test_contains(err.text, "HDF5 needs another libhdf5");
	/* Once it is there, it is used. */
	has_symbols = true;
	err = open_nothing();
	assert_int_equal(err.code, ERROR_DATA);
	test_contains(err.text, "not a whole HDF5 file");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hdf5_load_tells_what_is_missing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
