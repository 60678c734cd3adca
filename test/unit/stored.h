/*
 * stored.h - stores a small dataset with odd cases and reads it back; shared by
 * the tests of stores.
 */
#ifndef TEST_UNIT_STORED_H
#define TEST_UNIT_STORED_H

#include <stdbool.h>

#include "lib/base/bytes.h"
#include "lib/media/medium.h"
#include "lib/stores/store.h"

struct error;

enum {
	STORED_SAMPLES = 40,
	STORED_SHARDS = 3,
	STORED_LARGE = 17, /* the sample that has 3 MB and more */
};

/* What the samples are made of. */
enum stored_kind {
	STORED_ENCODED, /* one field of encoded bytes */
	STORED_TENSOR,  /* one tensor of float32 */
	STORED_FIELDS,  /* all sorts, of which some are empty */
	STORED_ROWS,    /* one tensor, always of the same shape: some blocks */
	STORED_EVEN,    /* several, each always of the same shape */
	STORED_KINDS,
};

/* The i-th sample, whose memory is in `memory`; the same every time. */
struct stored_sample {
	struct sample sample;
	struct buf key;
	struct buf memory;
};

void stored_schema(enum stored_kind kind, struct schema *schema);
void stored_sample_init(
    struct stored_sample *stored, enum stored_kind kind, unsigned i);
void stored_sample_release(struct stored_sample *stored);
/* Returns the number of the sample with this key; there must be one. */
unsigned stored_number(struct span key);

/* Can the store keep these?  And if not, the nearest kind that it can. */
bool stored_takes(const char *store, enum stored_kind kind);
enum stored_kind stored_nearest(const char *store, enum stored_kind kind);

/* A form by names, "tar" and "zstd:1". */
struct store_form stored_form(
    const char *store, const char *codec, enum stored_kind kind);

/* Writes samples from `first` until `end` as one shard. */
void stored_write_shard(const char *dir, const struct store_form *form,
    enum stored_kind kind, unsigned number, unsigned first, unsigned end);
/* manifest_write, onto this machine. */
int stored_write_manifest(const char *dir, const struct store_form *form,
    unsigned shards, const struct manifest_note *note, struct error *err);
/* Writes all, in STORED_SHARDS shards, and the manifest. */
void stored_write(
    const char *dir, const struct store_form *form, enum stored_kind kind);

/*
 * What an earlier presto wrote of the same data: indexes without files, and a
 * manifest of this version.
 */
void stored_make_old(const char *dir, const struct store_form *form,
    unsigned shards, const struct manifest_note *note);
/*
 * Changes the first `from` in an index or a manifest to `to`, and makes the
 * checksum in its last line fit, as one who forges it would.
 */
void stored_forge(
    const char *dir, const char *name, const char *from, const char *to);

/*
 * Opens, and reads what is there with one thread; each sample goes to `take`
 * with its number, unless that is NULL.  0, or -1 with what was wrong.
 */
typedef void stored_take(void *arg, unsigned i, const struct sample *sample);
int stored_read(
    const char *dir, stored_take *take, void *arg, struct error *err);
/* shard_is_complete and manifest_read, on this machine. */
bool stored_is_complete(
    const char *dir, const struct store_form *form, unsigned number);
int stored_read_manifest(
    struct manifest *manifest, const char *dir, struct error *err);

/* Calls `check` for each store with each codec that it takes, by names. */
void stored_each(
    void (*check)(const char *store, const char *codec, void *arg), void *arg);

#endif
