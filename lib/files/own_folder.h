/*
 * own_folder.h - a folder that a process has for itself for a while, such as
 * PARENT/presto-work-k3Jd0a, and what killed processes left of such folders.
 *
 * The folder has mode 0700 and holds the file .presto-work, its mark, which is
 * locked (lock.h) while its process lives.  The mark goes last: a folder that
 * was half emptied still has it.  Only a folder that has no mark, has a name
 * that is given here, and belongs to the user was made by a process that was
 * killed in the moment before it wrote the mark, or by an earlier presto.
 *
 * The first line of the mark says whether others may remove the folder when its
 * process is dead, and which host made it.
 */
#ifndef LIB_FILES_OWN_FOLDER_H
#define LIB_FILES_OWN_FOLDER_H

#include <stdbool.h>

struct error;
struct lock;

enum own_folder_kind {
	OWN_FOLDER_WORK,  /* presto-work-XXXXXX: a session's data */
	OWN_FOLDER_PROBE, /* presto-probe-XXXXXX: files of noise to be read */
	OWN_FOLDER_KINDS
};

#define OWN_FOLDER_MARK ".presto-work"

/* Is it a name that presto gives folders of this kind? */
bool own_folder_is_name(const char *name, enum own_folder_kind kind);
/* "presto-sync-XXXXXX": files that earlier versions had for a moment. */
bool own_folder_is_old_file(const char *name);

/*
 * Makes a folder in `parent`, which is there; its absolute path, owned; NULL on
 * an error.  With `keep` nobody but its owner removes it, also when it is
 * killed.
 */
char *own_folder_new(const char *parent, enum own_folder_kind kind, bool keep,
    struct lock *lock, struct error *err);
/*
 * Locks a folder of a process that has ended, or makes it anew at the same
 * place.  An error when another process has it, and ERROR_DATA for a folder
 * that presto has not made.
 */
int own_folder_take(const char *dir, enum own_folder_kind kind, bool keep,
    struct lock *lock, struct error *err);
/* Removes what is in it, but for the mark, whose lock the caller has. */
int own_folder_empty(const char *dir, struct error *err);
/* Removes it, and gives the lock back; 0 when it is gone already. */
int own_folder_remove(const char *dir, struct lock *lock, struct error *err);
/* Has another process the folder?  Not where it cannot be told. */
bool own_folder_in_use(const char *dir);

/*
 * Removes from `parent` what killed processes of this user left: such folders,
 * and temporary files (temporary.h).  Not what a living process has, what is
 * kept, and on a storage that hosts share what another host made.  `tell`
 * (NULL: nobody asks) is told in a line what was removed, or why something
 * could not be.
 */
typedef void own_folder_tell(void *arg, const char *text);
void own_folder_sweep(const char *parent, own_folder_tell *tell, void *arg);

#endif
