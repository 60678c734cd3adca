/*
 * migrate.h - makes the tables of a new result database, brings those of an
 * older presto up to date, and refuses what is not a result database.
 */
#ifndef LIB_DB_MIGRATE_H
#define LIB_DB_MIGRATE_H

struct error;
struct sqlite3;

/* The application_id of a result database: the first 4 bytes of "presto". */
enum { RESULTS_APPLICATION = 0x70726573 };

/*
 * After it the database has the tables and views of the newest version: a
 * change of a view, too, is a new version.  An empty one is filled; one of a
 * newer presto, or of another program, is an error and nothing is written to
 * it.
 */
int migrate(struct sqlite3 *db, const char *path, struct error *err);

/*
 * The same without a write to the file, and an empty one is an error: one of
 * an older version is closed, and *db is a copy in memory.
 */
int migrate_to_read(struct sqlite3 **db, const char *path, struct error *err);

#endif
