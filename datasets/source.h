/*
 * source.h - sources open datasets as readers (lib/sample/reader.h).
 *
 * A source is a `const struct source_ops` in a file of its own, listed in
 * datasets/sources.def. Its options are the keys of the [dataset] section in
 * the pipeline file.
 */
#ifndef DATASETS_SOURCE_H
#define DATASETS_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "datasets/files/source_plan.h"
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
	const struct option *options; /* own keys, sorted */
	size_t options_size;
	const void *defaults;
	/*
	 * Opens a dataset: fills in a reader that has these functions and
	 * `state_size` bytes of zeros as priv. It is freed if that fails.
	 */
	const struct reader_ops *reader;
	size_t state_size;
	int (*fill)(struct reader *reader, const struct source_plan *plan,
	    struct error *err);
	/* Sources that share `fill` differ in this: plan->format. */
	const void *format;
	/* Opens a reader with other functions; else NULL. */
	struct reader *(*open)(
	    const struct source_plan *plan, struct error *err);
	bool needs_path;
	const char *needs; /* a library that this build lacks; else NULL */
};

#define SOURCE(name) extern const struct source_ops source_##name;
#include "datasets/sources.def"
#undef SOURCE

const struct source_ops *source_find(const char *name);
const struct source_ops *source_at(size_t i); /* NULL behind the last */
struct reader *source_open(const struct source_ops *source,
    const struct source_plan *plan, struct error *err);

enum { DATASET_FILES = 4 };

/* The [dataset] section, of any source. */
struct dataset {
	const struct source_ops *source;
	char *path; /* owned; relative paths begin at the file's folder */
	uint64_t full_samples; /* 0: as many as the source holds */
	/*
	 * full_samples of another dataset, which is not used: `path` was set on
	 * the command line and full_samples was not. 0: none.
	 */
	uint64_t other_full_samples;
	bool skip_errors;                /* on_error = skip */
	enum inventory_mode fingerprint; /* how versions differ */
	struct limits limits;
	struct inventory_known known; /* set before it is opened; or empty */
	bool has_keys; /* some of the source's own keys were given */
	void *options; /* owned; of the source's type */
	/* Owned: resolved paths of OPTION_PATH options. */
	char *files[DATASET_FILES];
	unsigned file_count;
};

#define DATASET_INIT           \
	{                      \
		.source = NULL \
	}

/*
 * Reads [dataset] and [limits] of the file: source, path, full_samples,
 * on_error, and the source's own keys. Every error has file and line. It opens
 * nothing. `ini` must outlive the dataset.
 */
int dataset_read(
    struct dataset *dataset, const struct ini *ini, struct error *err);
/*
 * Opens the dataset; errors begin with the path. If the name of the source is
 * also that of a store, and presto wrote the folder with that store, the folder
 * is read by its manifest, unless some of the source's own keys are given.
 */
struct reader *dataset_open(const struct dataset *dataset, uint64_t limit,
    struct medium *medium, struct error *err);
void dataset_release(struct dataset *dataset);

#endif
