/*
 * show_folder.h - what a materialised folder holds, as `presto show DIR`
 * prints it.
 */
#ifndef CMD_SHOW_FOLDER_H
#define CMD_SHOW_FOLDER_H

struct error;

int show_folder(const char *dir, struct error *err);

#endif
