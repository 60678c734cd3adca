/*
 * own_folder.h - a folder that one process uses alone for a while, such as
 * PARENT/presto-work-k3Jd0a; and removing those that killed processes left.
 *
 * The folder has mode 0700 and holds the file .presto-work, its mark.  The mark
 * is locked (lock.h) while the process lives, and removed last: so a folder
 * that was only partly removed still has it.  A process may be killed just
 * before it writes the mark, and earlier versions wrote none.  So a folder of
 * the user without a mark counts as presto's if it has one of the names below.
 *
 * The first line of the mark says which host made the folder, and whether
 * others may remove it when the process is dead.
 */
#ifndef LIB_FILES_OWN_FOLDER_H
#define LIB_FILES_OWN_FOLDER_H

#include <stdbool.h>
#include <stdint.h>

struct error;
struct lock;

enum own_folder_kind {
	OWN_FOLDER_WORK,  /* presto-work-XXXXXX: data of a session */
	OWN_FOLDER_PROBE, /* presto-probe-XXXXXX: files that the probe reads */
	OWN_FOLDER_KINDS
};

#define OWN_FOLDER_MARK ".presto-work"

/* Is it a name that presto gives to folders of this kind? */
bool own_folder_is_name(const char *name, enum own_folder_kind kind);
/* Is it "presto-sync-XXXXXX", a temporary file of earlier versions? */
bool own_folder_is_old_file(const char *name);

/*
 * Makes a folder in the existing folder `parent`.  Returns its absolute path,
 * owned by the caller; NULL on an error.  With `keep` only its owner removes
 * it, even if the process is killed.
 */
char *own_folder_new(const char *parent, enum own_folder_kind kind, bool keep,
    struct lock *lock, struct error *err);
/*
 * Takes over the folder of a process that has ended; makes it at the same path
 * if it is missing.  Fails when another process uses it, and with ERROR_DATA
 * for a folder that presto has not made.
 */
int own_folder_take(const char *dir, enum own_folder_kind kind, bool keep,
    struct lock *lock, struct error *err);
/* Removes the content but not the mark, whose lock the caller holds. */
int own_folder_empty(const char *dir, struct error *err);
/* Removes the folder and releases the lock; 0 when it is gone already. */
int own_folder_remove(const char *dir, struct lock *lock, struct error *err);
/* Does another process use the folder?  No, if that cannot be determined. */
bool own_folder_in_use(const char *dir);

/*
 * Returns the path of an own folder below `parent` as the user gave that, if it
 * is the same folder; else `dir`.  Owned.
 */
char *own_folder_as_given(
    const char *parent, const char *dir, struct error *err);
/* Returns "DIR/resized-tar-gzip_6" for the label resized/tar/gzip:6; owned. */
char *own_folder_below(const char *dir, const char *label, struct error *err);

/*
 * May a folder with this first line of its mark be removed when its process is
 * dead?  On a storage that hosts share, only its own host can know which
 * processes are dead.  Elsewhere the lock tells, and host names are not
 * compared: containers on one machine have different ones.
 */
bool own_folder_may_go(const char *text, bool is_shared);
/*
 * Removes the content, then the mark, whose lock is released, then the folder.
 * Adds the sizes of the files to *bytes (may be NULL).
 */
int own_folder_clear(
    const char *dir, struct lock *lock, uint64_t *bytes, struct error *err);

#endif
