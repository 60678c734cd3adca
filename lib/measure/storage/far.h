/*
 * far.h - measures the limits of an object store, or of a server of files.
 *
 * It reads objects that are there, in three ways, each with several numbers of
 * connections at a time: small objects as a whole, 4 KiB at random places of
 * large ones, and 8 MiB of these, which is the bandwidth.  Each read is one
 * request.  It writes only below a prefix that it was given, and removes that
 * again.
 *
 * Nothing here is ever in the page cache.  A server has caches of its own: a
 * row reads what was not read before, as long as there is such.
 */
#ifndef LIB_MEASURE_STORAGE_FAR_H
#define LIB_MEASURE_STORAGE_FAR_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error;
struct medium;

enum {
	FAR_CONNECTIONS = 16, /* numbers of connections in a plan */
	FAR_ROWS = 5 * FAR_CONNECTIONS,
	FAR_LISTED = 10000,    /* objects that are listed; there may be more */
	FAR_WHOLE = 256 << 10, /* larger objects are read by ranges */
	FAR_SMALL = 4096,
	FAR_LARGE = 8 << 20,
	FAR_OBJECT = 20000, /* small objects that are written */
};

enum far_pattern {
	FAR_OF_OBJECTS,
	FAR_OF_REQUESTS,
	FAR_OF_STREAMS,
	FAR_OF_SMALL_WRITES,
	FAR_OF_LARGE_WRITES,
};

/* "objects", "requests", "streams", "small writes", "large writes". */
const char *far_name(enum far_pattern pattern);

struct far_plan {
	const char *url; /* an object, or a prefix of objects */
	struct medium *medium;
	unsigned connections[FAR_CONNECTIONS];
	unsigned connection_count;
	double row_s;        /* longest time of a row */
	uint64_t most_bytes; /* limit for a row */
	uint64_t least;      /* requests of a row, unless time is up */
	const char *write;   /* prefix to write below; NULL: only read */
	uint64_t seed;
	const atomic_bool *stop; /* NULL: runs to the end */
	void (*progress)(void *arg, double done, double all, const char *what);
	void *arg;
};

struct far_row {
	enum far_pattern pattern;
	unsigned connections;
	uint64_t requests, bytes; /* as they were measured */
	uint64_t request_bytes;   /* typical ones: the median */
	double wall_s;
	double p50_s, p90_s, p99_s; /* latency of a request */
};

struct far_probe {
	uint64_t objects, object_bytes; /* as listed */
	bool has_more;                  /* there are more than FAR_LISTED */
	struct far_row rows[FAR_ROWS];
	size_t count;
	/* All that servers were asked for: reads and lists, writes. */
	uint64_t reads, writes, bytes_read, bytes_written;
};

int far_probe_run(
    const struct far_plan *plan, struct far_probe *probe, struct error *err);

/* The p-th percentile of sorted values, by the nearest rank; NAN of none. */
double far_percentile(const double *sorted, size_t count, double p);

#endif
