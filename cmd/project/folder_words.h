/* folder_words.h - tells what was found in a folder that is written. */
#ifndef CMD_PROJECT_FOLDER_WORDS_H
#define CMD_PROJECT_FOLDER_WORDS_H

#include <stdbool.h>

struct folder_check;
struct swept;

/* Notes how many temporary files of killed runs were removed from `dir`. */
void folder_tell_swept(const struct swept *swept, const char *dir);
/* Warns of each finding, so that nothing is repaired silently. */
void folder_tell_findings(const struct folder_check *found, bool is_mended);

#endif
