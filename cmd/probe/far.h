/* far.h - presto probe of a URL: what it measures, costs and prints. */
#ifndef CMD_PROBE_FAR_H
#define CMD_PROBE_FAR_H

#include "cmd/writers/format.h"
#include "lib/measure/storage/far.h"

struct error;

struct far_request {
	const char *url;
	const char *write;  /* prefix to write below; NULL: only read */
	const char *prices; /* a file; NULL: none */
	const char *output; /* see output.h */
	struct medium *medium;
	/* Numbers of connections; 0: by default. */
	const unsigned *connections;
	unsigned connection_count;
	uint64_t most_bytes; /* limit for a row */
	enum format format;
	bool is_private;
};

int probe_far(const struct far_request *request, struct error *err);

#endif
