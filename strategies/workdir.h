/*
 * workdir.h - the folder that a session materialises in: made by it, marked by
 * it, and only so removed by it.
 */
#ifndef STRATEGIES_WORKDIR_H
#define STRATEGIES_WORKDIR_H

#include <stdbool.h>

struct error;
struct lock;

/*
 * Makes PARENT/presto-work-XXXXXX with the mark in it; the path is owned.
 * *lock, of the mark, keeps other processes from taking the folder up.
 */
char *workdir_new(const char *parent, struct lock *lock, struct error *err);
/* Removes a folder that has the mark; 0 when it is gone already. */
int workdir_remove(const char *dir, struct error *err);
/*
 * Locks the folder for a resumed session, or makes it anew at the same place.
 * An error when another process is at work in it.
 */
int workdir_take(const char *dir, struct lock *lock, struct error *err);
/* Removes what is in it, but for the mark, whose lock the caller has. */
int workdir_empty(const char *dir, struct error *err);
/* Is another process at work in it?  Not where it cannot be told. */
bool workdir_in_use(const char *dir);
/* "DIR/resized-tar-gzip_6" for a strategy's data; owned. */
char *workdir_data(const char *dir, const char *label, struct error *err);

#endif
