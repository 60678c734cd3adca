/* folder.h - the output of `presto show DIR` for a materialised folder. */
#ifndef CMD_SHOW_FOLDER_H
#define CMD_SHOW_FOLDER_H

#include <stdbool.h>

struct error;

/* Prints the folder; with `private`, without paths and names of classes. */
int show_folder(const char *dir, bool private, struct error *err);

#endif
