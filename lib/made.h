/*
 * made.h - what presto itself writes, known again by its marks: so that its own
 * output is no part of a dataset that it lies in.
 *
 * A folder is presto's where it holds the mark of a work folder, the manifest
 * or the lock of stored data; or where it has the name of a folder that presto
 * makes for the time that it runs.  A file is presto's where its first bytes
 * say so: a result database, with the files that SQLite keeps beside it, and a
 * page of presto report.
 */
#ifndef LIB_MADE_H
#define LIB_MADE_H

#include <stdbool.h>

#define MADE_WORK_MARK ".presto-work"   /* in a work folder; its lock */
#define MADE_PARTIAL   "presto.partial" /* in stored data that is begun; too */
/* Names of what goes when the program ends: six random characters follow. */
#define MADE_WORK  "presto-work-"
#define MADE_PROBE "presto-probe-"
#define MADE_SYNC  "presto-sync-" /* of versions before this one */

bool made_is_folder(const char *path);
/* May a file of this name be presto's?  Asked before it is opened. */
bool made_may_be_file(const char *name);
bool made_is_file(const char *path);

#endif
