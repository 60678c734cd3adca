/*
 * made.h - what presto itself writes, known again by its marks: so that its own
 * output is no part of a dataset that it lies in.
 *
 * A folder is presto's where it holds the mark of an own folder
 * (own_folder.h), the manifest or the lock of stored data; or where it has the
 * name of an own folder.  A file is presto's where its first bytes
 * say so: a result database, with the files that SQLite keeps beside it, and a
 * page of presto report.
 */
#ifndef LIB_FOLDER_MADE_H
#define LIB_FOLDER_MADE_H

#include <stdbool.h>

/* In stored data that is begun; a lock. */
#define MADE_PARTIAL "presto.partial"

bool made_is_folder(const char *path);
/* May a file of this name be presto's?  Asked before it is opened. */
bool made_may_be_file(const char *name);
bool made_is_file(const char *path);

#endif
