/* plan_rows.c - see plan_rows.h. */
#include "strategies/planfile/plan_rows.h"

#include <string.h>

#include "lib/base/array.h"
#include "lib/base/hash.h"
#include "lib/syntax/ini.h"
#include "strategies/planfile/plan_file.h"

#define TEXT_ROW(type, name, member, help) \
	OPTION(TEXT, name, 0, type, member, "TEXT", help)
#define UINT_ROW(type, name, member, help) \
	OPTION_RANGE(UINT, name, type, member, 0, 1e18, help)

static const struct option plan_rows[] = {
	TEXT_ROW(struct plan_file, "data", data, "materialised folder"),
	TEXT_ROW(struct plan_file, "folder", folder,
	    "where paths of the pipeline begin"),
	TEXT_ROW(struct plan_file, "pipeline", pipeline, "its name"),
	TEXT_ROW(struct plan_file, "presto", presto, "version"),
	TEXT_ROW(struct plan_file, "seal", seal, "hash of the content"),
	UINT_ROW(struct plan_file, "session", session, "number"),
	TEXT_ROW(struct plan_file, "strategy", strategy, "label"),
	UINT_ROW(struct plan_file, "version", version, "of this format"),
	TEXT_ROW(struct plan_file, "written", written, "time"),
	OPTION_TABLE_END,
};

#define REAL_ROW(type, name, member, help) \
	OPTION_RANGE(REAL, name, type, expected.member, 0, 1e300, help)
#define EXPECTED_ROWS(type)                                                    \
	REAL_ROW(type, "first_epoch", first_epoch, "samples/s"),               \
	    REAL_ROW(type, "first_epoch_high", first_epoch_high, "samples/s"), \
	    REAL_ROW(type, "first_epoch_low", first_epoch_low, "samples/s"),   \
	    REAL_ROW(type, "full_prep_s", full_prep_s, "full dataset"),        \
	    REAL_ROW(type, "full_storage_bytes", full_storage_bytes,           \
	        "full dataset"),                                               \
	    REAL_ROW(type, "prep_s", prep_s, "as profiled"),                   \
	    REAL_ROW(type, "storage_bytes", storage_bytes, "as profiled"),     \
	    REAL_ROW(type, "throughput", throughput, "samples/s"),             \
	    REAL_ROW(type, "throughput_high", throughput_high, "samples/s"),   \
	    REAL_ROW(type, "throughput_low", throughput_low, "samples/s")

static const struct option expected_rows[] = {
	EXPECTED_ROWS(struct plan_file),
	OPTION_TABLE_END,
};

const struct option plan_rival_rows[] = {
	TEXT_ROW(struct plan_rival, "strategy", strategy, "label"),
	TEXT_ROW(struct plan_rival, "cache", cache, "mode"),
	UINT_ROW(struct plan_rival, "threads", threads, "workers"),
	UINT_ROW(struct plan_rival, "fetchers", fetchers, "I/O threads"),
	UINT_ROW(struct plan_rival, "read_ahead", read_ahead, "chunks"),
	UINT_ROW(struct plan_rival, "shuffle", shuffle, "window"),
	UINT_ROW(struct plan_rival, "batch", batch, "samples"),
	UINT_ROW(struct plan_rival, "shards", shards, "files"),
	EXPECTED_ROWS(struct plan_rival),
	OPTION_TABLE_END,
};

static const struct option fingerprint_rows[] = {
	TEXT_ROW(struct plan_file, "contents", fingerprint.contents, "hash"),
	UINT_ROW(struct plan_file, "files", fingerprint.files, "number"),
	TEXT_ROW(struct plan_file, "names", fingerprint.names, "hash"),
	UINT_ROW(struct plan_file, "samples", fingerprint.samples, "profiled"),
	TEXT_ROW(struct plan_file, "times", fingerprint.times, "hash"),
	UINT_ROW(struct plan_file, "total_bytes", fingerprint.total_bytes,
	    "of the dataset"),
	UINT_ROW(struct plan_file, "total_samples", fingerprint.total_samples,
	    "of the dataset"),
	OPTION_TABLE_END,
};

static const struct option machine_rows[] = {
	UINT_ROW(struct plan_file, "cores", cores, "usable"),
	TEXT_ROW(struct plan_file, "cpu", cpu, "model"),
	TEXT_ROW(struct plan_file, "kernel", kernel, "version"),
	UINT_ROW(struct plan_file, "memory_bytes", memory_bytes, "usable"),
	TEXT_ROW(struct plan_file, "source", source_fs, "file system"),
	TEXT_ROW(struct plan_file, "work", work_fs, "file system"),
	OPTION_TABLE_END,
};

const struct plan_part plan_parts[PLAN_PARTS] = {
	{ PLAN_SECTION, plan_rows },
	{ "expected", expected_rows },
	{ "fingerprint", fingerprint_rows },
	{ "machine", machine_rows },
};

bool plan_owns_section(const char *name)
{
	static const char rival[] = PLAN_RUNNER_UP " ";

	for (size_t i = 0; i < PLAN_PARTS; i++)
		if (strcmp(name, plan_parts[i].name) == 0)
			return true;
	return strcmp(name, PLAN_CODE) == 0 ||
	       strcmp(name, PLAN_FOLDERS) == 0 ||
	       strncmp(name, rival, strlen(rival)) == 0;
}

/* Keys that may be edited without breaking the seal. */
static const char *const *free_keys(const char *section)
{
	static const char *const of_plan[] = { "data", "folder", "seal",
		"written", NULL };
	static const char *const of_dataset[] = { "fingerprint", "full_samples",
		"path", NULL };

	if (strcmp(section, PLAN_SECTION) == 0)
		return of_plan;
	return strcmp(section, "dataset") == 0 ? of_dataset : NULL;
}

static bool is_free(const char *section)
{
	static const char *const names[] = { "decision", PLAN_FOLDERS,
		"machine", "measure" };

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (strcmp(section, names[i]) == 0)
			return true;
	return false;
}

uint64_t plan_seal(const struct ini *whole)
{
	uint64_t hash = 0;

	for (size_t i = 0; i < whole->count; i++) {
		const struct ini_section *section = &whole->sections[i];
		const char *name = section->name;

		if (is_free(name) || !section->count)
			continue;
		hash = hash_bytes(name, strlen(name) + 1, hash);
		hash = ini_hash(section, free_keys(name), hash);
	}
	return hash;
}
