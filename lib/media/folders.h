/*
 * folders.h - looks at folders of a medium, as path_tree.h does at local ones.
 *
 * In memory and in an object store a folder is the beginning of names: there it
 * exists while a file is below it, and all of them are visited by a listing.
 */
#ifndef LIB_MEDIA_FOLDERS_H
#define LIB_MEDIA_FOLDERS_H

#include <stdint.h>

#include "lib/files/path_tree.h"

struct error;
struct medium;

enum { MEDIUM_NAME = 256 };

/* Like path_each_name, path_find_any and path_bytes. */
int medium_each_name(struct medium *medium, const char *dir,
    path_name_visit *visit, void *arg, struct error *err);
int medium_find_any(struct medium *medium, const char *dir, const char *except,
    char name[MEDIUM_NAME], struct error *err);
int medium_folder_bytes(
    struct medium *medium, const char *dir, uint64_t *bytes, struct error *err);
/*
 * Visits all files below a folder as path_each does, with no rule for the order
 * where they come from a listing.
 */
int medium_each_file(struct medium *medium, const char *dir, path_visit *visit,
    void *arg, struct error *err);
/* Removes a folder with all its files; 0 if there is none. */
int medium_remove_tree(
    struct medium *medium, const char *dir, struct error *err);

#endif
