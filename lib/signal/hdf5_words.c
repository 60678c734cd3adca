/* hdf5_words.c - see hdf5_words.h. */
#include "lib/signal/hdf5_words.h"

#include <stdio.h>
#include <string.h>

#include "lib/base/array.h"

/* Beginnings of messages of versions 1.8 to 1.14, and their meaning. */
static const struct {
	const char *message, *words;
} known[] = {
	{ "truncated file", "the file is cut short" },
	{ "file signature not found", "it does not begin as HDF5 files do" },
	{ "unable to find a valid file signature",
	    "it does not begin as HDF5 files do" },
	{ "incorrect metadata checksum",
	    "its metadata is damaged (a checksum)" },
	{ "bad superblock", "its superblock is damaged" },
	{ "bad byte number", "its superblock is damaged" },
	{ "inflate() failed", "a compressed chunk is damaged" },
	{ "data error detected by Fletcher32", "a chunk is damaged" },
	{ "required filter", "a filter that it needs is not there" },
	{ "bad object header version", "an object header is damaged" },
	{ "wrong B-tree signature", "a tree of its index is damaged" },
	{ "bad local heap signature", "a heap of its names is damaged" },
	{ "addr overflow", "it points behind its end" },
};

/* These characters end the part of a message without numbers of this file. */
static const char rest[] = ":=,;0123456789";

const char *hdf5_words(const char *message, char words[HDF5_WORDS])
{
	size_t len;

	if (!message) {
		snprintf(words, HDF5_WORDS, "libhdf5 does not say why");
		return words;
	}
	for (size_t i = 0; i < ARRAY_LEN(known); i++)
		if (strncmp(message, known[i].message,
		        strlen(known[i].message)) == 0) {
			snprintf(words, HDF5_WORDS, "%s", known[i].words);
			return words;
		}
	len = strcspn(message, rest);
	while (len && message[len - 1] == ' ')
		len--;
	snprintf(words, HDF5_WORDS, "libhdf5 cannot read it (%.*s)",
	    (int)(len < HDF5_WORDS / 2 ? len : HDF5_WORDS / 2), message);
	return words;
}
