/*
 * database.h - what the files of the result database share: the connection
 * and its statements, prepared once.  Only lib/db includes it.
 */
#ifndef LIB_DB_DATABASE_H
#define LIB_DB_DATABASE_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "lib/base/error.h"
#include "lib/db/database_name.h"
#include "lib/db/private.h"
#include "lib/db/results.h"

enum statement {
	BEGIN,
	COMMIT,
	ROLLBACK,
	ADD_SESSION,
	SET_FILE,
	SET_INVENTORY,
	ADD_SETTING,
	END_SESSION,
	FIND_UNFINISHED,
	ADD_STRATEGY,
	SET_PREPARATION,
	DROP_TRIAL,
	ADD_TRIAL,
	ADD_RUN,
	ADD_STEP,
	ADD_PHASE,
	ADD_LEVEL,
	ADD_WARNING,
	ADD_SYSTEM,
	SET_CEILING,
	GET_CEILINGS,
	HAS_TRIAL,
	HAS_OTHER_SESSIONS,
	NEWEST_SESSION,
	FIND_SESSION,
	READ_SESSION,
	READ_PLACES,
	READ_FILE,
	READ_INVENTORY,
	READ_SETTINGS,
	READ_VIEW, /* and one for each other enum results_view */
	STATEMENT_COUNT = READ_VIEW + RESULTS_VIEW_COUNT
};

enum { BUSY_TIMEOUT_MS = 10000 };

/* A file that SQLite keeps beside the database; all 0: there is none. */
struct side_file {
	dev_t device;
	ino_t inode;
};

struct results {
	sqlite3 *db;
	char *path;
	char *moved_from; /* see results_moved_from; owned */
	struct side_file side[SIDE_FILES];
	sqlite3_stmt *stmt[STATEMENT_COUNT];
	bool is_reader;      /* it stores nothing that has to stay */
	struct results *one; /* owned; see results_of_session */
	int64_t one_session; /* which `one` has */
	bool hides;          /* see results_hide */
	struct private names;
};

/*
 * The statement of a view, prepared when it is first wanted: to plan all these
 * views in views takes longer than to run one.  NULL on an error.
 */
sqlite3_stmt *results_view(
    struct results *results, enum results_view view, struct error *err);

/*
 * Where to read what is derived of a session: a copy of it that `results` keeps
 * for the next time, where there are others; else `results`.  NULL on an error.
 */
struct results *results_of_session(
    struct results *results, int64_t session, struct error *err);

/* What SQLite would not say; it makes files beside the database, too. */
int results_check_access(const char *path, bool create, struct error *err);
/* Opens results->path; and the reverse, with all statements. */
int results_connect(struct results *results, bool create, struct error *err);
void results_disconnect(struct results *results);
/* Prepares all statements but those of the views. */
int results_prepare(struct results *results, struct error *err);

/* ---- moved.c ---- */

/* Notes which files are there; after results_prepare. */
void results_note_place(struct results *results);
/*
 * The statement, to be bound; NULL on an error.  Before anything is stored,
 * outside a transaction: where the database was removed from its path or
 * replaced, all of it is written anew; see results_moved_from.
 */
sqlite3_stmt *results_writer(
    struct results *results, enum statement which, struct error *err);

/* What its last error is to presto: the data, the memory or the system. */
enum error_code results_error_code(sqlite3 *db);

/*
 * What SQLite says of its last error, and what the system said to SQLite: "disk
 * I/O error: No space left on device".  Returns `words`.
 */
enum { RESULTS_WORDS = 256 };
const char *results_words(sqlite3 *db, char words[RESULTS_WORDS]);

/* "PATH: cannot WHAT: results_words"; returns -1. */
int results_error(struct results *results, const char *what, struct error *err);

/* Runs a statement that gives no rows, and resets it with its bindings. */
int results_run(struct results *results, enum statement which, const char *what,
    struct error *err);

/* Keeps the pipeline file of a session; see results_read_ini. */
int results_add_ini(struct results *results, int64_t session,
    const struct ini *ini, struct error *err);

/* The texts of READ_SESSION from "pipeline" on. */
enum record_text {
	RECORD_PATH = 1,
	RECORD_TEXT,
	RECORD_FINGERPRINT,
	RECORD_DATASET,
	RECORD_WORK_DIR,
	RECORD_TEXTS = 10
};

/*
 * Where `results` hides: the machine and the texts of a session, with
 * `pipeline` to hold one of them.
 */
int results_hide_record(struct results *results, struct session_info *info,
    const char *texts[RECORD_TEXTS], struct buf *pipeline, struct error *err);

/* Ready for its next use; always 0. */
int results_reset(sqlite3_stmt *s);

void results_bind_text(sqlite3_stmt *s, int i, const char *text);
void results_bind_uint(sqlite3_stmt *s, int i, uint64_t number);

#endif
