/* markdown.c - see markdown.h. */
#include "lib/syntax/markdown.h"

#include "lib/base/bytes.h"
#include "lib/base/printable.h"

/* Uses more backticks at each end than any run in the text has. */
int markdown_code(struct buf *out, const char *text, struct error *err)
{
	size_t most = 0, run = 0;
	int rc = 0;

	for (const char *c = text; *c; c++) {
		run = *c == '`' ? run + 1 : 0;
		most = run > most ? run : most;
	}
	for (size_t i = 0; rc == 0 && i <= most; i++)
		rc = buf_append(out, "`", 1, err);
	if (rc || buf_printf(out, err, "%s", most ? " " : "") ||
	    printable_append(out, span_text(text), err) ||
	    buf_printf(out, err, "%s", most ? " " : ""))
		return -1;
	for (size_t i = 0; rc == 0 && i <= most; i++)
		rc = buf_append(out, "`", 1, err);
	return rc;
}
