/*
 * sql.h - the database of a test through SQL, without the code under test; and
 * one of an older presto.  What fails, fails the test.
 */
#ifndef TEST_UNIT_SQL_H
#define TEST_UNIT_SQL_H

/* Runs statements, with foreign keys. */
void sql_run(const char *path, const char *sql);
/* Returns the number that a query has first; NAN: it is NULL. */
double sql_number(const char *path, const char *sql);

/*
 * Makes a database of version 1: session 1 is done, and has strategy 1,
 * `unprocessed`.  The statements add the rest.
 */
void sql_make_first_version(const char *path, const char *rest);

#endif
