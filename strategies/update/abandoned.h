/*
 * abandoned.h - removes what an update made that was stopped, and that will not
 * go on since the dataset is another one by now.
 *
 * Readers other than presto take all shards that lie in a folder, so these must
 * not stay.
 */
#ifndef STRATEGIES_UPDATE_ABANDONED_H
#define STRATEGIES_UPDATE_ABANDONED_H

struct error;
struct manifest;
struct prepare_plan;

/*
 * Removes the shards behind those of the newest manifest that other works than
 * the one with this fingerprint have noted (finished.h); NULL: that any work
 * has. A shard is removed if its index has the size and the checksum of the
 * note, so nothing is that presto did not write. Files of the next version go
 * too. The caller has the claim of the folder.
 */
int abandoned_sweep(const struct prepare_plan *plan,
    const struct manifest *newest, const char *fingerprint, struct error *err);

#endif
