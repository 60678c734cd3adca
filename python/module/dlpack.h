/*
 * dlpack.h - the structs of DLPack, versions 0.8 and 1.0: the part that tensors
 * in main memory need.  The layout is an ABI: https://dmlc.github.io/dlpack
 */
#ifndef PYTHON_MODULE_DLPACK_H
#define PYTHON_MODULE_DLPACK_H

#include <stdint.h>

enum { DL_CPU = 1 };
enum { DL_INT = 0, DL_UINT = 1, DL_FLOAT = 2 };

struct dl_device {
	int32_t type, id;
};

struct dl_dtype {
	uint8_t code, bits;
	uint16_t lanes;
};

struct dl_tensor {
	void *data;
	struct dl_device device;
	int32_t ndim;
	struct dl_dtype dtype;
	int64_t *shape, *strides; /* in elements */
	uint64_t byte_offset;
};

/* In a capsule "dltensor". */
struct dl_managed {
	struct dl_tensor tensor;
	void *context;
	void (*deleter)(struct dl_managed *managed);
};

/* In a capsule "dltensor_versioned". */
struct dl_managed_versioned {
	struct {
		uint32_t major, minor;
	} version;
	void *context;
	void (*deleter)(struct dl_managed_versioned *managed);
	uint64_t flags; /* 1: read-only, 2: copied */
	struct dl_tensor tensor;
};

#endif
