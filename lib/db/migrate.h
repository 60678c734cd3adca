/*
 * migrate.h - makes the tables of a new result database, brings an older one up
 * to date, and refuses any other file.
 */
#ifndef LIB_DB_MIGRATE_H
#define LIB_DB_MIGRATE_H

struct error;
struct sqlite3;

/* The application_id of a result database: the first 4 bytes of "presto". */
enum { RESULTS_APPLICATION = 0x70726573 };

/*
 * Brings a database up to date in its file: it gets the tables, views and
 * triggers of the newest version.  A change of a view, too, is a new version.
 * An empty file is filled.  One of a newer presto or of another program is an
 * error, and nothing is written to it.
 */
int migrate(struct sqlite3 *db, const char *path, struct error *err);

/*
 * Brings a database up to date without a write to the file: an older one is
 * closed, and *db becomes a copy in memory.  An empty file is an error.
 */
int migrate_to_read(struct sqlite3 **db, const char *path, struct error *err);

/*
 * Makes the views once more, for the connection: they read its temporary tables
 * where there are some, while views of the file read tables of the file only.
 */
int migrate_temporary_views(
    struct sqlite3 *db, const char *path, struct error *err);

#endif
