/*
 * source.h - where a dataset comes from.
 *
 * A source is a `const struct source_ops` in a file of its own, listed in
 * datasets/sources.def.  It opens a dataset as a reader (lib/sample/reader.h),
 * from the [dataset] section of the pipeline file, by its own option table.
 */
#ifndef DATASETS_SOURCE_H
#define DATASETS_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/folder/inventory.h"
#include "lib/pipeline/limits.h"
#include "lib/sample/reader.h"

struct error;
struct ini;
struct medium;
struct option;

struct source_ops {
	const char *name;
	const char *summary;
	const struct option *options; /* its keys, sorted, besides the common */
	size_t options_size;
	const void *defaults;
	/*
	 * Opens the dataset: `path` as in the file system (NULL when not
	 * given), `limit` samples at most, spread evenly (0: all).  The
	 * medium and the options outlive the reader.
	 */
	struct reader *(*open)(const char *path, const void *options,
	    uint64_t limit, struct medium *medium, struct error *err);
	bool needs_path;
	const char *needs; /* a library that this build lacks; else NULL */
};

#define SOURCE(name) extern const struct source_ops source_##name;
#include "datasets/sources.def"
#undef SOURCE

const struct source_ops *source_find(const char *name);
const struct source_ops *source_at(size_t i); /* NULL behind the last */

enum { DATASET_FILES = 4 };

/* What [dataset] says, whatever the source. */
struct dataset {
	const struct source_ops *source;
	char *path;            /* owned; resolved against the file's folder */
	uint64_t full_samples; /* 0: what the source holds */
	/*
	 * What the file says of another dataset, so that it is not used: `path`
	 * was set on the command line, and full_samples was not.  0: nothing.
	 */
	uint64_t other_full_samples;
	bool skip_errors;                /* on_error = skip */
	enum inventory_mode fingerprint; /* what tells its versions apart */
	struct limits limits;
	bool has_keys; /* some of the source's own were given */
	void *options; /* owned; of the source */
	/* Owned: what its options of OPTION_PATH name, resolved likewise. */
	char *files[DATASET_FILES];
	unsigned file_count;
};

#define DATASET_INIT           \
	{                      \
		.source = NULL \
	}

/*
 * Reads [dataset] and [limits] of the file: source, path, full_samples,
 * on_error, and the source's own keys; every mistake with file and line.  Opens
 * nothing.  `ini` must outlive the dataset.
 */
int dataset_read(
    struct dataset *dataset, const struct ini *ini, struct error *err);
/*
 * Opens it; errors begin with the path.  A folder that presto wrote is read by
 * its manifest where the source's name is that of its store, unless keys of the
 * source's own say how to read it.
 */
struct reader *dataset_open(const struct dataset *dataset, uint64_t limit,
    struct medium *medium, struct error *err);
void dataset_release(struct dataset *dataset);

#endif
