/*
 * hdf5_writer.h - writes signals as acquisition devices do: counts of 16 bits
 * in shuffled and deflated chunks, with attributes for calibration.
 */
#ifndef LIB_SIGNAL_HDF5_WRITER_H
#define LIB_SIGNAL_HDF5_WRITER_H

#include <stddef.h>
#include <stdint.h>

#include "lib/base/bytes.h"

struct error;

struct hdf5_signal {
	const char *name; /* such as "/voltage" */
	const int16_t *counts;
	double factor, offset; /* attributes, see calibrate.h */
};

/*
 * Appends the file of `signals` with `length` counts each, in chunks of `chunk`
 * counts.  The same signals give the same bytes.
 */
int hdf5_encode(const struct hdf5_signal *signals, unsigned count,
    size_t length, size_t chunk, struct buf *out, struct error *err);

#endif
