/*
 * show_folder.h - what a materialised folder holds, as `presto show DIR`
 * prints it.
 */
#ifndef CMD_SHOW_FOLDER_H
#define CMD_SHOW_FOLDER_H

#include <stdbool.h>

struct error;

/* `private`: without paths and the names of classes. */
int show_folder(const char *dir, bool private, struct error *err);

#endif
