/* folder_labels.h - labels by folder, name or key, or from a table. */
#ifndef DATASETS_FOLDERS_FOLDER_LABELS_H
#define DATASETS_FOLDERS_FOLDER_LABELS_H

#include "datasets/folders/folder_set.h"

struct medium;

/* Sets the labels by `label` or `labels`; the samples' keys are known. */
int folder_label(struct folder_set *set, struct medium *medium,
    const struct folder_options *options, struct error *err);

#endif
