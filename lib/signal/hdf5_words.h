/*
 * hdf5_words.h - libhdf5's messages in presto's words: without addresses and
 * names of its functions, which say nothing to who has the file.
 */
#ifndef LIB_SIGNAL_HDF5_WORDS_H
#define LIB_SIGNAL_HDF5_WORDS_H

enum { HDF5_WORDS = 160 };

/* Of its message, NULL where there is none; returns `words`. */
const char *hdf5_words(const char *message, char words[HDF5_WORDS]);

#endif
