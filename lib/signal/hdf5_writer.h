/*
 * hdf5_writer.h - a file of signals as converters give them: counts of 16
 * bits in shuffled and deflated chunks, and how to calibrate them.
 */
#ifndef LIB_SIGNAL_HDF5_WRITER_H
#define LIB_SIGNAL_HDF5_WRITER_H

#include <stddef.h>
#include <stdint.h>

struct error;

struct hdf5_signal {
	const char *name; /* "/voltage" */
	const int16_t *counts;
	double factor, offset; /* attributes, see calibrate.h */
};

/*
 * Writes `signals`, of `length` counts each, in chunks of `chunk` counts, to a
 * new file.  The same signals make the same bytes.
 */
int hdf5_write(const char *path, const struct hdf5_signal *signals,
    unsigned count, size_t length, size_t chunk, struct error *err);

#endif
