/*
 * hdf5_header.h - object headers of version 2, looked at before libhdf5 sees
 * them: of each whose checksum is wrong, libhdf5 1.10 leaks some 400 bytes.
 */
#ifndef LIB_SIGNAL_HDF5_HEADER_H
#define LIB_SIGNAL_HDF5_HEADER_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/bytes.h"

enum { HDF5_HEADER_LEAST = 6 + 1 + 4 };

/*
 * Bytes of the header's first chunk, with its checksum, by how it begins; 0:
 * none begins so.
 */
uint64_t hdf5_header_bytes(struct span begin);
/* Are all of these bytes as the checksum behind them says? */
bool hdf5_header_is_whole(struct span header);
/* Jenkins' lookup3, which HDF5's metadata has at its end. */
uint32_t hdf5_checksum(struct span bytes);

#endif
