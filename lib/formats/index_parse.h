/* index_parse.h - parses the index of a shard. */
#ifndef LIB_FORMATS_INDEX_PARSE_H
#define LIB_FORMATS_INDEX_PARSE_H

#include "lib/formats/index.h"

/*
 * Parses an index into an empty struct. Every number is checked: blocks follow
 * each other and end within the shard, sums agree. ERROR_DATA "line 7: ...".
 */
int shard_index_parse(struct shard_index *index, struct span text,
    const struct index_form *form, struct error *err);

/* Takes a sample's line: 1, 0 at the end, -1; `sample` points into it. */
int index_sample_next(struct span *lines, unsigned fields,
    struct index_sample *sample, struct error *err);

#endif
