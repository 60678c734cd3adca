/*
 * describe.h - writes dataset.json and README.md of a materialised folder, and
 * lists them and its inventory in the manifest.
 */
#ifndef STRATEGIES_PREPARE_DESCRIBE_H
#define STRATEGIES_PREPARE_DESCRIBE_H

struct error;
struct manifest;
struct prepare_plan;
struct sink;

/* Implements prepare_folder.describe. */
int describe_folder(const struct prepare_plan *plan, struct sink *sink,
    struct manifest *manifest, struct error *err);

#endif
