/* folder.h - the output of `presto show DIR` for a materialised folder. */
#ifndef CMD_SHOW_FOLDER_H
#define CMD_SHOW_FOLDER_H

#include <stdbool.h>
#include <stdint.h>

struct error;

/*
 * Prints a version of the folder, 0: the newest; with `private`, without paths
 * and names of classes.
 */
int show_folder(
    const char *dir, uint64_t version, bool private, struct error *err);

#endif
