/*
 * hdf5_header.h - checks object headers of version 2 before libhdf5 reads them:
 * for each one with a wrong checksum, libhdf5 1.10 leaks some 400 bytes.
 */
#ifndef LIB_SIGNAL_HDF5_HEADER_H
#define LIB_SIGNAL_HDF5_HEADER_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/bytes.h"

enum { HDF5_HEADER_LEAST = 6 + 1 + 4 };

/*
 * Returns the bytes of the header's first chunk with its checksum, from its
 * beginning; 0: not a header.
 */
uint64_t hdf5_header_bytes(struct span begin);
/* Does the checksum at the end match? */
bool hdf5_header_is_whole(struct span header);
/* Jenkins' lookup3, the checksum of HDF5's metadata. */
uint32_t hdf5_checksum(struct span bytes);

#endif
