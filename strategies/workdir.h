/*
 * workdir.h - the folder that a session materialises in: made by it, marked by
 * it, and only so removed by it.
 */
#ifndef STRATEGIES_WORKDIR_H
#define STRATEGIES_WORKDIR_H

struct error;

/*
 * Makes PARENT/presto-work-XXXXXX with the mark in it; the path is owned.
 * *lock keeps other processes from taking the folder up (path_unlock).
 */
char *workdir_new(const char *parent, int *lock, struct error *err);
/* Removes a folder that has the mark; 0 when it is gone already. */
int workdir_remove(const char *dir, struct error *err);
/*
 * Makes it anew, empty, at the same place (for a resumed session); an error
 * when another process is at work in it.
 */
int workdir_renew(const char *dir, int *lock, struct error *err);
/* "DIR/resized-tar-gzip_6" for a strategy's data; owned. */
char *workdir_data(const char *dir, const char *label, struct error *err);

#endif
