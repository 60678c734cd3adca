/* results_ini.h - the pipeline file of a session, to be read again. */
#ifndef LIB_DB_RESULTS_INI_H
#define LIB_DB_RESULTS_INI_H

#include "lib/db/results.h"

/*
 * Reads the pipeline file of a session, with everything that was set on the
 * command line.  Files that it names are found from any folder. 1; 0: an older
 * presto measured and did not keep it.
 */
int results_read_ini(struct results *results, int64_t session, struct ini *ini,
    struct error *err);

#endif
