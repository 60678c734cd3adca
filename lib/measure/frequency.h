/*
 * frequency.h - can the cores change their speed during a measurement?
 *
 * `root` is put before /sys. A virtual machine cannot see these settings.
 */
#ifndef LIB_MEASURE_FREQUENCY_H
#define LIB_MEASURE_FREQUENCY_H

#include <stdint.h>

enum turbo { TURBO_UNKNOWN, TURBO_OFF, TURBO_ON };

struct frequency {         /* cores that this process may use */
	unsigned cores;    /* cores with a known governor */
	unsigned scaled;   /* cores whose governor is not "performance" */
	char governor[32]; /* the governor of the first of these; or "" */
	enum turbo turbo;
	uint64_t throttled; /* times that heat slowed cores since boot */
};

void frequency_read(const char *root, struct frequency *frequency);

#endif
