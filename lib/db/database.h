/*
 * database.h - the connection and its prepared statements, which the files of
 * the result database share.  Only lib/db includes it.
 */
#ifndef LIB_DB_DATABASE_H
#define LIB_DB_DATABASE_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "lib/base/error.h"
#include "lib/db/database_name.h"
#include "lib/db/derived.h"
#include "lib/db/private.h"
#include "lib/db/results.h"
#include "lib/db/results_read.h"
#include "lib/measure/phase.h"

enum statement {
	BEGIN,
	COMMIT,
	ROLLBACK,
	ADD_SESSION,
	SET_FILE,
	SET_INVENTORY,
	SET_ORDER_COSTS,
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
	ADD_TRACE,
	ADD_HOST,
	TRACED_TRIALS,
	DROP_EVENTS,
	ADD_WARNING,
	ADD_SYSTEM,
	SET_CEILING,
	GET_CEILINGS,
	HAS_TRIAL,
	NEWEST_SESSION,
	FIND_SESSION,
	READ_SESSION,
	READ_PLACES,
	READ_FILE,
	READ_INVENTORY,
	READ_ORDER_COSTS,
	READ_SETTINGS,
	LATE, /* from here on prepared when they are first used */
	LIST_MISSING = LATE,
	MEASURED_SESSION,
	MEASURED_TRIALS,
	MEASURED_EPOCHS,
	MEASURED_PHASES,
	DROP_FIGURES,
	DROP_RUN_FIGURES,
	DROP_RANKS,
	DROP_SEEN,
	ADD_SEEN,
	ADD_FIGURE,
	ADD_RUN_FIGURE,
	ADD_RANK,
	SET_RULE,
	TAKE_RULE, /* into temporary tables */
	TAKE_FIGURES,
	TAKE_RUN_FIGURES,
	TAKE_RANKS,
	TAKE_SEEN,
	READ_ONE, /* the first view, for one session; others follow */
	READ_ALL =
	    READ_ONE + RESULTS_VIEW_COUNT, /* the same views for all sessions */
	STATEMENT_COUNT = READ_ALL + RESULTS_VIEW_COUNT
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
	bool is_reader; /* the file stays as it is */
	bool hides;     /* see results_hide */
	const struct results_rule
	    *rule;          /* borrowed; NULL: nothing is derived */
	bool is_deriving;   /* a rule runs, and reads views */
	bool has_temporary; /* derived rows are in temporary tables */
	struct private names;
};

/* Returns a statement from LATE on, prepared at first use; NULL: an error. */
sqlite3_stmt *results_late(
    struct results *results, enum statement which, struct error *err);
/* Drops these statements, since names mean other tables from now on. */
void results_drop_late(struct results *results);

/*
 * Checks access to the file and its folder, and says why there is none: SQLite
 * would only say that it cannot open the file.
 */
int results_check_access(const char *path, bool create, struct error *err);
/* Opens results->path; results_disconnect drops statements and closes it. */
int results_connect(struct results *results, bool create, struct error *err);
void results_disconnect(struct results *results);
/* Prepares all statements before LATE. */
int results_prepare(struct results *results, struct error *err);

/* ---- moved.c ---- */

/* Notes which files stand beside the database; after results_prepare. */
void results_note_place(struct results *results);
/*
 * Returns a statement for writing, to be bound; NULL is an error.  It is called
 * before anything is stored and outside a transaction.  If the database was
 * removed from its path or replaced, all of it is written anew first; see
 * results_moved_from.
 */
sqlite3_stmt *results_writer(
    struct results *results, enum statement which, struct error *err);

/*
 * Writes the last error in the words of SQLite and of the system: "disk I/O
 * error: No space left on device".  Returns `words`.
 */
enum { RESULTS_WORDS = 256 };
const char *results_words(sqlite3 *db, char words[RESULTS_WORDS]);

/* "PATH: cannot WHAT: results_words"; returns -1. */
int results_error(struct results *results, const char *what, struct error *err);

/* Runs a statement without rows, and resets it with its bindings. */
int results_run(struct results *results, enum statement which, const char *what,
    struct error *err);

/* Keeps the pipeline file of a session; see results_read_ini. */
int results_add_ini(struct results *results, int64_t session,
    const struct ini *ini, struct error *err);

/* Texts of READ_SESSION, counted from "pipeline" on. */
enum record_text {
	RECORD_PATH = 1,
	RECORD_TEXT,
	RECORD_FINGERPRINT,
	RECORD_DATASET,
	RECORD_WORK_DIR,
	RECORD_CODE = 10,
	RECORD_TEXTS
};

/*
 * Hides private facts in the machine and the texts of a session.  `pipeline`
 * holds the text of the pipeline that is left.
 */
int results_hide_record(struct results *results, struct session_info *info,
    const char *texts[RECORD_TEXTS], struct buf *pipeline, struct error *err);

const char *results_phase_name(enum phase phase); /* "open", "read", ... */

/* Resets a statement and its bindings; always 0. */
int results_reset(sqlite3_stmt *s);

void results_bind_text(sqlite3_stmt *s, int i, const char *text);
void results_bind_uint(sqlite3_stmt *s, int i, uint64_t number);
/* Binds a known number; a column that is not bound becomes NULL. */
void results_bind_if(sqlite3_stmt *s, int i, bool known, double number);
/* Binds 1 to 9: the strategy, and what tells its trials apart. */
void results_bind_load(
    sqlite3_stmt *s, int64_t strategy, const struct trial_row *load);

#endif
