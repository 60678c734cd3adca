/* own_folder_sweep.h - removes what killed processes left in a folder. */
#ifndef LIB_FILES_OWN_FOLDER_SWEEP_H
#define LIB_FILES_OWN_FOLDER_SWEEP_H

/*
 * Removes from `parent` the folders and temporary files (temporary.h) that
 * killed processes of this user left.  Folders of living processes and kept
 * ones stay; on a storage that hosts share, also those of other hosts.  `tell`
 * (may be NULL) gets one line for each removal or failure.
 */
typedef void own_folder_tell(void *arg, const char *text);
void own_folder_sweep(const char *parent, own_folder_tell *tell, void *arg);

#endif
