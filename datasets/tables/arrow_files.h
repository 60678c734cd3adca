/*
 * arrow_files.h - the files of an Arrow dataset.
 *
 * A folder that the library `datasets` saved has a state.json with the names of
 * its data files. All other .arrow files of such a folder are left out, such as
 * the cached results of map(). Without a state.json, files with the names of
 * these caches are left out, unless there are no others.
 */
#ifndef DATASETS_TABLES_ARROW_FILES_H
#define DATASETS_TABLES_ARROW_FILES_H

struct error;
struct reader;
struct source_plan;

#define ARROW_MATCH "*.arrow" /* another pattern takes what it matches */

/* A `find` of struct table_format. */
int arrow_find_files(
    struct reader *reader, const struct source_plan *plan, struct error *err);

#endif
