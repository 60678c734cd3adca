/* hdf5_words.h - libhdf5's messages without addresses and function names. */
#ifndef LIB_SIGNAL_HDF5_WORDS_H
#define LIB_SIGNAL_HDF5_WORDS_H

enum { HDF5_WORDS = 160 };

/* `message` may be NULL; returns `words`. */
const char *hdf5_words(const char *message, char words[HDF5_WORDS]);

#endif
