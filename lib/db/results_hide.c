/* results_hide.c - hides paths and hosts in results; see results.h. */
#include <sqlite3.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/db/database.h"

/* Collects the paths of all sessions and of the database itself. */
int results_hide(struct results *results, struct error *err)
{
	sqlite3_stmt *s = results->stmt[READ_PLACES];
	int rc = private_know_host(&results->names, err), got = SQLITE_DONE;

	if (rc == 0)
		rc = private_know(&results->names, results->path, err);
	while (rc == 0 && (got = sqlite3_step(s)) == SQLITE_ROW)
		for (int i = 0; rc == 0 && i < sqlite3_column_count(s); i++) {
			const char *text =
			    (const char *)sqlite3_column_text(s, i);

			if (text)
				rc = private_know(&results->names, text, err);
		}
	if (rc == 0 && got != SQLITE_DONE)
		rc = results_error(results, "read the sessions", err);
	results_reset(s);
	results->hides = true;
	return rc;
}

bool results_hides(const struct results *results)
{
	return results->hides;
}

int results_hide_record(struct results *results, struct session_info *info,
    const char *texts[RECORD_TEXTS], struct buf *pipeline, struct error *err)
{
	static const enum record_text hidden[] = { RECORD_PATH,
		RECORD_FINGERPRINT, RECORD_DATASET, RECORD_WORK_DIR };

	if (private_pipeline(
	        &results->names, texts[RECORD_TEXT], pipeline, err))
		return -1;
	texts[RECORD_TEXT] = (const char *)pipeline->data;
	for (size_t i = 0; i < ARRAY_LEN(hidden); i++)
		texts[hidden[i]] = "";
	*info->machine.kernel = '\0';
	private_filesystem(info->source_fs);
	private_filesystem(info->work_fs);
	return 0;
}
