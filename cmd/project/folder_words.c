/* folder_words.c - see folder_words.h. */
#include "cmd/project/folder_words.h"

#include "cmd/program/cmd.h"
#include "lib/files/temporary_sweep.h"
#include "strategies/prepare/materialize.h"

enum { FINDINGS_MOST = 100 };

void folder_tell_swept(const struct swept *swept, const char *dir)
{
	char text[SWEPT_TEXT];

	swept_words(swept, dir, text);
	if (swept->count)
		cmd_note("%s", text);
	if (swept->failed.code)
		cmd_note("uploads that killed runs may have left in %s stay "
		         "there: %s",
		    dir, swept->failed.text);
}

void folder_tell_findings(const struct folder_check *found, bool is_mended)
{
	size_t told = 0;

	for (size_t i = 0; i < found->count && told < FINDINGS_MOST; i++) {
		const struct folder_finding *finding = &found->findings[i];
		const bool anew = finding->kind == FOLDER_DAMAGE && is_mended;

		cmd_warn("%s%s", finding->text, anew ? "; written anew" : "");
		told++;
	}
	if (told < found->count)
		cmd_warn("and %zu more files", found->count - told);
}
