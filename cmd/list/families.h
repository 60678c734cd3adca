/*
 * families.h - the families of which a build has members: steps, codecs, stores
 * and others.  Each prints its members, with their options, on stdout.
 */
#ifndef CMD_LIST_FAMILIES_H
#define CMD_LIST_FAMILIES_H

#include <stddef.h>

struct family {
	const char *name;
	void (*list)(void);
};

const struct family *family_at(size_t i); /* NULL after the last */

/* The kinds of generated data, for presto generate -h. */
void list_generators(void);

#endif
