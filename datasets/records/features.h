/*
 * features.h - chooses which features of tf.train.Example records are fields,
 * label and key, from the options and from the first record.
 *
 * Without the option `fields`, every feature with a dtype or suffix beside it
 * is a field, as presto's own store writes them; else a feature of a usual
 * name; else the only one that is left.
 */
#ifndef DATASETS_RECORDS_FEATURES_H
#define DATASETS_RECORDS_FEATURES_H

#include "datasets/records/examples.h"

/* Parses the options, each of which may be NULL; ERROR_USAGE quotes them. */
int features_parse(struct examples *examples, struct schema *schema,
    const char *fields, const char *label, const char *key, struct error *err);
/* Chooses what the options left open, and all types, by the first record. */
int features_choose(struct examples *examples, struct schema *schema,
    struct span payload, struct error *err);

#endif
