/*
 * frequency.h - may the cores change their speed while it is measured?
 *
 * `root` is put in front of /sys.  A virtual machine is told nothing of it.
 */
#ifndef LIB_MEASURE_FREQUENCY_H
#define LIB_MEASURE_FREQUENCY_H

#include <stdint.h>

enum turbo { TURBO_UNKNOWN, TURBO_OFF, TURBO_ON };

struct frequency {         /* of the cores that this process may run on */
	unsigned cores;    /* of which the governor is known */
	unsigned scaled;   /* of these, with one that is not "performance" */
	char governor[32]; /* that of the first such core; "" */
	enum turbo turbo;
	uint64_t throttled; /* times that heat slowed them, since the start */
};

void frequency_read(const char *root, struct frequency *frequency);

#endif
