/*
 * hdf5_header.h - checks object headers before libhdf5 reads them.
 *
 * libhdf5 1.10 leaks some 400 bytes for each header of version 2 with a wrong
 * checksum, and divides by 0 where the chunks of a dataset have other
 * dimensions than the dataset.  No other of 73,292 changes of one byte in the
 * metadata of two files stopped the process.
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
/*
 * Is it the header of a dataset, of version 1, whose chunks have another number
 * of dimensions?  That version has no checksum.
 */
bool hdf5_header_misfits(struct span header);
/* Jenkins' lookup3, the checksum of HDF5's metadata. */
uint32_t hdf5_checksum(struct span bytes);

#endif
