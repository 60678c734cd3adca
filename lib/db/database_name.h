/* database_name.h - names of a result database and of SQLite's other files. */
#ifndef LIB_DB_DATABASE_NAME_H
#define LIB_DB_DATABASE_NAME_H

/* Where neither an option nor the environment names another. */
#define DATABASE_NAME "presto.db"

enum { SIDE_FILES = 3 };

/* Each follows the name of the database: "presto.db-wal". */
static const char *const side_names[SIDE_FILES] = { "-wal", "-shm",
	"-journal" };

#endif
