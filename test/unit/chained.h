/*
 * chained.h - the steps of a pipeline's text, run on one tensor at a time, as
 * the loader runs them.
 */
#ifndef TEST_UNIT_CHAINED_H
#define TEST_UNIT_CHAINED_H

#include "lib/pipeline/chain.h"
#include "lib/syntax/ini.h"

struct error;
struct presto_step;

struct chained {
	struct ini ini;
	struct pipeline pipeline;
	struct chain *chain;
	struct sample out; /* its field 0 is the result */
};

/* The types that most tests begin with. */
struct type chained_file(const char *suffix);
struct type chained_pixels(void); /* uint8 ?x?x3 */

/*
 * Reads the lines of [pipeline], binds them to one field of the type, and makes
 * a chain: 0 or -1.  Close it in any case.
 */
int chained_open(struct chained *chained, const char *lines,
    const struct type *in, const struct presto_step *brought,
    struct error *err);
/* The same for a pipeline file in a folder; fails if it cannot be opened. */
void chained_open_file(struct chained *chained, const char *dir,
    const char *lines, const struct type *in);
/* Another chain for the same pipeline, as another worker has; or fails. */
struct chain *chained_worker(const struct chained *chained);
/* Runs the steps on a tensor: 0 or -1.  `key` is that of the sample. */
int chained_run(struct chained *chained, const struct tensor *in,
    const char *key, struct error *err);
/* The same for the bytes of a file. */
int chained_run_text(
    struct chained *chained, const char *text, struct error *err);
void chained_close(struct chained *chained);

/* Fails unless the result has just these bytes. */
void chained_gave(const struct chained *chained, const char *text);

#endif
