/*
 * made.h - recognises presto's own output, so that it does not become a part of
 * the dataset that it lies in.
 *
 * A folder is presto's if it holds the mark of an own folder (own_folder.h), or
 * the manifest, lock or job of stored data, or if it has the name of an own
 * folder. A file is presto's if its first bytes say so: a result database, with
 * the files that SQLite keeps beside it, or a page of presto report.
 */
#ifndef LIB_FOLDER_MADE_H
#define LIB_FOLDER_MADE_H

#include <stdbool.h>
#include <stddef.h>

struct medium;

/* Name of the lock in stored data that is incomplete. */
#define MADE_PARTIAL "presto.partial"
/* Name of the job in stored data that several processes write. */
#define MADE_JOB "presto.job"

bool made_is_folder(struct medium *medium, const char *path);
/* Is it a name that presto gives to its own folders? */
bool made_is_folder_name(const char *name);
/* Names of the files that make their folder presto's; NULL behind the last. */
const char *made_mark(size_t i);
/* Could a file of this name be presto's? Asked before the file is opened. */
bool made_may_be_file(const char *name);
bool made_is_file(struct medium *medium, const char *path);

#endif
